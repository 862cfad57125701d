import { expect } from 'chai';
import sinon from 'sinon';
import { LIMITS } from '../../src/config/config.ts';
import type { Braid } from '../../src/main.ts';
import { startTestBraid } from '../support/braid.ts';
import { scrape } from '../support/scrape.ts';
import { approveTokens, executeExactly, settleHead, takerOf, type WireSwap } from './swap-check.ts';

const SHIFT_SECONDS = 300;
/** Between two looks at clocks that a busy machine may have kept us from. */
const SLACK_SECONDS = 60;

type DeadlineSwap = WireSwap & { readonly deadline: number };

describe('L4: a wall clock that is five minutes off', function suite() {
  this.timeout(600_000);
  let braid: Braid | undefined;
  let clock: sinon.SinonFakeTimers | undefined;

  afterEach(async () => {
    await braid?.stop();
    braid = undefined;
    sinon.restore();
  });

  /** The clock is the service's alone, and shifted once the chain is there, which begins at the time of its process. */
  async function start(env: Readonly<Record<string, string>>): Promise<Braid> {
    clock = sinon.useFakeTimers({ toFake: ['Date'], now: Date.now(), shouldAdvanceTime: true });
    braid = await startTestBraid({ env });
    // With blocks made on request alone nobody sets the chain's time by the service's clock.
    await takerOf(braid).rpc('evm_setIntervalMining', 0);
    return braid;
  }
  const shiftBy = (seconds: number) => clock?.setSystemTime(Date.now() + seconds * 1000);

  async function headLag({ internalUrl }: Braid): Promise<number> {
    const text = await scrape(internalUrl);
    return Number(/^braid_indexer_head_lag_seconds\{[^}]*\} (\S+)$/m.exec(text)?.[1]);
  }

  for (const shift of [-SHIFT_SECONDS, SHIFT_SECONDS]) {
    it(`${Math.abs(shift)} s ${shift < 0 ? 'behind' : 'ahead'}: the deadline counts from the later of clock and head, the transaction is valid on the chain, and a metric tells the shift`, async () => {
      const started = await start({ FRESHNESS_BOUND_MS: '1800000' });
      shiftBy(shift);
      const taker = takerOf(started);
      const tokenOf = (symbol: string) => taker.devnet.tokens.find((token) => token.symbol === symbol)?.address ?? '0x';
      await approveTokens(taker, [tokenOf('WETH')]);
      await settleHead(started, taker);
      const { timestamp } = (await taker.rpc('eth_getBlockByNumber', 'latest', false)) as { readonly timestamp: string };
      const { status, swap, text } = await taker.ask({ mode: 'sell', sellAmount: String(10n ** 17n), sellToken: tokenOf('WETH'), buyToken: tokenOf('USDC') });
      expect(status, text).to.equal(200);
      const latest = Math.max(Number(timestamp), Math.floor(Date.now() / 1000));
      expect((swap as DeadlineSwap).deadline).to.be.within(latest + LIMITS.building.deadlineSeconds - SLACK_SECONDS, latest + LIMITS.building.deadlineSeconds);
      const lag = await headLag(started);
      const wanted = Date.now() / 1000 - Number(timestamp);
      expect(lag).to.be.within(wanted - SLACK_SECONDS, wanted + SLACK_SECONDS);
      expect(Math.sign(lag)).to.equal(Math.sign(shift));
      await executeExactly(taker, swap, text);
    });
  }

  it('set ahead by more than the freshness bound: every block looks old, which is declared and not quoted by, until it is set right', async () => {
    const started = await start({ FRESHNESS_BOUND_MS: '120000' });
    const health = async () => (await fetch(`${started.publicUrl}/healthz`)).status;
    expect(await health()).to.equal(200);
    shiftBy(SHIFT_SECONDS);
    expect(await health()).to.equal(503);
    shiftBy(-SHIFT_SECONDS);
    expect(await health()).to.equal(200);
  });
});
