import type { Address } from '../units/units.ts';
import type { Curve } from './curve.ts';
import { readCurve } from './curve-record.ts';
import type { LegFacts } from './facts.ts';
import type { SnapshotMemory } from './memory.ts';
import type { PoolIdentity } from './pool-identity.ts';
import { curvePlacesOf, stateWordsOf } from './pool-state.ts';
import type { PoolView } from './view.ts';

/** Where a record is and since which epoch: together they never stand for two records. */
export type RecordName = { readonly unit: number; readonly epoch: number };

/** A pool's state record, decoded as far as it was asked for. Nothing is copied: words and columns are views on the arena. */
export class PoolRecordView implements PoolView {
  readonly id: number;
  readonly key: string;
  readonly address: Address;
  readonly hook: Address | null;
  readonly protocol: string;
  readonly source: string;
  readonly venue: string;
  readonly tokens: readonly number[];
  readonly legFacts: LegFacts;
  readonly record: RecordName;
  readonly identity: PoolIdentity;
  readonly identityRecord: RecordName;
  readonly #memory: SnapshotMemory;
  #words: BigUint64Array | undefined;
  /** By slot in · tokens + slot out. */
  #curves: (Curve | undefined)[] | undefined;

  constructor(memory: SnapshotMemory, id: number, record: RecordName, identity: PoolIdentity, identityRecord: RecordName) {
    this.#memory = memory;
    this.id = id;
    this.record = record;
    this.identity = identity;
    this.identityRecord = identityRecord;
    this.key = identity.key;
    this.address = identity.address;
    this.hook = identity.hook;
    this.protocol = identity.protocol;
    this.source = identity.source;
    this.venue = identity.venue;
    this.tokens = identity.tokens;
    this.legFacts = identity.legFacts;
  }

  get words(): BigUint64Array {
    this.#words ??= stateWordsOf(this.#memory, this.record.unit);
    return this.#words;
  }

  curve(slotIn: number, slotOut: number): Curve | undefined {
    this.#curves ??= this.#decodeCurves();
    const count = this.tokens.length;
    return slotIn < count && slotOut < count ? this.#curves[slotIn * count + slotOut] : undefined;
  }

  #decodeCurves(): (Curve | undefined)[] {
    const count = this.tokens.length;
    const curves: (Curve | undefined)[] = [];
    for (let direction = 0; direction < count * count; direction++) curves.push(undefined);
    for (const { at, slotIn, slotOut } of curvePlacesOf(this.#memory, this.record.unit)) curves[slotIn * count + slotOut] = readCurve(this.#memory, at);
    return curves;
  }
}
