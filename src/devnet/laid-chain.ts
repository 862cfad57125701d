import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { onlyOne } from '../only-one.ts';
import { type AnvilOptions, type AnvilProcess, anvilVersion, startAnvil } from './anvil-process.ts';
import { type KeptStates, openKeptStates } from './kept-states.ts';
import type { ChainContents } from './plan-chain.ts';
import { sendBatch, transactionOf } from './transaction-script.ts';

/** What a chain is like before anything is on it, but for when it began. */
export type ChainSetting = Omit<AnvilOptions, 'genesisTimestamp' | 'stateFile'>;

/** A node with all of a plan on its chain, and whether that was sent to it or kept from another that it was sent to. */
export type LaidChain = { readonly anvil: AnvilProcess; readonly from: 'transactions' | 'kept state' };

/**
 * Set-up mines faster than the clock ticks, and a block's time must exceed its parent's: genesis lies this far back so that the first live block does not
 * lie ahead.
 */
const GENESIS_AGE_SECONDS = 3_600;

/**
 * Starts a node with the plan's chain, from a state in the folder or, where there is none, by sending the plan, and keeps what came of it. `folder`: null to keep nothing. `onWait`: another process is
 * making the state.
 */
export async function startLaidChain(plan: ChainContents, setting: ChainSetting, folder: string | null, onWait?: () => void): Promise<LaidChain> {
  if (folder === null) return { anvil: await layOut(plan, setting, null), from: 'transactions' };
  const key = keyOf(plan, setting);
  const states = openKeptStates(folder, key, youngestGenesis);
  const fromKept = async (): Promise<LaidChain | null> => {
    const anvil = await restore(plan, setting, states);
    return anvil === null ? null : { anvil, from: 'kept state' };
  };
  const makeOne = async (): Promise<LaidChain> => (await fromKept()) ?? { anvil: await layOut(plan, setting, states), from: 'transactions' };
  return (await fromKept()) ?? (await onlyOne(join(folder, key), makeOne, onWait));
}

function youngestGenesis(): number {
  return Math.floor(Date.now() / 1000) - GENESIS_AGE_SECONDS;
}

/** All that the state follows from: the program that runs it, what it is told, and what is sent to it in which order. Not the clock: see the states' greatest age. */
function keyOf({ code, batches }: ChainContents, { host: _host, port: _port, ...shape }: ChainSetting): string {
  const sent = batches.map((batch) => batch.steps.map((_, index) => transactionOf(batch, index)));
  const whole = { node: anvilVersion(), shape: { ...shape, balance: String(shape.balance), baseFeePerGas: String(shape.baseFeePerGas) }, code, sent };
  return createHash('sha256').update(JSON.stringify(whole)).digest('hex');
}

async function layOut(plan: ChainContents, setting: ChainSetting, states: KeptStates | null): Promise<AnvilProcess> {
  const genesisTimestamp = youngestGenesis();
  const anvil = await startAnvil({ ...setting, genesisTimestamp });
  try {
    for (const { address, code } of plan.code) await anvil.rpc.request('anvil_setCode', address, code);
    for (const batch of plan.batches) await sendBatch(anvil.rpc, batch);
    await states?.keep(anvil.rpc, genesisTimestamp);
    return anvil;
  } catch (error) {
    await anvil.stop();
    throw error;
  }
}

/** Null where there is no state, or the node does not come up with it: then it goes. */
async function restore(plan: ChainContents, setting: ChainSetting, states: KeptStates): Promise<AnvilProcess | null> {
  const state = await states.find();
  if (state === null) return null;
  const anvil = await startAnvil({ ...setting, genesisTimestamp: state.genesisTimestamp, stateFile: state.file }).catch(() => null);
  if (anvil !== null && (await isLaid(anvil, plan).catch(() => false))) return anvil;
  await anvil?.stop();
  await states.remove(state);
  return null;
}

/** Everybody has sent what the plan has them send. */
async function isLaid({ rpc }: AnvilProcess, { batches }: ChainContents): Promise<boolean> {
  const expected = new Map(batches.map(({ sender, firstNonce, steps }) => [sender, firstNonce + steps.length]));
  const sent = await rpc.batch([...expected.keys()].map((sender) => ({ method: 'eth_getTransactionCount', params: [sender, 'latest'] })));
  return [...expected.values()].every((count, index) => {
    const answer = sent[index];
    return answer?.ok === true && Number(answer.result) === count;
  });
}
