// Asks for swaps and sends every tenth to the chain, as an integrator would: estimate, send with a margin, look at what came.
import { NATIVE_TOKEN } from '../../src/units/units.ts';
import { randomTrade, type Taker, type WireSwap } from '../../test/e2e/swap-check.ts';
import { type SeededRandom, seededRandom } from '../../test/support/seeded-random.ts';
import { GAS_MARGIN_PERCENT, sendWithMargin } from '../margin/send-with-margin.ts';

/**
 * What became of swaps. 'moved': a block that the service had not read moved the price past the floor, before sending or when it was mined. 'unmined': its block left the
 * chain, or none came. 'unfunded': the taker has sold nearly all that it had of the token. 'wrong' is what must never be: a swap that can not be executed for another reason, or delivers less than its floor.
 */
export type Executions = {
  asked: number;
  noRoute: number;
  notServed: number;
  delivered: number;
  moved: number;
  unmined: number;
  unfunded: number;
  /** Used up the estimate and the margin: a price that moved crosses more ticks, which a margin covers nearly always. */
  readonly outOfGas: string[];
  readonly wrong: string[];
};

const EVERY = 10;
const PAUSE_MS = 250;

export async function executeSwaps(taker: Taker, seed: number, over: () => boolean): Promise<Executions> {
  const random = seededRandom('executions', seed);
  const done: Executions = { asked: 0, noRoute: 0, notServed: 0, delivered: 0, moved: 0, unmined: 0, unfunded: 0, outOfGas: [], wrong: [] };
  for (let turn = 1; !over(); turn++) {
    const { status, swap } = await ask(taker, random);
    done.asked++;
    if (status === 404) done.noRoute++;
    else if (status !== 200) done.notServed++;
    else if (turn % EVERY === 0) await execute(taker, swap, done);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return done;
}

async function ask(taker: Taker, random: SeededRandom): Promise<{ readonly status: number; readonly swap: WireSwap }> {
  try {
    return await taker.ask(randomTrade(taker, random));
  } catch {
    return { status: 0, swap: {} as WireSwap };
  }
}

async function execute(taker: Taker, swap: WireSwap, done: Executions): Promise<void> {
  const { account, reader, balance } = taker;
  if ((await balance(swap.sellToken, account.address)) < BigInt(swap.sellAmount)) {
    done.unfunded++;
    return;
  }
  const before = await balance(swap.buyToken, swap.recipient);
  const sent = await sendWithMargin(taker, swap, GAS_MARGIN_PERCENT);
  if (sent.kind === 'refused') done.wrong.push(`estimate of ${swap.quoteId}: ${sent.message}`);
  else if (sent.kind === 'out-of-gas') done.outOfGas.push(`${swap.quoteId} ran out of ${sent.gas} gas`);
  else if (sent.kind !== 'done') done[sent.kind]++;
  if (sent.kind !== 'done') return;
  const { receipt } = sent;
  const native = swap.buyToken.toLowerCase() === NATIVE_TOKEN ? receipt.gasUsed * receipt.effectiveGasPrice : 0n;
  const got = (await balance(swap.buyToken, swap.recipient)) - before + native;
  // A reorg right behind it takes it back, and with it the comparison.
  const still = await reader.getTransactionReceipt({ hash: receipt.transactionHash }).catch(() => null);
  if (still === null || still.blockHash !== receipt.blockHash) done.unmined++;
  else if (got < BigInt(swap.minBuyAmount)) done.wrong.push(`${swap.quoteId} delivered ${got}, its floor is ${swap.minBuyAmount}`);
  else done.delivered++;
}
