import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import sinon from 'sinon';
import { createFirming, type Firmed } from '../../src/firming/firming.ts';
import { createAsk } from '../../src/outbound/outbound.ts';
import { type Address, asAddress, type EpochSeconds } from '../../src/units/units.ts';
import { type FirmHop, type FirmUpFacet, type HopToFirm, loadFirmUpVenues, type OutsideSource } from '../../src/venues/venues.ts';

const PLACE: Address = asAddress(`0x${'12'.repeat(20)}`);
const SOURCES: readonly OutsideSource[] = ['stall', 'booth'].map((name) => ({
  ...{ name, origin: 'http://127.0.0.1:9', contract: PLACE, signer: PLACE },
  ...(name === 'booth' ? { screens: true } : {}),
}));
const NEVER = new AbortController().signal;
let clock: sinon.SinonFakeTimers;
const SIGNED: FirmHop = { ok: true, amountIn: 100n, amountOut: 99n, legFacts: {}, expiry: 9 as EpochSeconds };

const [USER, SOMEBODY]: readonly [Address, Address] = [asAddress(`0x${'34'.repeat(20)}`), asAddress(`0x${'56'.repeat(20)}`)];

function hopOf(maker: string, mode: 'sell' | 'buy' = 'sell', user = PLACE): HopToFirm {
  const parties = { taker: PLACE, recipient: PLACE, user, router: PLACE, deadline: 99 as EpochSeconds };
  const tokens = { tokenIn: PLACE, tokenOut: PLACE, slotIn: 0, slotOut: 1, leastOut: 0n, taxedInput: false };
  return { family: 'stall', poolAddress: PLACE, poolKey: 'k', hook: null, legFacts: { maker }, ...tokens, ...parties, mode, amountIn: 100n, amountOut: 100n };
}

/** Firming with makers who say what the test says next, each after as long as it says. */
function firmingOf(
  head: { readonly number: number; readonly hash: `0x${string}`; readonly timestamp: number } | null = null,
  signs: FirmUpFacet['signs'] = 'order',
) {
  const said: (FirmHop | Error)[] = [];
  const onFirmed = sinon.fake<[Firmed], void>();
  const onPause = sinon.fake<[number, string, string, number], void>();
  let takes = 0;
  let chain: Parameters<FirmUpFacet['open']>[0] | null = null;
  const answer = sinon.spy(async () => {
    clock.tick(takes);
    const next = said.shift() ?? SIGNED;
    if (next instanceof Error) throw next;
    return next;
  });
  const facet: FirmUpFacet = {
    signs,
    open(given) {
      chain = given;
      return answer;
    },
  };
  const { hops: firming, leaveAlone } = createFirming({
    venues: new Map([['stall', facet]]),
    chains: [
      { chainId: 1, outside: [{ venue: 'stall', sources: SOURCES, allowed: SOURCES }], head: () => head },
      { chainId: 2, outside: [], head: () => head },
    ],
    read: async (_chainId, blockHash) => [blockHash],
    onPause,
    onFirmed,
    wallClock: () => 50_000,
    ask: () => async () => ({ ok: false, reason: 'unreachable' }),
  });
  const firm = firming.get(1)?.get('stall')?.firm;
  if (firm === undefined) throw new Error('nobody firms');
  return {
    ...{ firm, firming, leaveAlone, said },
    told: () => onFirmed.args.map(([firmed]) => firmed),
    paused: () => onPause.args,
    asked: () => answer.callCount,
    chain: () => chain,
    /** How long makers take from now on. */
    take: (ms: number) => {
      takes = ms;
    },
  };
}

describe('firming hops of a chain', () => {
  beforeEach(() => {
    clock = sinon.useFakeTimers({ toFake: ['performance'] });
  });
  afterEach(() => clock.restore());

  it('is there where the chain has somebody to firm with, and asks its contracts at the newest block', async () => {
    const { firming, chain } = firmingOf({ number: 7, hash: '0x77', timestamp: 60 });
    expect([...firming.keys()]).to.deep.equal([1]);
    expect([chain()?.now(), await chain()?.read([], NEVER)]).to.deep.equal([60, ['0x77']]);
    const early = firmingOf(null);
    expect([early.chain()?.now(), await early.chain()?.read([], NEVER)]).to.deep.equal([50, null]);
  });

  it('leaves who fails three times in a row alone, for longer each time, and nobody else', async () => {
    const { firm, said, told, paused, asked } = firmingOf();
    const failing: FirmHop = { ok: false, reason: 'unreachable' };
    said.push(failing, failing, failing);
    for (let turn = 0; turn < 4; turn++) await firm(hopOf('stall'), NEVER);
    expect(asked()).to.equal(3);
    expect(paused()).to.deep.equal([[1, 'stall', 'stall', 1_000]]);
    expect(told().map(({ outcome }) => outcome)).to.deep.equal(['unreachable', 'unreachable', 'unreachable', 'throttled']);
    expect(await firm(hopOf('booth'), NEVER)).to.equal(SIGNED);
    clock.tick(1_000);
    said.push(failing);
    await firm(hopOf('stall'), NEVER);
    expect(paused()[1]).to.deep.equal([1, 'stall', 'stall', 2_000]);
    clock.tick(2_000);
    expect(await firm(hopOf('stall'), NEVER)).to.equal(SIGNED);
    said.push(failing, failing);
    for (let turn = 0; turn < 2; turn++) await firm(hopOf('stall'), NEVER);
    expect(paused()).to.have.length(2);
  });

  it('takes a maker whose server is broken for one that fails, for whichever user it is asked: after three it is left alone by everybody', async () => {
    const answers = [500, 502, 302];
    let hits = 0;
    const server = createServer((_request, response) => {
      response.writeHead(answers[hits++] ?? 200, { location: '/elsewhere' }).end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const maker: OutsideSource = { name: 'stall', origin, contract: PLACE, signer: PLACE };
    const onPause = sinon.fake<[number, string, string, number], void>();
    try {
      const { hops } = createFirming({
        venues: await loadFirmUpVenues(),
        chains: [{ chainId: 1, outside: [{ venue: 'airswap', sources: [maker], allowed: [maker] }], head: () => null }],
        read: async () => null,
        onPause,
        onFirmed: () => undefined,
        ask: (sources) => createAsk({ sources, limits: { deadlineMs: 20_000, bodyBytes: 1_024, perSource: 4 } }),
      });
      const firm = hops.get(1)?.get('airswap')?.firm;
      const came: unknown[] = [];
      for (let byte = 50; byte < 54; byte++) {
        const user = asAddress(`0x${String(byte).repeat(20)}`);
        came.push(await firm?.({ ...hopOf('stall', 'sell', user), taker: user, recipient: user, router: USER }, NEVER));
      }
      expect(came).to.deep.equal([...Array(3).fill({ ok: false, reason: 'unreachable' }), { ok: false, reason: 'throttled' }]);
      expect([hits, onPause.args]).to.deep.equal([3, [[1, 'airswap', 'stall', 1_000]]]);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('leaves who is busy alone at once, for as long as it asks', async () => {
    const { firm, said, paused, asked } = firmingOf();
    said.push({ ok: false, reason: 'busy', retryAfterMs: 7_000 });
    await firm(hopOf('stall'), NEVER);
    clock.tick(6_999);
    expect(await firm(hopOf('stall'), NEVER)).to.deep.equal({ ok: false, reason: 'throttled' });
    expect([asked(), paused()]).to.deep.equal([1, [[1, 'stall', 'stall', 7_000]]]);
    clock.tick(1);
    expect(await firm(hopOf('stall'), NEVER)).to.equal(SIGNED);
  });

  it('leaves who is busy, or fails, alone no longer since many asked at once: all of them were asked before the first of them was answered', async () => {
    for (const [answer, ms] of [
      [{ ok: false, reason: 'busy', retryAfterMs: 1_500 }, 1_500],
      [{ ok: false, reason: 'unreachable' }, 1_000],
    ] as const) {
      const { firm, said, paused, asked } = firmingOf();
      said.push(...Array.from({ length: 10 }, () => answer));
      await Promise.all(Array.from({ length: 10 }, () => firm(hopOf('stall'), NEVER)));
      expect([asked(), paused()]).to.deep.equal([10, [[1, 'stall', 'stall', ms]]]);
      clock.tick(ms);
      expect(await firm(hopOf('stall'), NEVER), answer.reason).to.equal(SIGNED);
    }
  });

  it('asks nothing of whom the thread that asks for prices found busy, until they are to be asked again, and of everybody else as ever', async () => {
    const { firm, leaveAlone, paused, asked } = firmingOf();
    for (const [chainId, venue, source] of [
      [2, 'stall', 'stall'],
      [1, 'other', 'stall'],
      [1, 'stall', 'nobody'],
    ] as const)
      leaveAlone(chainId, venue, source, 7_000);
    expect(await firm(hopOf('stall'), NEVER)).to.equal(SIGNED);
    leaveAlone(1, 'stall', 'stall', 7_000);
    clock.tick(6_999);
    for (const user of [PLACE, USER]) expect(await firm(hopOf('stall', 'sell', user), NEVER)).to.deep.equal({ ok: false, reason: 'throttled' });
    expect(await firm(hopOf('booth'), NEVER)).to.equal(SIGNED);
    expect([asked(), paused()]).to.deep.equal([2, []]);
    clock.tick(1);
    expect(await firm(hopOf('stall'), NEVER)).to.equal(SIGNED);
  });

  it('holds nothing against who was called off, or gave a worse price; who was too slow is another thing', async () => {
    const { firm, said, told, paused, take } = firmingOf();
    const cut: FirmHop = { ok: false, reason: 'unreachable' };
    for (let turn = 0; turn < 4; turn++) {
      said.push(cut);
      await firm(hopOf('stall'), AbortSignal.abort());
    }
    for (let turn = 0; turn < 4; turn++) {
      said.push({ ok: false, reason: 'worse' });
      await firm(hopOf('stall'), NEVER);
    }
    expect(paused()).to.deep.equal([]);
    expect(new Set(told().map(({ outcome }) => outcome))).to.deep.equal(new Set(['cancelled', 'worse']));
    const late = AbortSignal.abort(new DOMException('no answer came in time', 'TimeoutError'));
    // A client that gives its request no time cuts a maker off before any could answer.
    take(999);
    for (let turn = 0; turn < 5; turn++) {
      said.push(cut);
      await firm(hopOf('stall'), late);
    }
    expect(paused()).to.deep.equal([]);
    expect(told().at(-1)?.outcome).to.equal('cancelled');
    take(1_000);
    for (let turn = 0; turn < 3; turn++) {
      said.push(cut);
      await firm(hopOf('stall'), late);
    }
    expect(paused()).to.have.length(1);
  });

  for (const reason of ['unfit', 'unverified', 'throttled'] as const) {
    it(`holds nothing against a maker for what is no doing of its own: ${reason}`, async () => {
      const { firm, said, paused } = firmingOf();
      for (let turn = 0; turn < 5; turn++) {
        said.push({ ok: false, reason });
        expect(await firm(hopOf('stall'), NEVER)).to.deep.equal({ ok: false, reason });
      }
      expect(await firm(hopOf('stall'), NEVER)).to.equal(SIGNED);
      expect(paused()).to.deep.equal([]);
    });
  }

  for (const reason of ['refused', 'busy'] as const) {
    it(`leaves a maker alone for the user that it meters or screens, and for nobody else: ${reason}`, async () => {
      const { firm, said, paused, asked } = firmingOf();
      for (let turn = 0; turn < 3; turn++) said.push({ ok: false, reason });
      for (let turn = 0; turn < 5; turn++) await firm(hopOf('stall', 'sell', USER), NEVER);
      expect(asked()).to.equal(reason === 'busy' ? 1 : 3);
      expect(await firm(hopOf('stall', 'sell', USER), NEVER)).to.deep.equal({ ok: false, reason: 'throttled' });
      said.length = 0;
      expect(await firm(hopOf('stall'), NEVER)).to.equal(SIGNED);
      expect(paused()).to.deep.equal([]);
      clock.tick(1_000);
      expect(await firm(hopOf('stall', 'sell', USER), NEVER)).to.equal(SIGNED);
    });
  }

  it('leaves a maker that only screens alone for the taker that it refuses, whomever else a request names; where it is busy it is so for everybody', async () => {
    const { firm, said, paused, asked } = firmingOf();
    for (const user of [USER, PLACE, SOMEBODY]) {
      said.push({ ok: false, reason: 'refused' });
      await firm(hopOf('booth', 'sell', user), NEVER);
    }
    for (const user of [USER, PLACE]) expect(await firm(hopOf('booth', 'sell', user), NEVER)).to.deep.equal({ ok: false, reason: 'throttled' });
    // The user that was named is not whom it refused.
    expect(await firm({ ...hopOf('booth'), taker: USER, user: USER }, NEVER)).to.equal(SIGNED);
    expect([asked(), paused()]).to.deep.equal([4, []]);
    said.push({ ok: false, reason: 'busy', retryAfterMs: 7_000 });
    await firm({ ...hopOf('booth'), taker: USER }, NEVER);
    expect(paused()).to.deep.equal([[1, 'stall', 'booth', 7_000]]);
  });

  it('leaves an issuer that is busy alone for everybody, since it is not told who asks; what it refuses is held against nobody', async () => {
    const { firm, said, paused, asked } = firmingOf(null, 'issuance');
    for (let turn = 0; turn < 5; turn++) {
      said.push({ ok: false, reason: 'refused' });
      expect(await firm(hopOf('stall', 'sell', USER), NEVER)).to.include({ reason: 'refused' });
    }
    said.push({ ok: false, reason: 'busy', retryAfterMs: 7_000 });
    await firm(hopOf('stall', 'sell', USER), NEVER);
    expect(paused()).to.deep.equal([[1, 'stall', 'stall', 7_000]]);
    expect(await firm(hopOf('stall'), NEVER)).to.deep.equal({ ok: false, reason: 'throttled' });
    expect(asked()).to.equal(6);
  });

  it('is refused to whoever a maker refuses, though it is the taker: anybody may name one', async () => {
    const { firm, said, paused } = firmingOf();
    for (let turn = 0; turn < 3; turn++) said.push({ ok: false, reason: 'refused' });
    for (let turn = 0; turn < 5; turn++) await firm(hopOf('stall'), NEVER);
    expect(await firm(hopOf('stall'), NEVER)).to.deep.equal({ ok: false, reason: 'throttled' });
    expect(await firm(hopOf('stall', 'sell', USER), NEVER)).to.equal(SIGNED);
    expect(paused()).to.deep.equal([]);
  });

  it('takes a venue that throws for an invalid answer, and leaves its maker alone after three', async () => {
    const { firm, said, told, paused } = firmingOf();
    for (let turn = 0; turn < 3; turn++) {
      said.push(new TypeError('Cannot convert object to primitive value'));
      expect(await firm(hopOf('stall'), NEVER)).to.deep.equal({ ok: false, reason: 'invalid' });
    }
    expect(told().map(({ outcome }) => outcome)).to.deep.equal(['invalid', 'invalid', 'invalid']);
    expect(paused()).to.have.length(1);
  });

  for (const mode of ['sell', 'buy'] as const) {
    it(`tells how much worse an offer is, and leaves alone who offers more than a hundredth less three times in a row (${mode})`, async () => {
      const offers = async (thousandths: bigint) => {
        const { firm, said, told, paused } = firmingOf();
        const hop = { ...hopOf('stall', mode), amountIn: 1_000n, amountOut: 1_000n };
        const offered = mode === 'sell' ? { amountIn: 1_000n, amountOut: 1_000n - thousandths } : { amountIn: 1_000n + thousandths, amountOut: 1_000n };
        for (let turn = 0; turn < 3; turn++) {
          said.push({ ok: false, reason: 'worse', offered });
          await firm(hop, NEVER);
        }
        return { paused: paused().length, shortfalls: told().map(({ shortfall }) => Number(shortfall?.toFixed(6))) };
      };
      expect(await offers(20n)).to.deep.equal({ paused: 1, shortfalls: [0.02, 0.02, 0.02] });
      expect(await offers(6n)).to.deep.equal({ paused: 0, shortfalls: [0.006, 0.006, 0.006] });
    });
  }

  it('tells by how much an order is worse than what was planned: less given, or more wanted', async () => {
    const { firm, said, told } = firmingOf();
    const ofThousands = { amountIn: 10_000n, amountOut: 10_000n };
    said.push({ ...SIGNED, amountIn: 10_000n, amountOut: 9_900n }, { ...SIGNED, amountIn: 9_800n, amountOut: 10_000n });
    await firm({ ...hopOf('stall'), ...ofThousands }, NEVER);
    await firm({ ...hopOf('stall', 'buy'), ...ofThousands }, NEVER);
    expect(told().map(({ shortfall }) => Number(shortfall?.toFixed(6)))).to.deep.equal([0.01, -0.02]);
  });

  for (const mode of ['sell', 'buy'] as const) {
    it(`tells nothing of prices by amounts of a few units, and leaves nobody alone for them: a client picks them at the edge of one (${mode})`, async () => {
      const { firm, said, told, paused, asked } = firmingOf();
      const hop = { ...hopOf('stall', mode), amountIn: 20n, amountOut: 20n };
      const offered = mode === 'sell' ? { amountIn: 20n, amountOut: 19n } : { amountIn: 21n, amountOut: 20n };
      for (let turn = 0; turn < 6; turn++) {
        said.push({ ok: false, reason: 'worse', offered });
        await firm(hop, NEVER);
      }
      expect([asked(), paused(), told().map(({ shortfall }) => shortfall)]).to.deep.equal([6, [], Array.from({ length: 6 }, () => null)]);
    });
  }
});
