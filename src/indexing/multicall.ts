import { LIMITS } from '../config/limits.ts';
import type { ChainAnswer, ChainCall, PinnedReader } from '../venues/venues.ts';
import { MULTICALL_PROGRAM } from './multicall-program.ts';
import { decodeHex } from './rpc/decode.ts';
import type { Rpc } from './rpc/rpc.ts';
import { garbage, RpcError } from './rpc/rpc-error.ts';

const BOUNDS = LIMITS.indexing.multicall;
const CALL_HEADER_BYTES = 24;
const ANSWER_HEADER_BYTES = 3;

/**
 * Answers contract calls at one block, many per eth_call, in the order asked.
 *
 * The calls run inside the creation of a contract that is never kept: the request needs no contract on the chain (Multicall3 may be missing, or younger than
 * the block) and bounds the gas of each call, so that a token that burns all it gets costs one call and not the whole request. What creation
 * returns is bounded by EIP-170 (24,576 bytes) and what it is given by EIP-3860 (49,152 bytes); chunks stay under both. A chunk that the node refuses
 * is halved, so that one call which it can not run costs no other; that call alone throws RpcError 'refused', since no contract said anything.
 */
export function createPinnedReader(rpc: Rpc, blockHash: `0x${string}`): PinnedReader {
  const run = async (calls: readonly ChainCall[]): Promise<readonly ChainAnswer[]> => {
    try {
      const data = encodeCalls(calls);
      return await rpc.call('eth_call', [{ data }, { blockHash }], (value) => decodeAnswers(decodeHex(value), calls.length));
    } catch (error) {
      if (!(error instanceof RpcError) || error.reason !== 'refused') throw error;
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
  let code = 0;
  let answers = 0;
  for (const call of calls) {
    const codeBytes = CALL_HEADER_BYTES + (call.data.length - 2) / 2;
    const answerBytes = ANSWER_HEADER_BYTES + answerLimit(call);
    if (chunk.length > 0 && (code + codeBytes > BOUNDS.codeBytes || answers + answerBytes > BOUNDS.answerBytes)) {
      chunks.push(chunk);
      chunk = [];
      code = 0;
      answers = 0;
    }
    chunk.push(call);
    code += codeBytes;
    answers += answerBytes;
  }
  if (chunk.length > 0) chunks.push(chunk);
  return chunks;
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
