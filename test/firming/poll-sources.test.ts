import { expect } from 'chai';
import sinon from 'sinon';
import { createFirming, type Firmed, type Polled } from '../../src/firming/firming.ts';
import { asAddress } from '../../src/units/units.ts';
import type { FirmHop, FirmUpFacet, HopToFirm, OutsideSource } from '../../src/venues/venues.ts';

const PLACE = asAddress(`0x${'12'.repeat(20)}`);
const SOURCES: readonly OutsideSource[] = ['stall', 'booth'].map((name) => ({ name, origin: 'http://127.0.0.1:9', contract: PLACE, signer: PLACE }));
type Said = Extract<FirmHop, { readonly ok: false }> | null;

/** Two attesters whom blocks are told of; what they are asked in a block waits until the test answers it. */
function attended() {
  let head: { readonly number: number; readonly hash: `0x${string}`; readonly timestamp: number } | null = null;
  let tell = (): void => undefined;
  const ending = new AbortController();
  const waiting = new Map<string, (said: Said | Error) => void>();
  const asked: string[] = [];
  const onPolled = sinon.fake<[Polled], void>();
  const onFirmed = sinon.fake<[Firmed], void>();
  const onPause = sinon.fake<[number, string, string, number], void>();
  const facet: FirmUpFacet = {
    signs: 'attestation',
    sourceOf: ({ legFacts }, sources) => sources.find(({ name }) => name === legFacts.maker),
    open(chain) {
      chain.inEachBlock?.(({ name }) => {
        asked.push(`${name} ${chain.blockNumber()}`);
        return new Promise((resolve, reject) => waiting.set(name, (said) => (said instanceof Error ? reject(said) : resolve(said))));
      });
      return async ({ amountIn, amountOut }) => ({ ok: true, amountIn, amountOut, legFacts: {}, expiry: null });
    },
  };
  const firming = createFirming({
    venues: new Map([['hooked', facet]]),
    chains: [
      {
        chainId: 1,
        outside: [{ venue: 'hooked', sources: SOURCES, allowed: SOURCES }],
        head: () => head,
        eachBlock: (listener) => {
          tell = listener;
        },
      },
    ],
    read: async () => null,
    onPause,
    onFirmed,
    onPolled,
    ending: ending.signal,
    ask: () => async () => ({ ok: false, reason: 'unreachable' }),
  });
  return {
    ...{ asked, ending },
    polls: () => onPolled.args.map(([{ chainId, source, outcome }]) => `${chainId} ${source} ${outcome}`),
    firmed: () => onFirmed.args.map(([{ outcome }]) => outcome),
    paused: () => onPause.args,
    block(number: number): void {
      head = { number, hash: '0x', timestamp: 0 };
      tell();
    },
    tell: () => tell(),
    async answer(name: string, said: Said | Error): Promise<void> {
      waiting.get(name)?.(said);
      await new Promise((resolve) => setImmediate(resolve));
    },
    async firm(maker: string): Promise<FirmHop | undefined> {
      const hop = { legFacts: { maker }, amountIn: 1n, amountOut: 1n, user: PLACE, taker: PLACE } as unknown as HopToFirm;
      return await firming.hops.get(1)?.get('hooked')?.firm(hop, new AbortController().signal);
    },
  };
}

describe('asking whoever attests in each block', () => {
  let clock: sinon.SinonFakeTimers;
  beforeEach(() => {
    clock = sinon.useFakeTimers({ toFake: ['performance'] });
  });
  afterEach(() => clock.restore());

  it('is done once for a block and for each of them, never twice at a time, and not before there is a block', async () => {
    const { asked, polls, block, tell, answer } = attended();
    tell();
    expect(asked).to.deep.equal([]);
    block(7);
    tell();
    expect(asked).to.deep.equal(['stall 7', 'booth 7']);
    await answer('stall', null);
    // The same block, published again.
    tell();
    block(8);
    expect(asked.slice(2)).to.deep.equal(['stall 8']);
    await answer('booth', new Error('a bug'));
    block(9);
    expect(asked.slice(3)).to.deep.equal(['booth 9']);
    expect(polls()).to.deep.equal(['1 stall ok', '1 booth invalid']);
  });

  it('leaves who is busy alone, for firm-ups too, and nobody for another failure; whom firm-ups leave alone is not asked either', async () => {
    const { asked, paused, polls, firmed, block, answer, firm } = attended();
    for (let number = 1; number <= 4; number++) {
      block(number);
      await answer('stall', { ok: false, reason: 'unreachable' });
      await answer('booth', null);
    }
    expect(paused()).to.deep.equal([]);
    expect((await firm('stall'))?.ok).to.equal(true);
    block(5);
    await answer('stall', { ok: false, reason: 'busy', retryAfterMs: 3_000 });
    await answer('booth', null);
    expect(paused()).to.deep.equal([[1, 'hooked', 'stall', 3_000]]);
    expect(polls().at(-2)).to.equal('1 stall busy');
    expect(await firm('stall')).to.deep.include({ ok: false, reason: 'throttled' });
    expect((await firm('booth'))?.ok).to.equal(true);
    block(6);
    await answer('booth', null);
    expect(asked.filter((each) => each.startsWith('stall')).at(-1)).to.equal('stall 5');
    clock.tick(3_000);
    block(7);
    expect(asked.filter((each) => each.startsWith('stall')).at(-1)).to.equal('stall 7');
    expect(firmed()).to.deep.equal(['ok', 'throttled', 'ok']);
  });

  it('ends with the service: nobody is asked any more, and what is under way counts for nothing', async () => {
    const { asked, polls, ending, block, answer } = attended();
    block(1);
    ending.abort();
    await answer('stall', { ok: false, reason: 'busy' });
    block(2);
    expect([asked.length, polls().length]).to.deep.equal([2, 0]);
  });
});
