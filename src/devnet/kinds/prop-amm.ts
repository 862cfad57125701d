import { concatHex, decodeFunctionResult, encodeFunctionData, type Hex, keccak256, parseAbi } from 'viem';
import { type Address, asAddress } from '../../units/units.ts';
import { NEVER, TOKEN_ABI } from '../abi.ts';
import type { PlacedToken } from '../deploy-contracts.ts';
import { deployWith } from '../deploy-with.ts';
import type { BotTransaction, DevnetVenue, Ground, PlacedVenue, WantedSwap } from '../devnet-venue.ts';
import { approxTablePrice, type PlacedPool, type PoolReading, type SortedPool } from '../placed-pool.ts';
import type { PoolRow } from '../pool-spec.ts';
import { approxBaseUnits } from '../token-table.ts';

const MAKER_ABI = parseAbi([
  'struct Push { address tokenIn; address tokenOut; uint256 price; uint256 depth; }',
  'function push(Push[] pushes)',
  'function offers(address tokenIn, address tokenOut) view returns (uint256 price, uint256 depth, uint256 pushedAt)',
  'function getPairs() view returns ((address token0, address token1)[] pairs)',
]);
const ROUTER_ABI = parseAbi([
  'function addVenue(address venue)',
  'function swapViaVenueV1(address venue, address tokenIn, address tokenOut, uint256 amountIn, uint256 amountOutMin, address recipient, uint256 deadline) payable returns (uint256 amountOut, address executedVenue)',
]);

/** Where makers' router is on Ethereum, which is how the service knows it. */
const MAKERS_ROUTER = asAddress('0x4ddf368080cd7946db5b459ad591c350158175e1');
/** A price is of so many base units. */
const UNIT = 10n ** 36n;
/** Digits of a price that a double has. */
const DIGITS = 15;
/** Depth over what a maker holds of a token: a twentieth of it is the most that a swap takes. */
const DEPTH_OF_HELD = 10n;
/** What a bot trades with a maker. */
const SWAP_USD = 2_000;
const FIRST_USD = 10;
/** Prices closer than this to what is wanted are left alone. */
const WORTHWHILE = 2;

/** A market maker behind the makers' router, with the rows of its pairs: fee is half of what lies between its two prices. */
export function propAMM(family: string, title: string, rows: readonly PoolRow[]): DevnetVenue {
  return {
    title,
    folders: ['prop_amm'],
    sources: ['PropAMMRouter.sol', 'PropAMMMaker.sol'].map((file) => `contracts/devnet/prop_amm/${file}`),
    pools: (lay) => rows.map((row) => lay(...row)),
    place: (ground) => place(family, ground),
  };
}

function place(family: string, { script, compiled, compiledRuntime, deployer, trader }: Ground): PlacedVenue {
  const maker = deployWith(script, `${family} maker`, compiled('PropAMMMaker'), deployer, trader, MAKERS_ROUTER);
  script.call(`${family} is listed`, MAKERS_ROUTER, encodeFunctionData({ abi: ROUTER_ABI, functionName: 'addVenue', args: [maker] }));
  return {
    contracts: { [family]: maker },
    code: [{ address: MAKERS_ROUTER, code: compiledRuntime('PropAMMRouter') }],
    deployments: [{ venue: 'prop_amm', family, factory: maker }],
    spenders: { trade: [MAKERS_ROUTER], provide: [MAKERS_ROUTER] },
    make(script, pool, owner) {
      for (const token of pool.tokens) {
        const data = encodeFunctionData({ abi: TOKEN_ABI, functionName: 'transfer', args: [maker, heldOf(pool, token)] });
        script.call(`${family} gets ${token.symbol}`, token.address, data);
      }
      const price = approxTablePrice(pool.token0, pool.token1) * pool.skew;
      const push = () => script.call(`${family} prices ${pool.symbols.join('/')}`, maker, pushData([{ pool, price }]));
      push();
      // By its first trade a pair is known to who read the maker's list before.
      const { to, data } = tradeOf(maker, pool.token0, pool.token1, approxBaseUnits(pool.token0, FIRST_USD), owner);
      script.call(`${family} trades ${pool.symbols.join('/')}`, to, data);
      push();
    },
    /** A new price of each pair in every block. */
    eachRound: (wanted) => [{ from: trader, to: maker, data: pushData(wanted) }],
    whereIs: ({ token0, token1 }) => ({
      to: maker,
      data: encodeFunctionData({ abi: MAKER_ABI, functionName: 'getPairs' }),
      decode: () => ({ key: keccak256(concatHex([maker, token0.address, token1.address])), address: maker }),
    }),
    readNow: ({ token0, token1, feePpm }) => ({
      to: maker,
      data: encodeFunctionData({ abi: MAKER_ABI, functionName: 'offers', args: [token0.address, token1.address] }),
      decode(data) {
        const [price] = decodeFunctionResult({ abi: MAKER_ABI, functionName: 'offers', data });
        return price === 0n ? undefined : { price: Number(price) / Number(UNIT) / (1 - feePpm / 1e6), tick: null, reserves: null };
      },
    }),
    swap: (pool, reading, wanted) => trade(maker, pool, reading, wanted),
    changeLiquidity: async () => [],
  };
}

function heldOf({ liquidityUsd, tokens }: SortedPool, token: PlacedToken): bigint {
  return approxBaseUnits(token, liquidityUsd / tokens.length);
}

function pushData(wanted: readonly { readonly pool: SortedPool; readonly price: number }[]): Hex {
  const pushes = wanted.flatMap(({ pool, price }) => {
    const [one, other] = [pool.token0, pool.token1];
    const kept = 1 - pool.feePpm / 1e6;
    return [
      { tokenIn: one.address, tokenOut: other.address, price: unitsOf(price * kept), depth: DEPTH_OF_HELD * heldOf(pool, other) },
      { tokenIn: other.address, tokenOut: one.address, price: unitsOf(kept / price), depth: DEPTH_OF_HELD * heldOf(pool, one) },
    ];
  });
  return encodeFunctionData({ abi: MAKER_ABI, functionName: 'push', args: [pushes] });
}

/** What UNIT base units cost at a price of one, as far as a double tells. */
function unitsOf(price: number): bigint {
  const places = DIGITS - 1 - Math.floor(Math.log10(price));
  const digits = BigInt(Math.round(price * 10 ** places));
  return (digits * UNIT) / 10n ** BigInt(places);
}

function trade(
  maker: Address,
  { token0, token1, feePpm }: PlacedPool,
  { price }: PoolReading,
  { target, largest, trader }: WantedSwap,
): readonly BotTransaction[] {
  if (Math.abs(target / price - 1) < (WORTHWHILE * feePpm) / 1e6) return [];
  const [from, to] = target < price ? [token0, token1] : [token1, token0];
  const wanted = approxBaseUnits(from, SWAP_USD);
  return [{ from: trader, ...tradeOf(maker, from, to, wanted < largest ? wanted : largest, trader) }];
}

function tradeOf(maker: Address, from: PlacedToken, to: PlacedToken, amount: bigint, trader: Address): { readonly to: Address; readonly data: Hex } {
  const args = [maker, from.address, to.address, amount, 0n, trader, NEVER] as const;
  return { to: MAKERS_ROUTER, data: encodeFunctionData({ abi: ROUTER_ABI, functionName: 'swapViaVenueV1', args }) };
}
