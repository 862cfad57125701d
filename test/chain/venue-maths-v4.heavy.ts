import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from 'chai';
import { type Abi, encodeAbiParameters, encodeFunctionData, type Hex, keccak256, type StateOverride } from 'viem';
import { type CompiledContract, compileSolidity } from '../../scripts/solidity.ts';
import { type Address, asAddress, ZERO_ADDRESS } from '../../src/units/units.ts';
import { extendStepTable, startStepTable } from '../../src/venues/concentrated/step-table.ts';
import { sqrtRatioAtTick } from '../../src/venues/concentrated/tick-math.ts';
import { DYNAMIC_FEE } from '../../src/venues/uniswap_v4/hook-permissions.ts';
import { price } from '../../src/venues/uniswap_v4/price.ts';
import { state as stateFacet } from '../../src/venues/uniswap_v4/state.ts';
import { swapPool } from '../../src/venues/uniswap_v4/swap-pool.ts';
import { type UniswapV4State, validateState } from '../../src/venues/uniswap_v4/uniswap-v4-pool.ts';
import { PoolRefused } from '../../src/venues/venues.ts';
import { evaluateCurve } from '../support/evaluate-curve.ts';
import { MOMENT } from '../support/moment.ts';
import { type OracleChain, startOracleChain } from '../support/oracle-chain.ts';
import { HIGHEST_LIMIT, LOWEST_LIMIT, type PoolSpec, randomPoolSpec, type SwapSpec } from '../support/random-concentrated-pool.ts';
import { type PoolState, stateOf } from '../support/read-concentrated-pool.ts';
import { FULL_SCALE, SEED, type SeededRandom, seededRandom } from '../support/seeded-random.ts';
import { attestedHookInPlace, compiledHooks, hookAddress, hooksInPlace } from '../support/v4-hooks.ts';

const POOLS = FULL_SCALE ? 1200 : 60;
const SWAPS_PER_POOL = 84;
/** Its bits: asked before liquidity is added. */
const PASSIVE = asAddress(`0x9a55${'0'.repeat(32)}0800`);

const MOST_ROUNDED = 10_000;

type V4Spec = PoolSpec & { readonly hooks: Address; readonly protocolFee: number; readonly setUp: Hex };
type V4PoolState = PoolState & { readonly protocolFee: number; readonly lpFee: number };
type Answer = Pick<PoolState, 'sqrtPriceX96' | 'tick' | 'liquidity'> & { readonly ok: boolean; readonly amount0: bigint; readonly amount1: bigint };
type Variant = 'plain' | 'passive' | 'dynamic_fee' | 'output_fee' | 'angstrom';
type Case = { readonly spec: V4Spec; readonly variant: Variant; readonly parameters: readonly bigint[] };

describe('Uniswap V4 maths against the real PoolManager', function () {
  this.timeout(FULL_SCALE ? 3_600_000 : 300_000);
  let chain: OracleChain;
  let oracle: CompiledContract;
  let hookAbi: Abi;
  let address: Hex;
  let hooks: StateOverride;
  let tokens: readonly [Address, Address];
  let manager: Address;

  before(async () => {
    const compiled = (await compileSolidity('contracts/devnet/oracle')).UniswapV4Oracle;
    const dynamic = (await compiledHooks()).DynamicFeeHook;
    if (compiled === undefined || dynamic === undefined) throw new Error('UniswapV4Oracle or DynamicFeeHook is not among the compiled contracts');
    oracle = compiled;
    hookAbi = dynamic.abi;
    hooks = await hooksInPlace(PASSIVE);
    chain = await startOracleChain();
    address = await chain.deploy(oracle.abi, oracle.bytecode, [managerCode()]);
    const places = await Promise.all(['token0', 'token1', 'manager'].map((name) => chain.ask(address, oracle.abi, name, [])));
    const [token0, token1, itself] = places.map((place) => asAddress(String(place))) as [Address, Address, Address];
    tokens = [token0, token1];
    manager = itself;
  });
  after(async () => {
    await chain?.stop();
  });

  async function ask({ spec, variant, parameters }: Case, swaps: readonly SwapSpec[]): Promise<readonly [V4PoolState, readonly Answer[]]> {
    const [unlocked = 0n, protocol = 0n] = parameters;
    const attested = variant === 'angstrom' ? await attestedHookInPlace(tokens, [unlocked, protocol], await chain.blockNumber()) : [];
    return (await chain.ask(address, oracle.abi, 'answer', [spec, swaps], [...hooks, ...attested])) as readonly [V4PoolState, readonly Answer[]];
  }

  function randomCase(random: SeededRandom): Case {
    const base = randomPoolSpec(random);
    const tickSpacing = base.tickSpacing;
    const variant = random.pick<Variant>(['plain', 'plain', 'plain', 'passive', 'dynamic_fee', 'output_fee', 'angstrom']);
    const part = () => (random.chance(0.5) ? 0 : random.pick([1, 50, 999, 1000]));
    const protocolFee = part() + part() * 4096;
    const lpFee = random.chance(0.1) ? random.pick([999_001, 999_999, 1_000_000]) : base.fee;
    if (variant === 'angstrom') {
      const fees = [BigInt(random.pick([0, 1, base.fee, 500_000, 1_000_000])), BigInt(random.pick([0, 1, 60, 3000, 400_000, 999_999, 1_000_000]))];
      return { spec: { ...base, fee: DYNAMIC_FEE, hooks: hookAddress(variant), protocolFee, setUp: '0x' }, variant, parameters: fees };
    }
    if (variant !== 'dynamic_fee') {
      const hook = variant === 'plain' ? ZERO_ADDRESS : variant === 'passive' ? PASSIVE : hookAddress(variant);
      return { spec: { ...base, fee: lpFee, hooks: hook, protocolFee, setUp: '0x' }, variant, parameters: [] };
    }
    const hook = hookAddress(variant);
    // A pool with a fee of its own takes no notice of what the hook imposes.
    const fee = random.chance(0.8) ? DYNAMIC_FEE : lpFee;
    const key = [...tokens, fee, tickSpacing, hook] as const;
    const spec = { ...base, fee, hooks: hook, protocolFee };
    if (fee === DYNAMIC_FEE && random.chance(0.5)) {
      const setUp = encodeFunctionData({ abi: hookAbi, functionName: 'store', args: [manager, keyObject(key), lpFee] });
      return { spec: { ...spec, setUp }, variant, parameters: [0n, 0n, 0n] };
    }
    const imposed = [BigInt(base.fee), BigInt(random.pick([0, 1, 3000, 500_000, 1_000_000]))] as const;
    const id = keccak256(
      encodeAbiParameters(
        ['address', 'address', 'uint24', 'int24', 'address'].map((type) => ({ type })),
        key,
      ),
    );
    const setUp = encodeFunctionData({ abi: hookAbi, functionName: 'impose', args: [id, Number(imposed[0]), Number(imposed[1])] });
    return { spec: { ...spec, setUp }, variant, parameters: [...imposed, 1n] };
  }

  it(`${POOLS * SWAPS_PER_POOL} random swaps give the manager's own amounts, price, tick and liquidity, reverts and partial fills included`, async () => {
    const random = seededRandom('venue-maths-v4');
    const seen = { swapped: 0, partial: 0, reverted: 0, taxed: 0, hooked: 0, attested: 0, unroutable: 0 };
    for (let at = 0; at < POOLS; at++) {
      const wanted = randomCase(random);
      const [told] = await ask(wanted, []);
      const state = v4StateOf(wanted, told);
      if (isRoutable(state)) checkCurves(state);
      else seen.unroutable++;
      const swaps = Array.from({ length: SWAPS_PER_POOL }, () => randomSwap(random, state));
      const [, answers] = await ask(wanted, swaps);
      for (const [index, answer] of answers.entries()) {
        const swap = swaps[index];
        if (swap === undefined) throw new Error('more answers than swaps');
        const outcome = compare(state, swap, answer, () => describeCase(at, wanted, swap));
        seen[outcome]++;
        if (outcome === 'swapped' && wanted.spec.protocolFee > 0) seen.taxed++;
        if (outcome === 'swapped' && ['dynamic_fee', 'output_fee', 'angstrom'].includes(wanted.variant)) seen.hooked++;
        if (outcome === 'swapped' && wanted.variant === 'angstrom') seen.attested++;
      }
    }
    console.log(`      ${JSON.stringify(seen)}`);
    expect(seen.swapped, 'swaps that went through').to.be.greaterThan((POOLS * SWAPS_PER_POOL) / 4);
    for (const kind of ['partial', 'reverted', 'taxed', 'hooked', 'attested'] as const) expect(seen[kind], kind).to.be.greaterThan(20);
  });
});

function keyObject([currency0, currency1, fee, tickSpacing, hooks]: readonly [Address, Address, number, number, Address]) {
  return { currency0, currency1, fee, tickSpacing, hooks };
}

function v4StateOf({ spec, variant, parameters }: Case, told: V4PoolState): UniswapV4State {
  const pool = Object.freeze({ ...stateOf(spec, told), feePpm: told.lpFee });
  const { protocolFee } = told;
  const dynamicFee = spec.fee === DYNAMIC_FEE;
  return Object.freeze({ pool, protocolFee, dynamicFee, native: false, variant: variant === 'plain' ? null : variant, parameters });
}

/** Only pools without liquidity, and those whose fee is the whole input in both directions, are refused. */
function isRoutable(state: UniswapV4State): boolean {
  try {
    validateState(state);
    return true;
  } catch (error) {
    if (!(error instanceof PoolRefused) || error.reason !== 'not-routable') throw error;
    return false;
  }
}

/** What a curve promises whole, the exact mathematics take whole. */
function checkCurves(state: UniswapV4State): void {
  for (const { slotIn, slotOut, curve } of stateFacet.curves(state)) {
    const most = BigInt(Math.floor(curve.capacity));
    if (most < 1_000_000n) continue;
    const quote = price.exactIn(state, slotIn, slotOut, most, MOMENT);
    expect(quote.ok || quote.reason !== 'partial', `capacity ${most}`).to.equal(true);
    // At an extreme price even the whole capacity may be worth less than what the steps round off.
    if (evaluateCurve(curve, Number(most)) > MOST_ROUNDED) expect(quote.ok, `capacity ${most}`).to.equal(true);
  }
}

function randomSwap(random: SeededRandom, state: UniswapV4State): SwapSpec {
  const zeroForOne = random.chance(0.5);
  const exactIn = random.chance(0.5);
  const amount = random.chance(0.4) ? boundaryAmount(random, state, zeroForOne, exactIn) : random.logUniform(1n << (random.chance(0.9) ? 128n : 255n));
  const bounded = amount >= 1n << 255n ? (1n << 255n) - 1n : amount;
  return { zeroForOne, amountSpecified: exactIn ? bounded : -bounded, limit: zeroForOne ? LOWEST_LIMIT : HIGHEST_LIMIT };
}

/** An amount that ends on the border of a step, or what the manager's accounts hold, one short of it, or one past it. Only the choice of the question rests on our own sums. */
function boundaryAmount(random: SeededRandom, state: UniswapV4State, zeroForOne: boolean, exactIn: boolean): bigint {
  const pool = swapPool(state, zeroForOne);
  const beside = BigInt(random.integer(-1, 1));
  if (pool === null || random.chance(0.1)) return (1n << 127n) + beside;
  const table = startStepTable(pool, zeroForOne, null);
  const steps = random.integer(1, random.pick([2, 6, 30]));
  for (let i = 0; i < steps && extendStepTable(table, pool); i++);
  const sum = (exactIn ? table.totalIn : table.totalOut).at(-1) ?? 0n;
  return sum + beside > 0n ? sum + beside : 1n;
}

function compare(state: UniswapV4State, swap: SwapSpec, answer: Answer, describeIt: () => string): 'swapped' | 'partial' | 'reverted' {
  const { zeroForOne, amountSpecified } = swap;
  const exactIn = amountSpecified > 0n;
  const [slotIn, slotOut] = zeroForOne ? [0, 1] : [1, 0];
  const quote = exactIn ? price.exactIn(state, slotIn, slotOut, amountSpecified, MOMENT) : price.exactOut?.(state, slotIn, slotOut, -amountSpecified, MOMENT);
  if (quote === undefined) throw new Error('no exact output');
  const [taken, given] = zeroForOne ? [-answer.amount0, answer.amount1] : [-answer.amount1, answer.amount0];
  if (!answer.ok) {
    expect(quote, describeIt()).to.deep.equal({ ok: false, reason: 'reverts' });
    return 'reverted';
  }
  if (exactIn ? taken !== amountSpecified : given !== -amountSpecified) {
    expect(quote.ok, describeIt()).to.equal(false);
    return 'partial';
  }
  if (given === 0n) {
    expect(quote, describeIt()).to.deep.equal({ ok: false, reason: 'reverts' });
    return 'reverted';
  }
  if (!quote.ok) throw new Error(`refused where the manager fills: ${describeIt()}`);
  const { sqrtPriceX96, tick, liquidity } = quote.next.pool;
  const ours = { amountIn: quote.amountIn, amountOut: quote.amountOut, sqrtPriceX96, tick, liquidity };
  const theirs = { amountIn: taken, amountOut: given, sqrtPriceX96: answer.sqrtPriceX96, tick: answer.tick, liquidity: answer.liquidity };
  expect(ours, describeIt()).to.deep.equal(theirs);
  expect(quote.next, describeIt()).to.deep.equal({ ...state, pool: { ...state.pool, sqrtPriceX96, tick, liquidity } });
  expect(sqrtPriceX96 >= sqrtRatioAtTick(tick), describeIt()).to.equal(true);
  return 'swapped';
}

/** The manager's creation code, without its owner. */
function managerCode(): Hex {
  const place = createRequire(import.meta.url).resolve('@uniswap/v4-periphery/foundry-out/PoolManager.sol/PoolManager.default.json');
  return (JSON.parse(readFileSync(place, 'utf8')) as { readonly bytecode: { readonly object: Hex } }).bytecode.object;
}

function describeCase(pool: number, wanted: Case, swap: SwapSpec): string {
  const text = JSON.stringify({ ...wanted, swap }, (_, value) => (typeof value === 'bigint' ? String(value) : value));
  return `BRAID_SEED=${SEED} pool ${pool}: ${text}`;
}
