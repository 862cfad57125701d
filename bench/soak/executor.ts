// Asks for swaps and sends every tenth to the chain, as an integrator would: estimate, send with a margin, look at what came.
import type { Hex } from 'viem';
import { NATIVE_TOKEN } from '../../src/units/units.ts';
import { isPriceMoved } from '../../test/e2e/price-moved.ts';
import { randomTrade, type Taker, type WireSwap } from '../../test/e2e/swap-check.ts';
import { type SeededRandom, seededRandom } from '../../test/support/seeded-random.ts';

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
  readonly wrong: string[];
};

const EVERY = 10;
const PAUSE_MS = 250;
const GAS_MARGIN = 130n;
const MINED_WITHIN_MS = 15_000;
export async function executeSwaps(taker: Taker, seed: number, over: () => boolean): Promise<Executions> {
  const random = seededRandom('executions', seed);
  const done: Executions = { asked: 0, noRoute: 0, notServed: 0, delivered: 0, moved: 0, unmined: 0, unfunded: 0, wrong: [] };
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
  const { account, reader, wallet, balance } = taker;
  const { to, data, value } = swap.transaction;
  if ((await balance(swap.sellToken, account.address)) < BigInt(swap.sellAmount)) {
    done.unfunded++;
    return;
  }
  const call = { account: account.address, to, data, value: BigInt(value) };
  let gas: bigint;
  try {
    gas = await reader.estimateGas(call);
  } catch (error) {
    if (isPriceMoved(error)) done.moved++;
    else done.wrong.push(`estimate of ${swap.quoteId}: ${messageOf(error)}`);
    return;
  }
  const before = await balance(swap.buyToken, swap.recipient);
  const sent = { to, data, value: BigInt(value), gas: (gas * GAS_MARGIN) / 100n };
  const receipt = await wallet
    .sendTransaction(sent)
    .then((hash: Hex) => reader.waitForTransactionReceipt({ hash, timeout: MINED_WITHIN_MS }))
    .catch(() => null);
  if (receipt === null) {
    done.unmined++;
    return;
  }
  if (receipt.status === 'reverted') {
    if (receipt.gasUsed >= (sent.gas * 99n) / 100n) done.wrong.push(`${swap.quoteId} ran out of ${sent.gas} gas`);
    else done.moved++;
    return;
  }
  const native = swap.buyToken.toLowerCase() === NATIVE_TOKEN ? receipt.gasUsed * receipt.effectiveGasPrice : 0n;
  const got = (await balance(swap.buyToken, swap.recipient)) - before + native;
  // A reorg right behind it takes it back, and with it the comparison.
  const still = await reader.getTransactionReceipt({ hash: receipt.transactionHash }).catch(() => null);
  if (still === null || still.blockHash !== receipt.blockHash) done.unmined++;
  else if (got < BigInt(swap.minBuyAmount)) done.wrong.push(`${swap.quoteId} delivered ${got}, its floor is ${swap.minBuyAmount}`);
  else done.delivered++;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 600) : String(error);
}
