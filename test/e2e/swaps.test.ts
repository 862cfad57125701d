import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { useBraid } from '../support/braid.ts';
import { expectGasNear } from './gas-errors.ts';
import { checkShapes, SHAPE_KEYS, SOME_SHAPES } from './settlement-shapes.ts';
import { checkRandomSwaps } from './swap-check.ts';

describe('a swap’s transaction delivers exactly the quoted amount', function suite() {
  this.timeout(300_000);
  const folder = mkdtempSync(path.join(tmpdir(), 'braid-swaps-'));
  const file = path.join(folder, 'keys.json');
  writeFileSync(file, SHAPE_KEYS);
  const braid = useBraid({ env: { KEYS_FILE: file, FRESHNESS_BOUND_MS: '600000' } });
  after(() => rmSync(folder, { recursive: true }));

  it('7 random trades, each twice, sell and buy, native on either side, with fees and recipients; the gas is near what is said', async () => {
    const tally = await checkRandomSwaps(braid.current(), 7, 'swaps-slice', { again: true });
    expect(tally.executed, JSON.stringify(tally)).to.be.at.least(9);
    expect(tally.buys).to.be.at.least(2);
    expectGasNear(tally.gas, 3);
  });

  it('8 random swaps whose taker signs a permit and writes its 65 bytes into the calldata', async () => {
    const tally = await checkRandomSwaps(braid.current(), 8, 'swaps-permit2', { always: { funding: 'permit2' } });
    expect(tally.executed, JSON.stringify(tally)).to.be.at.least(5);
    expect(tally.buys).to.be.at.least(1);
  });

  it('each funding × mode × native side, with fee and surplus policies in turn: every part to the wei, also where somebody else’s trade makes it give more; native for native is refused', async () => {
    const tally = await checkShapes(braid.current(), SOME_SHAPES);
    expect([tally.executed, tally.refused], JSON.stringify(tally)).to.deep.equal([12, 4]);
  });
});
