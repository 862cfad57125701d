import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { type Hex, numberToHex, pad, type StateOverride } from 'viem';
import { type CompiledContract, compileSolidity } from '../../scripts/solidity.ts';
import { price } from '../../src/venues/curve/price.ts';
import { invariantOf } from '../../src/venues/curve/stable-swap.ts';
import { type CurveState, upscaledBalances } from '../../src/venues/curve/state.ts';
import { describeWithSharedData, sharedData } from '../pool-set/shared-data.ts';
import { MOMENT } from '../support/moment.ts';
import { type OracleChain, startOracleChain } from '../support/oracle-chain.ts';
import { FULL_SCALE, SEED, type SeededRandom, seededRandom } from '../support/seeded-random.ts';

const SWAPS = FULL_SCALE ? 100_000 : 4_000;
const SWAPS_PER_STATE = 40;
/** DAI, USDC, USDT: the decimals are constants of the contract. */
const DECIMALS = [18, 6, 6] as const;
const THREE_POOL = '0xbebc44782c7db0a1a60cb6fe97d0b483032ff1c7';
/** Where Vyper 0.2.4 keeps what the maths read: single values by number, lists at the hash of their number. */
const SLOT = {
  fee: 2n,
  adminFee: 3n,
  futureA: 7n,
  futureATime: 9n,
  coins: 0x290decd9548b62a8d60345a988386fc84ba6bc95484008f6362f93160ef3e563n,
  balances: 0xb10e2d527612073b26eecdfd717e6a320cf44b4afac2b0732d9fcbe2b7fa0cf6n,
};
const MAX_BALANCE = (1n << 128n) - 1n;

type Case = { readonly indexIn: number; readonly indexOut: number; readonly amountIn: bigint };
type Seen = { filled: number; refused: number; unsettled: number };
type Answer = { readonly ok: boolean; readonly amountOut: bigint; readonly balances: readonly bigint[] };

describeWithSharedData('Curve maths against the real 3pool contract', function define() {
  let chain: OracleChain;
  let oracle: CompiledContract;
  let address: Hex;
  let coins: readonly Hex[];
  let code: Hex;

  before(async function start() {
    this.timeout(300_000);
    const genesis = JSON.parse(gunzipSync(readFileSync(sharedData('state/eth-17666333.genesis.json.gz'))).toString()) as {
      readonly alloc: Readonly<Record<string, { readonly code?: Hex }>>;
    };
    const account = Object.entries(genesis.alloc).find(([holder]) => holder.toLowerCase().endsWith(THREE_POOL.slice(2)))?.[1];
    if (account?.code === undefined) throw new Error('the genesis holds no 3pool');
    code = account.code;
    const { CurveOracle, PlainToken } = await compileSolidity('contracts/devnet/oracle');
    if (CurveOracle === undefined || PlainToken === undefined) throw new Error('CurveOracle or PlainToken is not among the compiled contracts');
    oracle = CurveOracle;
    chain = await startOracleChain();
    address = await chain.deploy(oracle.abi, oracle.bytecode, []);
    const made: Hex[] = [];
    for (const _ of DECIMALS) made.push(await chain.deploy(PlainToken.abi, PlainToken.bytecode, []));
    coins = made;
  });
  after(async () => {
    await chain?.stop();
  });

  it(`${SWAPS} random exchanges give the contract's own amounts and balances, reverts included`, async function compare() {
    this.timeout(FULL_SCALE ? 3_600_000 : 300_000);
    const random = seededRandom('venue-maths-curve');
    const seen: Seen = { filled: 0, refused: 0, unsettled: 0 };
    for (let done = 0; done < SWAPS; done += SWAPS_PER_STATE) {
      const state = randomState(random);
      const cases = Array.from({ length: SWAPS_PER_STATE }, () => randomCase(random, state.balances));
      const answers = (await chain.ask(address, oracle.abi, 'answer', [THREE_POOL, coins, cases], override(state, coins, code))) as readonly Answer[];
      for (const [i, one] of cases.entries()) compareOne(state, one, answers[i], seen);
    }
    console.log(`      ${JSON.stringify(seen)}`);
    expect(seen.filled).to.be.greaterThan(SWAPS / 3);
    expect(seen.refused).to.be.greaterThan(SWAPS / 50);
    expect(seen.unsettled).to.be.at.most(SWAPS / 100);
  });
});

function compareOne(state: CurveState, { indexIn, indexOut, amountIn }: Case, answer: Answer | undefined, seen: Seen): void {
  const quote = price.exactIn(state, indexIn, indexOut, amountIn, MOMENT);
  const told = `BRAID_SEED=${SEED} ${JSON.stringify({ state, indexIn, indexOut, amountIn, answer }, (_, value) => (typeof value === 'bigint' ? String(value) : value))}`;
  // Nothing out is no fill, and a balance beyond what any token has is left to the contract.
  if (answer?.ok !== true || answer.amountOut === 0n || (state.balances[indexIn] ?? 0n) + amountIn > MAX_BALANCE) {
    seen.refused++;
    expect(quote.ok, told).to.equal(false);
    return;
  }
  // This pool goes on with the last of 255 steps where later ones revert. Only states beyond any real pool's take so many.
  if (invariantOf(state.amplification, upscaledBalances(state), state.form) === null) {
    seen.unsettled++;
    expect(quote.ok, told).to.equal(false);
    return;
  }
  seen.filled++;
  if (!quote.ok) throw new Error(`refused where the pool fills: ${told}`);
  expect({ amountOut: quote.amountOut, balances: quote.next.balances }, told).to.deep.equal({ amountOut: answer.amountOut, balances: answer.balances });
}

function override({ balances, amplification, fee, adminFee }: CurveState, coins: readonly Hex[], code: Hex): StateOverride {
  const word = (value: bigint): Hex => numberToHex(value, { size: 32 });
  const values = [
    { slot: word(SLOT.fee), value: word(fee) },
    { slot: word(SLOT.adminFee), value: word(adminFee) },
    { slot: word(SLOT.futureA), value: word(amplification / 100n) },
    { slot: word(SLOT.futureATime), value: word(1n) },
    ...coins.map((coin, index) => ({ slot: word(SLOT.coins + BigInt(index)), value: pad(coin) })),
    ...balances.map((balance, index) => ({ slot: word(SLOT.balances + BigInt(index)), value: word(balance) })),
  ];
  return [{ address: THREE_POOL, code, stateDiff: values }];
}

function randomState(random: SeededRandom): CurveState {
  const size = random.logUniform(1n << BigInt(random.pick([16, 80, 88, 96, 110])));
  const spread = random.pick([4n, 4n, 64n, 1n << 40n]);
  return {
    form: 'plain',
    balances: DECIMALS.map((decimals) => (size * random.logUniform(spread)) / spread / 10n ** BigInt(18 - decimals) + 1n),
    scales: DECIMALS.map((decimals) => ({ numerator: 10n ** BigInt(18 - decimals), denominator: 1n })),
    amplification: 100n * random.pick([1n, 10n, 200n, 2000n, 1_000_000n]),
    fee: random.pick([0n, 1n, 1_000_000n, 4_000_000n, 5_000_000_000n]),
    adminFee: random.pick([0n, 1n, 5_000_000_000n, 10_000_000_000n]),
    offpegFeeMultiplier: 0n,
  };
}

function randomCase(random: SeededRandom, balances: readonly bigint[]): Case {
  const indexIn = random.integer(0, 2);
  const indexOut = (indexIn + random.integer(1, 2)) % 3;
  if (random.chance(0.05)) return { indexIn, indexOut, amountIn: random.pick([1n, 2n, MAX_BALANCE, 1n << 160n, (1n << 255n) - 1n]) };
  return { indexIn, indexOut, amountIn: random.logUniform((balances[indexIn] ?? 0n) * random.pick([1n, 1n, 1000n]) + 1n) };
}
