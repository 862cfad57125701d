import { VERDICTS_PER_RECORD } from './layout.ts';
import type { SnapshotMemory } from './memory.ts';
import type { MeasuredVerdict } from './transfer-verdict.ts';
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
    this.columns = { blocks: new Float64Array(tokens), what: new Uint32Array(tokens), sellPpm: new Uint32Array(tokens) };
  }

  set(id: number, measured: MeasuredVerdict): void {
    const { blocks, what, sellPpm } = this.columns;
    const { verdict, block } = measured;
    const word = packedVerdict(verdict);
    const sell = verdict.kind === 'taxed' ? verdict.sellPpm : 0;
    if (blocks[id] === block && what[id] === word && sellPpm[id] === sell) return;
    this.#put(id, block, word, sell);
    this.changedGroups.add(Math.floor(id / VERDICTS_PER_RECORD));
  }

  get(id: number): MeasuredVerdict | null {
    const { blocks, what, sellPpm } = this.columns;
    return unpackedVerdict(what[id] as number, sellPpm[id] as number, blocks[id] as number);
  }

  /** Takes over the verdicts of a published epoch. */
  adopt(count: number, units: Int32Array): void {
    for (let id = 0; id < count; id++) {
      const unit = units[Math.floor(id / VERDICTS_PER_RECORD)] as number;
      const measured = unit === 0 ? null : readVerdict(this.#memory, unit, id);
      if (measured === null) continue;
      this.#put(id, measured.block, packedVerdict(measured.verdict), measured.verdict.kind === 'taxed' ? measured.verdict.sellPpm : 0);
    }
  }

  #put(id: number, block: number, word: number, sellPpm: number): void {
    this.columns.blocks[id] = block;
    this.columns.what[id] = word;
    this.columns.sellPpm[id] = sellPpm;
  }
}
