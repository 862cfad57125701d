import { randomBytes } from 'node:crypto';
import { LIMITS } from '../config/limits.ts';
import type { Address } from '../units/units.ts';
import type { ChainAnswer, ChainCall, PinnedReader, SupposedStorage } from '../venues/venues.ts';
import { MULTICALL_PROGRAM } from './multicall-program.ts';
import { decodeHex } from './rpc/decode.ts';
import type { Rpc } from './rpc/rpc.ts';
import { garbage, isOfTheRequest, RpcError } from './rpc/rpc-error.ts';

const BOUNDS = LIMITS.indexing.multicall;
const CALL_HEADER_BYTES = 24;
const ANSWER_HEADER_BYTES = 3;

/**
 * Answers contract calls at one block, many per eth_call, in the order asked.
 *
 * The calls run inside the creation of a contract that is never kept: the request needs no contract on the chain (Multicall3 may be missing, or younger than
 * the block) and bounds the gas of each call, so that a token that burns all it gets costs one call and not the whole request. What creation
 * returns is bounded by EIP-170 (24,576 bytes) and what it is given by EIP-3860 (49,152 bytes); chunks stay under both. A chunk that the node refuses
 * is halved, so that one call which it can not run costs no other; that call alone throws RpcError, since no contract said anything.
 * They are sent by an account like any other, another one for each reader: by the zero address a contract would know that it is only asked. Without a price of gas, since nodes refuse one that the sender has no money for.
 * Calls that suppose something of storage are in chunks of their own, which suppose all that theirs do, and of each contract one thing. One that supposes code where it goes is sent as it is.
 */
export function createPinnedReader(rpc: Rpc, blockHash: `0x${string}`): PinnedReader {
  const from = `0x${randomBytes(20).toString('hex')}`;
  const runAlone = async (call: ChainCall): Promise<ChainAnswer> => {
    try {
      return await rpc.call('eth_call', [{ from, to: call.to, data: call.data }, { blockHash }, overridesOf([call])], decodeHex);
    } catch (error) {
      if (error instanceof RpcError && error.reason === 'reverted') return null;
      throw error;
    }
  };
  const run = async (calls: readonly ChainCall[]): Promise<readonly ChainAnswer[]> => {
    const [first] = calls;
    if (first?.standIn !== undefined) return [await runAlone(first)];
    try {
      const data = encodeCalls(calls);
      const supposed = overridesOf(calls);
      return await rpc.call('eth_call', [{ from, data }, { blockHash }, ...(supposed === null ? [] : [supposed])], (value) =>
        decodeAnswers(decodeHex(value), calls.length),
      );
    } catch (error) {
      if (!(error instanceof RpcError) || !isOfTheRequest(error.reason)) throw error;
      if (calls.length === 1) throw error;
      const middle = calls.length >> 1;
      return [...(await run(calls.slice(0, middle))), ...(await run(calls.slice(middle)))];
    }
  };
  return async (calls) => (await Promise.all(chunksOf(calls).map(run))).flat();
}

function chunksOf(calls: readonly ChainCall[]): readonly (readonly ChainCall[])[] {
  const chunks: ChainCall[][] = [];
  let chunk: ChainCall[] = [];
  let size = NOTHING;
  for (const call of calls) {
    const more = sizeOf(call);
    const both = { code: size.code + more.code, answers: size.answers + more.answers, slots: size.slots + more.slots };
    if (chunk.length > 0 && (both.code > BOUNDS.codeBytes || both.answers > BOUNDS.answerBytes || both.slots > BOUNDS.supposedSlots || !agree(chunk, call))) {
      chunks.push(chunk);
      chunk = [];
      size = more;
    } else size = both;
    chunk.push(call);
  }
  if (chunk.length > 0) chunks.push(chunk);
  return chunks;
}

type Size = { readonly code: number; readonly answers: number; readonly slots: number };
const NOTHING: Size = { code: 0, answers: 0, slots: 0 };

function sizeOf(call: ChainCall): Size {
  return {
    code: CALL_HEADER_BYTES + (call.data.length - 2) / 2,
    answers: ANSWER_HEADER_BYTES + answerLimit(call),
    slots: Object.keys(call.supposing?.slots ?? {}).length,
  };
}

/** Whether a call may be answered with the others: all go by the chain as it is, or suppose things that do not contradict each other. */
function agree(chunk: readonly ChainCall[], { supposing, standIn }: ChainCall): boolean {
  return chunk.every(({ supposing: other, standIn: otherCode }) => {
    if (standIn !== undefined || otherCode !== undefined) return false;
    if (supposing === undefined || other === undefined) return supposing === other;
    return supposing === other || supposing.contract !== other.contract;
  });
}

type Overrides = Readonly<Record<Address, { readonly code?: `0x${string}`; readonly stateDiff?: SupposedStorage['slots'] }>>;

/** The third parameter of eth_call; null where nothing is supposed. */
function overridesOf(calls: readonly ChainCall[]): Overrides | null {
  const supposed = calls.flatMap(({ to, supposing, standIn }) => [
    ...(standIn === undefined ? [] : [[to, { code: standIn }] as const]),
    ...(supposing === undefined ? [] : [[supposing.contract, { stateDiff: supposing.slots }] as const]),
  ]);
  return supposed.length === 0 ? null : Object.fromEntries(supposed);
}

function answerLimit(call: ChainCall): number {
  return call.answerBytes ?? BOUNDS.defaultAnswerBytes;
}

/** Init code followed by its input: per call the address (20 bytes), the length of its data (2), the most it may answer (2) and the data. */
function encodeCalls(calls: readonly ChainCall[]): `0x${string}` {
  const parts = calls.map((call) => `${call.to.slice(2)}${hex2((call.data.length - 2) / 2)}${hex2(answerLimit(call))}${call.data.slice(2)}`);
  return `0x${MULTICALL_PROGRAM}${parts.join('')}`;
}

function hex2(value: number): string {
  if (value > 0xffff) throw new RangeError(`${value} does not fit two bytes`);
  return value.toString(16).padStart(4, '0');
}

/** Per call: 1 where it succeeded (one byte), the length of its answer (two), the answer. */
function decodeAnswers(data: `0x${string}`, count: number): readonly ChainAnswer[] {
  const answers: ChainAnswer[] = [];
  let at = 2;
  for (let i = 0; i < count; i++) {
    if (at + 6 > data.length) throw garbage('fewer answers than calls');
    const success = data.slice(at, at + 2) === '01';
    const end = at + 6 + 2 * Number.parseInt(data.slice(at + 2, at + 6), 16);
    if (end > data.length) throw garbage('an answer is cut');
    answers.push(success ? `0x${data.slice(at + 6, end)}` : null);
    at = end;
  }
  if (at !== data.length) throw garbage('more answers than calls');
  return answers;
}
