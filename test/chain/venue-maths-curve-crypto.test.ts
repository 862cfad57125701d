import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { Hex, StateOverride } from 'viem';
import { type CompiledContract, compileSolidity } from '../../scripts/solidity.ts';
import type { EpochSeconds } from '../../src/units/units.ts';
import { Reverted } from '../../src/venues/curve_crypto/checked-integers.ts';
import { geometricMean, invariantOf } from '../../src/venues/curve_crypto/crypto-maths.ts';
import type { CryptoPool } from '../../src/venues/curve_crypto/crypto-pool.ts';
import { exchange } from '../../src/venues/curve_crypto/exchange.ts';
import { momentOf, type QuoteMoment } from '../../src/venues/venues.ts';
import { describeWithSharedData } from '../pool-set/shared-data.ts';
import { type OracleChain, startOracleChain } from '../support/oracle-chain.ts';
import { FULL_SCALE, SEED, type SeededRandom, seededRandom } from '../support/seeded-random.ts';
import { askTwoCoinPool } from './curve/ask-two-coin-pool.ts';
import { deployPortedCryptoPool } from './curve/ported-crypto-pool.ts';
import { recordedCryptoPool, TRICRYPTO, TRICRYPTO_COINS, TRICRYPTO_PRECISIONS } from './curve/recorded-crypto-pool.ts';
import { answersIn } from './curve/two-coin-answers.ts';
import { placePortedTwoCoinPool } from './curve/two-coin-storage.ts';

const RECORDED_OF_TWO = new URL('../fixtures/two-coin-exchanges.json.gz', import.meta.url);

/** Of the port on the devnet only so many: it is held to what the real one is held to. */
const SWAPS = { real: FULL_SCALE ? 100_000 : 2_000, port: FULL_SCALE ? 20_000 : 1_000 };
const SWAPS_PER_STATE = 40;
const ONE = 10n ** 18n;
const DAY = 86_400;
const NO_MOMENT = 1_700_000_000;

type Case = { readonly indexIn: number; readonly indexOut: number; readonly amountIn: bigint };
type Answer = { readonly ok: boolean; readonly amountOut: bigint; readonly state: readonly bigint[] };
type Seen = { filled: number; refused: number; repriced: number };
/** A contract that is asked, and what makes its storage say a state. */
type Subject = { readonly address: Hex; readonly coins: readonly Hex[]; override(state: CryptoPool): StateOverride };

describe('Curve crypto maths against contracts', function define() {
  let chain: OracleChain;
  let oracle: CompiledContract;
  let tokenCode: Hex;
  let address: Hex;

  before(async function start() {
    this.timeout(300_000);
    const { CurveCryptoOracle, PlainToken } = await compileSolidity('contracts/devnet/oracle');
    if (CurveCryptoOracle === undefined || PlainToken === undefined) throw new Error('CurveCryptoOracle or PlainToken is not among the compiled contracts');
    [oracle, tokenCode] = [CurveCryptoOracle, PlainToken.deployedBytecode];
    chain = await startOracleChain();
    address = await chain.deploy(oracle.abi, oracle.bytecode, []);
  });
  after(async () => {
    await chain?.stop();
  });

  it(`${SWAPS.port} random exchanges give the devnet's port's own amounts and states, ramps and reverts included`, async function compare() {
    this.timeout(FULL_SCALE ? 3_600_000 : 300_000);
    await compareMany(await deployPortedCryptoPool(chain, TRICRYPTO_PRECISIONS), SWAPS.port, 'ported-curve-crypto');
  });

  it("the devnet's port of two coins gives what Curve's own contract gave, exchange for exchange, with all that views show after it", async function compare() {
    this.timeout(300_000);
    const recorded = answersIn(gunzipSync(readFileSync(RECORDED_OF_TWO)).toString());
    expect(recorded).to.not.be.empty;
    const ask = await askTwoCoinPool(chain, await placePortedTwoCoinPool(chain));
    for (const answers of recorded) expect(await ask(answers.pool, answers.exchanges, answers.now)).to.deep.equal(answers);
  });

  describeWithSharedData('on the bytecode of the real pool', () => {
    it(`${SWAPS.real} random exchanges, every second one in the state that the first left, give its own amounts and states, ramps and reverts included`, async function compare() {
      this.timeout(FULL_SCALE ? 3_600_000 : 300_000);
      await compareMany({ address: TRICRYPTO, coins: TRICRYPTO_COINS, override: recordedCryptoPool(tokenCode) }, SWAPS.real, 'venue-maths-curve-crypto');
    });
  });

  async function compareMany(subject: Subject, swaps: number, name: string): Promise<void> {
    const random = seededRandom(name);
    const ask = async (state: CryptoPool, cases: readonly Case[]) =>
      (await chain.ask(address, oracle.abi, 'answer', [subject.address, subject.coins, cases], subject.override(state))) as readonly [
        bigint,
        readonly Answer[],
      ];
    const seen: Seen = { filled: 0, refused: 0, repriced: 0 };
    let now = Number((await ask(randomState(random, NO_MOMENT), []))[0]);
    for (let done = 0; done < swaps; done += SWAPS_PER_STATE) {
      const state = randomState(random, now);
      const cases = Array.from({ length: SWAPS_PER_STATE }, () => randomCase(random, state.balances));
      const [timestamp, answers] = await ask(state, cases);
      now = Number(timestamp);
      const at = momentOf({ number: 1, timestamp: now as EpochSeconds });
      for (let i = 0; i < cases.length; i += 2) {
        const next = compareOne(state, cases[i] as Case, answers[i] as Answer, at, seen);
        compareOne(next, cases[i + 1] as Case, answers[i + 1] as Answer, at, seen);
      }
    }
    console.log(`      ${JSON.stringify(seen)}`);
    expect(seen.filled).to.be.greaterThan(swaps / 4);
    expect(seen.refused).to.be.greaterThan(swaps / 50);
    expect(seen.repriced).to.be.greaterThan(swaps / 50);
  }
});

/** Gives the state that the exchange leaves. */
function compareOne(state: CryptoPool, { indexIn, indexOut, amountIn }: Case, answer: Answer, at: QuoteMoment, seen: Seen): CryptoPool {
  const ours = exchange(state, indexIn, indexOut, amountIn, at);
  const told = `BRAID_SEED=${SEED} ${JSON.stringify({ state, at, indexIn, indexOut, amountIn, answer }, (_, value) => (typeof value === 'bigint' ? String(value) : value))}`;
  expect(ours !== null, told).to.equal(answer.ok);
  if (ours === null) {
    seen.refused++;
    return state;
  }
  seen.filled++;
  const { next, amountOut } = ours;
  if (next.priceScale !== state.priceScale) seen.repriced++;
  expect({ amountOut, state: visible(next) }, told).to.deep.equal({ amountOut: answer.amountOut, state: answer.state });
  return next;
}

/** As the test contract lists it. */
function visible(pool: CryptoPool): readonly bigint[] {
  const lists = [pool.balances, pool.priceScale, pool.priceOracle, pool.lastPrices].flat();
  return [...lists, pool.lastPricesAt, pool.rampEndsAt, pool.invariant, pool.profit, pool.virtualPrice];
}

/** Most are such as a pool comes into by itself: an invariant, a worth of shares and a profit that belong to the balances. */
function randomState(random: SeededRandom, now: number): CryptoPool {
  const around = (value: bigint, percent: number) => (value * BigInt(10_000 + random.integer(-percent * 100, percent * 100))) / 10_000n;
  const size = 10n ** 20n + random.logUniform(10n ** BigInt(random.pick([22, 27, 32])));
  const skew = random.pick([5, 50, 98]);
  const priceScale = [10n ** 12n + random.logUniform(10n ** 24n), 10n ** 12n + random.logUniform(10n ** 23n)];
  const balances = TRICRYPTO_PRECISIONS.map((precision, slot) => (around(size, skew) * ONE) / (priceScale[slot - 1] ?? ONE) / precision + 1n);
  const parameters = () => ({
    amplification: random.pick([2_700n, 54_000n, 1_707_629n, 270_000_000n, 2_699n]),
    gamma: random.pick([10n ** 10n, 11_809_167_828_997n, 10n ** 15n, 5n * 10n ** 16n]),
  });
  const to = parameters();
  const worth = balances.map((balance, slot) => (balance * (TRICRYPTO_PRECISIONS[slot] ?? 1n) * (priceScale[slot - 1] ?? ONE)) / ONE);
  const invariant = settled(() => invariantOf(to, worth)) ?? 3n * size;
  const even = settled(() => geometricMean([invariant / 3n, ...priceScale.map((price) => (invariant * ONE) / (3n * price))])) ?? size;
  const shares = (even * ONE) / around(ONE + ONE / 10n, random.pick([0, 5, 15])) + 1n;
  const virtualPrice = (ONE * even) / shares;
  const profit = 2n * virtualPrice - ONE + random.pick([0n, 1n, -(10n ** 15n), 10n ** 15n, -(10n ** 17n)]);
  return {
    balances,
    precisions: TRICRYPTO_PRECISIONS,
    priceScale,
    priceOracle: priceScale.map((price) => around(price, random.pick([0, 1, 20]))),
    lastPrices: priceScale.map((price) => around(price, random.pick([0, 1, 20]))),
    lastPricesAt: BigInt(now - random.pick([-100, 0, 1, 60, 600, 7 * DAY])),
    from: parameters(),
    to,
    rampStartsAt: BigInt(now - random.integer(0, 3 * DAY)),
    rampEndsAt: random.pick([0n, 0n, 0n, 1n, BigInt(now - 5), BigInt(now + random.integer(100, 3 * DAY))]),
    invariant: random.chance(0.9) ? invariant : around(invariant, 1),
    midFee: random.pick([500_000n, 3_000_000n, 10_000_000_000n]),
    outFee: random.pick([30_000_000n, 45_000_000n, 10_000_000_000n]),
    feeGamma: random.pick([0n, 500_000_000_000_000n, ONE]),
    allowedExtraProfit: random.pick([0n, 2_000_000_000_000n, ONE / 100n]),
    adjustmentStep: random.pick([0n, 490_000_000_000_000n, ONE / 50n]),
    averageHalfTime: random.pick([600n, 1n, 604_800n]),
    profit: profit > 0n ? profit : ONE,
    virtualPrice: random.chance(0.9) ? virtualPrice : random.pick([0n, virtualPrice + 1n, virtualPrice + ONE / 1000n]),
    adjusting: random.chance(0.5),
    claim: null,
    shares,
  };
}

function settled(compute: () => bigint): bigint | null {
  try {
    return compute();
  } catch (error) {
    if (error instanceof Reverted) return null;
    throw error;
  }
}

function randomCase(random: SeededRandom, balances: readonly bigint[]): Case {
  const indexIn = random.integer(0, balances.length - 1);
  const indexOut = (indexIn + random.integer(1, balances.length - 1)) % balances.length;
  if (random.chance(0.05)) return { indexIn, indexOut, amountIn: random.pick([1n, 2n, 100_000n, 100_001n, 1n << 160n, (1n << 254n) - 1n]) };
  return { indexIn, indexOut, amountIn: random.logUniform((balances[indexIn] ?? 0n) * random.pick([1n, 1n, 1000n]) + 1n) };
}
