import { directoryWord } from './directory.ts';
import { DIRECTORY, PRICES_PER_RECORD, UNIT_MASK, VERDICTS_PER_RECORD } from './layout.ts';
import type { SnapshotMemory } from './memory.ts';
import { identityUnitOf } from './pool-state.ts';
import { recordUnits } from './record.ts';

/** What a published epoch names: its columns (copies) and the unit of every record that can be reached from it. */
export type PublishedEpoch = {
  readonly tokenCount: number;
  readonly poolCount: number;
  readonly prices: Int32Array;
  readonly verdicts: Int32Array;
  readonly edges: Int32Array;
  readonly pools: Int32Array;
  readonly units: ReadonlySet<number>;
};

/** Reads the directory of an epoch, for a writer that takes over from one that died. Undefined when its slot is not that epoch's any more. */
export function readPublishedEpoch(memory: SnapshotMemory, epoch: number): PublishedEpoch | undefined {
  const { layout, directoryWords: words } = memory;
  const at = directoryWord(memory, epoch);
  if (words[at + DIRECTORY.epoch] !== epoch) return undefined;
  const tokenCount = words[at + DIRECTORY.tokenCount] as number;
  const poolCount = words[at + DIRECTORY.poolCount] as number;
  const column = (start: number, length: number): Int32Array => words.slice(at + start, at + start + length);
  const prices = column(layout.pricesWord, Math.ceil(tokenCount / PRICES_PER_RECORD));
  const verdicts = column(layout.verdictsWord, Math.ceil(tokenCount / VERDICTS_PER_RECORD));
  const edges = column(layout.edgesWord, tokenCount);
  const pools = column(layout.poolsWord, poolCount);
  const units = new Set<number>();
  for (const unit of [...prices, ...verdicts, ...edges]) if (unit !== 0) units.add(unit);
  for (const place of pools) {
    if (place > 0) units.add(place);
    units.add(place > 0 ? identityUnitOf(memory, place) : place & UNIT_MASK);
  }
  return { tokenCount, poolCount, prices, verdicts, edges, pools, units };
}

/** The blocks that hold these records, ascending. */
export function blocksOf(memory: SnapshotMemory, epochs: readonly PublishedEpoch[]): readonly (readonly [unit: number, units: number])[] {
  const units = new Set<number>();
  for (const epoch of epochs) for (const unit of epoch.units) units.add(unit);
  return [...Float64Array.from(units).sort()].map((unit) => [unit, recordUnits(memory, unit)] as const);
}
