import { createHash } from 'node:crypto';
import type { Curve } from './curve.ts';
import type { TokenFacts } from './facts.ts';
import type { PoolView, SnapshotView } from './view.ts';

/**
 * A snapshot's state as bytes that do not depend on how it came about: the block's number and hash, the tokens of the present pools with their decimals by
 * address, then the pools by key with everything that routes and prices them. No ids, offsets or epoch; no USD prices and no verdicts
 * on transfers, which are found out beside the chain's state and later than it.
 */
export function canonicalDump(view: SnapshotView): Uint8Array {
  const pools = presentPools(view);
  const out = new ByteSink();
  out.text('braid-snapshot-1').number(view.block.number).text(view.block.hash);
  const tokens = tokensOf(view, pools);
  out.number(tokens.length);
  for (const token of tokens) out.text(token.address).number(token.decimals ?? -1);
  out.number(pools.length);
  for (const pool of pools) writePool(out, view, pool);
  return out.finish();
}

/** SHA-256 of the canonical dump, in hex: what "the same state" means. */
export function canonicalHash(view: SnapshotView): string {
  return createHash('sha256').update(canonicalDump(view)).digest('hex');
}

function presentPools(view: SnapshotView): readonly PoolView[] {
  const pools: PoolView[] = [];
  for (let id = 0; id < view.poolCount; id++) {
    const pool = view.pool(id);
    if (pool !== undefined) pools.push(pool);
  }
  return pools.sort((a, b) => compareText(a.key, b.key));
}

function tokensOf(view: SnapshotView, pools: readonly PoolView[]): readonly TokenFacts[] {
  const ids = new Set(pools.flatMap((pool) => pool.tokens));
  return [...ids].map((id) => view.token(id)).sort((a, b) => compareText(a.address, b.address));
}

function writePool(out: ByteSink, view: SnapshotView, pool: PoolView): void {
  out
    .text(pool.key)
    .text(pool.address)
    .text(pool.hook ?? '')
    .text(pool.protocol)
    .text(pool.source)
    .text(pool.venue);
  out.number(pool.tokens.length);
  for (const id of pool.tokens) out.text(view.token(id).address);
  const facts = Object.entries(pool.legFacts).sort(([a], [b]) => compareText(a, b));
  out.text(JSON.stringify(facts));
  out.number(pool.words.length);
  for (const word of pool.words) out.limb(word);
  for (let slotIn = 0; slotIn < pool.tokens.length; slotIn++) {
    for (let slotOut = 0; slotOut < pool.tokens.length; slotOut++) writeCurve(out, pool.curve(slotIn, slotOut));
  }
}

function writeCurve(out: ByteSink, curve: Curve | undefined): void {
  if (curve === undefined) {
    out.text('none');
    return;
  }
  out.text(curve.kind).number(curve.keep).number(curve.capacity).number(curve.gas);
  switch (curve.kind) {
    case 'segments':
      out.number(curve.gasPerPiece).number(curve.gasPerLogPrice).numbers(curve.columns);
      return;
    case 'weighted':
      out.number(curve.balanceIn).number(curve.balanceOut).number(curve.exponent);
      return;
    case 'stable':
      out
        .number(curve.feeOnOutput ? 1 : 0)
        .number(curve.slotIn)
        .number(curve.slotOut)
        .number(curve.ann)
        .number(curve.invariant);
      out.numbers(curve.balances).number(curve.scaleIn).number(curve.scaleOut);
      return;
    default:
      curve satisfies never;
  }
}

/** Texts and lists carry their length, so that no two states share their bytes. Numbers are little-endian doubles. */
class ByteSink {
  #bytes = new Uint8Array(64 * 1024);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  text(value: string): this {
    const bytes = Buffer.from(value);
    this.number(bytes.length);
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
    return this;
  }

  number(value: number): this {
    this.#reserve(8);
    this.#view.setFloat64(this.#length, value, true);
    this.#length += 8;
    return this;
  }

  numbers(values: Float64Array): this {
    this.number(values.length);
    for (const value of values) this.number(value);
    return this;
  }

  limb(value: bigint): this {
    this.#reserve(8);
    this.#view.setBigUint64(this.#length, value, true);
    this.#length += 8;
    return this;
  }

  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + bytes));
    grown.set(this.#bytes);
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
