import type { Address } from '../units/units.ts';
import type { TokenFacts } from './facts.ts';
import { PRICES_PER_RECORD } from './layout.ts';
import type { SnapshotMemory } from './memory.ts';
import { readPrices } from './price-record.ts';
import { readTokenAddress, writeTokenAddress } from './token-addresses.ts';

/** The writer's own view of the tokens: ids by address, and the facts that the next epoch will show. Bounded by the capacity. */
export class TokenTable {
  readonly usd: Float64Array;
  readonly decimals: Int16Array;
  /** Groups of the price table that differ from the published ones. */
  readonly changedGroups = new Set<number>();
  readonly #memory: SnapshotMemory;
  readonly #ids = new Map<Address, number>();

  constructor(memory: SnapshotMemory) {
    this.#memory = memory;
    this.usd = new Float64Array(memory.layout.tokens).fill(Number.NaN);
    this.decimals = new Int16Array(memory.layout.tokens).fill(-1);
  }

  get count(): number {
    return this.#ids.size;
  }

  idOf(address: Address): number | undefined {
    return this.#ids.get(address);
  }

  hasRoomFor(addresses: readonly Address[]): boolean {
    let unknown = 0;
    for (const address of addresses) if (!this.#ids.has(address)) unknown += 1;
    return this.#ids.size + unknown <= this.#memory.layout.tokens;
  }

  /** The id of a token, assigned now if it has none. Ask hasRoomFor first. */
  register(address: Address): number {
    const known = this.#ids.get(address);
    if (known !== undefined) return known;
    const id = this.#ids.size;
    writeTokenAddress(this.#memory, id, address);
    this.#ids.set(address, id);
    return id;
  }

  set(id: number, facts: TokenFacts): void {
    const usd = facts.usd ?? Number.NaN;
    const decimals = facts.decimals ?? -1;
    if (Object.is(this.usd[id], usd) && this.decimals[id] === decimals) return;
    this.usd[id] = usd;
    this.decimals[id] = decimals;
    this.changedGroups.add(Math.floor(id / PRICES_PER_RECORD));
  }

  /** Leaves every token unpriced. */
  clearPrices(): void {
    for (let id = 0; id < this.#ids.size; id++) {
      if (Number.isNaN(this.usd[id])) continue;
      this.usd[id] = Number.NaN;
      this.changedGroups.add(Math.floor(id / PRICES_PER_RECORD));
    }
  }

  /** Takes over the tokens of a published epoch. */
  adopt(count: number, prices: Int32Array): void {
    for (let id = 0; id < count; id++) {
      this.#ids.set(readTokenAddress(this.#memory, id), id);
      const unit = prices[Math.floor(id / PRICES_PER_RECORD)] as number;
      if (unit === 0) continue;
      const numbers = readPrices(this.#memory, unit, id);
      this.usd[id] = numbers.usd ?? Number.NaN;
      this.decimals[id] = numbers.decimals ?? -1;
    }
  }
}
