import { expect } from 'chai';
import { ORDER_FAULTS, TRANSPORT_FAULTS } from '../../src/devnet/makers/faults.ts';
import { useBraid } from '../support/braid.ts';
import { FULL_SCALE, SEED, seededRandom } from '../support/seeded-random.ts';
import { approveAll, askUntil, canPay, executeExactly, randomTrade, settleHead, takeBack, takerOf, type WireSwap } from './swap-check.ts';

/** A thousand is the figure of the issue; a slice of it is for every day. */
const SWAPS = FULL_SCALE ? 1_000 : 6;
const FAILING = 0.3;
/** Tokens that makers quote, so that routes come by them. */
const QUOTED = ['WETH', 'USDC', 'LINK'];
const TIME_LIMIT_MS = 3_000;

type SignedSwap = WireSwap & { readonly deadline: number; readonly rfqExpiry?: number; readonly driftExposedShareBps?: number };

describe('swaps through makers’ orders on the local chain', function suite() {
  this.timeout(FULL_SCALE ? 7_200_000 : 300_000);
  const braid = useBraid({ env: { FRESHNESS_BOUND_MS: '600000' }, devnetMakers: true });

  const isMaker = ({ protocol }: { readonly protocol: string }) => protocol === 'airswap';

  before(async () => {
    const taker = takerOf(braid.current());
    await approveAll(taker);
    await taker.rpc('evm_setIntervalMining', 0);
  });

  async function setFault(origin: string, fault: object): Promise<void> {
    const response = await fetch(`${origin}/faults`, { method: 'POST', body: JSON.stringify(fault) });
    expect(response.ok, await response.text()).to.equal(true);
  }

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
    const { makers } = taker.devnet;
    const tally = { executed: 0, signed: 0, warned: 0, noRoute: 0, unfunded: 0 };
    for (let at = 0; at < SWAPS; at++) {
      const faults: object[] = [];
      for (const { origin } of makers) {
        const fault = random.chance(FAILING)
          ? { kind: random.pick([...ORDER_FAULTS, ...TRANSPORT_FAULTS]), ms: 2_500, location: 'http://127.0.0.1:9/' }
          : { kind: 'none' };
        faults.push(fault);
        await setFault(origin, fault);
      }
      const trade = randomTrade(taker, random, QUOTED);
      const context = `seed ${SEED}, swap ${at}: ${JSON.stringify(trade)}, ${JSON.stringify(faults)}`;
      const snapshot = await taker.rpc('evm_snapshot');
      await settleHead(braid.current(), taker);
      const { status, swap, text } = await taker.ask({ ...trade, timeLimitMs: String(TIME_LIMIT_MS) });
      if (status === 404) tally.noRoute++;
      else {
        expect(status, `${context} ${text}`).to.equal(200);
        const codes = (swap.warnings ?? []).map(({ code }) => code).filter((code) => code !== 'HIGH_PRICE_IMPACT');
        // Once for each kind that failed; both where time ran out for both.
        expect(codes, `${context} ${text}`).to.have.lengthOf(new Set(codes).size);
        for (const code of codes) expect(code, `${context} ${text}`).to.be.oneOf(['RFQ_FIRMUP_FAILED', 'HOOK_ATTESTATION_UNAVAILABLE']);
        const signed = swap.route.some(isMaker);
        const { rfqExpiry } = swap as SignedSwap;
        expect(rfqExpiry !== undefined, `${context} ${text}`).to.equal(signed);
        if (codes.includes('RFQ_FIRMUP_FAILED')) expect(signed, `${context} ${text}`).to.equal(false);
        if (!(await canPay(taker, swap))) tally.unfunded++;
        else {
          await executeExactly(taker, swap, `${context} ${text}`);
          tally.executed++;
          if (signed) tally.signed++;
          if (codes.length > 0) tally.warned++;
        }
      }
      await takeBack(taker, snapshot);
    }
    for (const { origin } of makers) await setFault(origin, { kind: 'none' });
    expect(tally.executed, JSON.stringify(tally)).to.be.above(SWAPS / 2);
    console.log(`      ${JSON.stringify(tally)}`);
  });
});
