import type { DevnetPool } from '../../../src/devnet/devnet.ts';
import { type Address, NATIVE_TOKEN } from '../../../src/units/units.ts';
import type { SeededRandom } from '../seeded-random.ts';

/** A hop of a random route: through a pool, or null for wrapping. `bps` as in a plan: of what is left of tokenIn then. */
export type RandomHop = { readonly pool: DevnetPool | null; readonly tokenIn: Address; readonly tokenOut: Address; readonly bps: number };
export type RandomRoute = { readonly sellToken: Address; readonly buyToken: Address; readonly hops: readonly RandomHop[] };

const MOST_PATHS = 3;
const MOST_HOPS = 4;
const TRIES = 12;

type Path = readonly { readonly pool: DevnetPool; readonly tokenIn: Address; readonly tokenOut: Address }[];

/** One to three paths between two random tokens, no pool and no intermediate token twice, native at either end where the token is the wrapped one. */
export function randomRoute(random: SeededRandom, pools: readonly [DevnetPool, ...DevnetPool[]], wrappedNative: Address): RandomRoute {
  const first = randomPath(random, pools, random.pick(random.pick(pools).tokens), null, new Set(), new Set());
  const start = first[0]?.tokenIn ?? wrappedNative;
  const end = first.at(-1)?.tokenOut ?? wrappedNative;
  const paths: Path[] = [first];
  const used = new Set(first.map(({ pool }) => pool));
  const between = new Set(first.slice(1).map(({ tokenIn }) => tokenIn));
  const wanted = random.integer(1, MOST_PATHS);
  for (let attempt = 0; attempt < TRIES && paths.length < wanted; attempt++) {
    const path = randomPath(random, pools, start, end, used, between);
    if (path.length === 0) continue;
    paths.push(path);
    for (const { pool, tokenIn } of path) {
      used.add(pool);
      if (tokenIn !== start) between.add(tokenIn);
    }
  }
  // Pools of the native token itself may have it on the way already: no route comes back to what it sells, or leaves what it buys.
  const isFree = paths.every((path) => path.every(({ tokenIn, tokenOut }) => tokenIn !== NATIVE_TOKEN && tokenOut !== NATIVE_TOKEN));
  const sellsNative = start === wrappedNative && random.chance(0.5) && isFree;
  const buysNative = end === wrappedNative && random.chance(0.5) && isFree;
  const firsts = paths.map((path, i) => ({ path, bps: i === paths.length - 1 ? 10_000 : random.integer(500, 9_000) }));
  const hops: RandomHop[] = firsts.flatMap(({ path, bps }) => path.map((step, i) => ({ ...step, bps: i === 0 ? bps : 10_000 })));
  if (sellsNative) hops.unshift({ pool: null, tokenIn: NATIVE_TOKEN, tokenOut: wrappedNative, bps: 10_000 });
  if (buysNative) hops.push({ pool: null, tokenIn: wrappedNative, tokenOut: NATIVE_TOKEN, bps: 10_000 });
  return { sellToken: sellsNative ? NATIVE_TOKEN : start, buyToken: buysNative ? NATIVE_TOKEN : end, hops };
}

/** A walk from `start` to `end` (null: wherever it stops); empty where it did not get there. */
function randomPath(
  random: SeededRandom,
  pools: readonly DevnetPool[],
  start: Address,
  end: Address | null,
  used: ReadonlySet<DevnetPool>,
  avoided: ReadonlySet<Address>,
): Path {
  const path: Path[number][] = [];
  const seen = new Set<Address>([start]);
  let here = start;
  const length = random.integer(1, MOST_HOPS);
  while (path.length < length) {
    const ways = pools
      .filter((pool) => !used.has(pool) && pool.tokens.includes(here))
      .flatMap((pool) => pool.tokens.filter((token) => token !== here).map((tokenOut) => ({ pool, tokenIn: here, tokenOut })))
      .filter(({ tokenOut }) => !seen.has(tokenOut) && (tokenOut === end || !avoided.has(tokenOut)));
    const home = ways.find(({ tokenOut }) => tokenOut === end);
    const [some, ...others] = ways;
    if (some === undefined) break;
    const way = home !== undefined && (path.length === length - 1 || random.chance(0.4)) ? home : random.pick([some, ...others]);
    path.push(way);
    seen.add(way.tokenOut);
    here = way.tokenOut;
    if (here === end) return path;
  }
  return end === null ? path : [];
}
