import { LIMITS } from '../config/limits.ts';
import type { Address } from '../units/units.ts';
import { readEdges } from './edge-record.ts';
import type { TokenFacts } from './facts.ts';
import { PRICES_PER_RECORD } from './layout.ts';
import type { SnapshotMemory } from './memory.ts';
import { readIdentity } from './pool-identity.ts';
import { PoolRecordView } from './pool-record-view.ts';
import { assertPoolState, identityUnitOf } from './pool-state.ts';
import { readPrices } from './price-record.ts';
import { assertRecord, recordEpoch } from './record.ts';
import { readTokenAddress } from './token-addresses.ts';

/**
 * What one reader has decoded. Entries are checked by the record's unit and epoch, since units are reused. Every pool of the layout has a place of its own: within a pinned view a pool is the
 * same object each time, which is how a search tells one pool from another. Tokens and edges are direct-mapped by id and bounded: beyond the bound they are decoded again when displaced.
 */
export class RecordCache {
  readonly #memory: SnapshotMemory;
  readonly #pools: (PoolRecordView | undefined)[];
  readonly #edges: (CachedEdges | undefined)[];
  readonly #tokens: (CachedToken | undefined)[];
  readonly #tokenMask: number;
  readonly #ids = new Map<Address, number>();

  constructor(memory: SnapshotMemory) {
    this.#memory = memory;
    this.#pools = new Array<PoolRecordView | undefined>(memory.layout.pools).fill(undefined);
    this.#tokens = new Array<CachedToken | undefined>(powerOfTwo(Math.min(memory.layout.tokens, LIMITS.snapshot.cachedTokens))).fill(undefined);
    this.#edges = new Array<CachedEdges | undefined>(this.#tokens.length).fill(undefined);
    this.#tokenMask = this.#tokens.length - 1;
  }

  pool(poolId: number, unit: number): PoolRecordView {
    const epoch = recordEpoch(this.#memory, unit);
    const cached = this.#pools[poolId];
    if (cached !== undefined && cached.record.unit === unit && cached.record.epoch === epoch) return cached;
    const view = this.#decodePool(poolId, { unit, epoch }, cached);
    this.#pools[poolId] = view;
    return view;
  }

  edges(tokenId: number, unit: number): Uint32Array {
    if (unit === 0) return NO_EDGES;
    const epoch = recordEpoch(this.#memory, unit);
    const cached = this.#edges[tokenId & this.#tokenMask];
    if (cached !== undefined && cached.unit === unit && cached.epoch === epoch) return cached.edges;
    assertRecord(this.#memory, unit, 'edges', tokenId);
    const edges = readEdges(this.#memory, unit);
    this.#edges[tokenId & this.#tokenMask] = { unit, epoch, edges };
    return edges;
  }

  /** `unit`: of the price record, 0 when nothing is known. */
  token(tokenId: number, unit: number): TokenFacts {
    const epoch = unit === 0 ? 0 : recordEpoch(this.#memory, unit);
    const cached = this.#tokens[tokenId & this.#tokenMask];
    if (cached !== undefined && cached.tokenId === tokenId && cached.unit === unit && cached.epoch === epoch) return cached.facts;
    if (unit !== 0) assertRecord(this.#memory, unit, 'prices', Math.floor(tokenId / PRICES_PER_RECORD));
    const address = cached?.tokenId === tokenId ? cached.facts.address : readTokenAddress(this.#memory, tokenId);
    const facts = { address, ...(unit === 0 ? UNKNOWN : readPrices(this.#memory, unit, tokenId)) };
    this.#tokens[tokenId & this.#tokenMask] = { tokenId, unit, epoch, facts };
    return facts;
  }

  /** −1 when the first `tokenCount` tokens do not have the address. Ids never change, so what was learnt stays. */
  tokenId(address: Address, tokenCount: number): number {
    for (let id = this.#ids.size; id < tokenCount; id++) this.#ids.set(readTokenAddress(this.#memory, id), id);
    return this.#ids.get(address) ?? -1;
  }

  #decodePool(poolId: number, record: { readonly unit: number; readonly epoch: number }, cached: PoolRecordView | undefined): PoolRecordView {
    assertPoolState(this.#memory, record.unit, poolId);
    const unit = identityUnitOf(this.#memory, record.unit);
    const epoch = recordEpoch(this.#memory, unit);
    const same = cached?.identityRecord.unit === unit && cached.identityRecord.epoch === epoch && cached.id === poolId;
    const identity = same ? cached.identity : readIdentity(this.#memory, unit, poolId);
    return new PoolRecordView(this.#memory, poolId, record, identity, { unit, epoch });
  }
}

type CachedEdges = { readonly unit: number; readonly epoch: number; readonly edges: Uint32Array };
type CachedToken = { readonly tokenId: number; readonly unit: number; readonly epoch: number; readonly facts: TokenFacts };

const NO_EDGES = new Uint32Array(0);
const UNKNOWN = { decimals: null, usd: null } as const;

function powerOfTwo(atLeast: number): number {
  return 2 ** Math.ceil(Math.log2(atLeast));
}
