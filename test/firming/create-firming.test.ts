import { expect } from 'chai';
import { createFirming, type Firmed } from '../../src/firming/firming.ts';
import { type Address, asAddress, type EpochSeconds } from '../../src/units/units.ts';
import type { FirmHop, FirmUpFacet, HopToFirm, OutsideSource } from '../../src/venues/venues.ts';

const PLACE: Address = asAddress(`0x${'12'.repeat(20)}`);
const SOURCES: readonly OutsideSource[] = ['stall', 'booth'].map((name) => ({ name, origin: 'http://127.0.0.1:9', contract: PLACE, signer: PLACE }));
const NEVER = new AbortController().signal;
const SIGNED: FirmHop = { ok: true, amountIn: 100n, amountOut: 99n, legFacts: {}, expiry: 9 as EpochSeconds };

const USER: Address = asAddress(`0x${'34'.repeat(20)}`);

function hopOf(maker: string, mode: 'sell' | 'buy' = 'sell', user = PLACE): HopToFirm {
  const parties = { taker: PLACE, recipient: PLACE, user, router: PLACE, deadline: 99 as EpochSeconds };
  const tokens = { tokenIn: PLACE, tokenOut: PLACE, slotIn: 0, slotOut: 1, leastOut: 0n, taxedInput: false };
  return { family: 'stall', poolAddress: PLACE, poolKey: 'k', hook: null, legFacts: { maker }, ...tokens, ...parties, mode, amountIn: 100n, amountOut: 100n };
}

/** Firming with makers who say what the test says next, on a clock that the test moves. */
function firmingOf(
  head: { readonly number: number; readonly hash: `0x${string}`; readonly timestamp: number } | null = null,
  signs: FirmUpFacet['signs'] = 'order',
) {
  const said: (FirmHop | Error)[] = [];
  const told: Firmed[] = [];
  const paused: (readonly [string, string, number])[] = [];
  let asked = 0;
  let now = 0;
  let takes = 0;
  let chain: Parameters<FirmUpFacet['open']>[0] | null = null;
  const facet: FirmUpFacet = {
    signs,
    open(given) {
      chain = given;
      return async () => {
        asked++;
        now += takes;
        const next = said.shift() ?? SIGNED;
        if (next instanceof Error) throw next;
        return next;
      };
    },
  };
  const firming = createFirming({
    venues: new Map([['stall', facet]]),
    chains: [
      { chainId: 1, outside: [{ venue: 'stall', sources: SOURCES, allowed: SOURCES }], head: () => head },
      { chainId: 2, outside: [], head: () => head },
    ],
    read: async (_chainId, blockHash) => [blockHash],
    onPause: (_chainId, venue, source, ms) => paused.push([venue, source, ms]),
    onFirmed: (firmed) => told.push(firmed),
    now: () => now,
    wallClock: () => 50_000,
    ask: () => async () => ({ ok: false, reason: 'unreachable' }),
  });
  const firm = firming.get(1)?.get('stall')?.firm;
  if (firm === undefined) throw new Error('nobody firms');
  return {
    ...{ firm, firming, said, told, paused },
    asked: () => asked,
    chain: () => chain,
    pass: (ms: number) => {
      now += ms;
    },
    /** How long makers take from now on. */
    take: (ms: number) => {
      takes = ms;
    },
  };
}

describe('firming hops of a chain', () => {
  it('is there where the chain has somebody to firm with, and asks its contracts at the newest block', async () => {
    const { firming, chain } = firmingOf({ number: 7, hash: '0x77', timestamp: 60 });
    expect([...firming.keys()]).to.deep.equal([1]);
    expect([chain()?.now(), await chain()?.read([], NEVER)]).to.deep.equal([60, ['0x77']]);
    const early = firmingOf(null);
    expect([early.chain()?.now(), await early.chain()?.read([], NEVER)]).to.deep.equal([50, null]);
  });

  it('leaves who fails three times in a row alone, for longer each time, and nobody else', async () => {
    const { firm, said, told, paused, asked, pass } = firmingOf();
    const failing: FirmHop = { ok: false, reason: 'unreachable' };
    said.push(failing, failing, failing);
    for (let turn = 0; turn < 4; turn++) await firm(hopOf('stall'), NEVER);
    expect(asked()).to.equal(3);
    expect(paused).to.deep.equal([['stall', 'stall', 1_000]]);
    expect(told.map(({ outcome }) => outcome)).to.deep.equal(['unreachable', 'unreachable', 'unreachable', 'throttled']);
    expect(await firm(hopOf('booth'), NEVER)).to.equal(SIGNED);
    pass(1_000);
    said.push(failing);
    await firm(hopOf('stall'), NEVER);
    expect(paused[1]).to.deep.equal(['stall', 'stall', 2_000]);
    pass(2_000);
    expect(await firm(hopOf('stall'), NEVER)).to.equal(SIGNED);
    said.push(failing, failing);
    for (let turn = 0; turn < 2; turn++) await firm(hopOf('stall'), NEVER);
    expect(paused).to.have.length(2);
  });

  it('leaves who is busy alone at once, for as long as it asks', async () => {
    const { firm, said, paused, asked, pass } = firmingOf();
    said.push({ ok: false, reason: 'busy', retryAfterMs: 7_000 });
    await firm(hopOf('stall'), NEVER);
    pass(6_999);
    expect(await firm(hopOf('stall'), NEVER)).to.deep.equal({ ok: false, reason: 'throttled' });
    expect([asked(), paused]).to.deep.equal([1, [['stall', 'stall', 7_000]]]);
    pass(1);
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
    expect(paused).to.deep.equal([]);
    expect(new Set(told.map(({ outcome }) => outcome))).to.deep.equal(new Set(['cancelled', 'worse']));
    const late = AbortSignal.abort(new DOMException('no answer came in time', 'TimeoutError'));
    // A client that gives its request no time cuts a maker off before any could answer.
    take(999);
    for (let turn = 0; turn < 5; turn++) {
      said.push(cut);
      await firm(hopOf('stall'), late);
    }
    expect(paused).to.deep.equal([]);
    expect(told.at(-1)?.outcome).to.equal('cancelled');
    take(1_000);
    for (let turn = 0; turn < 3; turn++) {
      said.push(cut);
      await firm(hopOf('stall'), late);
    }
    expect(paused).to.have.length(1);
  });

  for (const reason of ['unfit', 'unverified', 'throttled'] as const) {
    it(`holds nothing against a maker for what is no doing of its own: ${reason}`, async () => {
      const { firm, said, paused } = firmingOf();
      for (let turn = 0; turn < 5; turn++) {
        said.push({ ok: false, reason });
        expect(await firm(hopOf('stall'), NEVER)).to.deep.equal({ ok: false, reason });
      }
      expect(await firm(hopOf('stall'), NEVER)).to.equal(SIGNED);
      expect(paused).to.deep.equal([]);
    });
  }

  for (const reason of ['refused', 'busy'] as const) {
    it(`leaves a maker alone for the user that it meters or screens, and for nobody else: ${reason}`, async () => {
      const { firm, said, paused, asked, pass } = firmingOf();
      for (let turn = 0; turn < 3; turn++) said.push({ ok: false, reason });
      for (let turn = 0; turn < 5; turn++) await firm(hopOf('stall', 'sell', USER), NEVER);
      expect(asked()).to.equal(reason === 'busy' ? 1 : 3);
      expect(await firm(hopOf('stall', 'sell', USER), NEVER)).to.deep.equal({ ok: false, reason: 'throttled' });
      said.length = 0;
      expect(await firm(hopOf('stall'), NEVER)).to.equal(SIGNED);
      expect(paused).to.deep.equal([]);
      pass(1_000);
      expect(await firm(hopOf('stall', 'sell', USER), NEVER)).to.equal(SIGNED);
    });
  }

  it('leaves an issuer that is busy alone for everybody, since it is not told who asks; what it refuses is held against nobody', async () => {
    const { firm, said, paused, asked } = firmingOf(null, 'issuance');
    for (let turn = 0; turn < 5; turn++) {
      said.push({ ok: false, reason: 'refused' });
      expect(await firm(hopOf('stall', 'sell', USER), NEVER)).to.include({ reason: 'refused' });
    }
    said.push({ ok: false, reason: 'busy', retryAfterMs: 7_000 });
    await firm(hopOf('stall', 'sell', USER), NEVER);
    expect(paused).to.deep.equal([['stall', 'stall', 7_000]]);
    expect(await firm(hopOf('stall'), NEVER)).to.deep.equal({ ok: false, reason: 'throttled' });
    expect(asked()).to.equal(6);
  });

  it('is refused to whoever a maker refuses, though it is the taker: anybody may name one', async () => {
    const { firm, said, paused } = firmingOf();
    for (let turn = 0; turn < 3; turn++) said.push({ ok: false, reason: 'refused' });
    for (let turn = 0; turn < 5; turn++) await firm(hopOf('stall'), NEVER);
    expect(await firm(hopOf('stall'), NEVER)).to.deep.equal({ ok: false, reason: 'throttled' });
    expect(await firm(hopOf('stall', 'sell', USER), NEVER)).to.equal(SIGNED);
    expect(paused).to.deep.equal([]);
  });

  it('takes a venue that throws for an invalid answer, and leaves its maker alone after three', async () => {
    const { firm, said, told, paused } = firmingOf();
    for (let turn = 0; turn < 3; turn++) {
      said.push(new TypeError('Cannot convert object to primitive value'));
      expect(await firm(hopOf('stall'), NEVER)).to.deep.equal({ ok: false, reason: 'invalid' });
    }
    expect(told.map(({ outcome }) => outcome)).to.deep.equal(['invalid', 'invalid', 'invalid']);
    expect(paused).to.have.length(1);
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
        return { paused: paused.length, shortfalls: told.map(({ shortfall }) => Number(shortfall?.toFixed(6))) };
      };
      expect(await offers(20n)).to.deep.equal({ paused: 1, shortfalls: [0.02, 0.02, 0.02] });
      expect(await offers(6n)).to.deep.equal({ paused: 0, shortfalls: [0.006, 0.006, 0.006] });
    });
  }

  it('tells by how much an order is worse than what was planned: less given, or more wanted', async () => {
    const { firm, said, told } = firmingOf();
    await firm(hopOf('stall'), NEVER);
    said.push({ ...SIGNED, amountIn: 98n, amountOut: 100n });
    await firm(hopOf('stall', 'buy'), NEVER);
    expect(told.map(({ shortfall }) => Number(shortfall?.toFixed(6)))).to.deep.equal([0.01, -0.02]);
  });
});
