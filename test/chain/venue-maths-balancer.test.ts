import { expect } from 'chai';
import { price as stablePrice } from '../../src/venues/balancer_v2_stable/price.ts';
import type { StableState } from '../../src/venues/balancer_v2_stable/state.ts';
import { price as weightedPrice } from '../../src/venues/balancer_v2_weighted/price.ts';
import type { WeightedState } from '../../src/venues/balancer_v2_weighted/state.ts';
import type { PriceFacet } from '../../src/venues/venues.ts';
import { type BalancerChain, type BalancerFactory, type BuiltPool, type PoolToken, type PoolWish, startBalancer } from '../support/balancer-chain.ts';
import { MOMENT } from '../support/moment.ts';
import { type OracleChain, startOracleChain } from '../support/oracle-chain.ts';
import { FULL_SCALE, SEED, type SeededRandom, seededRandom } from '../support/seeded-random.ts';

const SWAPS = FULL_SCALE ? 100_000 : 2_500;
const QUERIES = FULL_SCALE ? 2_000 : 50;
const SWAPS_PER_CALL = 100;
const POOLS_PER_FACTORY = FULL_SCALE ? 16 : 2;
const MAX_BALANCE = (1n << 112n) - 1n;
const ONE = 10n ** 18n;

const WEIGHTED: readonly BalancerFactory[] = ['weighted-2021', 'weighted-two-tokens-2021', 'bootstrapping-2021', 'weighted-2022', 'weighted-2023'];
const STABLE: readonly BalancerFactory[] = ['stable-2021', 'meta-stable-2021', 'phantom-2021', 'stable-2022', 'composable-2022', 'composable-2023'];
/** Factories whose pools multiply powers of 1, 2 and 4 out, and whose pools round their invariant up. */
const MULTIPLIED: readonly BalancerFactory[] = ['weighted-2022', 'weighted-2023'];
const ROUNDING_UP: readonly BalancerFactory[] = ['stable-2021', 'meta-stable-2021', 'phantom-2021'];
const WITH_RATES: readonly BalancerFactory[] = ['meta-stable-2021', 'phantom-2021', 'composable-2022', 'composable-2023'];

type TestPool = { readonly factory: BalancerFactory; readonly wish: PoolWish; readonly built: BuiltPool };
type Case = { readonly balances: readonly bigint[]; readonly indexIn: number; readonly indexOut: number; readonly kind: 0 | 1; readonly amount: bigint };
type Answer = { readonly ok: boolean; readonly amount: bigint };
type Seen = { filled: number; refused: number };

describe("Balancer V2 maths against the vault's real pools", function define() {
  this.timeout(FULL_SCALE ? 3_600_000 : 120_000);
  let chain: OracleChain;
  let balancer: BalancerChain;
  const pools = new Map<BalancerFactory, TestPool[]>();

  before(async () => {
    chain = await startOracleChain();
    balancer = await startBalancer(chain);
    const random = seededRandom('venue-maths-balancer-pools');
    for (const factory of [...WEIGHTED, ...STABLE]) {
      const made: TestPool[] = [];
      for (let i = 0; i < POOLS_PER_FACTORY; i++) {
        const wish = WEIGHTED.includes(factory) ? weightedWish(random, factory, i) : stableWish(random, factory);
        made.push({ factory, wish, built: await balancer.build(factory, wish) });
      }
      pools.set(factory, made);
    }
  });
  after(async () => {
    await chain?.stop();
  });

  async function compareAll<State>(
    factories: readonly BalancerFactory[],
    price: PriceFacet<State>,
    drawBalances: (random: SeededRandom, pool: TestPool) => readonly bigint[],
    stateOf: (pool: TestPool, balances: readonly bigint[]) => State,
    ask: 'answerMinimal' | 'answerGeneral',
  ): Promise<void> {
    for (const factory of factories) {
      const random = seededRandom(`venue-maths-${factory}`);
      const seen: Seen = { filled: 0, refused: 0 };
      const made = pools.get(factory) ?? [];
      const share = Math.ceil(SWAPS / factories.length);
      for (let done = 0; done < share; done += SWAPS_PER_CALL) {
        const pool = made[(done / SWAPS_PER_CALL) % made.length];
        if (pool === undefined) throw new Error(`no pool of ${factory}`);
        const cases = Array.from({ length: SWAPS_PER_CALL }, () => randomCase(random, pool, drawBalances(random, pool)));
        const asked = cases.map((one) => ({ ...one, pool: pool.built.address, poolId: pool.built.poolId, tokens: pool.built.tokens }));
        const answers = (await chain.ask(balancer.vault, balancer.oracleAbi, ask, [asked])) as readonly Answer[];
        for (const [i, one] of cases.entries()) compare(pool, one, answers[i], price, stateOf(pool, one.balances), seen);
      }
      console.log(`      ${factory} ${JSON.stringify(seen)}`);
      expect(seen.filled, factory).to.be.greaterThan(share / 5);
      expect(seen.refused, factory).to.be.greaterThan(share / 50);
    }
  }

  for (const factory of ['weighted-2021', 'weighted-2023', 'stable-2021', 'stable-2022'] as const) {
    it(`${QUERIES} random queries to the vault give its own amounts in a pool of ${factory}, what the vault refuses included`, async () => {
      const random = seededRandom(`venue-maths-vault-${factory}`);
      const pool = (pools.get(factory) ?? [])[0];
      if (pool === undefined) throw new Error(`no pool of ${factory}`);
      const balances = pool.built.wishOf.map((index) => BigInt(random.integer(1_000_000, 8_000_000)) * 10n ** BigInt(pool.wish.tokens[index]?.decimals ?? 18));
      await balancer.fill(pool.built, balances);
      const seen: Seen = { filled: 0, refused: 0 };
      for (let done = 0; done < QUERIES; done++) {
        const one = randomCase(random, pool, balances);
        const moved = await balancer.query(pool.built, one.kind, one.indexIn, one.indexOut, one.amount);
        const answer = { ok: moved !== null, amount: (one.kind === 0 ? moved?.[1] : moved?.[0]) ?? 0n };
        if (WEIGHTED.includes(factory)) compare(pool, one, answer, weightedPrice, weightedState(pool, balances), seen);
        else compare(pool, one, answer, stablePrice, stableState(pool, balances), seen);
      }
      expect(seen.filled, factory).to.be.greaterThan(QUERIES / 4);
      expect(seen.refused, factory).to.be.greaterThan(QUERIES / 50);
    });
  }

  it(`${SWAPS} random swaps of weighted pools of five factories give the contracts' own amounts, reverts included`, async () => {
    await balancer.replaceVault();
    await compareAll(WEIGHTED, weightedPrice, weightedBalances, weightedState, 'answerMinimal');
  });

  it(`${SWAPS} random swaps of stable pools of six factories give the contracts' own amounts, reverts included`, async () => {
    await balancer.replaceVault();
    await compareAll(STABLE, stablePrice, stableBalances, stableState, 'answerGeneral');
  });
});

function compare<State>({ factory, wish }: TestPool, wanted: Case, answer: Answer | undefined, price: PriceFacet<State>, state: State, seen: Seen): void {
  const { balances, indexIn, indexOut, kind, amount } = wanted;
  const quote = kind === 0 ? price.exactIn(state, indexIn, indexOut, amount, MOMENT) : price.exactOut?.(state, indexIn, indexOut, amount, MOMENT);
  const [amountIn, amountOut] = kind === 0 ? [amount, answer?.amount ?? 0n] : [answer?.amount ?? 0n, amount];
  // What the vault itself refuses once the pool has answered, and what is no fill.
  const taken =
    answer?.ok === true && amountIn > 0n && amountOut > 0n && (balances[indexIn] ?? 0n) + amountIn <= MAX_BALANCE && amountOut <= (balances[indexOut] ?? 0n);
  const told = `BRAID_SEED=${SEED} ${factory} ${JSON.stringify({ wish, wanted, answer }, (_, value) => (typeof value === 'bigint' ? String(value) : value))}`;
  if (!taken) {
    seen.refused++;
    expect(quote?.ok, told).to.equal(false);
    return;
  }
  seen.filled++;
  if (!quote?.ok) throw new Error(`refused where the pool fills: ${told}`);
  expect({ amountIn: quote.amountIn, amountOut: quote.amountOut }, told).to.deep.equal({ amountIn, amountOut });
}

function weightedWish(random: SeededRandom, factory: BalancerFactory, round: number): PoolWish {
  const most = factory === 'weighted-two-tokens-2021' ? 2 : factory === 'bootstrapping-2021' ? 4 : 8;
  const count = round === 0 ? 2 : random.integer(2, most);
  // Equal weights and 80/20 have the exponents that newer pools multiply out.
  const shares = round === 0 ? [50n, 50n] : round === 1 && count === 2 ? [80n, 20n] : Array.from({ length: count }, () => BigInt(random.integer(1, 99)));
  const total = shares.reduce((sum, share) => sum + share, 0n);
  const weights = shares.map((share) => (share * ONE) / total).map((weight) => (weight < ONE / 100n ? ONE / 100n : weight));
  const excess = weights.reduce((sum, weight) => sum + weight, 0n) - ONE;
  const largest = weights.reduce((best, weight, slot) => (weight > (weights[best] ?? 0n) ? slot : best), 0);
  weights[largest] = (weights[largest] ?? 0n) - excess;
  return { tokens: Array.from({ length: count }, () => ({ decimals: randomDecimals(random), rate: null })), weights, swapFee: randomFee(random) };
}

function stableWish(random: SeededRandom, factory: BalancerFactory): PoolWish {
  const count = factory === 'meta-stable-2021' ? 2 : random.integer(2, factory.startsWith('composable') || factory.startsWith('phantom') ? 4 : 5);
  const tokens: PoolToken[] = Array.from({ length: count }, () => ({
    decimals: randomDecimals(random),
    rate: WITH_RATES.includes(factory) && random.chance(0.6) ? ONE / 2n + random.bits(61) : null,
  }));
  return { tokens, amplification: random.pick([1n, 10n, 50n, 200n, 1472n, 5000n]), swapFee: randomFee(random) };
}

function randomDecimals(random: SeededRandom): number {
  return random.pick([18, 18, 18, 6, 8, 0]);
}

/** The contract's least and largest fee, and ones between. */
function randomFee(random: SeededRandom): bigint {
  return random.pick([10n ** 12n, 4n * 10n ** 14n, 3n * 10n ** 15n, 10n ** 17n, 10n ** 12n + random.bits(50)]);
}

function weightedBalances(random: SeededRandom, { built }: TestPool): readonly bigint[] {
  return built.tokens.map(() => (random.chance(0.1) ? random.logUniform(64n) : random.logUniform(MAX_BALANCE)));
}

/** Within a factor of each other in value, but for a few: a stable pool of a grain and a mountain has no invariant to compare. */
function stableBalances(random: SeededRandom, { wish, built }: TestPool): readonly bigint[] {
  const size = random.logUniform(1n << BigInt(random.pick([20, 80, 88, 96, 110])));
  const spread = random.pick([4n, 4n, 64n, 1n << 40n]);
  return built.wishOf.map((index) => {
    const token = wish.tokens[index];
    if (token === undefined) return MAX_BALANCE / 2n;
    if (random.chance(0.02)) return random.logUniform(MAX_BALANCE);
    const upscaled = (size * random.logUniform(spread)) / spread + 1n;
    const balance = token.decimals === 18 || random.chance(0.05) ? upscaled : upscaled / 10n ** BigInt(18 - token.decimals) + 1n;
    return balance > MAX_BALANCE ? MAX_BALANCE : balance;
  });
}

function randomCase(random: SeededRandom, { built }: TestPool, balances: readonly bigint[]): Case {
  const slots = built.wishOf.flatMap((wish, slot) => (wish < 0 ? [] : [slot]));
  const from = random.integer(0, slots.length - 1);
  const to = (from + random.integer(1, slots.length - 1)) % slots.length;
  const [indexIn, indexOut] = [slots[from] ?? 0, slots[to] ?? 0];
  const kind = random.chance(0.5) ? 0 : 1;
  return { balances, indexIn, indexOut, kind, amount: randomAmount(random, balances[kind === 0 ? indexIn : indexOut] ?? 0n) };
}

function randomAmount(random: SeededRandom, balance: bigint): bigint {
  if (random.chance(0.03)) return random.pick([1n, 2n, MAX_BALANCE, 1n << 112n, 1n << 200n, (1n << 256n) - 1n]);
  // The ratio limit and its neighbours.
  if (random.chance(0.1)) return (balance * 3n) / 10n + BigInt(random.integer(balance < 4n ? 0 : -1, 2));
  if (random.chance(0.1)) return balance > 3n ? balance + BigInt(random.integer(-3, 1)) : 1n;
  return random.logUniform(balance + 1n);
}

function weightedState({ factory, wish, built }: TestPool, balances: readonly bigint[]): WeightedState {
  return {
    balances,
    lifts: built.wishOf.map((index) => 10n ** BigInt(18 - (wish.tokens[index]?.decimals ?? 18))),
    // A bootstrapping pool keeps its weights compressed: its own are not quite those asked for.
    weights: built.weights,
    swapFee: wish.swapFee,
    powers: MULTIPLIED.includes(factory) ? 'multiplied' : 'logarithm',
  };
}

function stableState({ factory, wish, built }: TestPool, balances: readonly bigint[]): StableState {
  const scales = built.wishOf.map((index) => {
    const token = wish.tokens[index];
    if (token === undefined) return null;
    const lift = 10n ** BigInt(18 - token.decimals);
    return token.rate === null ? { numerator: lift, denominator: 1n } : { numerator: lift * token.rate, denominator: ONE };
  });
  return { balances, scales, amplification: (wish.amplification ?? 1n) * 1000n, swapFee: wish.swapFee, rule: ROUNDING_UP.includes(factory) ? 'up' : 'down' };
}
