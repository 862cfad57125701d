import { expect } from 'chai';
import { createLegEncoder } from '../../src/building/building.ts';
import { allocateSnapshot, SnapshotReader, SnapshotWriter, WordReader, WordWriter } from '../../src/snapshot/snapshot.ts';
import { asBps, asWei, type EpochSeconds } from '../../src/units/units.ts';
import { priceLadder } from '../../src/venues/ladder/price-ladder.ts';
import type { AskOutside, BuilderVenues, EncodeFacet, FirmUpFacet, HopToFirm, StateFacet, StreamedPool, StreamFacet } from '../../src/venues/venues.ts';
import { addressOf } from '../indexing/made-up-singleton.ts';
import { sampleBlock } from '../snapshot/sample-facts.ts';

/** Of a maker who sells up to `size` of one token at `price` of the other, until a second. */
type MakerState = { readonly price: bigint; readonly size: bigint; readonly until: bigint };

const [GIVEN, TAKEN] = [addressOf(11), addressOf(12)];
const SOURCE = { name: 'stall', origin: 'https://stall.example', contract: addressOf(40), signer: addressOf(41) };
const SIGNED = 77;

const state: StateFacet<MakerState> = {
  pack(maker, out) {
    for (const amount of [maker.price, maker.size, maker.until]) out.unsigned(amount, 2);
  },
  unpack: (words) => ({ price: words.unsigned(2), size: words.unsigned(2), until: words.unsigned(2) }),
  traits: ({ until }) => ({ pricesEnd: { timestamp: Number(until) as EpochSeconds }, inventory: 'stall' }),
  curves: ({ price, size }) => [{ slotIn: 0, slotOut: 1, curve: priceLadder([{ price: Number(price), size: Number(size) }], 110_000) }],
};

const ask: AskOutside = async () => ({ ok: false, reason: 'unreachable' });

/** A maker without a network: what it says is given. */
function madeUpMaker(says: readonly (MakerState | null)[]): StreamFacet<MakerState> {
  return {
    open(_chain, sources, listener) {
      for (const source of sources) {
        const pool = {
          key: `${source.name}:11-12`,
          address: addressOf(40),
          hook: null,
          protocol: 'stall',
          source: 'stall',
          tokens: [GIVEN, TAKEN],
          traits: {},
        };
        for (const said of says) listener.changed([{ pool, state: said }]);
        listener.asked(source, 'refused', { malformed: 0, pausedMs: 0 });
      }
      return { pause: () => undefined, close: async () => undefined };
    },
  };
}

const firmUp: FirmUpFacet = {
  signs: 'order',
  open:
    () =>
    async ({ amountIn, amountOut, deadline }, signal) => {
      if (signal.aborted) return { ok: false, reason: 'unreachable' };
      return { ok: true, amountIn, amountOut: amountOut + 1n, legFacts: { nonce: SIGNED }, expiry: deadline };
    },
};

const encode: EncodeFacet = {
  leg: 'stall',
  legData: ({ legFacts }) => `0x${Number(legFacts.nonce).toString(16).padStart(4, '0')}`,
};

describe('venues whose prices come from off the chain', () => {
  it('are pools of the snapshot as their stream gives and takes them, with the end of their price and the inventory they share', () => {
    const buffers = allocateSnapshot({ arenaBytes: 2 ** 20, pools: 8, tokens: 8, readers: 1, slots: 4 });
    const writer = new SnapshotWriter(buffers);
    const reader = SnapshotReader.claim(buffers, 1);
    const failures: string[] = [];
    const publish = (says: readonly (MakerState | null)[], block: number) => {
      const changed = ([{ pool, state: said }]: readonly StreamedPool<MakerState>[] & { readonly 0: StreamedPool<MakerState> }) => {
        if (said === null) return void writer.removePool(pool.key);
        const words = new WordWriter();
        state.pack(said, words);
        const { key, address, hook, protocol, source, tokens } = pool;
        expect(writer.setPool({ key, address, hook, protocol, source, tokens, venue: 'stall', words: words.finish(), curves: state.curves(said) }).ok).to.equal(
          true,
        );
      };
      const listener = {
        changed: changed as (pools: readonly StreamedPool<MakerState>[]) => void,
        asked: (_source: unknown, outcome: string) => void failures.push(outcome),
      };
      madeUpMaker(says).open({ chainId: 1, ask, decimalsOf: () => 18, now: () => 1 as EpochSeconds }, [SOURCE], listener);
      writer.publish(sampleBlock(block));
    };
    publish(
      [
        { price: 3n, size: 1_000n, until: 50n },
        { price: 2n, size: 500n, until: 60n },
      ],
      1,
    );
    const pool = reader.pin()?.pool(0);
    const known = state.unpack(new WordReader(pool?.words ?? new BigUint64Array()));
    expect(known).to.deep.equal({ price: 2n, size: 500n, until: 60n });
    expect(state.traits?.(known)).to.deep.equal({ pricesEnd: { timestamp: 60 }, inventory: 'stall' });
    expect(pool?.curve(0, 1)).to.include({ kind: 'segments', capacity: 500 });
    reader.unpin();
    publish([null], 2);
    expect(reader.pin()?.pool(0)).to.equal(undefined);
    expect(failures).to.deep.equal(['refused', 'refused']);
  });

  it('make a planned hop firm, and what was signed reaches the leg', async () => {
    const planned = {
      tokenIn: GIVEN,
      tokenOut: TAKEN,
      poolAddress: addressOf(40),
      poolKey: 'stall:11-12',
      hook: null,
      slotIn: 0,
      slotOut: 1,
      legFacts: { maker: 'stall' },
    };
    const parties = { taker: addressOf(1), recipient: addressOf(1), user: addressOf(2), router: addressOf(3), deadline: 99 as EpochSeconds };
    const hop: HopToFirm = { ...planned, ...parties, family: 'stall', leastOut: 20n, taxedInput: false, mode: 'sell', amountIn: 10n, amountOut: 20n };
    const firmHop = firmUp.open({ chainId: 1, sources: [SOURCE], ask, read: async () => null, now: () => 1 as EpochSeconds, blockNumber: () => null });
    const firm = await firmHop(hop, new AbortController().signal);
    expect(firm).to.deep.include({ ok: true, amountOut: 21n, expiry: 99 });
    expect(await firmHop(hop, AbortSignal.abort())).to.deep.equal({ ok: false, reason: 'unreachable' });
    const venues: BuilderVenues = new Map([
      ['stall', { venue: { name: 'stall', families: [{ family: 'stall', feePpm: null, pricing: 'off-chain-quote' }] }, encode }],
    ]);
    const legFacts = firm.ok ? { ...planned.legFacts, ...firm.legFacts } : {};
    const [leg] = createLegEncoder(venues).toLegs(
      [{ ...planned, legFacts, venue: 'stall', protocol: 'stall', source: 'stall', bps: asBps(10_000), amountIn: asWei(10n), amountOut: asWei(21n), gas: 0 }],
      new Set(),
      (amount) => amount,
    );
    expect(leg).to.deep.include({ leg: 'stall', pool: addressOf(40), data: '0x004d' });
  });
});
