// L10: of two chains that one service hosts, the node of one is gone.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { expectPlainRefusal } from '../http/support/checks.ts';
import { startTwoChains, type TwoChains } from '../support/two-chains.ts';
import { until } from '../support/until.ts';

/** Long: on a busy machine the blocks of the chain that goes on come late too. */
const BOUND_MS = 15_000;
const LONG_MS = 300_000;
const PAUSE_MS = 200;
const AMOUNT = 1_000_000_000n;

type Told = { readonly status: string; readonly chains: readonly { readonly chain: string; readonly healthy: boolean }[] };

describe('of two chains that a service hosts', function suite() {
  this.timeout(3 * LONG_MS);
  let two: TwoChains;
  before(async () => {
    two = await startTwoChains(BOUND_MS);
  });
  after(async () => two?.stop());

  const quote = (chainId: number): Promise<Response> => fetch(`${two.braid.publicUrl}${two.quoteOf(chainId, AMOUNT)}`, { headers: { 'x-api-key': two.key } });
  async function health(): Promise<{ readonly status: number; readonly told: string; readonly healthy: readonly (readonly [string, boolean])[] }> {
    const response = await fetch(`${two.braid.publicUrl}/healthz`);
    const { status, chains } = (await response.json()) as Told;
    return { status: response.status, told: status, healthy: chains.map(({ chain, healthy }) => [chain, healthy] as const) };
  }

  it('the one whose node is gone is refused as stale and told as unhealthy, the other is answered all the while; both are once it is back (L10)', async () => {
    const [steady, stopping] = two.chainIds;
    const asked = { whileBoth: 0, whileOne: 0 };
    /** Asks both until the second answers so; the first has to answer all the time. */
    const untilSecond = async (status: number, count: keyof typeof asked): Promise<void> => {
      const meanwhile = new Set<number>();
      const is = await until(async () => {
        const [first, second] = await Promise.all([quote(steady), quote(stopping)]);
        expect(first.status, await first.text()).to.equal(200);
        await second.arrayBuffer();
        meanwhile.add(second.status);
        asked[count]++;
        await sleep(PAUSE_MS);
        return second.status === status;
      }, LONG_MS);
      expect(is, `${status}; seen ${[...meanwhile].join()}`).to.equal(true);
      expect(
        [...meanwhile].every((seen) => seen === 200 || seen === 503),
        [...meanwhile].join(),
      ).to.equal(true);
    };
    const answers = async (chainId: number, amount: bigint): Promise<bigint> => {
      const answer = await quote(chainId);
      const { sellAmount, buyAmount } = (await answer.json()) as { readonly sellAmount: string; readonly buyAmount: string };
      expect(BigInt(sellAmount)).to.equal(amount);
      return BigInt(buyAmount);
    };

    await untilSecond(200, 'whileBoth');
    expect(await health()).to.deep.equal({
      status: 200,
      told: 'ok',
      healthy: [
        ['devnet', true],
        ['ethereum', true],
      ],
    });
    // The same market, but for what each node's blocks did to it: none of both gets the other's pools.
    const before = await answers(steady, AMOUNT);
    expect(await answers(stopping, AMOUNT)).to.equal(before);

    await two.proxy.refuse(true);
    await untilSecond(503, 'whileOne');
    const refused = await quote(stopping);
    await expectPlainRefusal(refused, 503);
    expect(await health()).to.deep.equal({
      status: 503,
      told: 'degraded',
      healthy: [
        ['devnet', true],
        ['ethereum', false],
      ],
    });
    for (let i = 0; i < 20; i++) expect(await answers(steady, AMOUNT)).to.equal(before);
    // One chain that is late is no reason to send nobody here any more.
    expect(two.braid.readiness().ready).to.equal(true);

    await two.proxy.refuse(false);
    await untilSecond(200, 'whileOne');
    expect((await health()).healthy).to.deep.equal([
      ['devnet', true],
      ['ethereum', true],
    ]);
    expect(asked.whileOne).to.be.greaterThan(0);
  });
});
