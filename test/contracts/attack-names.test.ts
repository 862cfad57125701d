import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { ROOT, sourceFiles } from '../support/source-files.ts';
import { WAYS_TO_STEAL } from './ways-to-steal.ts';

/** Rows of the list of faults that are about the contracts (G: what the contracts do with such tokens), each named in the title of a test. */
const FAULTS = [
  ...['K1', 'K2', 'K3', 'K4', 'K6', 'K7', 'K8', 'K9', 'K10', 'K11', 'K13', 'K14', 'K16', 'K17', 'K20', 'K21', 'K23', 'K25', 'K27', 'K-inv'],
  ...['G1', 'G2', 'G3', 'G4', 'G6', 'G7', 'G8', 'G11', 'G12', 'G13', 'G17'],
];

/** Losses in this field, as the list names them, and by what name a title does. */
const LOSSES: Readonly<Record<string, string>> = {
  'LI.FI': 'LI.FI 2022',
  'Transit Swap': 'Transit Swap 2022',
  Dexible: 'Dexible 2023',
  'Sushi RouteProcessor2': 'Sushi RouteProcessor2 2023',
  'Socket / Bungee': 'Socket 2024',
  'ParaSwap Augustus v6': 'ParaSwap 2024',
  'LI.FI GasZip facet': 'LI.FI GasZip 2024',
  'Odos limit orders': 'Odos limit orders 2025',
  'OpenOcean limit orders': 'OpenOcean limit orders 2025',
  '1inch Fusion v1 settlement': '1inch Fusion 2025',
  'allowances to a permissionless settler': 'settler allowances 2025',
  'SwapNet, Aperture': 'SwapNet 2026',
  'KyberSwap Elastic': 'KyberSwap Elastic 2023',
  'Balancer v2 stable pools': 'Balancer v2 stable pools 2025',
  'read-only reentrancy (Curve views)': 'read-only reentrancy',
  'Permit2 phishing': 'Permit2 phishing',
};

const titles = sourceFiles('test').flatMap(({ file, text }) =>
  file.endsWith('attack-names.test.ts') ? [] : [...text.matchAll(/\b(?:it|describe)\(\s*(['"`])(.*?)\1/gs)].map(([, , title = '']) => title),
);

/** A file of the shared lists, or null where they are not beside the project. */
function listed(name: string): string | null {
  const file = path.resolve(ROOT, '../shared/cases', name);
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}

describe('attacks and losses', () => {
  it('each has a test with its name in the title', () => {
    const named = (name: string) => titles.some((title) => new RegExp(`(?<![\\w-])${name.replaceAll('.', '\\.')}(?![\\w-])`).test(title));
    expect([...FAULTS, ...Object.values(LOSSES)].filter((name) => !named(name))).to.deep.equal([]);
  });

  it('ways to steal that a review came up with: each has a test that tries it', () => {
    const tried = Object.values(WAYS_TO_STEAL).flatMap((ways) => Object.entries(ways));
    expect(tried.length).to.be.at.least(50);
    const missing = tried.flatMap(([way, by]) => (by.length === 0 ? [way] : by.filter((title) => !titles.includes(title)).map((title) => `${way}: ${title}`)));
    expect(missing).to.deep.equal([]);
  });

  it('are those of the lists, and no row is left out', function () {
    const [faults, incidents] = [listed('faults.md'), listed('incidents.md')];
    if (faults === null || incidents === null) {
      console.log('      ../shared/cases is not there');
      this.skip();
    }
    const rows = [...faults.matchAll(/^\| ((?:K|G)(?:\d+|-inv)) \|/gm)].map(([, name = '']) => name);
    expect([...FAULTS].sort()).to.deep.equal(rows.sort());
    const losses = [...incidents.matchAll(/^\| (?:20\d\d-\d\d|recurring) \| ([^|]+?) \|/gm)].map(([, who = '']) => who);
    expect(Object.keys(LOSSES).sort()).to.deep.equal(losses.sort());
  });
});
