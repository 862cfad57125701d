import { expect } from 'chai';
import { LIMITS } from '../../src/config/limits.ts';
import { createChainReader } from '../../src/indexing/chain-reader.ts';
import { decodeHeader } from '../../src/indexing/header.ts';
import { createPinnedReader } from '../../src/indexing/multicall.ts';
import { MULTICALL_PROGRAM } from '../../src/indexing/multicall-program.ts';
import type { Rpc } from '../../src/indexing/rpc/rpc.ts';
import { RpcError } from '../../src/indexing/rpc/rpc-error.ts';
import type { ChainAnswer, ChainCall } from '../../src/venues/venues.ts';
import { addressOf, idOf } from './made-up-singleton.ts';

type Request = { readonly method: string; readonly params: readonly unknown[] };

/** A node that answers each request by a function of it. */
function rpcOver(respond: (request: Request) => unknown, requests: Request[] = []): Rpc {
  const call: Rpc['call'] = async (method, params, decode) => {
    requests.push({ method, params });
    return decode(respond({ method, params }));
  };
  return {
    call,
    callOnce: (method, params, decode) => call(method, params, decode),
    callForHead: async (method, params, decode) => ({ head: await call(method, params, decode), take: () => undefined }),
    anchorAt: () => undefined,
    recheck: () => undefined,
    disown: () => undefined,
    headFrom: () => 0,
    witnesses: () => [],
    standing: () => ({ followed: 0, left: [null] }),
    drainCalls: () => [],
    drainAnnounced: () => [],
    close: () => undefined,
  };
}

async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.catch((thrown: unknown) => thrown);
  return error instanceof RpcError ? error.reason : 'none';
}

const block = (number: number, hash = idOf(number)) => ({
  number: `0x${number.toString(16)}`,
  hash,
  parentHash: idOf(number - 1),
  timestamp: '0x64',
  baseFeePerGas: '0x7',
  logsBloom: `0x${'00'.repeat(256)}`,
});

describe('what is asked of a node', () => {
  const check = { bloom: () => true };

  it('are blocks by hash or number, which the answer has to have; null where there is none', async () => {
    const requests: Request[] = [];
    const answers = new Map<unknown, unknown>([
      ['latest', block(21_000_009)],
      [idOf(7), block(7)],
      [idOf(8), block(9)],
      [idOf(6), null],
      ['0x7', block(7)],
      ['0x8', block(9)],
      ['0x6', null],
    ]);
    const reader = createChainReader(
      rpcOver(({ params }) => answers.get(params[0]), requests),
      check,
    );
    expect((await reader.latest()).number).to.equal(21_000_009);
    expect([(await reader.header(idOf(7)))?.number, await reader.header(idOf(6))]).to.deep.equal([7, null]);
    expect([(await reader.headerAt(7))?.hash, await reader.headerAt(6)]).to.deep.equal([idOf(7), null]);
    expect([await refusal(reader.header(idOf(8))), await refusal(reader.headerAt(8))]).to.deep.equal(['garbage', 'garbage']);
    expect(requests.map(({ method, params }) => `${method} ${String(params)}`).slice(0, 2)).to.deep.equal([
      'eth_getBlockByNumber latest,false',
      `eth_getBlockByHash ${idOf(7)},false`,
    ]);
  });

  it('are the logs of a block by its hash, and of a range by contracts and topics', async () => {
    const requests: Request[] = [];
    const reader = createChainReader(
      rpcOver(() => [], requests),
      check,
    );
    expect(await reader.logsInRange(16, 255, [addressOf(1)], [idOf(2)])).to.deep.equal([]);
    expect(requests[0]?.params).to.deep.equal([{ fromBlock: '0x10', toBlock: '0xff', address: [addressOf(1)], topics: [[idOf(2)]] }]);
  });

  it('are calls at a block, by its hash', async () => {
    const requests: Request[] = [];
    const reader = createChainReader(
      rpcOver(() => answersOf(['0x2a']), requests),
      check,
    );
    expect(await reader.readAt(idOf(5))([{ to: addressOf(1), data: '0x12' }])).to.deep.equal(['0x2a']);
    expect([requests[0]?.method, requests[0]?.params[1]]).to.deep.equal(['eth_call', { blockHash: idOf(5) }]);
  });

  it('are all logs since a block, of blocks that are known later: those that are not whole, and the last of so many that they may be cut off, are none', async () => {
    const log = (number: number, logIndex: number) => ({
      address: addressOf(1),
      topics: [idOf(1)],
      data: '0x',
      blockHash: idOf(number),
      blockNumber: `0x${number.toString(16)}`,
      logIndex: `0x${logIndex.toString(16)}`,
    });
    const requests: Request[] = [];
    let logs = [log(9, 1), log(9, 0), log(8, 0), log(7, 1)];
    const reader = createChainReader(
      rpcOver(() => logs, requests),
      check,
    );
    const header = (number: number) => decodeHeader(block(number));
    const wholeOf = async () => {
      const since = await reader.logsSince(7);
      return [7, 8, 9, 10].map((number) => since(header(number))?.map(({ logIndex }) => logIndex) ?? null);
    };
    expect(await wholeOf()).to.deep.equal([null, [0], [0, 1], null]);
    expect(requests[0]).to.deep.equal({ method: 'eth_getLogs', params: [{ fromBlock: '0x7', toBlock: 'latest' }] });
    logs = [log(8, 0), ...Array.from({ length: LIMITS.indexing.ahead.logs - 1 }, (_, at) => log(9, at))];
    expect(await wholeOf()).to.deep.equal([null, [0], null, null]);
  });
});

/** As the program returns them: success, length, answer. */
function answersOf(answers: readonly ChainAnswer[]): string {
  const parts = answers.map((answer) => {
    const hex = answer?.slice(2) ?? '';
    return `${answer === null ? '00' : '01'}${(hex.length / 2).toString(16).padStart(4, '0')}${hex}`;
  });
  return `0x${parts.join('')}`;
}

/** The calls that a request carries, read back from behind the program. */
function callsIn({ params: [request] }: Request): readonly { readonly to: string; readonly data: string; readonly most: number }[] {
  const { data } = request as { readonly data: string };
  expect(data.startsWith(`0x${MULTICALL_PROGRAM}`)).to.equal(true);
  const calls: { to: string; data: string; most: number }[] = [];
  for (let at = 2 + MULTICALL_PROGRAM.length; at < data.length; ) {
    const bytes = Number.parseInt(data.slice(at + 40, at + 44), 16);
    const end = at + 48 + 2 * bytes;
    calls.push({ to: `0x${data.slice(at, at + 40)}`, most: Number.parseInt(data.slice(at + 44, at + 48), 16), data: `0x${data.slice(at + 48, end)}` });
    at = end;
  }
  return calls;
}

describe('many calls in one request', () => {
  const { codeBytes, answerBytes, defaultAnswerBytes, supposedSlots } = LIMITS.indexing.multicall;
  /** 20 bytes of address, two of each length; three before each answer. */
  const [CALL_HEADER, ANSWER_HEADER] = [24, 3];
  const bytes = (count: number): `0x${string}` => `0x${'ab'.repeat(count)}`;
  const echo = (requests: Request[]) => rpcOver((request) => answersOf(callsIn(request).map(({ data }) => data.slice(0, 10) as `0x${string}`)), requests);

  it('come back in the order asked, each with the most that it may answer', async () => {
    const requests: Request[] = [];
    const calls: readonly ChainCall[] = [
      { to: addressOf(1), data: '0x01020304' },
      { to: addressOf(2), data: '0x05060708090a', answerBytes: 32 },
    ];
    expect(await createPinnedReader(echo(requests), idOf(1))(calls)).to.deep.equal(['0x01020304', '0x05060708']);
    expect(callsIn(requests[0] as Request)).to.deep.equal([
      { to: addressOf(1), data: '0x01020304', most: defaultAnswerBytes },
      { to: addressOf(2), data: '0x05060708090a', most: 32 },
    ]);
    expect(await createPinnedReader(echo(requests), idOf(1))([]), 'nothing is nothing').to.deep.equal([]);
    expect(requests).to.have.length(1);
  });

  it('fill a request up to its bounds, to the byte, and begin another beyond', async () => {
    const requestsFor = async (...calls: readonly ChainCall[]) => {
      const requests: Request[] = [];
      expect(await createPinnedReader(echo(requests), idOf(1))(calls)).to.have.length(calls.length);
      return requests.map((request) => callsIn(request).length);
    };
    const half = codeBytes / 2;
    const given = (size: number): ChainCall => ({ to: addressOf(1), data: bytes(size - CALL_HEADER), answerBytes: 1 });
    expect(await requestsFor(given(half), given(half))).to.deep.equal([2]);
    expect(await requestsFor(given(half), given(half + 1))).to.deep.equal([1, 1]);
    expect(await requestsFor(given(half), given(half), given(100), given(100))).to.deep.equal([2, 2]);
    expect(await requestsFor(given(codeBytes + 1), given(100)), 'one that is too large goes alone').to.deep.equal([1, 1]);
    const answering = (size: number): ChainCall => ({ to: addressOf(1), data: bytes(4), answerBytes: size - ANSWER_HEADER });
    const part = answerBytes / 2;
    expect(await requestsFor(answering(part), answering(part))).to.deep.equal([2]);
    expect(await requestsFor(answering(part), answering(part + 1))).to.deep.equal([1, 1]);
    expect(await requestsFor(answering(part), answering(part), answering(part), answering(part))).to.deep.equal([2, 2]);
    const supposing = (contract: number, count: number): ChainCall => {
      const slots = Object.fromEntries(Array.from({ length: count }, (_, slot) => [idOf(slot), idOf(1)]));
      return { to: addressOf(1), data: bytes(4), supposing: { contract: addressOf(contract), slots } };
    };
    const some = supposedSlots / 2;
    expect(await requestsFor(supposing(1, some), supposing(2, some))).to.deep.equal([2]);
    expect(await requestsFor(supposing(1, some), supposing(2, some + 1))).to.deep.equal([1, 1]);
    expect(await requestsFor(given(100), supposing(1, 1)), 'one that goes by the chain as it is and one that does not').to.deep.equal([1, 1]);
    expect(await requestsFor(supposing(1, 1), given(100))).to.deep.equal([1, 1]);
  });

  it('can not be of more than two bytes tell the length of', async () => {
    const reader = createPinnedReader(echo([]), idOf(1));
    for (const call of [
      { to: addressOf(1), data: bytes(0x10000) },
      { to: addressOf(1), data: bytes(4), answerBytes: 0x10000 },
    ]) {
      const error = await reader([call]).catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(RangeError);
    }
    expect(await reader([{ to: addressOf(1), data: bytes(0xffff), answerBytes: 0xffff }])).to.deep.equal(['0xabababab']);
  });

  it('are halved where the node refuses, down to the one that it can not run; reverts are null', async () => {
    const poison = '0xdeadbeef';
    const requests: Request[] = [];
    const node = rpcOver((request) => {
      const calls = callsIn(request);
      if (calls.some(({ data }) => data === poison)) throw new RpcError('refused', 'internal error');
      return answersOf(calls.map(({ data }) => (data === '0x00000000' ? null : (data as `0x${string}`))));
    }, requests);
    const call = (data: `0x${string}`): ChainCall => ({ to: addressOf(1), data });
    const reader = createPinnedReader(node, idOf(1));
    expect(await reader(['0x00000001', '0x00000000', '0x00000003'].map((data) => call(data as `0x${string}`)))).to.deep.equal([
      '0x00000001',
      null,
      '0x00000003',
    ]);
    requests.length = 0;
    expect(await refusal(reader([call('0x00000001'), call('0x00000002'), call(poison), call('0x00000004')]))).to.equal('refused');
    expect(requests.map((request) => callsIn(request).length)).to.deep.equal([4, 2, 2, 1]);
  });

  it('are run by a program whose jumps all lead to where jumps may', () => {
    const code = Buffer.from(MULTICALL_PROGRAM, 'hex');
    const destinations = new Set<number>();
    const jumps: (number | null)[] = [];
    let pushed: number | null = null;
    for (let at = 0; at < code.length; at++) {
      const opcode = code[at] as number;
      if (opcode === 0x5b) destinations.add(at);
      if (opcode === 0x56 || opcode === 0x57) jumps.push(pushed);
      // PUSH1 … PUSH32 carry what they push behind them.
      const width = opcode >= 0x60 && opcode <= 0x7f ? opcode - 0x5f : 0;
      pushed = width === 0 ? null : Number(`0x${code.subarray(at + 1, at + 1 + width).toString('hex')}`);
      at += width;
    }
    expect(jumps.length).to.be.at.least(2);
    expect(jumps.filter((place) => place === null || !destinations.has(place))).to.deep.equal([]);
  });

  it('are garbage where answers are fewer, more or cut', async () => {
    const reads = (answer: string) =>
      refusal(
        createPinnedReader(
          rpcOver(() => answer),
          idOf(1),
        )([{ to: addressOf(1), data: '0x01' }]),
      );
    expect(await reads(answersOf(['0x2a']))).to.equal('none');
    for (const answer of ['0x', '0x0100', answersOf(['0x2a']).slice(0, -2), answersOf(['0x2a', '0x2a'])])
      expect(await reads(answer), answer).to.equal('garbage');
  });
});
