import { keccak256 } from 'viem';
import type { ChainHeader } from '../../../src/indexing/header.ts';
import { MULTICALL_PROGRAM } from '../../../src/indexing/multicall-program.ts';
import { asAddress } from '../../../src/units/units.ts';
import type { ChainCall, ChainLog } from '../../../src/venues/venues.ts';
import type { MadeUpChain } from '../made-up-chain.ts';

export type JsonCall = { readonly id: number; readonly method: string; readonly params: readonly unknown[] };

/** What a node of that chain answers that has come as far as `head`, as JSON: the result, or null where it does not know the block; undefined where it would say that it does not. */
export async function answerOf(chain: MadeUpChain, head: ChainHeader, { method, params }: JsonCall): Promise<unknown> {
  const branch = chain.branch(head.hash);
  const at = (number: number): ChainHeader | undefined => branch[number - (branch[0]?.number ?? 0)];
  const logsOf = async (header: ChainHeader) => (await chain.reader.logs(header)) as readonly ChainLog[];
  const [first, second] = params;
  switch (method) {
    case 'eth_chainId':
      return '0x1';
    case 'eth_getBlockByNumber': {
      const header = first === 'latest' ? head : at(Number(first));
      return header === undefined ? null : headerJson(header, await logsOf(header));
    }
    case 'eth_getBlockByHash': {
      const header = branch.findLast(({ hash }) => hash === first);
      return header === undefined ? null : headerJson(header, await logsOf(header));
    }
    case 'eth_getLogs': {
      const filter = first as {
        readonly blockHash?: string;
        readonly fromBlock?: string;
        readonly toBlock?: string;
        readonly address?: readonly string[];
        readonly topics?: readonly (readonly string[])[];
      };
      if (filter.blockHash !== undefined) {
        const header = branch.findLast(({ hash }) => hash === filter.blockHash);
        return header === undefined ? undefined : (await logsOf(header)).map(logJson);
      }
      const last = filter.toBlock === 'latest' ? head.number : Number(filter.toBlock);
      const within = branch.filter(({ number }) => number >= Number(filter.fromBlock) && number <= last);
      const logs = (await Promise.all(within.map(logsOf))).flat();
      return logs
        .filter(({ address }) => filter.address === undefined || filter.address.includes(address))
        .filter(({ topics: [topic = ''] }) => filter.topics?.[0] === undefined || filter.topics[0].includes(topic))
        .map(logJson);
    }
    case 'eth_call': {
      const { blockHash } = second as { readonly blockHash: `0x${string}` };
      if (branch.findLast(({ hash }) => hash === blockHash) === undefined) return undefined;
      const answers = await chain.reader.readAt(blockHash)(callsIn((first as { readonly data: string }).data));
      return `0x${answers.map((answer) => `${answer === null ? '00' : '01'}${hex((answer ?? '0x').length / 2 - 1, 2)}${(answer ?? '0x').slice(2)}`).join('')}`;
    }
    default:
      throw new Error(`nobody asks for ${method}`);
  }
}

/** The calls that follow the program in the init code: per call the address, the length of its data, the most it may answer, the data. */
function callsIn(data: string): readonly ChainCall[] {
  const calls: ChainCall[] = [];
  for (let at = 2 + MULTICALL_PROGRAM.length; at < data.length; ) {
    const length = 2 * Number.parseInt(data.slice(at + 40, at + 44), 16);
    calls.push({ to: asAddress(`0x${data.slice(at, at + 40)}`), data: `0x${data.slice(at + 48, at + 48 + length)}` });
    at += 48 + length;
  }
  return calls;
}

const headers = new WeakMap<ChainHeader, unknown>();

function headerJson(header: ChainHeader, logs: readonly ChainLog[]): unknown {
  const known = headers.get(header);
  if (known !== undefined) return known;
  const { number, hash, parentHash, timestamp } = header;
  const json = {
    number: `0x${number.toString(16)}`,
    hash,
    parentHash,
    timestamp: `0x${timestamp.toString(16)}`,
    baseFeePerGas: null,
    logsBloom: bloomOf(logs),
  };
  headers.set(header, json);
  return json;
}

function logJson({ address, topics, data, blockHash, blockNumber, logIndex }: ChainLog) {
  const bytes = data.length % 2 === 0 ? data : `0x0${data.slice(2)}`;
  return { address, topics, data: bytes, blockHash, blockNumber: `0x${blockNumber.toString(16)}`, logIndex: `0x${logIndex.toString(16)}` };
}

const blooms = new Map<string, readonly number[]>();

/** By the yellow paper (4.4.1): of each address and topic three bits, by the low 11 bits of the first three pairs of bytes of its hash. */
function bloomOf(logs: readonly ChainLog[]): string {
  const bits = new Set<number>();
  for (const item of logs.flatMap(({ address, topics }) => [address, ...topics])) {
    let own = blooms.get(item);
    if (own === undefined) {
      const hash = Buffer.from(keccak256(item as `0x${string}`).slice(2), 'hex');
      own = [0, 2, 4].map((at) => hash.readUInt16BE(at) & 2047);
      blooms.set(item, own);
    }
    for (const bit of own) bits.add(bit);
  }
  const bytes = Buffer.alloc(256);
  for (const bit of bits) bytes[255 - (bit >> 3)] = (bytes[255 - (bit >> 3)] as number) | (1 << (bit & 7));
  return `0x${bytes.toString('hex')}`;
}

function hex(value: number, bytes: number): string {
  return value.toString(16).padStart(2 * bytes, '0');
}
