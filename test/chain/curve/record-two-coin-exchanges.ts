import { writeFileSync } from 'node:fs';
import { argv } from 'node:process';
import { gzipSync } from 'node:zlib';
import { startOracleChain } from '../../support/oracle-chain.ts';
import { type SeededRandom, seededRandom } from '../../support/seeded-random.ts';
import { type AskTwoCoinPool, askTwoCoinPool } from './ask-two-coin-pool.ts';
import { compareTwoCoinAnswers, type Seen } from './compare-two-coin-answers.ts';
import { compiledVyper } from './compiled-contract.ts';
import { randomTwoCoinCase, randomTwoCoinPool, type TwoCoinCase } from './random-two-coin-pool.ts';
import { type TwoCoinAnswers, textOf } from './two-coin-answers.ts';
import { placeTwoCoinPool } from './two-coin-storage.ts';

// Asks Curve's own contract, compiled elsewhere, for random exchanges, compares them with the mathematics here, and writes some of them down. The contract is CurveCryptoSwap2ETH.vy of curvefi/curve-factory-crypto, its
// share CurveTokenV5.vy of the same: neither is kept here. Vyper 0.3.1 compiles both, out of its public repository (tag v0.3.1, with a vyper/version.py that says so).
//
//   vyper -f combined_json CurveCryptoSwap2ETH.vy > pool.json; vyper -f combined_json CurveTokenV5.vy > share.json
//   node --import ./scripts/typescript.mjs test/chain/curve/record-two-coin-exchanges.ts pool.json share.json STATES KEPT

/** Beside those that begin with a probe of each coin. */
const PAIRS = 6;
const FIXTURE = 'test/fixtures/two-coin-exchanges.json.gz';
/** Where Vyper 0.3.1 places them. */
const SHARE_PLACES = { supply: 8n, minter: 9n };

const [, , poolPath = '', sharePath = '', states = '0', kept = '0'] = argv;
const chain = await startOracleChain();
try {
  await record(await askTwoCoinPool(chain, await placeTwoCoinPool(chain, compiledVyper(poolPath), compiledVyper(sharePath), SHARE_PLACES)));
} finally {
  await chain.stop();
}

async function record(ask: AskTwoCoinPool): Promise<void> {
  const random = seededRandom('two-coin-exchanges');
  const seen: Seen = { filled: 0, refused: 0, repriced: 0, claimed: 0 };
  const written: TwoCoinAnswers[] = [];
  let { now } = await ask(randomTwoCoinPool(random, 1_700_000_000), []);
  for (let done = 0; done < Number(states); done++) {
    const state = randomTwoCoinPool(random, now);
    // The amounts of which the venue asks the view are among them.
    const probes = state.balances.map((balance, slot) => ({ indexIn: slot, indexOut: 1 - slot, amountIn: balance / 8n + 1n }));
    const cases = [...probes.flatMap((probe) => [probe, randomTwoCoinCase(random, state.balances)]), ...randomCases(random, state.balances)];
    const answers = await ask(state, cases);
    now = answers.now;
    compareTwoCoinAnswers(answers, seen);
    if (written.length < Number(kept)) written.push(answers);
  }
  console.log(JSON.stringify(seen));
  if (written.length > 0) writeFileSync(FIXTURE, gzipSync(textOf(written), { level: 9 }));
}

function randomCases(random: SeededRandom, balances: readonly bigint[]): readonly TwoCoinCase[] {
  return Array.from({ length: 2 * PAIRS }, () => randomTwoCoinCase(random, balances));
}
