import { expect } from 'chai';
import { ATTESTATION_FAULTS } from '../../src/devnet/attesters/faults.ts';
import { ORDER_FAULTS, TRANSPORT_FAULTS } from '../../src/devnet/makers/faults.ts';
import { useBraid } from '../support/braid.ts';
import { callsFromNow } from '../support/calls-since.ts';
import { type Canary, startCanary } from '../support/canary.ts';
import { FULL_SCALE, SEED, seededRandom } from '../support/seeded-random.ts';
import { until } from '../support/until.ts';
import {
  approveAll,
  askUntil,
  canPay,
  estimateGas,
  executeExactly,
  randomTrade,
  settleHead,
  type Taker,
  takeBack,
  takerOf,
  type WireSwap,
} from './swap-check.ts';

/** A thousand is the figure of the issue; a slice of it is for every day. */
const SWAPS = FULL_SCALE ? 1_000 : 6;
const FAILING = 0.3;
/** Tokens that makers quote, so that routes come by them. */
const QUOTED = ['WETH', 'USDC', 'LINK'];
const TIME_LIMIT_MS = 3_000;
const PATIENCE_MS = 100_000;
/** Blocks that an attester is asked for where somebody swaps; in each block it is asked for fewer. */
const FOR_SWAPS = 5;
const HOOKED = 'uniswap_v4:angstrom';
/** What a warning says where nobody that was asked gave a wrong answer. */
const EXCUSE = /a moment ago|within the time that was left/;

type SignedSwap = WireSwap & { readonly deadline: number; readonly rfqExpiry?: number; readonly driftExposedShareBps?: number };

describe('swaps through makers’ orders on the local chain', function suite() {
  this.timeout(FULL_SCALE ? 7_200_000 : 300_000);
  const braid = useBraid({ env: { FRESHNESS_BOUND_MS: '600000' }, devnetMakers: true });

  let canary: Canary;

  const isMaker = ({ protocol }: { readonly protocol: string }) => protocol === 'airswap';

  before(async () => {
    canary = await startCanary();
    const taker = takerOf(braid.current());
    await approveAll(taker);
    await taker.rpc('evm_setIntervalMining', 0);
  });
  after(() => canary?.stop());

  it('an order that a maker signs is settled at its amounts, to the wei, sold and bought, and caps the deadline', async () => {
    const taker = takerOf(braid.current());
    const tokenOf = (symbol: string) => taker.devnet.tokens.find((token) => token.symbol === symbol)?.address ?? '0x';
    for (const trade of [
      { mode: 'sell', sellAmount: String(10n ** 17n), sellToken: tokenOf('WETH'), buyToken: tokenOf('USDC') },
      { mode: 'buy', buyAmount: String(10n ** 8n), sellToken: tokenOf('WETH'), buyToken: tokenOf('USDC') },
      { mode: 'sell', sellAmount: String(10n ** 17n), sellToken: '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee', buyToken: tokenOf('USDC') },
    ] as const) {
      const snapshot = await taker.rpc('evm_snapshot');
      await settleHead(braid.current(), taker);
      const swap = await askUntil<SignedSwap>(taker, { ...trade, includeVenues: 'airswap' }, () => true, 30_000);
      const text = JSON.stringify(swap);
      const { route, warnings, rfqExpiry, deadline, driftExposedShareBps } = swap;
      expect(route.filter(isMaker), text).to.not.have.lengthOf(0);
      expect(warnings, text).to.equal(undefined);
      expect(deadline, text).to.equal(rfqExpiry);
      expect(driftExposedShareBps, text).to.equal(trade.mode === 'sell' ? 0 : undefined);
      await executeExactly(taker, swap, text);
      await takeBack(taker, snapshot);
    }
  });

  it(`every one of ${SWAPS} random swaps executes as it is told, with makers who fail at random in every way`, async () => {
    const taker = takerOf(braid.current());
    const random = seededRandom('signed swaps');
    const { makers, attesters } = taker.devnet;
    const tally = { executed: 0, signed: 0, warned: 0, late: 0, noRoute: 0, unfunded: 0 };
    const draw = <Kind extends string>(kinds: readonly [Kind, ...Kind[]]): Kind | null => (random.chance(FAILING) ? random.pick(kinds) : null);
    for (let at = 0; at < SWAPS; at++) {
      // The first is one that makers sign for sure, the second one that they do not, whatever is drawn after them.
      const drawn = makers.map(() => draw([...ORDER_FAULTS, ...TRANSPORT_FAULTS]));
      const kinds = at === 0 ? makers.map(() => null) : at === 1 ? makers.map(() => 'wrong-signer' as const) : drawn;
      const attesterKind = draw([...ATTESTATION_FAULTS, ...TRANSPORT_FAULTS]);
      const of = { ms: 2_500, location: `${canary.origin}/` };
      for (const [place, maker] of makers.entries()) maker.setFault(faultOf(kinds[place] ?? null, of));
      for (const attester of attesters) attester.setFault(faultOf(attesterKind, of));
      const trade = at < 2 ? sureTrade(taker) : randomTrade(taker, random, QUOTED);
      const snapshot = await taker.rpc('evm_snapshot');
      await settleHead(braid.current(), taker);
      const { status, swap, text, asked } = await askWatched(taker, trade, at);
      const context = `seed ${SEED}, swap ${at}: ${JSON.stringify(trade)}, ${JSON.stringify([kinds, attesterKind, asked])} ${text}`;
      if (status === 404) tally.noRoute++;
      else {
        expect(status, context).to.equal(200);
        const failed = new Set<string>();
        for (const [place, orders] of asked.orders.entries()) if (orders > 0 && isFatal(kinds[place] ?? null, trade.mode)) failed.add('RFQ_FIRMUP_FAILED');
        if (asked.attestations > 0 && attesterKind !== null) failed.add('HOOK_ATTESTATION_UNAVAILABLE');
        const warnings = (swap.warnings ?? []).filter(({ code }) => code !== 'HIGH_PRICE_IMPACT');
        const codes = warnings.map(({ code }) => code);
        expect(codes, context).to.have.lengthOf(new Set(codes).size);
        // Where several fail the first of them ends it, and time may run out for all of them.
        if (failed.size > 0) expect(codes, context).to.not.have.lengthOf(0);
        for (const { code, detail } of warnings.filter(({ code: warned }) => !failed.has(warned))) {
          // Whoever failed a moment ago is not asked; on a busy machine whoever is sound may be late; and an order that is given again may be the first that was.
          const again = kinds.some((kind, place) => kind === 'replayed' && (asked.orders[place] ?? 0) > 0);
          expect(EXCUSE.test(detail) || (again && code === 'RFQ_FIRMUP_FAILED'), context).to.equal(true);
          tally.late++;
        }
        const signed = swap.route.some(isMaker);
        const { rfqExpiry } = swap as SignedSwap;
        expect(rfqExpiry !== undefined, context).to.equal(signed);
        if (codes.length > 0)
          expect(
            swap.route.filter((hop) => isMaker(hop) || hop.source === HOOKED),
            context,
          ).to.have.lengthOf(0);
        if (!(await canPay(taker, swap))) tally.unfunded++;
        else {
          // An attestation of the newest block is there where the attester was sound a block ago; those of the next blocks always are.
          const block = swap.route.some(({ source }) => source === HOOKED) ? 'pending' : 'latest';
          expect(await estimateGas(taker, swap, block).catch(String), context).to.be.a('bigint');
          await executeExactly(taker, swap, context);
          tally.executed++;
          if (signed) tally.signed++;
          if (failed.has('RFQ_FIRMUP_FAILED') && codes.includes('RFQ_FIRMUP_FAILED')) tally.warned++;
        }
      }
      await takeBack(taker, snapshot);
    }
    console.log(`      ${JSON.stringify(tally)}`);
    expect(tally.executed, JSON.stringify(tally)).to.be.above(SWAPS / 2);
    // Makers win a third of the routes; of 150 swaps 32 were signed and 12 warned of.
    expect(tally.signed, JSON.stringify(tally)).to.be.at.least(SWAPS / 10);
    expect(tally.warned, JSON.stringify(tally)).to.be.at.least(SWAPS / 25);
    expect(canary.hits()).to.equal(0);
  });

  /** A trade that makers are part of. */
  const sureTrade = ({ devnet }: Taker) => {
    const tokenOf = (symbol: string) => devnet.tokens.find((token) => token.symbol === symbol)?.address ?? '0x';
    return { mode: 'sell' as const, sellToken: tokenOf('WETH'), buyToken: tokenOf('USDC'), sellAmount: String(120n * 10n ** 18n) };
  };

  /** Asks for a swap, and says whom that made the service ask. The first is asked for until makers sign in time, the second until they are asked, which nobody does whose prices are away. */
  async function askWatched(taker: Taker, trade: Readonly<Record<string, string>>, at: number) {
    const { makers, attesters } = taker.devnet;
    const once = async () => {
      const [orders, attestations] = [
        makers.map((maker) => callsFromNow(() => maker.calls())),
        attesters.map((attester) => callsFromNow(() => attester.calls())),
      ];
      const answer = await taker.ask({ ...trade, timeLimitMs: String(TIME_LIMIT_MS) });
      const asked = {
        orders: orders.map((calls) => calls().filter(({ method }) => method.endsWith('OrderERC20')).length),
        attestations: attestations.flatMap((calls) => calls().filter(({ blocksInFuture }) => blocksInFuture === FOR_SWAPS)).length,
      };
      return { ...answer, asked };
    };
    let answer = await once();
    const isSure = (): boolean => {
      const { status, swap, asked } = answer;
      if (status !== 200 || asked.orders.every((orders) => orders === 0)) return false;
      return at > 0 || (swap.warnings === undefined && swap.route.some(isMaker));
    };
    const found = await until(async () => {
      if (at > 1 || isSure()) return true;
      answer = await once();
      return false;
    }, PATIENCE_MS);
    expect(found, answer.text).to.equal(true);
    return answer;
  }
});

function faultOf<Kind extends string>(kind: Kind | null, of: { readonly ms: number; readonly location: string }): (typeof of & { readonly kind: Kind }) | null {
  return kind === null ? null : { kind, ...of };
}

/** Whether an order that is like that is never taken. Better and slightly worse ones are settled at what they say by whoever sells; who buys wants the very amount. Here nobody has spent what it signs for, and of an order that was given before, nobody knows whether it was. */
function isFatal(kind: (typeof ORDER_FAULTS | typeof TRANSPORT_FAULTS)[number] | null, mode: 'sell' | 'buy'): boolean {
  if (kind === null || kind === 'endless' || kind === 'replayed' || kind === 'spent') return false;
  return mode === 'buy' || (kind !== 'better' && kind !== 'slightly-worse');
}
