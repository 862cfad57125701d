import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { legsFrom, renderDispatch, renderLegKinds } from '../../scripts/contracts/legs.ts';
import { loadBuilderVenues } from '../../src/venues/venues.ts';
import { ROOT } from '../support/source-files.ts';

const FOLDER = path.join(ROOT, 'contracts', 'legs');

function readLegs(): ReadonlyMap<string, string> {
  return new Map(readdirSync(FOLDER).map((file) => [file, readFileSync(path.join(FOLDER, file), 'utf8')]));
}

describe('the legs of the router', () => {
  it('the dispatch and the kinds in git are what the folder of legs gives', () => {
    const legs = legsFrom(readLegs());
    expect(readFileSync(path.join(ROOT, 'contracts', 'Dispatch.gen.sol'), 'utf8')).to.equal(renderDispatch(legs));
    expect(readFileSync(path.join(ROOT, 'src', 'building', 'encode', 'leg-kinds.gen.ts'), 'utf8')).to.equal(renderLegKinds(legs));
  });

  it('a further file becomes a further leg; kinds begin at 1 and follow the names', () => {
    const legs = legsFrom(
      new Map([
        ...readLegs(),
        ['aerodrome.sol', 'library AerodromeLeg {\n    function run(Hop memory hop) internal {}\n    function callback() internal {}\n}'],
      ]),
    );
    expect(legs.map(({ name, kind, callsBack }) => [name, kind, callsBack])).to.deep.equal([
      ['aerodrome', 1, true],
      ['uniswap_v2', 2, false],
      ['uniswap_v3', 3, true],
      ['wrap', 4, false],
    ]);
    const text = renderDispatch(legs);
    expect(text).to.contain('if (kind == 1) return AerodromeLeg.run(hop, cursor);').and.to.contain('AerodromeLeg.isCallback(msg.sig)');
  });

  it('a file that holds no library, two of them, or no run is refused', () => {
    for (const text of ['contract A {}', 'library A {\n function run() }\nlibrary B {\n function run() }', 'library A {}']) {
      expect(() => legsFrom(new Map([['bad.sol', text]]))).to.throw('bad.sol');
    }
  });

  it('every venue that is encoded has its leg, and every leg but WRAP its venue', async () => {
    const encoded = [...(await loadBuilderVenues()).values()].map(({ encode }) => encode.leg);
    const legs = legsFrom(readLegs()).map(({ name }) => name);
    expect([...encoded, 'wrap'].sort()).to.deep.equal(legs);
  });

  it('legs reach other contracts through one choke point: no call, no assembly and no address from calldata of their own (LI.FI GasZip 2024)', () => {
    for (const [file, text] of readLegs()) {
      expect(text, file).to.not.match(/\.(?:call|delegatecall|staticcall|account)\b|\bassembly\b/);
      expect(text, file).to.not.match(/\bI[A-Z]\w+\([^)]*\)\.\w+\(/);
    }
  });
});
