import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { missesOf, NO_FIGURES, type TableRow, toMarkdown } from '../../bench/solver/table/table-row.ts';
import { sharedData } from '../pool-set/shared-data.ts';
import { FULL_SCALE } from '../support/seeded-random.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

function table(...args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, ['--import', './scripts/typescript.mjs', 'bench/solver/table.ts', ...args], { cwd: ROOT }, (error, stdout) => {
      if (error === null) resolve(stdout);
      else reject(error);
    });
  });
}

/** Cells of a table of Markdown. */
function cellsOf(markdown: string): string[][] {
  const lines = markdown.split('\n').filter((line) => line.startsWith('|'));
  return lines.map((line) => line.split('|').slice(1, -1)).map((cells) => cells.map((cell) => cell.trim()));
}

const PAIR = /^-?[0-9.]+ \/ -?[0-9.]+( \(≤ [0-9.]+ \/ ≤ [0-9.]+: (met|\*\*missed\*\*)\))?$/;

describe("the solver's table", () => {
  it('has a row for each solver of each part, with numbers, their targets, and which requests they are', async () => {
    const [head, rule, ...rows] = cellsOf(await table('--quick', '--only', 'M,scaling', '--requests', '3', '--totals', '1000'));
    expect(head?.[0]).to.equal('set');
    expect(rule?.every((cell) => cell === '---')).to.equal(true);
    const names = [
      'braid, gas 0',
      'braid, gas 0, 7 hops',
      'braid, gas-aware',
      'braid, gas-aware, default hops',
      'single best path',
      'single best path, net',
      'reference, net',
      'reference, net, any hops',
      'certified bound (dual method, all pools, gas-free)',
      'braid, gas 0, 1,000 pools',
    ];
    expect(rows.map((row) => row[1])).to.deep.equal(names);
    for (const [set, solver = '', requests, answered, lost, netLost, millis, further, met] of rows) {
      expect(set, solver).to.equal(solver.endsWith('pools') ? 'M and pools outside' : 'M, all kinds');
      expect(requests, solver).to.match(/^3, every [0-9]+\. of /);
      expect(millis, solver).to.match(PAIR);
      expect(further, solver).to.not.match(/NaN|null|Infinity/);
      if (solver.startsWith('certified') || solver.endsWith('pools')) continue;
      expect(answered, solver).to.match(/^[0-3] of [0-3]/);
      expect(lost, solver).to.match(PAIR);
      expect(netLost, solver).to.match(PAIR);
      if (solver.startsWith('braid')) expect(met, solver).to.match(/^(yes|no: .+)$/);
    }
    const [free, , aware] = rows;
    expect([free?.[4], aware?.[5]].join()).to.contain('≤ 0.02 / ≤ 0.5').and.to.contain('≤ 0 / ≤ 0.5');
    expect([free?.[6], aware?.[6]].join()).to.contain('≤ 1 / ≤ 4').and.to.contain('≤ 1.5 / ≤ 6');
    expect(free?.[7])
      .to.match(/longest [0-9.]+ ms, g[0-9]+ \S+→\S+ \(≤ 100: /)
      .and.to.match(/allocated [0-9.]+ KB a solve/);
  });

  it('has rows for large and hostile sets, buys, round trips, meshes, deadlines, and for what has to hold between two answers', async () => {
    // A set of 100,000 pools takes a minute to make, and the deadlines of its slowest requests half of one.
    const parts = `${FULL_SCALE ? 'XL,anytime,' : ''}M-buy,round-trips,meshes,M-monotony,one-more-pool,hostile`;
    const [, , ...rows] = cellsOf(await table('--quick', '--only', parts, '--requests', '2', '--pairs', '3'));
    const named = (set: string) => rows.filter((row) => row[0] === set).map((row) => row[1]);
    const depths = ['braid, gas 0, 4 hops', 'braid, gas-aware, 4 hops', 'braid, gas 0, 7 hops', 'braid, gas-aware, 7 hops'];
    expect([named('L, not cleared'), named('XL, not cleared')]).to.deep.equal(FULL_SCALE ? [depths, depths] : [[], []]);
    expect(named('M')).to.deep.equal([
      'braid, buy, gas 0',
      'braid, buy, gas 0, 7 hops',
      'braid, buy, gas-aware',
      'certified least input (dual method, all pools, gas-free)',
    ]);
    expect(named('round trips on the devnet')).to.have.lengthOf(3);
    expect(named('M, deadlines')).to.have.lengthOf(FULL_SCALE ? 6 : 0);
    expect(rows.filter(([set]) => set?.startsWith('hostile: 6000 pools'))).to.have.lengthOf(6);
    const further = (set: string) => rows.filter((row) => row[0] === set).map((row) => row[7] ?? '');
    for (const text of further('XL, not cleared')) expect(text).to.match(/times L's, median \/ p95 [0-9.]+ \/ [0-9.]+ \(≤ 2 \/ ≤ 3: /);
    for (const text of further('round trips on the devnet'))
      expect(text).to.match(/buys without a route [0-9]+ \(≤ 0: .*sells that give less than a smaller one/);
    expect(further('meshes of small pools').join()).to.match(/lose more than 1% [0-9]+/);
    for (const text of further('M, more is never worse')) expect(text).to.match(/1 to 7 hops: less in [0-9]+ of 12 .*times the size: less in [0-9]+ of [0-6]/);
    expect(further('one pool more').join()).to.match(/one pool more: less in [0-9]+ of 3 \(≤ 1: /);
    if (FULL_SCALE) expect(further('M, deadlines').at(-1)).to.match(/below the best of all deadlines, net, bps/);
    for (const row of rows) {
      expect(row.join(), row[0]).to.not.match(/NaN|null|Infinity|failed/);
      if (row[0] !== 'one pool more') expect(row[6], row[0]).to.match(PAIR);
    }
  });

  it('says what is missed, and nothing of a row without targets', () => {
    const row: TableRow = {
      ...NO_FIGURES,
      set: 'M',
      solver: 's',
      requests: '2',
      answered: { count: 1, of: 2, all: true },
      lost: { values: [0.01, 0.6], targets: [0.02, 0.5] },
      netLost: { values: [0.000001, 0.1], targets: [0, 0.5] },
      millis: { values: [1, 2] },
      further: [{ name: 'faster', values: [9], targets: [10], atLeast: true }],
    };
    expect(missesOf(row)).to.deep.equal(['answered', 'lost', 'faster']);
    expect(cellsOf(toMarkdown([row]))[2]).to.deep.equal([
      'M',
      's',
      '2',
      '1 of 2 (all: **missed**)',
      '0.01 / 0.6 (≤ 0.02 / ≤ 0.5: **missed**)',
      '0 / 0.1 (≤ 0 / ≤ 0.5: met)',
      '1 / 2',
      'faster 9 (≥ 10: **missed**)',
      'no: answered, lost, faster',
    ]);
    expect(missesOf({ ...row, answered: null, lost: null, netLost: null, further: [] })).to.equal(null);
    expect(missesOf({ ...row, answered: null, lost: null, millis: null, further: [] })).to.deep.equal([]);
    // A number that is none has not been reached.
    expect(missesOf({ ...row, answered: null, lost: { values: [Number.NaN, 0], targets: [1, 1] }, netLost: null, further: [] })).to.deep.equal(['lost']);
  });

  // Reading the real set twice and solving at 7 hops takes its time: of the whole run alone.
  const present = existsSync(sharedData(''));
  const itOfTheWhole = present && !FULL_SCALE ? () => {} : it;
  itOfTheWhole('says so where a real set is not there, and has figures where it is', async () => {
    const [, , ...rows] = cellsOf(await table('--quick', '--only', 'fynd'));
    if (!present) expect(rows).to.deep.equal([["tycho, Fynd's requests", '–', 'the real sets are not here', '', '', '', '', '', '']]);
    else {
      expect(rows.slice(0, 3).map((row) => row[1])).to.deep.equal(['braid, gas-aware, 3 hops', 'braid, gas-aware, 7 hops', 'braid, gas-aware, default hops']);
      expect(rows.every(([, , , , , , millis]) => PAIR.test(millis ?? ''))).to.equal(true);
      expect(rows[0]?.[7]).to.contain('below the single path of 3 hops, net 0 (≤ 0: met)');
      expect(rows.at(-1)?.[7]).to.equal('answered all the same 0 (≤ 0: met)');
    }
  });
});
