import { expect } from 'chai';
import fc from 'fast-check';
import { decodeFunctionData, keccak256, stringToBytes } from 'viem';
import { ALLOWANCE_HOLDER_ABI, createLegEncoder, encodePayload, encodeTakerCall, type Leg, ROUTER_ABI, swapTag } from '../../src/building/building.ts';
import { packAmount, packInteger } from '../../src/building/encode/packed.ts';
import type { PlanHop } from '../../src/routing/routing.ts';
import { type Address, asAddress, asBps, asWei, NATIVE_TOKEN, ZERO_ADDRESS } from '../../src/units/units.ts';
import { loadBuilderVenues } from '../../src/venues/venues.ts';
import { seeded } from '../validation/seeded.ts';
import { arbitraryTerms } from './arbitrary-terms.ts';
import { decodePayload } from './decode-payload.ts';

/** Of a planned hop what its leg does not go by. */
const BARE = { hook: null, slotIn: 0, slotOut: 1, amountIn: asWei(1n), amountOut: asWei(1n), bps: asBps(10_000), gas: 0 };

describe('the encoder of swaps', () => {
  it('what it writes reads back as it was, by a reader that follows the contract (codec round trip)', () => {
    fc.assert(
      fc.property(arbitraryTerms, (swap) => {
        const read = decodePayload(encodePayload(swap), swap.taker);
        expect(read).to.deep.equal({ ...swap, minBuyAmount: swap.mode === 'buy' ? swap.buyAmount : swap.minBuyAmount });
      }),
      seeded(3_000),
    );
  });

  it('goes to the router with its value for a native sell, to the allowance holder without for a token (funding table)', () => {
    const contracts = { router: asAddress(`0x${'aa'.repeat(20)}`), allowanceHolder: asAddress(`0x${'bb'.repeat(20)}`) };
    fc.assert(
      fc.property(arbitraryTerms, (swap) => {
        const call = encodeTakerCall(swap, contracts);
        const payload = encodePayload(swap);
        if (swap.sellToken === NATIVE_TOKEN) {
          expect([call.to, call.value]).to.deep.equal([contracts.router, swap.sellAmount]);
          expect(decodeFunctionData({ abi: ROUTER_ABI, data: call.data }).args).to.deep.equal([payload]);
          return;
        }
        expect([call.to, call.value]).to.deep.equal([contracts.allowanceHolder, 0n]);
        const [target, sold, granted, carried] = decodeFunctionData({ abi: ALLOWANCE_HOLDER_ABI, data: call.data }).args;
        expect([target.toLowerCase(), sold.toLowerCase(), granted, carried]).to.deep.equal([contracts.router, swap.sellToken, swap.sellAmount, payload]);
      }),
      seeded(300),
    );
  });

  it('refuses what does not fit its place', () => {
    const [swap] = fc.sample(arbitraryTerms, { seed: 7, numRuns: 1 });
    if (swap === undefined) throw new Error('no sample');
    const bad = { leg: 'nothing', bps: asBps(1), tokenIn: swap.sellToken, tokenOut: swap.buyToken, pool: null, data: '0x' } as const;
    expect(() => encodePayload({ ...swap, legs: [bad] })).to.throw(RangeError, 'nothing');
    expect(() => encodePayload({ ...swap, sellAmount: (2n ** 256n) as typeof swap.sellAmount })).to.throw(RangeError);
    const tokens = Array.from({ length: 300 }, (_, i) => asAddress(`0x${(i + 1).toString(16).padStart(40, '0')}`));
    const legs = tokens.map((tokenOut): Leg => ({ ...bad, leg: 'wrap', tokenOut }));
    expect(() => encodePayload({ ...swap, legs })).to.throw(RangeError, 'intermediate');
  });

  it('packs an integer into exactly its bytes, and none that they do not hold', () => {
    const widths = fc.integer({ min: 1, max: 32 });
    fc.assert(
      fc.property(widths, fc.bigInt({ min: 0n, max: 2n ** 257n }), fc.integer({ min: 0, max: 257 }), (bytes, drawn, shift) => {
        const most = 2n ** BigInt(8 * bytes) - 1n;
        for (const value of [drawn >> BigInt(shift), most, most + 1n, 0n, -1n]) {
          if (value >= 0n && value <= most) expect(packInteger(value, bytes)).to.equal(`0x${value.toString(16).padStart(2 * bytes, '0')}`);
          else expect(() => packInteger(value, bytes), `${value} in ${bytes}`).to.throw(RangeError, `${value} does not fit`);
        }
      }),
      seeded(300),
    );
  });

  it('packs an amount as its length and its bytes, and nothing that is no amount', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), fc.integer({ min: 0, max: 255 }), (drawn, shift) => {
        const value = drawn >> BigInt(shift);
        const packed = packAmount(value).slice(2);
        expect(packed.slice(0, 2)).to.equal(((packed.length - 2) / 2).toString(16).padStart(2, '0'));
        expect(BigInt(`0x0${packed.slice(2)}`)).to.equal(value);
        expect(packed.slice(2, 4)).to.not.equal('00');
      }),
      seeded(300),
    );
    expect([packAmount(0n), packAmount(255n), packAmount(256n)]).to.deep.equal(['0x00', '0x01ff', '0x020100']);
    for (const value of [-1n, 2n ** 256n]) expect(() => packAmount(value)).to.throw(RangeError, 'not an amount');
  });

  it('writes each family of a plan for its leg, with its fee and the name of its callback', async () => {
    const encoder = createLegEncoder(await loadBuilderVenues());
    const hop = (protocol: string, venue: string): PlanHop => ({
      poolAddress: protocol === 'WRAP' ? ZERO_ADDRESS : asAddress(`0x${'99'.repeat(20)}`),
      poolKey: '',
      venue,
      protocol,
      source: protocol,
      hook: null,
      legFacts: {},
      slotIn: 0,
      slotOut: 1,
      tokenIn: asAddress(`0x${'01'.repeat(20)}`),
      tokenOut: asAddress(`0x${'02'.repeat(20)}`),
      amountIn: asWei(1n),
      amountOut: asWei(1n),
      bps: asBps(10_000),
      gas: 0,
    });
    const written = (protocol: string, taxed = false, venue = protocol.endsWith('_v2') ? 'uniswap_v2' : 'uniswap_v3') => {
      const [found] = encoder.toLegs([hop(protocol, venue)], new Set(taxed ? [hop(protocol, venue).tokenIn] : []), (amount) => amount);
      return [found?.leg, found?.data, found?.pool === null];
    };
    expect(written('uniswap_v2')).to.deep.equal(['uniswap_v2', '0x000bb8', false]);
    expect(written('sushiswap_v2')).to.deep.equal(['uniswap_v2', '0x000bb8', false]);
    expect(written('pancakeswap_v2')).to.deep.equal(['uniswap_v2', '0x0009c4', false]);
    expect(written('pancakeswap_v2', true)).to.deep.equal(['uniswap_v2', '0x8009c4', false]);
    expect(written('uniswap_v3')).to.deep.equal(['uniswap_v3', '0x00', false]);
    expect(written('sushiswap_v3')).to.deep.equal(['uniswap_v3', '0x00', false]);
    expect(written('pancakeswap_v3')).to.deep.equal(['uniswap_v3', '0x01', false]);
    expect(written('WRAP')).to.deep.equal(['wrap', '0x', true]);
    expect(() => written('unheard_of')).to.throw(RangeError);
    expect(() => written('uniswap_v2', false, 'of_no_leg'), 'priced by a folder without a leg').to.throw(RangeError, 'no leg');
    expect(() => written('uniswap_v3', true)).to.throw(RangeError, 'taxed');
  });

  it('writes hops of Uniswap V4 in a row as one leg, with the tokens between them, and goes back to one each where something else has a part in such a token', async () => {
    const encoder = createLegEncoder(await loadBuilderVenues());
    const [manager, otherManager, hook] = [asAddress(`0x${'99'.repeat(20)}`), asAddress(`0x${'88'.repeat(20)}`), asAddress(`0x${'77'.repeat(20)}`)];
    const [sell, one, two, buy] = ['01', '02', '03', '04'].map((byte) => asAddress(`0x${byte.repeat(20)}`)) as [Address, Address, Address, Address];
    const v4 = (tokenIn: Address, tokenOut: Address, more: Partial<PlanHop> = {}): PlanHop => ({
      poolAddress: manager,
      poolKey: `${tokenIn}${tokenOut}`,
      venue: 'uniswap_v4',
      protocol: 'uniswap_v4',
      source: 'uniswap_v4',
      legFacts: { fee: 500, tickSpacing: 10 },
      ...BARE,
      tokenIn,
      tokenOut,
      ...more,
    });
    const written = (...hops: readonly PlanHop[]) =>
      encoder.toLegs(hops, new Set(), (amount) => amount).map(({ leg, bps, tokenIn, tokenOut }) => [leg, bps, tokenIn, tokenOut]);
    const pool = `0001f400000a${'0'.repeat(40)}`;
    const three = [v4(sell, one, { bps: asBps(2500) }), v4(one, NATIVE_TOKEN, { hook }), v4(NATIVE_TOKEN, buy)];
    expect(encoder.toLegs(three, new Set(), (amount) => amount)).to.deep.equal([
      {
        leg: 'uniswap_v4_path',
        bps: 2500,
        tokenIn: sell,
        tokenOut: buy,
        pool: manager,
        data: `0x02${pool}${one.slice(2)}${pool.slice(0, 12)}${hook.slice(2)}${'0'.repeat(40)}${pool}`,
      },
    ]);
    // The second path's first hop lies between, and nothing of the first one's is disturbed by that.
    expect(written(v4(sell, one, { bps: asBps(2500) }), v4(sell, two), v4(one, buy), v4(two, buy))).to.deep.equal([
      ['uniswap_v4_path', 2500, sell, buy],
      ['uniswap_v4_path', 10_000, sell, buy],
    ]);
    const apart = (first: Partial<PlanHop>, second: Partial<PlanHop>, ...others: readonly PlanHop[]) =>
      written(v4(sell, one, first), ...others, v4(one, buy, second)).map(([leg]) => leg);
    expect(apart({}, {}), 'the plain case').to.deep.equal(['uniswap_v4_path']);
    expect(apart({}, { poolAddress: otherManager })).to.deep.equal(['uniswap_v4', 'uniswap_v4']);
    expect(apart({}, { bps: asBps(9999) })).to.deep.equal(['uniswap_v4', 'uniswap_v4']);
    expect(apart({}, {}, v4(sell, one, { poolKey: 'gives it too' }))).to.not.include('uniswap_v4_path');
    expect(apart({}, {}, v4(one, two, { bps: asBps(5000) }))).to.not.include('uniswap_v4_path');
    expect(apart({}, {}, v4(sell, two, { poolKey: `${one}${buy}` })), 'its pool is changed before it').to.not.include('uniswap_v4_path');
    expect(apart({}, { hook }, v4(sell, two, { hook })), 'its hook is asked before it').to.not.include('uniswap_v4_path');
    expect(apart({}, {}, v4(buy, two, { bps: asBps(1) })), 'what it gives is shared before it').to.not.include('uniswap_v4_path');
  });

  it('writes pairs of Uniswap V2 and its forks in a row as one leg, each with its own fee and whether its input is taxed, and goes back to one each where something else has a part in a token between', async () => {
    const encoder = createLegEncoder(await loadBuilderVenues());
    const [sell, one, two, buy] = ['01', '02', '03', '04'].map((byte) => asAddress(`0x${byte.repeat(20)}`)) as [Address, Address, Address, Address];
    const pairOf = (tokenIn: Address, tokenOut: Address) => asAddress(`0x${tokenIn.slice(2, 22)}${tokenOut.slice(2, 22)}`);
    const v2 = (tokenIn: Address, tokenOut: Address, more: Partial<PlanHop> = {}): PlanHop => ({
      poolAddress: pairOf(tokenIn, tokenOut),
      poolKey: pairOf(tokenIn, tokenOut),
      venue: 'uniswap_v2',
      protocol: 'uniswap_v2',
      source: 'uniswap_v2',
      legFacts: {},
      ...BARE,
      tokenIn,
      tokenOut,
      ...more,
    });
    const pancake = { protocol: 'pancakeswap_v2', source: 'pancakeswap_v2' };
    const three = [v2(sell, one, { bps: asBps(2500) }), v2(one, two, pancake), v2(two, buy)];
    const bare = (address: Address) => address.slice(2);
    const written = (taxed: readonly Address[]) => encoder.toLegs(three, new Set(taxed), (amount) => amount);
    expect(written([])).to.deep.equal([
      {
        leg: 'uniswap_v2_path',
        bps: 2500,
        tokenIn: sell,
        tokenOut: buy,
        pool: pairOf(sell, one),
        data: `0x000bb802${bare(one)}${bare(pairOf(one, two))}0009c4${bare(two)}${bare(pairOf(two, buy))}000bb8`,
      },
    ]);
    expect(written([sell, two, buy])[0]?.data).to.equal(`0x800bb802${bare(one)}${bare(pairOf(one, two))}0009c4${bare(two)}${bare(pairOf(two, buy))}800bb8`);
    const apart = (second: Partial<PlanHop>, ...others: readonly PlanHop[]) =>
      encoder.toLegs([v2(sell, one, { bps: asBps(2500) }), ...others, v2(one, buy, second)], new Set(), (amount) => amount).map(({ leg }) => leg);
    expect(apart({}), 'the plain case').to.deep.equal(['uniswap_v2_path']);
    expect(apart({}, v2(sell, two), v2(two, buy)), 'two paths').to.deep.equal(['uniswap_v2_path', 'uniswap_v2_path']);
    expect(apart({ bps: asBps(9999) })).to.deep.equal(['uniswap_v2', 'uniswap_v2']);
    expect(apart({}, v2(two, one)), 'given by two').to.not.include('uniswap_v2_path');
    expect(apart({}, v2(one, two, { bps: asBps(5000) })), 'taken by two').to.not.include('uniswap_v2_path');
    expect(apart({}, v2(sell, two, { poolKey: pairOf(one, buy) })), 'its pair is changed before it').to.not.include('uniswap_v2_path');
    expect(apart({ venue: 'uniswap_v3', protocol: 'uniswap_v3' }), 'of another venue').to.deep.equal(['uniswap_v2', 'uniswap_v3']);
  });

  it('the tag: the uuid, then the partner (B6)', () => {
    const id = '01234567-89AB-4def-8123-456789abcdef';
    expect(swapTag(id, null)).to.equal(`0x0123456789ab4def8123456789abcdef${'0'.repeat(32)}`);
    expect(swapTag(id, 'acme')).to.equal(`0x0123456789ab4def8123456789abcdef${keccak256(stringToBytes('acme')).slice(2, 34)}`);
    expect(() => swapTag('not-a-uuid', null)).to.throw(RangeError);
  });
});
