import { loadPoolSet, parsePoolSet } from '../../src/pool-set/pool-set.ts';
import { createSolver, type Plan, type RouteThrough, type SolveJob, type SolveResult, type Solver } from '../../src/routing/routing.ts';
import { type PoolView, SnapshotReader, type SnapshotView, type TransferVerdict, WordReader } from '../../src/snapshot/snapshot.ts';
import { type Address, asAddress, asWei, type InstantMs, instantNow, NATIVE_TOKEN } from '../../src/units/units.ts';
import { sqrtRatioAtTick } from '../../src/venues/concentrated/tick-math.ts';
import { loadSolverVenues, type Quote } from '../../src/venues/venues.ts';
import { MOMENT } from '../support/moment.ts';

export const venues = await loadSolverVenues();

export type PoolEntry = Readonly<Record<string, unknown>>;
export type WorldSpec = {
  readonly pools: readonly PoolEntry[];
  /** USD per whole token, by number. */
  readonly usd?: Readonly<Record<number, number>>;
  readonly decimals?: Readonly<Record<number, number>>;
  readonly tokenCount: number;
  readonly baseFee?: bigint;
  /** By number, as measured at the world's block; absent: every token is clean. */
  readonly verdicts?: Readonly<Record<number, TransferVerdict>>;
  /** Blocks between the world's and the one that the verdicts are of; 0 if absent. */
  readonly verdictAge?: number;
  /** How many blocks after its own a verdict serves; 1 if absent. */
  readonly verdictBlocks?: number;
  /** Marks of the only pools that the verdict on a token holds at, by its number; absent: at all. */
  readonly openAt?: Readonly<Record<number, readonly number[]>>;
  /** Marks of the pools that a token was measured at, and refused at none, by its number; absent: it is known of all. */
  readonly seenAt?: Readonly<Record<number, readonly number[]>>;
  /** Which tokens may lie between; those measured clean too if absent. */
  readonly routeThrough?: RouteThrough;
  /** Numbers of the well-known tokens. */
  readonly wellKnown?: readonly number[];
};

/** A published snapshot, pinned, with a solver for it. */
export type World = {
  readonly view: SnapshotView;
  readonly solve: Solver['solve'];
  readonly pools: readonly PoolView[];
};

/** Address of the n-th token; the wrapped native token is number 0. */
export function token(number: number): Address {
  return asAddress(`0x${(0xa000 + number).toString(16).padStart(40, '0')}`);
}

export function openWorld(
  spec: WorldSpec,
  overrides: { now?: () => InstantMs; cancelled?: () => boolean; minimumGasPriceWei?: bigint } = {},
): World & Pick<Solver, 'certify'> {
  const tokens = Object.fromEntries(
    Array.from({ length: spec.tokenCount }, (_, number) => [
      token(number),
      { decimals: spec.decimals?.[number] ?? 18, ...(spec.usd?.[number] === undefined ? {} : { usd: spec.usd[number] }) },
    ]),
  );
  const document = {
    chainId: 31337,
    wrappedNative: token(0),
    tokens,
    pools: spec.pools,
    ...(spec.verdicts === undefined ? {} : { block: 2000 }),
    ...(spec.baseFee === undefined ? {} : { gasPriceWei: String(spec.baseFee) }),
  };
  const parsed = parsePoolSet(document);
  if (!parsed.ok) throw new Error(parsed.message);
  const loading = loadPoolSet(parsed.set, { venues, capacity: { arenaBytes: 2 ** 22, pools: 512, tokens: 64, slots: 2 } });
  if (!loading.ok) throw new Error(loading.message);
  const { writer, block } = loading.loaded;
  for (const [key, verdict] of Object.entries(spec.verdicts ?? {})) {
    const [openAt, seenAt] = [spec.openAt?.[Number(key)], spec.seenAt?.[Number(key)]];
    const pools = openAt === undefined ? (seenAt === undefined ? {} : { seenAt }) : { openAt };
    writer.setVerdict(token(Number(key)), { verdict, block: block.number - (spec.verdictAge ?? 0), ...pools });
  }
  if (spec.verdicts !== undefined) writer.publish(block);
  const wellKnown = { tokens: (spec.wellKnown ?? []).map(token), blocks: 10 };
  const view = SnapshotReader.claim(loading.loaded.buffers, 0).pin();
  if (view === null) throw new Error('nothing is published');
  const { solve, certify } = createSolver({
    chain: {
      chainId: 31337,
      wrappedNative: token(0),
      minimumGasPriceWei: overrides.minimumGasPriceWei ?? 1n,
      ...(spec.verdicts === undefined
        ? {}
        : { transfers: { verdictBlocks: spec.verdictBlocks ?? 1, wellKnown, routeThrough: spec.routeThrough ?? 'measured' } }),
    },
    venues,
    now: overrides.now ?? instantNow,
    cancelled: overrides.cancelled ?? (() => false),
  });
  const pools = Array.from({ length: view.poolCount }, (_, id) => view.pool(id)).filter((pool) => pool !== undefined);
  return { view, solve, certify, pools };
}

export function job(sell: Address, buy: Address, amount: bigint, more: Partial<SolveJob> = {}): SolveJob {
  return {
    chainId: 31337,
    mode: 'sell',
    sellToken: sell,
    buyToken: buy,
    amount: asWei(amount),
    maxHops: 3,
    gasPriceWei: null,
    filter: { include: null, exclude: [], excludeRfq: false, excludeRwa: false },
    // Out of reach: what a solve finds must not depend on how busy the machine is.
    deadline: Number.POSITIVE_INFINITY as InstantMs,
    ...more,
  };
}

export function planOf(result: SolveResult): Plan {
  if (!result.ok) throw new Error(`no plan: ${JSON.stringify(result, (_key, value) => (typeof value === 'bigint' ? String(value) : value))}`);
  return result.plan;
}

/** What the venue itself says, on the pool's state in the snapshot. */
export function quotePool(pool: PoolView, slotIn: number, slotOut: number, amountIn: bigint): Quote<unknown> {
  const venue = venues.get(pool.venue);
  if (venue === undefined) throw new Error(`no venue ${pool.venue}`);
  return venue.price.exactIn(venue.state.unpack(new WordReader(pool.words)), slotIn, slotOut, amountIn, MOMENT);
}

/** The best output over every simple path without splits, by trying all of them exactly. Written apart from the solver. */
export function bestSinglePath(world: World, sell: Address, buy: Address, amount: bigint, maxHops: number): bigint {
  const target = world.view.tokenId(buy);
  let best = 0n;
  const extend = (tokenId: number, held: bigint, visited: readonly number[]): void => {
    if (tokenId === target) {
      if (held > best) best = held;
      return;
    }
    if (visited.length > maxHops) return;
    for (const pool of world.pools) {
      const slotIn = pool.tokens.indexOf(tokenId);
      if (slotIn < 0) continue;
      pool.tokens.forEach((next, slotOut) => {
        if (next === tokenId || visited.includes(next)) return;
        const quote = quotePool(pool, slotIn, slotOut, held);
        if (quote.ok && quote.amountIn === held) extend(next, quote.amountOut, [...visited, next]);
      });
    }
  };
  const start = world.view.tokenId(sell);
  if (start >= 0 && target >= 0) extend(start, amount, [start]);
  return best;
}

/** Replays listed hops from their bps alone (decisions S6, S7), each pool in the state that the hops before it left: the amounts they list, the output, and what is stranded in between. */
export function replay(world: World, plan: Plan, sellToken: Address, input: bigint): { readonly output: bigint; readonly stranded: bigint } {
  const balances = new Map<Address, bigint>([[sellToken, input]]);
  const byKey = new Map(world.pools.map((pool) => [pool.key, pool]));
  const states = new Map<string, unknown>();
  for (const hop of plan.hops) {
    const held = balances.get(hop.tokenIn) ?? 0n;
    const amountIn = (held * BigInt(hop.bps)) / 10_000n;
    if (amountIn !== hop.amountIn || amountIn === 0n) throw new Error(`hop takes ${amountIn}, listed ${hop.amountIn}`);
    let amountOut = amountIn;
    if (hop.source !== 'WRAP') {
      const pool = byKey.get(hop.poolKey);
      const venue = venues.get(pool?.venue ?? '');
      if (pool === undefined || venue === undefined) throw new Error(`pool ${hop.poolKey} is unknown`);
      const [slotIn = -1, slotOut = -1] = [hop.tokenIn, hop.tokenOut].map((address) => pool.tokens.indexOf(world.view.tokenId(address)));
      if (hop.venue !== pool.venue || hop.slotIn !== slotIn || hop.slotOut !== slotOut || hop.legFacts !== pool.legFacts) {
        throw new Error(`hop over ${hop.poolKey} does not say what its leg needs`);
      }
      const state = states.get(pool.key) ?? venue.state.unpack(new WordReader(pool.words));
      const quote = venue.price.exactIn(state, slotIn, slotOut, amountIn, MOMENT);
      if (!quote.ok || quote.amountIn !== amountIn) throw new Error(`pool ${hop.poolKey} refuses`);
      states.set(pool.key, quote.next);
      amountOut = quote.amountOut;
    }
    if (amountOut !== hop.amountOut) throw new Error(`hop gives ${amountOut}, listed ${hop.amountOut}`);
    balances.set(hop.tokenIn, held - amountIn);
    balances.set(hop.tokenOut, (balances.get(hop.tokenOut) ?? 0n) + amountOut);
  }
  const last = plan.hops.at(-1)?.tokenOut ?? sellToken;
  const stranded = [...balances].filter(([address]) => address !== last).reduce((sum, [, held]) => sum + held, 0n);
  return { output: balances.get(last) ?? 0n, stranded };
}

export function pairPool(id: number, tokens: readonly [number, number], reserves: readonly [bigint, bigint], feeBps = 30, venue = 'uniswap_v2'): PoolEntry {
  return { kind: 'constantProduct', id: poolId(id), venue, tokens: tokens.map(token), reserves: reserves.map(String), feeBps };
}

/** Positions are [lower, upper, liquidity] in ticks that are multiples of 60; tokens are ordered by the caller. */
export function concentratedPool(
  id: number,
  tokens: readonly [number, number],
  tick: number,
  positions: readonly (readonly [number, number, bigint])[],
): PoolEntry {
  const nets = new Map<number, bigint>();
  for (const [lower, upper, liquidity] of positions) {
    nets.set(lower, (nets.get(lower) ?? 0n) + liquidity);
    nets.set(upper, (nets.get(upper) ?? 0n) - liquidity);
  }
  const active = positions.filter(([lower, upper]) => lower <= tick && tick < upper).reduce((sum, [, , liquidity]) => sum + liquidity, 0n);
  return {
    kind: 'concentrated',
    id: poolId(id),
    venue: 'uniswap_v3',
    tokens: tokens.map(token),
    feePpm: 3000,
    tickSpacing: 60,
    sqrtPriceX96: String(sqrtRatioAtTick(tick)),
    liquidity: String(active),
    tick,
    ticks: [...nets]
      .filter(([, net]) => net !== 0n)
      .sort(([a], [b]) => a - b)
      .map(([at, net]) => [at, String(net)]),
  };
}

function poolId(id: number): string {
  return asAddress(`0x${(0xb0000 + id * 7919).toString(16).padStart(40, '0')}`);
}

export const NATIVE = NATIVE_TOKEN;
