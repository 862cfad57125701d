import { expect } from 'chai';
import { SPIN_AMOUNT } from '../../bench/load/deadly-amounts.ts';
import { plainMarket } from '../../src/devnet/devnet.ts';
import type { Braid } from '../../src/main.ts';
import { startTestBraid } from '../support/braid.ts';
import { fetchPatiently } from '../support/fetch-patiently.ts';
import { mineEvery } from '../support/mine-every.ts';
import { scrape } from '../support/scrape.ts';
import { ONE } from '../support/settlement/ground.ts';
import { until } from '../support/until.ts';
import { checkRandomQuotes } from './quote-check.ts';

const BLOCK_MS = 100;
/** A block behind is what is wanted; a busy machine is some more, but not as many as come meanwhile. */
const BEHIND = 30;
/** Blocks that have to come meanwhile for the test to show anything; on a machine that does nothing else it is fifty. */
const MEANWHILE = 10;
const CHECKED = 5;
const SOLVER = new URL('../../bench/load/mortal-solver.ts', import.meta.url);

/** B8: a solve that does not end holds its block for all of its budget, and then its thread is replaced. */
describe('A solve holds an old block while another comes every 100 ms', function suite() {
  this.timeout(600_000);
  let braid: Braid;
  let endMining = () => {};
  before(async () => {
    braid = await startTestBraid({ env: { SOLVER_THREADS: '3' }, solverEntry: SOLVER });
    endMining = mineEvery(BLOCK_MS, () => node('evm_mine'));
  });
  after(async () => {
    endMining();
    await braid?.stop();
  });

  async function node(method: string): Promise<unknown> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] });
    const response = await fetch(braid.devnet?.rpcUrl ?? '', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    return ((await response.json()) as { readonly result: unknown }).result;
  }

  const head = async () => Number(await node('eth_blockNumber'));

  function quote(sellAmount: bigint): Promise<Response> {
    const { devnet, apiKey } = braid;
    if (devnet === null) throw new Error('only on the devnet');
    const buy = plainMarket(devnet).tokens.find(({ address }) => address !== devnet.wrappedNative);
    const query = { chainId: String(devnet.chainId), mode: 'sell', sellToken: devnet.wrappedNative, buyToken: buy?.address ?? '' };
    return fetchPatiently(`${braid.publicUrl}/v1/quote?${new URLSearchParams({ ...query, sellAmount: String(sellAmount) })}`, {
      headers: { 'x-api-key': apiKey ?? '' },
    });
  }

  /** Of counters without labels, or by their first ones. */
  async function counted(series: string): Promise<number> {
    const text = await scrape(braid.internalUrl);
    return Number(
      text
        .split('\n')
        .find((line) => line.startsWith(series))
        ?.split(' ')
        .at(-1),
    );
  }

  it('others get the newest blocks, none of them wrong; the one that holds it is ended, and its block is free again', async () => {
    let isHeld = true;
    const held = quote(SPIN_AMOUNT).finally(() => {
      isHeld = false;
    });
    const checking = checkRandomQuotes(braid, CHECKED, 'B8');
    const blocks: number[] = [];
    while (isHeld) {
      const asked = await head();
      const response = await quote(ONE);
      expect(response.status).to.equal(200);
      const { blockNumber } = (await response.json()) as { readonly blockNumber: number };
      expect(blockNumber, `asked at ${asked}`).to.be.at.least(Math.max(blocks.at(-1) ?? 0, asked - BEHIND));
      blocks.push(blockNumber);
    }
    expect((blocks.at(-1) ?? 0) - (blocks[0] ?? 0), `of ${blocks}`).to.be.at.least(MEANWHILE);
    const ended = await held;
    expect(ended.status).to.equal(500);
    expect(await ended.json()).to.have.all.keys('error');
    expect((await checking).answered).to.be.at.least(1);
    expect(await counted('braid_solver_worker_restarts_total{reason="overrun"}')).to.equal(1);
    expect(await until(async () => (await counted('braid_snapshot_reclaimed_pins_total')) === 1, 60_000)).to.equal(true);
    expect((await quote(ONE)).status).to.equal(200);
  });
});
