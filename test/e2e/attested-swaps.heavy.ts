import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { numberToHex } from 'viem';
import { ATTESTATION_FAULTS, type AttesterFault } from '../../src/devnet/attesters/faults.ts';
import type { DevnetAttester } from '../../src/devnet/devnet.ts';
import { TRANSPORT_FAULTS } from '../../src/devnet/makers/faults.ts';
import type { Address } from '../../src/units/units.ts';
import { useBraid } from '../support/braid.ts';
import { fetchPatiently } from '../support/fetch-patiently.ts';
import { scrape } from '../support/scrape.ts';
import { FULL_SCALE, seededRandom } from '../support/seeded-random.ts';
import { until } from '../support/until.ts';
import type { WireHop } from './replay.ts';
import { approveAll, askUntil, executeExactly, settleHead, takeBack, takerOf, type WireSwap } from './swap-check.ts';

const LABEL = 'uniswap_v4:angstrom';
const PATIENCE_MS = 30_000;
const LINK = 10n ** 18n;
const USDC = 10n ** 6n;
const SOME_FAULTS = [
  'absent',
  'delay',
  'error',
  'wrong-signer',
  'blocks-past',
  'blocks-until-now',
  'short',
  'huge',
  'redirect',
] as const satisfies readonly AttesterFault['kind'][];
/** Where an attester that is silent would hold an answer up. */
const TIME_LIMIT_MS = '1500';

describe('swaps through a pool whose hook has to be shown an attestation', function suite() {
  this.timeout(300_000);
  const braid = useBraid({ devnetMakers: true });

  const attesterNow = (): DevnetAttester => {
    const [attester] = braid.current().devnet?.attesters ?? [];
    if (attester === undefined) throw new Error('no attester');
    return attester;
  };
  /** In each block it is asked for three, whether anybody swaps or not. */
  const askedForSwaps = () =>
    attesterNow()
      .calls()
      .filter(({ blocksInFuture }) => blocksInFuture === 5).length;
  /** The sum of the series of a metric whose labels have this. */
  const counted = async (metric: string, labels: RegExp): Promise<number> => {
    const text = await scrape(braid.current().internalUrl);
    const series = [...text.matchAll(new RegExp(`^${metric}\\{(.*)\\} (\\d+)$`, 'gm'))];
    return series.reduce((sum, [, its = '', value]) => sum + (labels.test(its) ? Number(value) : 0), 0);
  };
  const polled = () => counted('braid_attestation_polls_total', /outcome="ok"/);
  /** Whoever is left alone is not asked. */
  const firmedUp = () => counted('braid_attestation_seconds_count', /outcome="(?!throttled)/);
  const tokenOf = (symbol: string): Address => {
    const token = braid.current().devnet?.tokens.find((candidate) => candidate.symbol === symbol);
    if (token === undefined) throw new Error(`no token ${symbol}`);
    return token.address;
  };
  const pair = (sell: string, buy: string) => ({ sellToken: tokenOf(sell), buyToken: tokenOf(buy) });
  const viaHook = ({ route }: { readonly route: readonly WireHop[] }) => route.filter(({ source }) => source === LABEL).length;
  const sold = (extra: Readonly<Record<string, string>> = {}) => ({ mode: 'sell', ...pair('LINK', 'USDC'), sellAmount: String(2_000n * LINK), ...extra });
  /** By the hook alone; and beside pools, without makers. */
  const byHook = { includeVenues: LABEL };
  const beside = { excludeVenues: 'airswap' };
  const sources = async (): Promise<readonly string[]> => {
    const response = await fetchPatiently(`${braid.current().publicUrl}/v1/devnet/sources`, { headers: { 'x-api-key': braid.current().apiKey ?? '' } });
    return ((await response.json()) as { readonly sources: readonly string[] }).sources;
  };

  /** An attester that failed a moment ago is left alone for a while, and one may be late on a busy machine. */
  async function attested(query: Readonly<Record<string, string>>): Promise<WireSwap> {
    return await askUntil(takerOf(braid.current()), query, (swap) => viaHook(swap) > 0, PATIENCE_MS);
  }

  before(async () => {
    const taker = takerOf(braid.current());
    await approveAll(taker);
    await taker.rpc('evm_setIntervalMining', 0);
    expect(await until(async () => (await sources()).includes(LABEL), PATIENCE_MS)).to.equal(true);
  });
  afterEach(() => attesterNow().setFault(null));

  it('attestation-gated hook venues are listed, quoted from the chain, and of an exposed price: no quote asks an attester for anything', async () => {
    const before = askedForSwaps();
    const { apiKey, publicUrl } = braid.current();
    const response = await fetchPatiently(`${publicUrl}/v1/quote?${new URLSearchParams({ chainId: '31337', ...sold(byHook) })}`, {
      headers: { 'x-api-key': apiKey ?? '' },
    });
    const quote = (await response.json()) as { readonly route: readonly (WireHop & { readonly hook: string | null })[] };
    expect(response.status).to.equal(200);
    expect(quote.route.map(({ source, hook }) => [source, hook?.toLowerCase()])).to.deep.equal([[LABEL, braid.current().devnet?.contract('attestedHook')]]);
    expect(askedForSwaps()).to.equal(before);
  });

  it('a swap through an attestation-gated hook settles what was quoted, to the wei, both ways, sold and bought, and asks once for the next five blocks', async () => {
    const taker = takerOf(braid.current());
    const random = seededRandom('attested swaps');
    for (let at = 0; at < 4; at++) {
      const [sell, buy] = at % 2 === 0 ? (['LINK', 'USDC'] as const) : (['USDC', 'LINK'] as const);
      const mode = at < 2 ? 'sell' : 'buy';
      const unit = (mode === 'sell' ? sell : buy) === 'LINK' ? LINK : USDC;
      const snapshot = await taker.rpc('evm_snapshot');
      await settleHead(braid.current(), taker);
      const [calls, hops] = [askedForSwaps(), await firmedUp()];
      const swap = await attested({ mode, ...pair(sell, buy), [`${mode}Amount`]: String((unit * BigInt(random.integer(1, 400_000))) / 1_000n), ...byHook });
      expect(swap.warnings ?? []).to.deep.equal([]);
      expect('rfqExpiry' in swap || 'driftExposedShareBps' in swap).to.equal(false);
      expect(askedForSwaps()).to.be.greaterThan(calls);
      expect(askedForSwaps() - calls).to.equal((await firmedUp()) - hops);
      await executeExactly(taker, swap, JSON.stringify(swap.route));
      await takeBack(taker, snapshot);
    }
  });

  it('a swap through an attestation-gated hook can be tried on the newest block and on the pending one, executes in each of the next four, and reverts after them', async () => {
    const taker = takerOf(braid.current());
    const { rpc, reader, account } = taker;
    const tried = async (swap: WireSwap, block: 'latest' | 'pending', method: 'eth_call' | 'eth_estimateGas' = 'eth_call'): Promise<boolean> => {
      const { to, data, value } = swap.transaction;
      try {
        await rpc(method, { from: account.address, to, data, value: numberToHex(BigInt(value)) }, block);
        return true;
      } catch {
        return false;
      }
    };
    const start = await rpc('evm_snapshot');
    // Blocks come one by one in life: the attester was asked in one before.
    const before = await polled();
    await settleHead(braid.current(), taker);
    expect(await until(async () => (await polled()) > before, PATIENCE_MS)).to.equal(true);
    await settleHead(braid.current(), taker);
    const head = await reader.getBlockNumber();
    const swap = await attested(sold(byHook));
    expect([swap.blockNumber, await reader.getBlockNumber()]).to.deep.equal([Number(head), head]);
    for (const block of ['latest', 'pending'] as const) {
      for (const method of ['eth_call', 'eth_estimateGas'] as const) expect(await tried(swap, block, method), `${method}, ${block}`).to.equal(true);
    }
    for (let blocks = 1; blocks <= 4; blocks++) {
      const snapshot = await rpc('evm_snapshot');
      if (blocks > 1) await rpc('anvil_mine', numberToHex(blocks - 1));
      await executeExactly(taker, swap, `after ${blocks} blocks`);
      await rpc('evm_revert', snapshot);
    }
    await rpc('anvil_mine', numberToHex(4));
    // The newest block is the last one that it carries an attestation of.
    expect([await tried(swap, 'latest'), await tried(swap, 'pending')]).to.deep.equal([true, false]);
    await rpc('evm_mine');
    expect(await tried(swap, 'latest')).to.equal(false);
    await takeBack(taker, start);
  });

  it('no attester is asked for anything with excludeRfq, nor below 300 ms: the route is one of the chain', async () => {
    const taker = takerOf(braid.current());
    await attested(sold(byHook));
    const before = askedForSwaps();
    for (const excluding of [{ excludeRfq: 'true' }, { timeLimitMs: '299' }, { excludeVenues: LABEL }]) {
      const { status, swap, text } = await taker.ask(sold(excluding));
      expect(status, text).to.equal(200);
      expect(viaHook(swap)).to.equal(0);
    }
    expect((await taker.ask(sold({ ...byHook, excludeRfq: 'true' }))).status).to.equal(404);
    expect(askedForSwaps()).to.equal(before);
  });

  // The others are held against the same checks without a chain: test/venues/uniswap-v4-attestations.test.ts.
  for (const kind of FULL_SCALE ? [...ATTESTATION_FAULTS, ...TRANSPORT_FAULTS] : SOME_FAULTS) {
    it(`F17 an attester whose answer is ${kind}: HOOK_ATTESTATION_UNAVAILABLE, and a route of the chain alone that executes`, async () => {
      const taker = takerOf(braid.current());
      let canary = 0;
      const other = createServer((_, response) => {
        canary++;
        response.end('{"success":true,"attestations":[]}');
      });
      await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
      try {
        await attested(sold(beside));
        attesterNow().setFault({ kind, ms: 10_000, location: `http://127.0.0.1:${(other.address() as AddressInfo).port}/` });
        const snapshot = await taker.rpc('evm_snapshot');
        await settleHead(braid.current(), taker);
        let answer = await taker.ask(sold({ ...beside, timeLimitMs: TIME_LIMIT_MS }));
        await until(async () => {
          if (answer.swap.warnings?.some(({ code }) => code === 'HOOK_ATTESTATION_UNAVAILABLE')) return true;
          answer = await taker.ask(sold({ ...beside, timeLimitMs: TIME_LIMIT_MS }));
          return false;
        }, PATIENCE_MS);
        const { status, swap, text } = answer;
        expect(status, text).to.equal(200);
        expect(
          swap.warnings?.map(({ code }) => code),
          text,
        ).to.deep.equal(['HOOK_ATTESTATION_UNAVAILABLE']);
        expect(viaHook(swap)).to.equal(0);
        await executeExactly(taker, swap, text);
        await takeBack(taker, snapshot);
        expect(canary).to.equal(0);
      } finally {
        other.closeAllConnections();
        await new Promise((resolve) => other.close(resolve));
      }
    });
  }
});
