import { expect } from 'chai';
import type { Hex } from 'viem';
import { type CompiledContract, compileSolidity } from '../../scripts/solidity.ts';
import { checkConcentratedState } from '../../src/venues/concentrated/check-concentrated-state.ts';
import type { ConcentratedState } from '../../src/venues/concentrated/concentrated-state.ts';
import { extendStepTable, startStepTable } from '../../src/venues/concentrated/step-table.ts';
import { swapConcentrated } from '../../src/venues/concentrated/swap.ts';
import { sqrtRatioAtTick } from '../../src/venues/concentrated/tick-math.ts';
import { price } from '../../src/venues/uniswap_v3/price.ts';
import { PoolRefused } from '../../src/venues/venues.ts';
import { npmArtifact } from '../support/artifacts.ts';
import { MOMENT } from '../support/moment.ts';
import { type OracleChain, startOracleChain } from '../support/oracle-chain.ts';
import { pancakeV3Code } from '../support/pancake.ts';
import { HIGHEST_LIMIT, LOWEST_LIMIT, type PoolSpec, randomPoolSpec, type SwapSpec } from '../support/random-concentrated-pool.ts';
import { type PoolState, stateOf } from '../support/read-concentrated-pool.ts';
import { FULL_SCALE, SEED, type SeededRandom, seededRandom } from '../support/seeded-random.ts';

const POOLS = FULL_SCALE ? 500 : 340;
const SWAPS_PER_POOL = FULL_SCALE ? 200 : 15;

type Answer = {
  readonly ok: boolean;
  readonly amount0: bigint;
  readonly amount1: bigint;
  readonly sqrtPriceX96: bigint;
  readonly tick: number;
  readonly liquidity: bigint;
};

/** Creation code of the factory, constructor's arguments included, of each family whose pools are these contracts. */
const FACTORIES: Readonly<Record<string, (chain: OracleChain) => Promise<Hex>>> = {
  'Uniswap V3': async () => npmArtifact('@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json').bytecode,
  // Its pools take a part of the fee for the protocol from the first swap on.
  'PancakeSwap V3': async (chain) => {
    const { deployer, factoryCode } = await pancakeV3Code();
    return factoryCode(await chain.deploy(deployer.abi, deployer.bytecode, deployer.args));
  },
};

for (const [family, factoryOn] of Object.entries(FACTORIES))
  describe(`${family} maths against the real pool`, function () {
    this.timeout(FULL_SCALE ? 1_800_000 : 300_000);
    let chain: OracleChain;
    let oracle: CompiledContract;
    let address: `0x${string}`;

    before(async () => {
      const compiled = (await compileSolidity('contracts/devnet/oracle')).UniswapV3Oracle;
      if (compiled === undefined) throw new Error('UniswapV3Oracle is not among the compiled contracts');
      oracle = compiled;
      chain = await startOracleChain();
      address = await chain.deploy(oracle.abi, oracle.bytecode, [await factoryOn(chain)]);
    });
    after(async () => {
      await chain?.stop();
    });

    async function ask(spec: PoolSpec, swaps: readonly SwapSpec[]): Promise<readonly [PoolState, readonly Answer[]]> {
      return (await chain.ask(address, oracle.abi, 'answer', [spec, swaps])) as readonly [PoolState, readonly Answer[]];
    }

    it(`${POOLS * SWAPS_PER_POOL} random swaps give the pool's own amounts, price, tick and liquidity, reverts, partial fills and amounts at the border of a tick included (KyberSwap Elastic 2023)`, async () => {
      const random = seededRandom(`venue-maths-v3 ${family}`);
      const seen = { swapped: 0, partial: 0, reverted: 0, crossed: 0, onBoundary: 0, empty: 0 };
      for (let i = 0; i < POOLS; i++) {
        const spec = randomPoolSpec(random);
        const [chainState] = await ask(spec, []);
        const state = stateOf(spec, chainState);
        if (state.liquidity === 0n && state.ticks.indices.length === 0) {
          seen.empty++;
          expect(() => checkConcentratedState(state)).to.throw(PoolRefused);
        } else {
          checkConcentratedState(state);
        }
        const swaps = Array.from({ length: SWAPS_PER_POOL }, () => randomSwap(random, state));
        const [, answers] = await ask(spec, swaps);
        for (const [j, answer] of answers.entries()) {
          const swap = swaps[j];
          if (swap === undefined) throw new Error('more answers than swaps');
          compare(state, swap, answer, seen, () => describeCase(i, spec, swap));
        }
      }
      console.log(`      ${JSON.stringify(seen)}`);
      expect(seen.swapped, 'swaps that went through').to.be.greaterThan((POOLS * SWAPS_PER_POOL) / 4);
      for (const kind of ['partial', 'reverted', 'crossed', 'onBoundary'] as const) expect(seen[kind], kind).to.be.greaterThan(20);
    });
  });

function randomSwap(random: SeededRandom, state: ConcentratedState): SwapSpec {
  const zeroForOne = random.chance(0.5);
  const exactIn = random.chance(0.5);
  const amount = random.chance(0.4) ? boundaryAmount(random, state, zeroForOne, exactIn) : random.logUniform(1n << (random.chance(0.9) ? 128n : 255n));
  const bounded = amount >= 1n << 255n ? (1n << 255n) - 1n : amount;
  const limit = random.chance(0.85) ? (zeroForOne ? LOWEST_LIMIT : HIGHEST_LIMIT) : randomLimit(random, state);
  return { zeroForOne, amountSpecified: exactIn ? bounded : -bounded, limit };
}

/** An amount that ends on the border of a step, one short of it, or one past it. Only the choice of the question rests on our own sums. */
function boundaryAmount(random: SeededRandom, state: ConcentratedState, zeroForOne: boolean, exactIn: boolean): bigint {
  const table = startStepTable(state, zeroForOne, null);
  const steps = random.integer(1, random.pick([2, 6, 30]));
  for (let i = 0; i < steps && extendStepTable(table, state); i++);
  const sum = (exactIn ? table.totalIn : table.totalOut).at(-1) ?? 0n;
  const amount = sum + BigInt(random.integer(-1, 1));
  return amount > 0n ? amount : 1n;
}

function randomLimit(random: SeededRandom, state: ConcentratedState): bigint {
  if (random.chance(0.3)) return sqrtRatioAtTick(state.ticks.indices[random.integer(0, Math.max(0, state.ticks.indices.length - 1))] ?? 0);
  if (random.chance(0.1)) return random.pick([0n, LOWEST_LIMIT - 1n, HIGHEST_LIMIT + 1n]);
  const near = (state.sqrtPriceX96 * BigInt(random.integer(500_000, 1_500_000))) / 1_000_000n;
  return near > HIGHEST_LIMIT ? HIGHEST_LIMIT : near;
}

function compare(state: ConcentratedState, swap: SwapSpec, answer: Answer, seen: Record<string, number>, describeIt: () => string): void {
  const exactIn = swap.amountSpecified > 0n;
  const amount = exactIn ? swap.amountSpecified : -swap.amountSpecified;
  const extreme = swap.limit === (swap.zeroForOne ? LOWEST_LIMIT : HIGHEST_LIMIT);
  const ours = swapConcentrated(state, swap.zeroForOne, exactIn ? 'in' : 'out', amount, extreme ? null : swap.limit);
  const count = (kind: string): void => {
    seen[kind] = (seen[kind] ?? 0) + 1;
  };
  if (!answer.ok) {
    count('reverted');
    expect(ours.kind, describeIt()).to.equal('reverts');
    if (extreme) expectRefused(state, swap, 'reverts', describeIt);
    return;
  }
  if (ours.kind === 'reverts') throw new Error(`the pool swaps where we say it reverts: ${describeIt()}`);
  const amount0 = swap.zeroForOne ? ours.amountIn : -ours.amountOut;
  const amount1 = swap.zeroForOne ? -ours.amountOut : ours.amountIn;
  const { sqrtPriceX96, tick, liquidity } = ours;
  const told = { ok: true, amount0, amount1, sqrtPriceX96, tick, liquidity };
  if (!sameAnswer(told, answer)) expect(told, describeIt()).to.deep.equal(answer);
  const filled = exactIn ? (swap.zeroForOne ? answer.amount0 : answer.amount1) : -(swap.zeroForOne ? answer.amount1 : answer.amount0);
  if (ours.unfilled !== amount - filled) expect(ours.unfilled, describeIt()).to.equal(amount - filled);
  if (ours.crossed > 0) count('crossed');
  if (state.ticks.indices.some((index) => sqrtRatioAtTick(index) === sqrtPriceX96)) count('onBoundary');
  count(filled === amount ? 'swapped' : 'partial');
  if (!extreme) return;
  if (filled !== amount) expectRefused(state, swap, 'partial', describeIt);
  else if (ours.amountOut === 0n) expectRefused(state, swap, 'reverts', describeIt);
  else expectFilled(state, swap, ours.amountIn, ours.amountOut, { ...state, sqrtPriceX96, tick, liquidity }, describeIt);
}

function expectFilled(state: ConcentratedState, swap: SwapSpec, amountIn: bigint, amountOut: bigint, next: ConcentratedState, describeIt: () => string): void {
  const quote = askFacet(state, swap);
  if (!quote?.ok) throw new Error(`refused where the pool fills: ${describeIt()}`);
  expect([quote.amountIn, quote.amountOut, quote.next], describeIt()).to.deep.equal([amountIn, amountOut, next]);
}

function sameAnswer(a: Answer, b: Answer): boolean {
  return a.amount0 === b.amount0 && a.amount1 === b.amount1 && a.sqrtPriceX96 === b.sqrtPriceX96 && a.tick === b.tick && a.liquidity === b.liquidity;
}

function expectRefused(state: ConcentratedState, swap: SwapSpec, reason: string, describeIt: () => string): void {
  const quote = askFacet(state, swap);
  expect(quote?.ok === false && quote.reason, describeIt()).to.equal(reason);
}

function askFacet(state: ConcentratedState, { zeroForOne, amountSpecified }: SwapSpec) {
  const [slotIn, slotOut] = zeroForOne ? [0, 1] : [1, 0];
  return amountSpecified > 0n
    ? price.exactIn(state, slotIn, slotOut, amountSpecified, MOMENT)
    : price.exactOut?.(state, slotIn, slotOut, -amountSpecified, MOMENT);
}

function describeCase(pool: number, spec: PoolSpec, swap: SwapSpec): string {
  const text = JSON.stringify({ spec, swap }, (_, value) => (typeof value === 'bigint' ? String(value) : value));
  return `BRAID_SEED=${SEED} pool ${pool}: ${text}`;
}
