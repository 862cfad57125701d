import { expect } from 'chai';
import { type CompiledContract, compileSolidity } from '../../scripts/solidity.ts';
import { segmentsGas } from '../../src/curves/curves.ts';
import type { ConcentratedState } from '../../src/venues/concentrated/concentrated-state.ts';
import { MAX_TICK, sqrtRatioAtTick } from '../../src/venues/concentrated/tick-math.ts';
import { price } from '../../src/venues/uniswap_v3/price.ts';
import { state as facet } from '../../src/venues/uniswap_v3/state.ts';
import { UNISWAP_V3_GAS } from '../../src/venues/uniswap_v3/venue.ts';
import { npmArtifact } from '../support/artifacts.ts';
import { MOMENT } from '../support/moment.ts';
import { type OracleChain, startOracleChain } from '../support/oracle-chain.ts';
import { HIGHEST_LIMIT, LOWEST_LIMIT, type PoolSpec, type SwapSpec } from '../support/random-concentrated-pool.ts';
import { type PoolState, stateOf } from '../support/read-concentrated-pool.ts';
import { FULL_SCALE, SEED, type SeededRandom, seededRandom } from '../support/seeded-random.ts';

const POOLS = FULL_SCALE ? 200 : 5;
const SWAPS_PER_POOL = 6;
/** The model is of a hop by its leg in a route, what is measured is the pool's own function as the first of a transaction, with a token that costs little: neither way by more than so much. */
const BESIDE = 3_000;
/** How far the model may be from the pool, relative to it. */
const TOLERANCE = 0.1;
const EVERYTHING = 1n << 200n;

/**
 * The gas model of a hop against the pool's own gas. Pools have traded over all their ticks in both directions, seconds apart, as pools in life have: a tick that is
 * crossed for the first time writes up to three slots that were zero, 17,100 gas more each.
 */
describe('Uniswap V3 gas against the real pool', function () {
  this.timeout(FULL_SCALE ? 1_800_000 : 300_000);
  let chain: OracleChain;
  let oracle: CompiledContract;
  let address: `0x${string}`;
  let pools = 0;

  before(async () => {
    const compiled = (await compileSolidity('contracts/devnet/oracle')).UniswapV3Oracle;
    if (compiled === undefined) throw new Error('UniswapV3Oracle is not among the compiled contracts');
    oracle = compiled;
    chain = await startOracleChain();
    const factory = npmArtifact('@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json');
    address = await chain.deploy(oracle.abi, oracle.bytecode, [factory.bytecode]);
  });
  after(async () => {
    await chain?.stop();
  });

  /** Makes a pool, trades it over all its ticks and back to its price. A factory makes one pool for a fee, so each gets a fee of its own. */
  async function open(wanted: PoolSpec): Promise<ConcentratedState> {
    const spec = { ...wanted, fee: wanted.fee + 1 + pools++, before: [] };
    await chain.send(address, oracle.abi, 'answer', [spec, []]);
    const ticks = spec.positions.flatMap(({ lower, upper }) => [lower, upper]);
    const [low, high] = [sqrtRatioAtTick(Math.min(...ticks)), sqrtRatioAtTick(Math.max(...ticks))];
    const inside = (limit: bigint): bigint => (limit < LOWEST_LIMIT ? LOWEST_LIMIT : limit > HIGHEST_LIMIT ? HIGHEST_LIMIT : limit);
    for (const limit of [low - 1n, high + 1n, low - 1n, high + 1n, spec.sqrtPriceX96]) {
      const { sqrtPriceX96 } = (await chain.ask(address, oracle.abi, 'left', [spec])) as PoolState;
      if (sqrtPriceX96 === inside(limit)) continue;
      await chain.send(address, oracle.abi, 'trySwap', [{ zeroForOne: limit < sqrtPriceX96, amountSpecified: EVERYTHING, limit: inside(limit) }]);
    }
    return stateOf(spec, (await chain.ask(address, oracle.abi, 'left', [spec])) as PoolState);
  }

  /** Gas of the pool, of the exact hop and of the curve, for an exact input that the pool takes whole; null where it does not. */
  async function gasOf(state: ConcentratedState, zeroForOne: boolean, amount: bigint) {
    const [slotIn, slotOut] = zeroForOne ? [0, 1] : [1, 0];
    const quote = price.exactIn(state, slotIn, slotOut, amount, MOMENT);
    const curve = facet.curves(state).find((edge) => edge.slotIn === slotIn)?.curve;
    if (!quote.ok || curve?.kind !== 'segments') return null;
    const swap: SwapSpec = { zeroForOne, amountSpecified: amount, limit: zeroForOne ? LOWEST_LIMIT : HIGHEST_LIMIT };
    const used = Number(await chain.ask(address, oracle.abi, 'spend', [swap]));
    return { used, exact: quote.gas, curve: segmentsGas(curve, Number(amount)) };
  }

  function expectNear(gas: number, used: number, what: string): void {
    expect(gas, what).to.be.within(used * (1 - TOLERANCE) - BESIDE, used * (1 + TOLERANCE) + BESIDE);
  }

  for (const [spacing, fee] of [
    [1, 100],
    [10, 500],
    [60, 3000],
  ] as const) {
    it(`a pool over all ticks with a spacing of ${spacing}: from 10^20 to 10^29 both ways, within ${TOLERANCE * 100}% and ${BESIDE}`, async () => {
      const end = Math.floor(MAX_TICK / spacing) * spacing;
      const liquidity = 35n * 10n ** 15n;
      const state = await open({
        fee,
        tickSpacing: spacing,
        sqrtPriceX96: sqrtRatioAtTick(-23_028),
        positions: [{ lower: -end, upper: end, liquidity }],
        before: [],
      });
      for (const zeroForOne of [true, false]) {
        for (let exponent = 20n; exponent <= 29n; exponent += 3n) {
          const gas = await gasOf(state, zeroForOne, 10n ** exponent);
          if (gas === null) throw new Error('a pool over all ticks refuses');
          expectNear(gas.exact, gas.used, `exact, 10^${exponent}`);
          expectNear(gas.curve, gas.used, `curve, 10^${exponent}`);
        }
      }
    });
  }

  it(`${POOLS * SWAPS_PER_POOL} swaps through random pools, gaps without liquidity included, within ${TOLERANCE * 100}% and ${BESIDE}`, async () => {
    const random = seededRandom('venue-gas-v3');
    const seen = { swaps: 0, crossing: 0, walking: 0, farthest: 0 };
    for (let i = 0; i < POOLS; i++) {
      const state = await open(randomPool(random));
      for (let j = 0; j < SWAPS_PER_POOL; j++) {
        const zeroForOne = random.chance(0.5);
        const capacity = facet.curves(state).find(({ slotIn }) => slotIn === (zeroForOne ? 0 : 1))?.curve.capacity ?? 0;
        const amount = BigInt(Math.floor(capacity * random.unit() ** random.pick([0, 1, 1, 2, 4, 8])));
        const gas = await gasOf(state, zeroForOne, amount);
        // So little that nothing comes out.
        if (gas === null) continue;
        seen.swaps++;
        if (gas.exact >= UNISWAP_V3_GAS.swap + UNISWAP_V3_GAS.tickCrossed) seen.crossing++;
        if ((gas.exact - UNISWAP_V3_GAS.swap) % UNISWAP_V3_GAS.tickCrossed !== 0) seen.walking++;
        seen.farthest = Math.max(seen.farthest, gas.used);
        expectNear(gas.exact, gas.used, `BRAID_SEED=${SEED} pool ${i}, ${zeroForOne ? 'down' : 'up'} ${amount}`);
      }
    }
    console.log(`      ${JSON.stringify(seen)}`);
    for (const kind of ['crossing', 'walking'] as const) expect(seen[kind], kind).to.be.above(POOLS / 2);
  });
});

/** A position around the price, and more of them beside it, near and far. */
function randomPool(random: SeededRandom): PoolSpec {
  const [fee, tickSpacing] = random.pick([
    [100, 1],
    [500, 10],
    [3000, 60],
    [10_000, 200],
  ]);
  const centre = random.integer(-Math.floor(100_000 / tickSpacing), Math.floor(100_000 / tickSpacing));
  const positions = [{ lower: (centre - 1) * tickSpacing, upper: (centre + 2) * tickSpacing, liquidity: randomLiquidity(random) }];
  for (let more = random.integer(0, random.pick([4, 30])); more > 0; more--) {
    const start = centre + random.integer(-1, 1) * random.integer(0, random.pick([2, 30, 300, 3000]));
    const width = random.integer(1, random.pick([3, 40, 600]));
    positions.push({ lower: start * tickSpacing, upper: (start + width) * tickSpacing, liquidity: randomLiquidity(random) });
  }
  const low = sqrtRatioAtTick(centre * tickSpacing);
  return { fee, tickSpacing, sqrtPriceX96: low + (low * BigInt(random.integer(0, 40))) / 1_000_000n, positions, before: [] };
}

function randomLiquidity(random: SeededRandom): bigint {
  return 10n ** BigInt(random.integer(15, 22)) * BigInt(random.integer(1, 9));
}
