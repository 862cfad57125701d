import { VERDICTS_PER_RECORD } from './layout.ts';
import type { SnapshotMemory } from './memory.ts';
import { type MeasuredVerdict, MOST_NAMED_POOLS } from './transfer-verdict.ts';
import { packedVerdict, readVerdict, unpackedVerdict, type VerdictColumns } from './verdict-record.ts';

/** The writer's own view of the verdicts: what the next epoch will show. Bounded by the capacity; nothing but a newer verdict undoes one. */
export class VerdictTable {
  readonly columns: VerdictColumns;
  /** Groups that differ from the published ones. */
  readonly changedGroups = new Set<number>();
  readonly #memory: SnapshotMemory;

  constructor(memory: SnapshotMemory) {
    const { tokens } = memory.layout;
    this.#memory = memory;
    this.columns = {
      blocks: new Float64Array(tokens),
      what: new Uint32Array(tokens),
      sellPpm: new Uint32Array(tokens),
      pools: new Uint32Array(tokens * MOST_NAMED_POOLS),
    };
  }

  set(id: number, measured: MeasuredVerdict): void {
    const { blocks, what, sellPpm, pools } = this.columns;
    const namesSame = marksOf(measured).every((mark, n) => pools[id * MOST_NAMED_POOLS + n] === mark);
    if (blocks[id] === measured.block && what[id] === packedVerdict(measured) && sellPpm[id] === sellPpmOf(measured) && namesSame) return;
    this.#put(id, measured);
    this.changedGroups.add(Math.floor(id / VERDICTS_PER_RECORD));
  }

  get(id: number): MeasuredVerdict | null {
    const { blocks, what, sellPpm, pools } = this.columns;
    return unpackedVerdict(what[id] as number, sellPpm[id] as number, blocks[id] as number, (n) => pools[id * MOST_NAMED_POOLS + n] as number);
  }

  /** Takes over the verdicts of a published epoch. */
  adopt(count: number, units: Int32Array): void {
    for (let id = 0; id < count; id++) {
      const unit = units[Math.floor(id / VERDICTS_PER_RECORD)] as number;
      const measured = unit === 0 ? null : readVerdict(this.#memory, unit, id);
      if (measured !== null) this.#put(id, measured);
    }
  }

  #put(id: number, measured: MeasuredVerdict): void {
    this.columns.blocks[id] = measured.block;
    this.columns.what[id] = packedVerdict(measured);
    this.columns.sellPpm[id] = sellPpmOf(measured);
    this.columns.pools.set(marksOf(measured), id * MOST_NAMED_POOLS);
  }
}

/** In all places that there are: 0 where none is named. */
function marksOf({ openAt, seenAt }: MeasuredVerdict): readonly number[] {
  const named = openAt ?? seenAt;
  return Array.from({ length: MOST_NAMED_POOLS }, (_, n) => named?.[n] ?? 0);
}

function sellPpmOf({ verdict }: MeasuredVerdict): number {
  return verdict.kind === 'taxed' ? verdict.sellPpm : 0;
}
