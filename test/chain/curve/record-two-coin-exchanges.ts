import { writeFileSync } from 'node:fs';
import { argv } from 'node:process';
import { gzipSync } from 'node:zlib';
import { type Hex, numberToHex, type StateOverride } from 'viem';
import { compileSolidity } from '../../../scripts/solidity.ts';
import type { CryptoPool } from '../../../src/venues/curve_crypto/crypto-pool.ts';
import { startOracleChain } from '../../support/oracle-chain.ts';
import { type SeededRandom, seededRandom } from '../../support/seeded-random.ts';
import { compareTwoCoinAnswers, type Seen } from './compare-two-coin-answers.ts';
import { compiledVyper } from './compiled-contract.ts';
import { randomTwoCoinCase, randomTwoCoinPool, type TwoCoinCase } from './random-two-coin-pool.ts';
import { type TwoCoinAnswer, type TwoCoinAnswers, textOf } from './two-coin-answers.ts';

// Asks Curve's own contract, compiled elsewhere, for random exchanges, compares them with the mathematics here, and writes some of them down. The contract is CurveCryptoSwap2ETH.vy of curvefi/curve-factory-crypto, its
// share CurveTokenV5.vy of the same: neither is kept here. Vyper 0.3.1 compiles both, out of its public repository (tag v0.3.1, with a vyper/version.py that says so).
//
//   vyper -f combined_json CurveCryptoSwap2ETH.vy > pool.json; vyper -f combined_json CurveTokenV5.vy > share.json
//   node --import ./scripts/typescript.mjs test/chain/curve/record-two-coin-exchanges.ts pool.json share.json STATES KEPT

/** Beside those that begin with a probe of each coin. */
const PAIRS = 6;
const NOBODY = '0x00000000000000000000000000000000000000ee';
/** Gives what is in its first place to whoever asks it anything: the factory, which is asked for the receiver of fees. */
const ANSWERS = '0x60005460005260206000f3';
const FIXTURE = 'test/fixtures/two-coin-exchanges.json.gz';

type Said = { readonly ok: boolean; readonly value: bigint };
type Answered = { readonly promised: Said; readonly ok: boolean; readonly amountOut: bigint; readonly state: readonly bigint[] };
type Placed = { readonly pool: Hex; readonly share: Hex; readonly coins: readonly Hex[] };

const [, , poolPath = '', sharePath = '', states = '0', kept = '0'] = argv;
const chain = await startOracleChain();
try {
  const { CurveCryptoTwoOracle: oracle, PlainToken } = await compileSolidity('contracts/devnet/oracle');
  if (oracle === undefined || PlainToken === undefined) throw new Error('CurveCryptoTwoOracle or PlainToken is not among the compiled contracts');
  const [pool, share] = [compiledVyper(poolPath), compiledVyper(sharePath)];
  const placed: Placed = {
    pool: await chain.deploy(pool.abi, pool.bytecode, [NOBODY]),
    share: await chain.deploy(share.abi, share.bytecode, []),
    coins: [await chain.deploy(PlainToken.abi, PlainToken.bytecode, []), await chain.deploy(PlainToken.abi, PlainToken.bytecode, [])],
  };
  const address = await chain.deploy(oracle.abi, oracle.bytecode, []);
  await record((state, cases) => chain.ask(address, oracle.abi, 'answer', [placed.pool, placed.coins, state.claim?.held, cases], overridesOf(placed, state)));
} finally {
  await chain.stop();
}

async function record(ask: (state: CryptoPool, cases: readonly unknown[]) => Promise<unknown>): Promise<void> {
  const random = seededRandom('two-coin-exchanges');
  const seen: Seen = { filled: 0, refused: 0, repriced: 0, claimed: 0 };
  const written: TwoCoinAnswers[] = [];
  const timed = (await ask(randomTwoCoinPool(random, 1_700_000_000), [])) as readonly [bigint, ...unknown[]];
  let now = Number(timed[0]);
  for (let done = 0; done < Number(states); done++) {
    const state = randomTwoCoinPool(random, now);
    // The amounts of which the venue asks the view are among them.
    const probes = state.balances.map((balance, slot) => ({ indexIn: slot, indexOut: 1 - slot, amountIn: balance / 8n + 1n }));
    const cases = [...probes.flatMap((probe) => [probe, randomTwoCoinCase(random, state.balances)]), ...randomCases(random, state.balances)];
    const [timestamp, views, answers] = (await ask(state, cases)) as readonly [bigint, readonly Said[], readonly Answered[]];
    const exchanges = cases.map((one, at): TwoCoinAnswer => {
      const { promised, ok, amountOut, state: left } = answers[at] as Answered;
      return { ...one, promised: promised.ok ? promised.value : null, amountOut: ok ? amountOut : null, state: left };
    });
    const all: TwoCoinAnswers = { now: Number(timestamp), pool: state, views: views.map(({ ok, value }) => (ok ? value : null)), exchanges };
    now = Number(timestamp);
    compareTwoCoinAnswers(all, seen);
    if (written.length < Number(kept)) written.push(all);
  }
  console.log(JSON.stringify(seen));
  if (written.length > 0) writeFileSync(FIXTURE, gzipSync(textOf(written), { level: 9 }));
}

function randomCases(random: SeededRandom, balances: readonly bigint[]): readonly TwoCoinCase[] {
  return Array.from({ length: 2 * PAIRS }, () => randomTwoCoinCase(random, balances));
}

/** Where Vyper 0.3.1 places what both contracts keep. */
function overridesOf({ pool, share, coins }: Placed, state: CryptoPool): StateOverride {
  const [from, to] = [state.from, state.to].map(({ amplification, gamma }) => (amplification << 128n) | gamma);
  const [first = 1n, second = 1n] = state.precisions;
  const decimals = (precision: bigint) => BigInt(String(precision).length - 1);
  const values: Readonly<Record<number, bigint | undefined>> = {
    ...{ 1: BigInt(share), 2: BigInt(coins[0] ?? 0), 3: BigInt(coins[1] ?? 0), 4: state.priceScale[0], 5: state.priceOracle[0], 6: state.lastPrices[0] },
    ...{ 7: state.lastPricesAt, 8: from, 9: to, 10: state.rampStartsAt, 11: state.rampEndsAt, 12: state.allowedExtraProfit, 14: state.feeGamma },
    ...{ 16: state.adjustmentStep, 18: state.averageHalfTime, 20: state.midFee, 21: state.outFee, 22: state.claim?.share },
    ...{ 26: state.balances[0], 27: state.balances[1], 28: state.invariant, 29: BigInt(NOBODY), 30: state.profit, 31: state.claim?.profitClaimed },
    ...{ 32: state.virtualPrice, 33: state.adjusting ? 1n : 0n, 35: decimals(first) | (decimals(second) << 8n) },
  };
  const receiver = state.claim?.hasReceiver ? BigInt(NOBODY) : 0n;
  return [
    { address: pool, stateDiff: Object.entries(values).map(([slot, value]) => place(BigInt(slot), value ?? 0n)) },
    { address: share, stateDiff: [place(8n, state.shares), place(9n, BigInt(pool))] },
    { address: NOBODY, code: ANSWERS, stateDiff: [place(0n, receiver)] },
  ];
}

function place(slot: bigint, value: bigint): { readonly slot: Hex; readonly value: Hex } {
  return { slot: numberToHex(slot, { size: 32 }), value: numberToHex(value, { size: 32 }) };
}
