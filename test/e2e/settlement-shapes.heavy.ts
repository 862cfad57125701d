import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { useBraid } from '../support/braid.ts';
import { checkShapes, SHAPE_KEYS, SHAPES } from './settlement-shapes.ts';

/** Two fundings, two modes, four native sides, four fees, three surplus policies. */
const CELLS = 2 * 2 * 4 * 4 * 3;

describe('every funding × mode × native side × fee policy × surplus policy', function suite() {
  this.timeout(3_600_000);
  const folder = mkdtempSync(path.join(tmpdir(), 'braid-shapes-'));
  const file = path.join(folder, 'keys.json');
  writeFileSync(file, SHAPE_KEYS);
  const braid = useBraid({ env: { KEYS_FILE: file, FRESHNESS_BOUND_MS: '3600000' } });
  after(() => rmSync(folder, { recursive: true }));

  it('is executed and delivers what was quoted, every part of fee and surplus to the wei, or is refused by the interface', async () => {
    expect(new Set(SHAPES.map((shape) => JSON.stringify(shape))).size).to.equal(CELLS);
    const tally = await checkShapes(braid.current(), SHAPES);
    process.stdout.write(`      ${JSON.stringify(tally)}\n`);
    // Native for native is the one thing that is not offered.
    expect([tally.executed, tally.refused]).to.deep.equal([(CELLS * 3) / 4, CELLS / 4]);
  });
});
