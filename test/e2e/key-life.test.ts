import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { scrape } from '../support/scrape.ts';
import { ROOT } from '../support/source-files.ts';
import { until } from '../support/until.ts';

const run = promisify(execFile);
const TYPESCRIPT = ['--import', './scripts/typescript.mjs'];
const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const WETH = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2';
const QUOTE = `/v1/quote?chainId=1&mode=sell&sellToken=${USDC}&buyToken=${WETH}&sellAmount=10000000000&timeLimitMs=5000`;

describe('a key’s life while the service runs: npm run keys beside a process of its own', function suite() {
  this.timeout(300_000);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'braid-key-life-'));
  const file = path.join(folder, 'keys.json');
  let service: ChildProcess;
  let publicUrl = '';
  let internalUrl = '';
  let standing = '';
  let output = '';
  const secrets: string[] = [];
  /** Every body and header that the service answered with. */
  const answers: string[] = [];

  async function keys(...argv: readonly string[]): Promise<string> {
    const { stdout } = await run(process.execPath, [...TYPESCRIPT, 'src/keys.ts', ...argv, '--file', file], { cwd: ROOT });
    return stdout.trim();
  }

  async function issue(rps: number): Promise<string> {
    const key = await keys('issue', '--rps', String(rps));
    const [, , , secret = ''] = key.split('_');
    const digest = (JSON.parse(readFileSync(file, 'utf8')) as { keys: { secretHash: string }[] }).keys.at(-1)?.secretHash ?? '';
    secrets.push(key, secret, digest);
    return key;
  }

  async function ask(key: string | null, route = QUOTE): Promise<{ readonly status: number; readonly limit: number; readonly fee: unknown }> {
    const response = await fetch(`${publicUrl}${route}`, key === null ? {} : { headers: { 'x-api-key': key } });
    const text = await response.text();
    answers.push(text, JSON.stringify([...response.headers]));
    return { status: response.status, limit: Number(response.headers.get('x-ratelimit-limit')), fee: JSON.parse(text).fee };
  }

  before(async () => {
    standing = await issue(1000);
    const env = { ...process.env, PORT: '0', INTERNAL_PORT: '0', KEYS_FILE: file, LOG_LEVEL: 'trace', SOLVER_THREADS: '1' };
    service = spawn(process.execPath, [...TYPESCRIPT, 'src/main.ts', '--pool-set', 'test/fixtures/small-pool-set.json'], { cwd: ROOT, env });
    for (const stream of [service.stdout, service.stderr]) {
      stream?.on('data', (chunk) => {
        output += chunk;
      });
    }
    expect(await until(() => output.includes('The service answers at'), 120_000), output).to.equal(true);
    [, publicUrl = '', internalUrl = ''] = /answers at (\S+) \(internal: (\S+)\)/.exec(output) ?? [];
  });
  after(async () => {
    const ended = new Promise((resolve) => service.once('exit', resolve));
    service.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });

  it('issued → its rate within a second; revoked → anonymous within a second; no request of another key is lost meanwhile (faults E8)', async () => {
    let asking = true;
    const statuses = new Map<number, number>();
    const others = Promise.all(
      [0, 1].map(async () => {
        while (asking) {
          const { status } = await ask(standing);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
      }),
    );
    // A second is the aim; ten are given to a machine that is busy.
    const fresh = await issue(77);
    const issuedAt = performance.now();
    expect(await until(async () => (await ask(fresh, '/v1/ethereum/sources')).limit === 77, 10_000), 'the new key’s rate').to.equal(true);
    const taken = performance.now() - issuedAt;
    const served = await ask(fresh);
    expect([served.status, served.limit, served.fee]).to.deep.equal([200, 77, undefined]);
    await keys('revoke', fresh.split('_')[2] ?? '');
    const revokedAt = performance.now();
    expect(await until(async () => (await ask(fresh, '/v1/ethereum/sources')).limit === 3, 10_000), 'anonymous again').to.equal(true);
    const dropped = performance.now() - revokedAt;
    asking = false;
    await others;
    expect([...statuses.keys()], JSON.stringify([...statuses])).to.deep.equal([200]);
    process.stdout.write(`      known after ${Math.round(taken)} ms, anonymous after ${Math.round(dropped)} ms, ${statuses.get(200)} quotes meanwhile\n`);
    // The anonymous bucket may have been drained by the looks above.
    let anonymous = await ask(fresh);
    const isServed = async () => {
      if (anonymous.status === 429) anonymous = await ask(fresh);
      return anonymous.status !== 429;
    };
    expect(await until(isServed, 60_000)).to.equal(true);
    expect(anonymous.fee).to.include({ feeBps: 10 });
  });

  it('SIGHUP reads the file at once, also when it looks unchanged', async () => {
    const readings = () => output.split('key file read again').length;
    const before = readings();
    service.kill('SIGHUP');
    expect(await until(() => readings() > before, 30_000)).to.equal(true);
    expect((await ask(standing)).limit).to.equal(1000);
  });

  it('keys, their secrets and digests, and users’ addresses, are in no log line at any level, no metric, no answer (faults E9)', async () => {
    for (const name of ['chainId', 'mode', 'maxHops', 'timeLimitMs', 'feeBps', 'sellAmount', 'gasPriceGwei', 'excludeRfq', 'x']) {
      const { status } = await ask(standing, `${QUOTE.replace(new RegExp(`(?<=[?&])${name}=[^&]*&?`), '')}&${name}=${standing}`);
      expect(status, name).to.equal(name === 'x' ? 200 : 400);
    }
    await ask(standing, `/v1/${standing}/sources?x=${standing}`).catch(() => undefined);
    await fetch(`${publicUrl}/${standing}`, { headers: { 'x-api-key': `${standing}x`, authorization: `Bearer ${standing}` } });
    const [taker, user] = ['0x00000000000000000000000000000000cafe0001', '0x00000000000000000000000000000000cafe0002'];
    const swap = QUOTE.replace('/quote', '/swap');
    expect((await ask(standing, `${swap}&taker=${taker}&userAddress=${user}`)).status).to.equal(200);
    expect((await ask(standing, `${swap}&taker=${taker}&userAddress=${user}&maxHops=x`)).status).to.equal(400);
    const metrics = await scrape(internalUrl);
    // Lines are gathered before they are written, in their order.
    expect(await until(() => ['quote', 'swap', 'sources', 'unknown'].every((route) => output.includes(`"route":"${route}"`)), 30_000), 'logged').to.equal(true);
    expect(
      answers.some((answer) => answer.includes(user)),
      'userAddress in answers',
    ).to.equal(false);
    expect(output).to.include('"route":"quote"').and.include('"route":"swap"').and.include('"route":"unknown"');
    expect(metrics).to.include('braid_metering_keys 1');
    expect(secrets.length).to.equal(6);
    for (const secret of [...secrets, taker, user]) {
      expect(output.includes(secret), 'log').to.equal(false);
      expect(metrics.includes(secret), 'metrics').to.equal(false);
    }
    // Not even where it was sent as a parameter, and a refusal quotes what was wrong.
    for (const secret of secrets)
      expect(
        answers.find((answer) => answer.includes(secret)),
        'answers',
      ).to.equal(undefined);
  });
});
