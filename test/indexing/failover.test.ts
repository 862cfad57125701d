import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import sinon from 'sinon';
import { LIMITS } from '../../src/config/limits.ts';
import { decodeHex, decodeQuantity } from '../../src/indexing/rpc/decode.ts';
import { createRpc } from '../../src/indexing/rpc/rpc.ts';
import { RpcError } from '../../src/indexing/rpc/rpc-error.ts';
import { idOf } from './made-up-singleton.ts';
import { virtualClock } from './virtual-clock.ts';

type Call = { readonly id: number; readonly method: string; readonly params: readonly unknown[] };
/** What an endpoint says to a call: a whole response, or never one; or nothing, where it does what an endpoint should. */
type Rule = (call: Call) => Response | 'never' | null;

const BOUNDS = LIMITS.indexing.rpc;
const result = ({ id }: Call, value: unknown): Response => Response.json({ jsonrpc: '2.0', id, result: value });
const failure = ({ id }: Call, code: number, message: string, status = 200): Response =>
  Response.json({ jsonrpc: '2.0', id, error: { code, message } }, { status });
const quantity = (value: number) => `0x${value.toString(16)}`;

/** Endpoints of one chain, by number, with heads and faults as a test sets them. */
function endpoints(count: number) {
  const clock = virtualClock();
  const heads = Array.from({ length: count }, () => 100);
  const rules: Rule[] = Array.from({ length: count }, () => () => null);
  const indexOf = (url: string) => Number(/node-(\d)/.exec(url)?.[1]);
  const callIn = ({ body }: RequestInit) => JSON.parse(String(body)) as Call;
  const fetch = sinon.spy(async (url: string, init: RequestInit) => {
    const index = indexOf(url);
    const call = callIn(init);
    const told = rules[index]?.(call);
    if (told === 'never') return await new Promise<never>((_, reject) => init.signal?.addEventListener('abort', () => reject(new Error('aborted'))));
    if (told) return told;
    if (call.method === 'eth_chainId') return result(call, '0x7');
    if (call.method === 'eth_getBlockByNumber') return result(call, { hash: idOf(1), number: quantity(heads[index] ?? 0) });
    return result(call, quantity(index));
  });
  const asked = () => fetch.args.map(([url, init]) => `${indexOf(url)} ${callIn(init).method}`);
  const rpc = createRpc({
    urls: heads.map((_, index) => `http://node-${index}.test/`),
    chainId: 7,
    random: () => 0,
    onHead: () => undefined,
    clock,
    fetch,
  });
  const shown = (value: unknown) => ({ number: decodeQuantity((value as { number: unknown }).number), hash: decodeHex((value as { hash: unknown }).hash, 32) });
  /** Asks for the head and lets the looks at the others come in; then time passes. */
  const poll = async (ms: number = BOUNDS.watchMs): Promise<number> => {
    const { head, take } = await rpc.callForHead('eth_getBlockByNumber', ['latest', false], shown);
    take();
    for (let turn = 0; turn < 20; turn++) await nextTurn();
    clock.advance(ms);
    return head.number;
  };
  const whoAnswers = () => rpc.call('eth_call', [], decodeQuantity);
  const reasonOf = async (work: Promise<unknown>) => {
    const error = await work.catch((thrown: unknown) => thrown);
    return error instanceof RpcError ? error.reason : 'none';
  };
  return { clock, heads, rules, asked, rpc, poll, whoAnswers, reasonOf };
}

describe('what a node answers with an error of its own', () => {
  it('is no fact about the chain id: it is asked again, and the node is followed when it answers', async () => {
    const { rules, whoAnswers, reasonOf, rpc } = endpoints(1);
    const refusals: readonly (readonly [string, (call: Call) => Response])[] = [
      ['unavailable', (call) => failure(call, -32603, 'Internal error')],
      ['unavailable', (call) => failure(call, -32000, 'not ready', 503)],
      ['garbage', () => new Response('<html>busy</html>', { status: 200 })],
    ];
    for (const [reason, refuse] of refusals) {
      rules[0] = (call) => (call.method === 'eth_chainId' ? refuse(call) : null);
      rpc.disown();
      expect(await reasonOf(whoAnswers())).to.equal(reason);
      rules[0] = () => null;
      expect(await whoAnswers()).to.equal(0);
    }
  });

  it('is tried once more, and then the caller’s to deal with; a revert is an answer, and is not', async () => {
    const { rules, asked, whoAnswers, reasonOf } = endpoints(1);
    const calls = () => asked().filter((line) => line === '0 eth_call').length;
    rules[0] = (call) => (call.method === 'eth_call' ? failure(call, -32603, 'Internal error') : null);
    expect([await reasonOf(whoAnswers()), calls()]).to.deep.equal(['refused', BOUNDS.refusedAttempts]);
    let times = 0;
    rules[0] = (call) => (call.method === 'eth_call' && ++times === 1 ? failure(call, -32603, 'Internal error') : null);
    expect(await whoAnswers(), 'an error now and then').to.equal(0);
    const before = calls();
    rules[0] = (call) => (call.method === 'eth_call' ? failure(call, 3, 'execution reverted') : null);
    expect([await reasonOf(whoAnswers()), calls() - before]).to.deep.equal(['reverted', 1]);
  });

  it('under a gateway’s status is the gateway’s, whatever it says: 401, 402, 403, 502, 503, 504', async () => {
    for (const status of [401, 402, 403, 502, 503, 504]) {
      const { rules, whoAnswers, reasonOf } = endpoints(1);
      rules[0] = (call) => (call.method === 'eth_call' ? failure(call, -32000, 'execution reverted', status) : null);
      expect(await reasonOf(whoAnswers()), String(status)).to.equal('unavailable');
    }
  });

  it('under a status that is about the request says what it says: 400, 413, 422', async () => {
    for (const status of [400, 413, 422]) {
      const { rules, whoAnswers, reasonOf } = endpoints(1);
      rules[0] = (call) => (call.method === 'eth_call' ? failure(call, 3, 'execution reverted', status) : null);
      expect(await reasonOf(whoAnswers()), String(status)).to.equal('reverted');
      rules[0] = (call) => (call.method === 'eth_call' ? failure(call, -32000, 'unknown block', status) : null);
      expect(await reasonOf(whoAnswers()), String(status)).to.equal('block-gone');
      rules[0] = (call) => (call.method === 'eth_call' ? failure(call, -32600, 'Invalid Request', status) : null);
      expect(await reasonOf(whoAnswers()), String(status)).to.equal('unavailable');
    }
  });

  it('is the endpoint’s fault where another one answers the same', async () => {
    const { rules, rpc, whoAnswers, clock, poll } = endpoints(2);
    rules[0] = (call) => (call.method === 'eth_call' ? failure(call, -32603, 'Internal error') : null);
    expect(await whoAnswers()).to.equal(1);
    expect(rpc.standing()).to.deep.equal({ followed: 1, left: ['fault', null] });
    rules[0] = () => null;
    clock.advance(BOUNDS.leaveMs.first);
    await poll();
    expect([rpc.standing().followed, await whoAnswers()]).to.deep.equal([0, 0]);
  });
});

describe('which endpoint is followed', () => {
  it('is left when it stands still while another goes on, and returned to when it has caught up', async () => {
    const { heads, rpc, poll } = endpoints(2);
    await poll();
    heads[1] = 101;
    await poll();
    expect(rpc.standing().followed, 'a moment is let pass').to.equal(0);
    for (let block = 102; block < 106; block++) {
      heads[1] = block;
      await poll();
    }
    expect(rpc.standing()).to.deep.equal({ followed: 1, left: ['behind', null] });
    expect(await poll()).to.equal(105);
    heads[0] = 105;
    await poll();
    expect(await poll()).to.equal(105);
    expect(rpc.standing()).to.deep.equal({ followed: 0, left: [null, null] });
  });

  it('is left when it never answers, once a call was given up, and waited for by no call after that', async () => {
    const { rules, asked, rpc, clock, poll, whoAnswers } = endpoints(2);
    await poll();
    rules[0] = () => 'never';
    expect(await poll(0), 'from the other, when the call was given up').to.equal(100);
    expect(rpc.standing()).to.deep.equal({ followed: 1, left: ['fault', null] });
    const before = asked().length;
    expect(await whoAnswers()).to.equal(1);
    expect(asked().slice(before)).to.deep.equal(['1 eth_call']);
    rules[0] = () => null;
    clock.advance(BOUNDS.leaveMs.first);
    await poll();
    expect([rpc.standing().followed, await whoAnswers()]).to.deep.equal([0, 0]);
  });

  const TIRED: readonly (readonly [string, (call: Call) => Response])[] = [
    ['401', () => new Response('', { status: 401 })],
    ['401 with JSON', (call) => failure(call, -32600, 'Must be authenticated!', 401)],
    ['a quota error in JSON', (call) => failure(call, -32005, 'daily request count exceeded')],
    ['an error of authentication in JSON', (call) => failure(call, -32000, 'invalid API key')],
    ['429', () => new Response('', { status: 429, headers: { 'retry-after': '5' } })],
    ['an internal error to everything', (call) => failure(call, -32603, 'Internal error')],
  ];
  for (const [what, answer] of TIRED) {
    it(`is left when it answers ${what}, without waiting for it, and returned to when it works again`, async () => {
      const { rules, rpc, clock, poll, whoAnswers } = endpoints(2);
      await poll();
      expect(await whoAnswers()).to.equal(0);
      rules[0] = answer;
      const before = clock.now();
      expect(await whoAnswers()).to.equal(1);
      expect(clock.now() - before).to.be.below(200);
      expect(rpc.standing().followed).to.equal(1);
      for (let i = 0; i < 4; i++) await poll();
      expect([rpc.standing().followed, await whoAnswers()], 'it is looked at and still fails').to.deep.equal([1, 1]);
      rules[0] = () => null;
      clock.advance(BOUNDS.leaveMs.longest);
      await poll();
      await poll();
      expect([rpc.standing(), await whoAnswers()]).to.deep.equal([{ followed: 0, left: [null, null] }, 0]);
    });
  }

  it('is the one that came back, where the one that took its place lags', async () => {
    const { heads, rules, rpc, clock, poll, whoAnswers } = endpoints(2);
    rules[0] = () => new Response('', { status: 502 });
    await poll();
    expect(await whoAnswers()).to.equal(1);
    rules[0] = () => null;
    clock.advance(BOUNDS.leaveMs.longest);
    for (let block = 101; block < 106; block++) {
      heads[0] = block;
      await poll();
    }
    expect([rpc.standing().followed, await poll()]).to.deep.equal([0, 105]);
    expect(rpc.standing().left).to.deep.equal([null, 'behind']);
  });

  it('is none that runs ahead alone, where there are two others that agree', async () => {
    const { heads, rpc, poll } = endpoints(3);
    for (let i = 0; i < 4; i++) {
      heads[2] = 1_000_000 + i;
      await poll();
    }
    expect(rpc.standing()).to.deep.equal({ followed: 0, left: [null, null, null] });
  });

  it('is asked for the chain’s anchor beside its id: a chain of the same id is not this one', async () => {
    const { rules, rpc, poll, whoAnswers, asked } = endpoints(2);
    rpc.anchorAt({ number: 0, hash: idOf(1) });
    rules[0] = (call) => (call.params[0] === '0x0' ? result(call, { hash: idOf(2) }) : null);
    expect(await whoAnswers()).to.equal(1);
    expect(asked().filter((line) => line === '0 eth_call')).to.deep.equal([]);
    await poll();
    expect(rpc.standing().left).to.deep.equal(['foreign', null]);
  });

  it('is not given up where it has pruned the anchor, or has not come so far, and says so again and again', async () => {
    for (const [code, message] of [
      [-32001, 'resource not found'],
      [-32000, 'header not found'],
      [4444, 'pruned history unavailable'],
    ] as const) {
      const { rules, rpc, asked, whoAnswers, reasonOf } = endpoints(1);
      rpc.anchorAt({ number: 0, hash: idOf(1) });
      rules[0] = (call) => (call.params[0] === '0x0' ? failure(call, code, message) : null);
      expect(await reasonOf(whoAnswers()), message).to.equal('unavailable');
      expect(await whoAnswers(), message).to.equal(0);
      expect(asked().filter((line) => line === '0 eth_getBlockByNumber').length).to.equal(BOUNDS.anchorSilences);
    }
  });

  it('is not let in by having nothing to say of the anchor for once, where it is of another chain', async () => {
    const { rules, rpc, asked, whoAnswers, reasonOf } = endpoints(1);
    rpc.anchorAt({ number: 0, hash: idOf(1) });
    let times = 0;
    rules[0] = (call) => (call.params[0] === '0x0' ? result(call, ++times % BOUNDS.anchorSilences === 0 ? { hash: idOf(2) } : null) : null);
    for (let tries = 0; tries < 5; tries++) expect(await reasonOf(whoAnswers())).to.be.oneOf(['unavailable', 'foreign-chain']);
    expect(asked().filter((line) => line === '0 eth_call')).to.deep.equal([]);
  });

  it('is left for longer each time where it shows its head and answers nothing else', async () => {
    const { rules, asked, poll, whoAnswers } = endpoints(2);
    rules[0] = (call) => (call.method === 'eth_call' ? new Response('', { status: 504 }) : null);
    for (let second = 0; second < 60; second++) {
      await poll();
      expect(await whoAnswers()).to.equal(1);
    }
    expect(asked().filter((line) => line === '0 eth_call').length).to.be.below(10);
  });

  it('is asked again after a hiccup, where the other one asked for a long pause', async () => {
    const { rules, clock, poll, whoAnswers } = endpoints(2);
    rules[1] = () => new Response('', { status: 429, headers: { 'retry-after': '30' } });
    await poll();
    let calls = 0;
    rules[0] = (call) => (call.method === 'eth_call' && ++calls === 1 ? new Response('', { status: 502 }) : null);
    const before = clock.now();
    expect(await whoAnswers()).to.equal(0);
    expect(clock.now() - before).to.be.below(200);
  });

  it('does not change because nobody was looked at for a while: only what an endpoint lacked when it was looked at counts', async () => {
    const { heads, rpc, poll } = endpoints(2);
    heads[1] = 101;
    await poll();
    heads[0] = 101;
    await poll(0);
    heads[0] = 102;
    heads[1] = 103;
    await poll(BOUNDS.watchMs);
    await poll(10 * BOUNDS.behindMs.left);
    expect(rpc.standing()).to.deep.equal({ followed: 0, left: [null, null] });
  });

  it('is left at once when what it shows is disowned, and the others are asked', async () => {
    const { rpc, poll, whoAnswers } = endpoints(2);
    await poll();
    rpc.disown();
    expect([rpc.standing(), await whoAnswers()]).to.deep.equal([{ followed: 1, left: ['doubted', null] }, 1]);
  });

  it('and it is the one whose head was taken, not the first', async () => {
    const { rpc, rules, poll } = endpoints(3);
    rules[0] = () => new Response('', { status: 502 });
    await poll();
    expect(rpc.headFrom()).to.equal(1);
    rpc.disown();
    expect(rpc.standing()).to.deep.equal({ followed: 2, left: ['fault', 'doubted', null] });
  });
});

describe('an endpoint that is limited and does not say for how long', () => {
  const busy = () => new Response('', { status: 429 });

  it('is asked again after longer each time, where there is another, up to a minute', async () => {
    const { rules, asked, poll, whoAnswers } = endpoints(2);
    rules[0] = busy;
    for (let second = 0; second < 240; second++) {
      await poll();
      expect(await whoAnswers()).to.equal(1);
    }
    const times = asked().filter((line) => line.startsWith('0 ')).length;
    expect(times, 'after 1, 2, 4 … 32 seconds and each minute then').to.be.within(6, 16);
  });

  it('is never left alone for more than two seconds where it is the only one, and asked no more than twice a second (A5)', async () => {
    const { rules, clock, asked, reasonOf, whoAnswers } = endpoints(1);
    await whoAnswers();
    rules[0] = busy;
    const [began, before] = [clock.now(), asked().length];
    for (let tries = 0; tries < 10; tries++) expect(await reasonOf(whoAnswers())).to.equal('limited');
    expect((asked().length - before) / ((clock.now() - began) / 1000)).to.be.at.most(2);
    rules[0] = () => null;
    const healed = clock.now();
    expect(await whoAnswers()).to.equal(0);
    expect(clock.now() - healed).to.be.at.most(2000);
  });
});

describe('what no endpoint is to blame for', () => {
  const thrown = (code: string): never => {
    throw Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error(code), { code }) });
  };

  it('is a machine without sockets: it is tried again, and nobody is left', async () => {
    for (const code of ['EMFILE', 'ENOBUFS', 'EADDRNOTAVAIL']) {
      const { rules, rpc, whoAnswers, reasonOf } = endpoints(2);
      await whoAnswers();
      let times = 0;
      for (const at of [0, 1]) rules[at] = () => (++times <= 2 ? thrown(code) : null);
      expect(await whoAnswers(), code).to.be.oneOf([0, 1]);
      expect(rpc.standing(), code).to.deep.equal({ followed: 0, left: [null, null] });
      rules.fill(() => thrown(code));
      expect([await reasonOf(whoAnswers()), rpc.standing().left], code).to.deep.equal(['starved', [null, null]]);
    }
  });

  it('is a kept connection that the other side closes as it is used again; one that is cut twice in a row is', async () => {
    for (const code of ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']) {
      const { rules, rpc, asked, whoAnswers } = endpoints(2);
      await whoAnswers();
      let times = 0;
      rules[0] = () => (++times === 1 ? thrown(code) : null);
      expect([await whoAnswers(), rpc.standing().left], code).to.deep.equal([0, [null, null]]);
      expect(asked().filter((line) => line === '0 eth_call')).to.have.length(3);
      rules[0] = () => thrown(code);
      expect([await whoAnswers(), rpc.standing().left], code).to.deep.equal([1, ['fault', null]]);
    }
  });
});
