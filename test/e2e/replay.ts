// Independent reading of a route: the rules of the interface specification and nothing of our own code.
export type WireHop = {
  readonly poolAddress: string;
  readonly protocol: string;
  readonly source: string;
  readonly tokenIn: string;
  readonly tokenOut: string;
  readonly amountIn: string;
  readonly amountOut: string;
  readonly bps: number;
};

/** Prices one hop where it is real: on the chain, through the venue's own router or quoter. Throws when the venue reverts. */
export type PriceHop = (hop: WireHop, amountIn: bigint) => Promise<bigint>;

export type ReplayedHop = { readonly amountIn: bigint; readonly amountOut: bigint };

const NATIVE = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';

/**
 * Executes the hops in the listed order from `sellAmount`: each takes floor(balance × bps / 10000) of what is left of its source token. Returns the hops as they came out,
 * and what is held of every token in the end.
 */
export async function replayRoute(
  route: readonly WireHop[],
  sellToken: string,
  sellAmount: bigint,
  price: PriceHop,
): Promise<{ readonly hops: readonly ReplayedHop[]; readonly held: ReadonlyMap<string, bigint> }> {
  const held = new Map<string, bigint>([[sellToken.toLowerCase(), sellAmount]]);
  const hops: ReplayedHop[] = [];
  for (const hop of route) {
    const tokenIn = hop.tokenIn.toLowerCase();
    const tokenOut = hop.tokenOut.toLowerCase();
    const balance = held.get(tokenIn) ?? 0n;
    const amountIn = (balance * BigInt(hop.bps)) / 10_000n;
    const amountOut = hop.protocol === 'WRAP' ? amountIn : await price(hop, amountIn);
    held.set(tokenIn, balance - amountIn);
    held.set(tokenOut, (held.get(tokenOut) ?? 0n) + amountOut);
    hops.push({ amountIn, amountOut });
  }
  return { hops, held };
}

/**
 * Whether a pool may serve twice so: over different pairs of its tokens, or over one pair the same way, first and last of what leaves the token (it takes most of the token, then what is
 * left).
 */
function mayServeTwice(route: readonly WireHop[], first: number, last: number): boolean {
  const [hop, again] = [route[first], route[last]];
  if (hop === undefined || again === undefined) return false;
  const pair = (one: WireHop) => [one.tokenIn, one.tokenOut].sort().join();
  if (pair(hop) !== pair(again)) return true;
  if (hop.tokenIn !== again.tokenIn) return false;
  return route.findIndex(({ tokenIn }) => tokenIn === hop.tokenIn) === first && route.findLastIndex(({ tokenIn }) => tokenIn === hop.tokenIn) === last;
}

/**
 * Prices hops one by one as their pools stand, and of a pool that served before what is left: over the same pair no less than both together give less what the first gave, no more than the second alone would; over another pair what is listed, since draining one pair moves the other any way. Its fee stays in the pool, so that two
 * swaps may give a little more than one; that the listed amount is the chain's is shown where swaps are executed.
 */
export function withRepeats(price: PriceHop): PriceHop {
  const served = new Map<string, ReplayedHop & { readonly way: string }>();
  return async (hop, amountIn) => {
    const pool = poolOf(hop);
    const way = `${hop.tokenIn} ${hop.tokenOut}`.toLowerCase();
    const before = served.get(pool);
    const alone = await price(hop, amountIn);
    const listed = BigInt(hop.amountOut);
    if (before === undefined) served.set(pool, { amountIn, amountOut: alone, way });
    // Where they are equal though one served before, it was another pool of a singleton.
    if (before === undefined || alone === listed) return alone;
    if (before.way !== way) {
      served.set(pool, { ...before, way: SEVERAL });
      return listed;
    }
    // A fee is rounded up twice, which is a unit of the input; and where it stays in the reserves it is in the way of the second swap: x + a for x + a (1 - fee), at most.
    const both = (await price(hop, before.amountIn + amountIn - 1n)) - before.amountOut;
    const least = (both * (KEEPS_FEES.has(hop.protocol) ? 997n : 1000n)) / 1000n - 2n;
    return listed >= least && listed <= alone ? listed : least;
  };
}

/** Families whose fee, at most 0.3%, is part of the reserves that they price by. */
const KEEPS_FEES = new Set(['uniswap_v2', 'sushiswap_v2', 'pancakeswap_v2']);

/** In the place of one pair where a pool has served more. */
const SEVERAL = 'several';

/** Families whose pools are all listed by one address. */
const SINGLETONS = ['uniswap_v4', 'balancer_v2'];

/** A pool as far as a route tells: of Uniswap V4's, which have two tokens, these say which, but for pools of the same ones; of Balancer's vault nothing does. */
function poolOf({ poolAddress, protocol, tokenIn, tokenOut }: WireHop): string {
  const pair = [tokenIn.toLowerCase(), tokenOut.toLowerCase()].sort().join();
  return protocol === SETTLES_NATIVE ? `${poolAddress.toLowerCase()} ${pair}` : poolAddress.toLowerCase();
}

/** The one venue whose pools take and give the native token itself (decisions S8). */
const SETTLES_NATIVE = 'uniswap_v4';

/** Whether a pool of the route serves more than one pair of its tokens. */
export function servesSeveralPairs(route: readonly WireHop[]): boolean {
  const ways = new Map<string, string>();
  return route.some((hop) => {
    const way = ways.get(poolOf(hop)) ?? `${hop.tokenIn} ${hop.tokenOut}`;
    ways.set(poolOf(hop), way);
    return hop.protocol !== 'WRAP' && way !== `${hop.tokenIn} ${hop.tokenOut}`;
  });
}

/** What is wrong with the shape of a route, in words; empty when nothing is (decisions S6 to S8, interface RouteHop). */
export function shapeFaults(route: readonly WireHop[], sellToken: string, buyToken: string, wrapped: string): readonly string[] {
  const faults: string[] = [];
  const left = new Set<string>();
  const pools = new Map<string, number>();
  // Native and wrapped token are one place of a route, where hops of either form follow each other.
  const placeOf = (token: string) => (token === NATIVE ? wrapped.toLowerCase() : token);
  const passed = new Set<string>();
  let here = '';
  for (const [index, hop] of route.entries()) {
    const tokenIn = hop.tokenIn.toLowerCase();
    const tokenOut = hop.tokenOut.toLowerCase();
    if (left.has(tokenIn)) faults.push(`hop ${index} spends ${tokenIn} after its last hop`);
    if (placeOf(tokenIn) !== here) {
      if (passed.has(placeOf(tokenIn))) faults.push(`hop ${index} comes back to the hops of ${tokenIn}`);
      passed.add(placeOf(tokenIn));
      here = placeOf(tokenIn);
    }
    if (left.has(tokenOut) || tokenOut === tokenIn) faults.push(`hop ${index} returns to ${tokenOut}`);
    if (hop.bps === 10_000) left.add(tokenIn);
    if (hop.bps < 1 || hop.bps > 10_000) faults.push(`hop ${index} has bps ${hop.bps}`);
    if (BigInt(hop.amountIn) === 0n || BigInt(hop.amountOut) === 0n) faults.push(`hop ${index} moves nothing`);
    if (hop.protocol === 'WRAP') {
      if (!/^0x0{40}$/.test(hop.poolAddress)) faults.push(`hop ${index} wraps at ${hop.poolAddress}`);
      if (![tokenIn, tokenOut].includes(NATIVE) || ![tokenIn, tokenOut].includes(wrapped.toLowerCase()))
        faults.push(`hop ${index} wraps ${tokenIn} to ${tokenOut}`);
      continue;
    }
    const before = pools.get(poolOf(hop));
    if (before !== undefined && !SINGLETONS.includes(hop.protocol) && !mayServeTwice(route, before, index))
      faults.push(`hop ${index} uses ${hop.poolAddress} again`);
    pools.set(poolOf(hop), index);
    if (hop.protocol !== SETTLES_NATIVE && (tokenIn === NATIVE || tokenOut === NATIVE)) faults.push(`hop ${index} trades the native token`);
  }
  for (const { tokenIn } of route) if (!left.has(tokenIn.toLowerCase())) faults.push(`the last hop of ${tokenIn} does not take all`);
  if (route[0]?.tokenIn.toLowerCase() !== sellToken.toLowerCase()) faults.push('the first hop does not spend the sell token');
  if (route.at(-1)?.tokenOut.toLowerCase() !== buyToken.toLowerCase()) faults.push('the last hop does not produce the buy token');
  return faults;
}
