import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { ROOT, sourceFiles } from '../support/source-files.ts';

/** Rows about pools and venues in the list of faults, with what their tests' titles say. */
const ROWS: Readonly<Record<string, readonly string[]>> = {
  H1: [
    'is not routable without a price, without any liquidity, or with too many ticks',
    'walks any distance in a bounded number of steps',
    'a thin pool over thousands of empty bitmap words',
  ],
  H2: ['reverts, partial fills and amounts at the border of a tick included'],
  H3: [
    'refuses an input that lifts its balance above a uint112',
    'random swaps of a fork with a fee of',
    "random swaps give the contracts' own amounts and reserves, reverts included",
  ],
  H5: ["random swaps give the manager's own amounts, price, tick and liquidity", 'learns of what a hook imposes and of what it has the manager store'],
  H7: ['is absent where its preview reverts, burns all gas or is not linear', 'survives a crowd of contracts that burn their gas', 'and not the hostile one'],
  H9: [
    'takes no more than caps allow, and has no vault that is paused',
    'of whose balances nothing can be supposed gives no more than burnt shares are redeemed for',
  ],
  H11: ['where its pool is used over two pairs', 'no pool or token comes twice'],
  H14: ['random swaps give'],
};

/** What hostile or unlucky venues may bring, in the words of the requirement, and the same of its tests. */
const BAD_INPUT: Readonly<Record<string, readonly string[]>> = {
  'hostile hooks': ['a pool of an unknown hook is followed by name: it is never read', 'and not the hostile one'],
  'paused pools': ['drops a pool that is paused, and all while the vault is', 'drops all pools while trade is paused', 'drops a pool that was killed'],
  'reverting or gas-burning pools': [
    'is absent where its preview reverts, burns all gas or is not linear',
    'survives a crowd of contracts that burn their gas',
  ],
  'extreme balances': ['pools of a wei, of 2^112 wei, and of both', 'fill or refuse any amount, and never throw'],
  'boundary ticks ±1 wei': ['amounts at the border of a tick included'],
  'decimals 0–255': ['decimals: amounts are exact, USD is unknown, and a swap delivers', 'tokens of 0, 2, 6, 8, 18 and 24 decimals'],
  'a rate provider that reverts, lies or jumps': [
    'then by what the provider says, whether that jumps, lies or is nothing',
    'has a rate that jumps, and drops the pool of a rate that is nothing',
  ],
  'an amplification ramp mid-block': [
    'follows a ramp of the amplification by the time of each block',
    'what moves at a venue between a quote and its execution',
  ],
  'a factory fee change between quote and execution': [
    'what moves at a venue between a quote and its execution',
    'learns of a new default fee, which no log tells',
  ],
};

const titles = sourceFiles('test').flatMap(({ file, text }) =>
  file.endsWith('fault-names.test.ts') ? [] : [...text.matchAll(/\b(?:it|describe)\(\s*(['"`])(.*?)\1/gs)].map(([, , title = '']) => title),
);

describe('faults of pools and venues', () => {
  for (const [kind, table] of Object.entries({ 'rows of the list': ROWS, 'bad input': BAD_INPUT })) {
    it(`${kind}: each is shown by tests of these titles`, () => {
      const missing = Object.entries(table).flatMap(([name, wanted]) =>
        wanted.filter((words) => !titles.some((title) => title.includes(words))).map((words) => `${name}: ${words}`),
      );
      expect(missing).to.deep.equal([]);
    });
  }

  it('no row of the list is left out', function () {
    const file = path.resolve(ROOT, '../shared/cases/faults.md');
    if (!existsSync(file)) {
      console.log('      ../shared/cases is not there');
      this.skip();
    }
    const rows = [...readFileSync(file, 'utf8').matchAll(/^\| (H\d+) \|/gm)].map(([, name = '']) => name);
    expect(Object.keys(ROWS)).to.deep.equal(rows);
  });
});
