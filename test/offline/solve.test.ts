import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { runOffline } from '../../src/offline/offline.ts';
import { fixture } from '../pool-set/shared-data.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const WETH = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2';
const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const USDT = '0xdac17f958d2ee523a2206206994597c13d831ec7';
const NATIVE = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';
const NOBODY = '0x00000000000000000000000000000000000000bb';
const SMALL = fixture('small-pool-set.json');
const BLOCKS = fixture('small-pool-set.blocks.json');

type Outcome = { readonly code: number; readonly stdout: string; readonly stderr: string };

async function solve(...args: readonly string[]): Promise<Outcome> {
  const stdout: string[] = [];
  const stderr: string[] = [];
  const code = await runOffline(args, { out: (line) => stdout.push(line), err: (line) => stderr.push(line) });
  return { code, stdout: stdout.join('\n'), stderr: stderr.join('\n') };
}

/** The same through the program itself. */
function program(...args: readonly string[]): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const command = [process.execPath, ['--import', './scripts/typescript.mjs', 'src/solve.ts', ...args], { cwd: ROOT }] as const;
    execFile(...command, (error, stdout, stderr) => {
      if (error === null) resolve({ code: 0, stdout, stderr });
      else if (typeof error.code === 'number') resolve({ code: error.code, stdout, stderr });
      else reject(error);
    });
  });
}

const lines = ({ stdout }: Outcome) =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('npm run solve', () => {
  let folder = '';
  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'braid-solve-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));
  const written = (name: string, content: unknown): string => {
    const file = path.join(folder, name);
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    return file;
  };
  const requests = (): string =>
    written('requests.json', [
      { id: 'sell', mode: 'sell', sellToken: WETH, buyToken: USDC, sellAmount: '50000000000000000000' },
      { id: 'buy', mode: 'buy', sellToken: USDT, buyToken: WETH, buyAmount: '1000000000000000000' },
      { id: 'native', mode: 'sell', sellToken: NATIVE, buyToken: USDC, sellAmount: '1000000000000000000' },
      { id: 'wrap', mode: 'sell', sellToken: NATIVE, buyToken: WETH, sellAmount: '7' },
      { id: 'nowhere', mode: 'sell', sellToken: WETH, buyToken: NOBODY, sellAmount: '1' },
      { id: 'zero', mode: 'sell', sellToken: WETH, buyToken: USDC, sellAmount: '0' },
    ]);

  it('answers each request with one JSON line, in the order of the file, then a summary line', async () => {
    const outcome = await solve('--pools', SMALL, '--requests', requests(), '--json');
    expect(outcome.code, outcome.stderr).to.equal(0);
    const [sell, buy, native, wrap, nowhere, zero, summary] = lines(outcome);
    expect([sell.id, buy.id, native.id, wrap.id, nowhere.id, zero.id]).to.deep.equal(['sell', 'buy', 'native', 'wrap', 'nowhere', 'zero']);
    expect([sell.ok, buy.ok, native.ok, wrap.ok]).to.deep.equal([true, true, true, true]);
    expect(sell.sellAmount).to.equal('50000000000000000000');
    // Pools hold 2,000 USDC per WETH and charge 5 to 30 bps.
    expect(Number(sell.buyAmount) / 1e6).to.be.within(50 * 2000 * 0.99, 50 * 2000 * 1.005);
    expect(BigInt(buy.buyAmount) >= 10n ** 18n).to.equal(true);
    expect(Number(buy.sellAmount) / 1e6).to.be.within(2000 * 0.995, 2000 * 1.01);
    for (const answer of [sell, buy, native]) {
      for (const hop of answer.route) {
        expect(Object.keys(hop)).to.deep.equal(['poolAddress', 'protocol', 'source', 'hook', 'tokenIn', 'tokenOut', 'amountIn', 'amountOut', 'bps']);
      }
      expect(answer.phases).to.be.an('object');
      expect(answer.facts).to.have.all.keys('steps', 'pathsConsidered', 'columnsGenerated', 'approxOutput', 'stopped');
      expect(answer.millis).to.be.greaterThan(0);
    }
    expect(native.route[0]).to.deep.include({ protocol: 'WRAP', tokenIn: NATIVE, tokenOut: WETH, bps: 10_000 });
    expect([wrap.buyAmount, wrap.route.length, wrap.route[0].source]).to.deep.equal(['7', 1, 'WRAP']);
    expect([nowhere.ok, nowhere.reason]).to.deep.equal([false, 'no-route']);
    expect([zero.ok, zero.reason]).to.deep.equal([false, 'invalid-request']);
    expect(zero.message).to.contain('sellAmount');
    expect(summary.summary).to.deep.include({ count: 6, solved: 4 });
    expect(summary.summary.millis).to.have.all.keys('median', 'p95', 'max');
    expect(outcome.stderr).to.contain('26 pools').and.contain('left out: 1 fluidDexT1, kind-not-supported');
  });

  it('on a set cleared of arbitrage tells what no route could beat, in both modes, and how near it came', async () => {
    const ran = await solve('--pools', SMALL, '--requests', requests(), '--clear-arbitrage', '--json', '--max-hops', '4', '--gas-price-gwei', '0.000001');
    const [sold, bought] = lines(ran);
    expect(Number(sold.boundAmount)).to.be.at.least(Number(sold.buyAmount) * (1 - 1e-12));
    expect(Number(bought.boundAmount)).to.be.at.most(Number(bought.sellAmount) * (1 + 1e-12));
    expect(sold.lossBps).to.be.within(0, 1);
    expect(bought.lossBps).to.be.within(0, 1);
    expect(lines(ran).at(-1).summary.lossBps.max).to.equal(Math.max(sold.lossBps, bought.lossBps));
  });

  it('applies block deltas first, and hands on the hop depth, the gas price and the selection', async () => {
    const outcome = await solve(
      '--pools',
      SMALL,
      '--requests',
      requests(),
      '--blocks',
      BLOCKS,
      '--json',
      '--max-hops',
      '1',
      '--gas-price-gwei',
      '30',
      '--every',
      '2',
      '--limit',
      '2',
    );
    expect(outcome.code, outcome.stderr).to.equal(0);
    const [sell, native, summary] = lines(outcome);
    expect([sell.id, native.id]).to.deep.equal(['sell', 'native']);
    expect([sell.blockNumber, sell.maxHops, sell.gasMode]).to.deep.equal([103, 1, 'prune']);
    expect(sell.route.every((hop: { tokenIn: string; tokenOut: string }) => hop.tokenIn === WETH && hop.tokenOut === USDC)).to.equal(true);
    expect(summary.summary.count).to.equal(2);
  });

  it('shows people a line per request and a summary', async () => {
    const outcome = await solve('--pools', SMALL, '--requests', requests());
    expect(outcome.code, outcome.stderr).to.equal(0);
    expect(outcome.stdout).to.match(/^sell +50000000000000000000 WETH → [0-9]+ USDC {2}[0-9]+ hops/m);
    expect(outcome.stdout).to.match(/^zero +invalid-request: sellAmount/m);
    expect(outcome.stdout.trim().split('\n').at(-1)).to.match(
      /^6 requests, 4 solved; time median [0-9.]+ p95 [0-9.]+ max [0-9.]+ ms; search ended: converged 4$/,
    );
  });

  const failures: [string, () => readonly string[], number, string][] = [
    ['an option it does not have', () => ['--pools', SMALL, '--requests', SMALL, '--clear-everything'], 2, 'Usage: npm run solve'],
    ['a pool set that does not exist', () => ['--pools', '/nowhere.json', '--requests', requests()], 1, '/nowhere.json does not exist'],
    [
      'a malformed pool set',
      () => ['--pools', written('bad.json', { chainId: 1, pools: 3 }), '--requests', requests()],
      1,
      "is not a pool set: $ must have required property 'tokens'",
    ],
    ['a requests file without requests', () => ['--pools', SMALL, '--requests', written('none.json', {})], 1, 'holds no requests'],
    ['deltas that are none', () => ['--pools', SMALL, '--requests', requests(), '--blocks', SMALL], 1, 'holds no block deltas'],
  ];
  for (const [what, args, code, message] of failures) {
    it(`ends with exit code ${code} and a message, without a stack: ${what}`, async () => {
      const outcome = await solve(...args());
      expect(outcome.code).to.equal(code);
      expect(outcome.stderr)
        .to.contain(message)
        .and.not.match(/^\s+at .*:[0-9]+:[0-9]+/m);
      expect(outcome.stdout).to.equal('');
    });
  }

  it('is a program with these exit codes', async () => {
    const [good, bad] = await Promise.all([
      program('--pools', SMALL, '--requests', requests(), '--json', '--limit', '1'),
      program('--pools', '/nowhere.json', '--requests', '/nowhere.json'),
    ]);
    expect([good.code, lines(good).length]).to.deep.equal([0, 2]);
    expect([bad.code, bad.stdout]).to.deep.equal([1, '']);
    expect(bad.stderr)
      .to.contain('/nowhere.json does not exist')
      .and.not.match(/^\s+at .*:[0-9]+:[0-9]+/m);
  });
});
