import { expect } from 'chai';
import { LIMITS } from '../../src/config/limits.ts';
import type { Address } from '../../src/units/units.ts';
import { fetchPatiently } from '../support/fetch-patiently.ts';
import { mineEvery } from '../support/mine-every.ts';
import { ONE } from '../support/settlement/ground.ts';
import type { TaxedSpec } from '../support/taxed-market.ts';
import { openTaxedEdge, type TaxedEdge } from './taxed-edge.ts';

const BLOCK_MS = 250;
const VERDICT_BLOCKS = 8;
const TAXES = [5_000, 10_000, 20_000, 50_000];

type Answer = { readonly error?: string; readonly blockNumber: number; readonly warnings?: readonly { readonly detail: string }[] };

/** Tokens that nobody vouches for, on a chain with four blocks a second. */
describe('Tokens are measured where a block takes a quarter of a second', function suite() {
  this.timeout(600_000);
  const specs: readonly TaxedSpec[] = TAXES.map((ppm) => ({ name: `${ppm}`, buyPpm: ppm, sellPpm: ppm, walletPpm: 0, verdict: { kind: 'clean' } }));
  let taxed: TaxedEdge;
  let endMining = () => {};
  before(async () => {
    taxed = await openTaxedEdge(specs, 'measured', { verdictBlocks: VERDICT_BLOCKS });
    endMining = mineEvery(BLOCK_MS, () => taxed.ground.chain.rpc.request('evm_mine'));
  });
  after(async () => {
    endMining();
    await taxed?.close();
  });

  /** Asks again where the machine was too busy to measure within the budget, which it says. */
  async function quote(sell: Address): Promise<Answer> {
    const { edge, ground } = taxed;
    const query = new URLSearchParams({ chainId: '31337', mode: 'sell', sellToken: sell, buyToken: ground.wrappedNative, sellAmount: String(ONE) });
    for (;;) {
      const startedAt = performance.now();
      const response = await fetchPatiently(`${edge.url}/v1/quote?${query}`, { headers: { 'x-api-key': edge.key(1000) } });
      const answer = (await response.json()) as Answer;
      if (response.status === 200) return answer;
      expect(answer.error).to.include('could not be measured at block');
      expect(performance.now() - startedAt, 'refused with time left').to.be.at.least(LIMITS.measuring.probe.timeoutMs);
    }
  }

  it('each request is served, by a verdict that is no older than the chain’s bound says', async () => {
    const { market } = taxed;
    const ages: number[] = [];
    for (let round = 0; round < 10; round++) {
      for (const { name, address } of market.tokens.filter(({ name: its }) => TAXES.some((ppm) => `${ppm}` === its))) {
        const { warnings, blockNumber } = await quote(address);
        const [, measured, block] = /measured at (\d+) bps.* block (\d+)/.exec(warnings?.[0]?.detail ?? '') ?? [];
        expect(Number(measured), warnings?.[0]?.detail).to.equal(Number(name) / 100);
        ages.push(blockNumber - Number(block));
        await new Promise((resolve) => setTimeout(resolve, BLOCK_MS));
      }
    }
    for (const age of ages) expect(age).to.be.within(-1, VERDICT_BLOCKS);
  });
});
