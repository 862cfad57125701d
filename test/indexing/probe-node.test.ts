import { expect } from 'chai';
import { LIMITS } from '../../src/config/limits.ts';
import { createProbeNode } from '../../src/indexing/probe-node.ts';
import { createRpc } from '../../src/indexing/rpc/rpc.ts';
import { addressOf, idOf } from './made-up-singleton.ts';
import { virtualClock } from './virtual-clock.ts';

type Call = { readonly id: number; readonly method: string };
const HASH = idOf(1);
const ASKED = { from: addressOf(2), to: addressOf(1), data: '0x', gas: '0x5208' } as const;
const UNKNOWN_METHOD = { code: -32601, message: 'the method does not exist' };
const GONE = { code: -32000, message: 'header not found' };

/** A node that answers each method but for the chain's id as a test sets it, and who measures by it. */
function measuringBy(random: () => number = () => 0) {
  const said = { answer: {} as Record<string, unknown>, status: 200 };
  const asked: string[] = [];
  const rpc = createRpc({
    urls: ['http://node.test/'],
    chainId: 7,
    random,
    onHead: () => undefined,
    clock: virtualClock(),
    async fetch(_url, init) {
      const { id, method } = JSON.parse(String(init.body)) as Call;
      if (method === 'eth_chainId') return Response.json({ jsonrpc: '2.0', id, result: '0x7' });
      asked.push(method);
      return Response.json({ jsonrpc: '2.0', id, ...said.answer }, { status: said.status });
    },
  });
  return { said, asked, node: createProbeNode(rpc) };
}

describe('the node as measuring asks it', () => {
  it('is not asked what blocks to come would do for a while where it does not know how; is with the next block where it fails otherwise', async () => {
    const { said, asked, node } = measuringBy();
    const isAsked = async (): Promise<boolean> => {
      asked.length = 0;
      await node.simulate([], HASH);
      return asked.length > 0;
    };
    for (const [answer, status] of [
      [{ error: GONE }, 200],
      [{ result: 'garbage' }, 200],
      [{}, 502],
    ] as const) {
      Object.assign(said, { answer, status });
      expect([await isAsked(), await isAsked()], JSON.stringify(answer)).to.deep.equal([true, true]);
    }
    Object.assign(said, { answer: { error: UNKNOWN_METHOD }, status: 200 });
    expect(await isAsked()).to.equal(true);
    for (let times = 0; times < LIMITS.measuring.codes.blocks; times++) expect(await isAsked()).to.equal(false);
    said.answer = { result: [] };
    expect(await isAsked()).to.equal(true);
    said.answer = { error: UNKNOWN_METHOD };
    expect([await isAsked(), await isAsked()], 'it knew once').to.deep.equal([true, true]);
  });

  it('is asked once what blocks to come are made alike by, however many tokens are measured at a block, again where it did not say, and never where it simulates nothing', async () => {
    const { said, asked, node } = measuringBy();
    const block = { number: '0x2', timestamp: '0x64', parentHash: idOf(0), miner: addressOf(9), mixHash: idOf(5) };
    const times = async (hash: `0x${string}`) => {
      asked.length = 0;
      const found = await Promise.all([node.recent(hash), node.recent(hash)]);
      return [found.every((its) => its !== null), asked.length];
    };
    said.answer = { error: GONE };
    expect(await times(HASH)).to.deep.equal([false, 1]);
    said.answer = { result: block };
    expect(await times(HASH)).to.deep.equal([true, 2]);
    expect(await times(idOf(2))).to.deep.equal([true, 2]);
    expect(await times(HASH), 'of two blocks by turns').to.deep.equal([true, 0]);
    said.answer = { error: UNKNOWN_METHOD };
    await node.simulate([], HASH);
    expect(await times(HASH)).to.deep.equal([false, 0]);
  });

  it('tells what it refuses from not being there', async () => {
    const { said, node } = measuringBy();
    const kinds = async () => [(await node.call(ASKED, HASH, {})).kind, (await node.code(ASKED.to, HASH)).kind];
    said.answer = { error: UNKNOWN_METHOD };
    expect(await kinds()).to.deep.equal(['refused', 'refused']);
    said.answer = { error: GONE };
    expect(await kinds()).to.deep.equal(['unreachable', 'unreachable']);
  });

  it('is not blamed for what breaks here: that is thrown', async () => {
    const { said, node } = measuringBy(() => {
      throw new TypeError('nothing random is left');
    });
    said.status = 502;
    const ways = [() => node.call(ASKED, HASH, {}), () => node.code(ASKED.to, HASH), () => node.simulate([], HASH)];
    for (const way of ways) expect(await way().catch((error: unknown) => error)).to.be.instanceOf(TypeError);
  });
});
