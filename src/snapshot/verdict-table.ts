import { VERDICTS_PER_RECORD } from './layout.ts';
import type { SnapshotMemory } from './memory.ts';
import { type MeasuredVerdict, MOST_OPEN_POOLS } from './transfer-verdict.ts';
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
      openAt: new Uint32Array(tokens * MOST_OPEN_POOLS),
    };
  }

  set(id: number, measured: MeasuredVerdict): void {
    const { blocks, what, sellPpm, openAt } = this.columns;
    const { verdict, block } = measured;
    const isOpenAsBefore = Array.from({ length: MOST_OPEN_POOLS }, (_, n) => measured.openAt?.[n] ?? 0).every(
      (mark, n) => openAt[id * MOST_OPEN_POOLS + n] === mark,
    );
    if (blocks[id] === block && what[id] === packedVerdict(verdict) && sellPpm[id] === sellPpmOf(measured) && isOpenAsBefore) return;
    this.#put(id, measured);
    this.changedGroups.add(Math.floor(id / VERDICTS_PER_RECORD));
  }

  get(id: number): MeasuredVerdict | null {
    const { blocks, what, sellPpm, openAt } = this.columns;
    return unpackedVerdict(what[id] as number, sellPpm[id] as number, blocks[id] as number, (n) => openAt[id * MOST_OPEN_POOLS + n] as number);
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
    this.columns.what[id] = packedVerdict(measured.verdict);
    this.columns.sellPpm[id] = sellPpmOf(measured);
    for (let n = 0; n < MOST_OPEN_POOLS; n++) this.columns.openAt[id * MOST_OPEN_POOLS + n] = measured.openAt?.[n] ?? 0;
  }
}

function sellPpmOf({ verdict }: MeasuredVerdict): number {
  return verdict.kind === 'taxed' ? verdict.sellPpm : 0;
}
