import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { runOffline } from '../../src/offline/offline.ts';
import { describeWithSharedData, sharedData } from '../pool-set/shared-data.ts';

type GoldenRow = {
  readonly name: string;
  readonly tokenIn: string;
  readonly tokenOut: string;
  readonly amount: string;
  readonly status: string;
  readonly amountOutNetGas: string;
  readonly grossAmountOut?: string;
};
type Answer = { readonly id: string; readonly ok: boolean; readonly buyAmount: string; readonly reason?: string };

/**
 * Another team's solver took single paths of up to three hops at the same block, and reports what is left after gas at 10 gwei. A splitting router that
 * does not count gas has to give at least as much, gross.
 */
describeWithSharedData('routes against another team’s golden quotes, at three hops and without counting gas', () => {
  let rows: readonly GoldenRow[] = [];
  const answers = new Map<string, Answer>();
  let folder = '';

  before(async () => {
    const document: { readonly scenarios: readonly GoldenRow[] } = JSON.parse(
      readFileSync(sharedData('snapshots/tycho-ethereum-24693611.golden-quotes.json'), 'utf8'),
    );
    rows = document.scenarios;
    folder = mkdtempSync(path.join(tmpdir(), 'braid-golden-'));
    const requests = path.join(folder, 'requests.json');
    const asked = rows.map(({ name, tokenIn, tokenOut, amount }) => ({ id: name, mode: 'sell', sellToken: tokenIn, buyToken: tokenOut, sellAmount: amount }));
    writeFileSync(requests, JSON.stringify(asked));
    const files = [
      '--pools',
      sharedData('snapshots/tycho-ethereum-24693611.snapshot.json.gz'),
      '--blocks',
      sharedData('snapshots/tycho-ethereum-24693611.blocks.json.gz'),
    ];
    const lines: string[] = [];
    const code = await runOffline([...files, '--requests', requests, '--json', '--max-hops', '3'], { out: (line) => lines.push(line), err: () => undefined });
    expect(code).to.equal(0);
    for (const answer of lines.slice(0, -1).map((line): Answer => JSON.parse(line))) answers.set(answer.id, answer);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const gross = (name: string): bigint => BigInt(answers.get(name)?.buyAmount ?? 0);
  const shortfalls = (of: readonly GoldenRow[], floor: (row: GoldenRow) => string): readonly string[] =>
    of.filter((row) => gross(row.name) < BigInt(floor(row))).map((row) => `${row.name}: ${gross(row.name)} < ${floor(row)}`);

  it('reach the gross output of all ten rows that carry it', () => {
    const exact = rows.filter((row) => row.grossAmountOut !== undefined);
    expect(exact).to.have.length(10);
    expect(shortfalls(exact, (row) => row.grossAmountOut ?? '0')).to.deep.equal([]);
  });

  it('reach the net output of the other 31 answered rows', () => {
    const net = rows.filter((row) => row.grossAmountOut === undefined && row.status === 'success');
    expect(net).to.have.length(31);
    expect(shortfalls(net, (row) => row.amountOutNetGas)).to.deep.equal([]);
  });

  it('find none where there is none', () => {
    const none = rows.filter((row) => row.status === 'no_route_found');
    expect(none).to.have.length(3);
    for (const { name } of none) expect(answers.get(name)).to.deep.include({ ok: false, reason: 'no-route' });
  });
});
