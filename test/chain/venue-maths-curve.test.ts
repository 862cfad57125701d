import { expect } from 'chai';
import type { Hex } from 'viem';
import { type CompiledContract, compileSolidity } from '../../scripts/solidity.ts';
import type { EpochSeconds } from '../../src/units/units.ts';
import { amplificationAt } from '../../src/venues/curve/amplification.ts';
import type { CurveState } from '../../src/venues/curve/curve-state.ts';
import { price } from '../../src/venues/curve/price.ts';
import { invariantOf } from '../../src/venues/curve/stable-swap.ts';
import { upscaledBalances } from '../../src/venues/curve/state.ts';
import { momentOf, type QuoteMoment } from '../../src/venues/venues.ts';
import { describeWithSharedData } from '../pool-set/shared-data.ts';
import { type OracleChain, startOracleChain } from '../support/oracle-chain.ts';
import { FULL_SCALE, SEED, type SeededRandom, seededRandom } from '../support/seeded-random.ts';
import { coinsOf, type RecordedPool, recordedPools } from './curve/recorded-pools.ts';

const SWAPS = FULL_SCALE ? 100_000 : 2_500;
const SWAPS_PER_STATE = 40;
const MAX_BALANCE = (1n << 128n) - 1n;
const ONE = 10n ** 18n;
const DAY = 86_400;

type Case = { readonly indexIn: number; readonly indexOut: number; readonly amountIn: bigint };
type Seen = { filled: number; refused: number; unsettled: number };
type Answer = { readonly ok: boolean; readonly amountOut: bigint; readonly balances: readonly bigint[] };

describeWithSharedData('Curve maths against real pools', function define() {
  let chain: OracleChain;
  let oracle: CompiledContract;
  let token: CompiledContract;
  let address: Hex;
  let made: readonly Hex[];

  before(async function start() {
    this.timeout(300_000);
    const { CurveOracle, PlainToken } = await compileSolidity('contracts/devnet/oracle');
    if (CurveOracle === undefined || PlainToken === undefined) throw new Error('CurveOracle or PlainToken is not among the compiled contracts');
    [oracle, token] = [CurveOracle, PlainToken];
    chain = await startOracleChain();
    address = await chain.deploy(oracle.abi, oracle.bytecode, []);
    const coins: Hex[] = [];
    for (let coin = 0; coin < 3; coin++) coins.push(await chain.deploy(token.abi, token.bytecode, []));
    made = coins;
  });
  after(async () => {
    await chain?.stop();
  });

  for (const pool of recordedPools()) {
    it(`${SWAPS} random exchanges on ${pool.name} give its own amounts and balances, ramps and reverts included`, async function compare() {
      this.timeout(FULL_SCALE ? 3_600_000 : 300_000);
      const random = seededRandom(`venue-maths-curve-${pool.name}`);
      const coins = coinsOf(pool) ?? made;
      const seen: Seen = { filled: 0, refused: 0, unsettled: 0 };
      let now = Number((await ask(pool, coins, [], randomState(random, pool, 30 * DAY)))[0]);
      for (let done = 0; done < SWAPS; done += SWAPS_PER_STATE) {
        const state = randomState(random, pool, now);
        const cases = Array.from({ length: SWAPS_PER_STATE }, () => randomCase(random, state.balances));
        const [timestamp, answers] = await ask(pool, coins, cases, state);
        now = Number(timestamp);
        const at = momentOf({ number: 1, timestamp: now as EpochSeconds });
        for (const [i, one] of cases.entries()) compareOne(state, one, answers[i], at, seen);
      }
      console.log(`      ${JSON.stringify(seen)}`);
      expect(seen.filled).to.be.greaterThan(SWAPS / 4);
      expect(seen.refused).to.be.greaterThan(SWAPS / 50);
      expect(seen.unsettled).to.be.at.most(SWAPS / 100);
    });
  }

  async function ask(pool: RecordedPool, coins: readonly Hex[], cases: readonly Case[], state: CurveState): Promise<readonly [bigint, readonly Answer[]]> {
    const held = state.balances.map((balance) => (pool.counts === 'storage' ? 1n << 200n : balance));
    const overrides = pool.override(state, coins, token.deployedBytecode);
    return (await chain.ask(address, oracle.abi, 'answer', [pool.address, coins, held, cases], overrides)) as readonly [bigint, readonly Answer[]];
  }
});

function compareOne(state: CurveState, { indexIn, indexOut, amountIn }: Case, answer: Answer | undefined, at: QuoteMoment, seen: Seen): void {
  const quote = price.exactIn(state, indexIn, indexOut, amountIn, at);
  const told = `BRAID_SEED=${SEED} ${JSON.stringify({ state, at, indexIn, indexOut, amountIn, answer }, (_, value) => (typeof value === 'bigint' ? String(value) : value))}`;
  // Nothing out is no fill, and a balance beyond what any token has is left to the contract.
  if (answer?.ok !== true || answer.amountOut === 0n || (state.balances[indexIn] ?? 0n) + amountIn > MAX_BALANCE) {
    seen.refused++;
    expect(quote.ok, told).to.equal(false);
    return;
  }
  // 3pool goes on with the last of 255 steps where later ones revert. Only states beyond any real pool's take so many.
  if (invariantOf(amplificationAt(state, at), upscaledBalances(state), state.form) === null) {
    seen.unsettled++;
    expect(quote.ok, told).to.equal(false);
    return;
  }
  seen.filled++;
  if (!quote.ok) throw new Error(`refused where the pool fills: ${told}`);
  expect({ amountOut: quote.amountOut, balances: quote.next.balances }, told).to.deep.equal({ amountOut: answer.amountOut, balances: answer.balances });
}

function randomState(random: SeededRandom, { form, decimals, unit }: RecordedPool, now: number): CurveState {
  const size = random.logUniform(1n << BigInt(random.pick([16, 80, 88, 96, 110])));
  const spread = random.pick([4n, 4n, 64n, 1n << 40n]);
  const fee = random.pick([0n, 1n, 1_000_000n, 4_000_000n, 5_000_000_000n]);
  const from = random.pick([1n, 77n, 200n, 100_000n]);
  const ramp = { unit, from: from * 100n, startsAt: BigInt(now - random.integer(0, 8 * DAY)), endsAt: BigInt(now + random.integer(-DAY, 8 * DAY)) };
  return {
    form,
    balances: decimals.map((places) => (size * random.logUniform(spread)) / spread / 10n ** BigInt(18 - places) + 1n),
    scales: decimals.map((places) => {
      const lift = 10n ** BigInt(18 - places);
      // Only the new generation has rates beside the decimals.
      return form !== 'plain' && random.chance(0.5)
        ? { numerator: lift * random.logUniform(4n * ONE), denominator: ONE }
        : { numerator: lift, denominator: 1n };
    }),
    amplification: 100n * random.pick([1n, 10n, 200n, 2000n, 1_000_000n]),
    ramp: random.chance(0.5) ? ramp : null,
    fee,
    adminFee: form !== 'plain' ? 5_000_000_000n : random.pick([0n, 1n, 5_000_000_000n, 10_000_000_000n]),
    offpegFeeMultiplier: form !== 'plain' ? random.pick([0n, 10_000_000_000n, 20_000_000_000n, 1_000_000_000_000n]) : 0n,
  };
}

function randomCase(random: SeededRandom, balances: readonly bigint[]): Case {
  const indexIn = random.integer(0, balances.length - 1);
  const indexOut = (indexIn + random.integer(1, balances.length - 1)) % balances.length;
  if (random.chance(0.05)) return { indexIn, indexOut, amountIn: random.pick([1n, 2n, MAX_BALANCE, 1n << 160n, (1n << 255n) - 1n]) };
  return { indexIn, indexOut, amountIn: random.logUniform((balances[indexIn] ?? 0n) * random.pick([1n, 1n, 1000n]) + 1n) };
}
