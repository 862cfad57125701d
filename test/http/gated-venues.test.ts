import { expect } from 'chai';
import { issueKey } from '../../src/metering/metering.ts';
import { expectPlainRefusal, expectQuote } from './support/checks.ts';
import { type Edge, startEdge } from './support/edge.ts';
import { DAI, type RealSolving, realSolving, USDC } from './support/real-solving.ts';

// DAI and USDC meet in a pool of sushiswap_v2; the way around it goes over WETH.
const QUOTE = `/v1/quote?chainId=1&mode=sell&sellToken=${DAI}&buyToken=${USDC}&sellAmount=100000000000000000000000`;

describe('gated venues: access that a key supplies (Authentication 4)', () => {
  const approved = issueKey({ rps: 1000, partnerId: 'approved', gatedVenues: ['SushiSwap_v2'] }, new Date());
  const other = issueKey({ rps: 1000, partnerId: 'other', gatedVenues: ['uniswap_v2', 'sushiswap_v2:variant'] }, new Date());
  let real: RealSolving;
  let edge: Edge;

  before(async () => {
    real = await realSolving();
    edge = await startEdge({
      chains: [{ ...real.hosted, gatedVenues: ['sushiswap_v2'] }],
      solve: (job, caller) => real.solving.solve(job, caller),
      keys: [approved.entry, other.entry],
      budgetsStandStill: false,
    });
  });
  after(async () => {
    await edge.close();
    await real.solving.close();
  });

  const ask = (key: string | null, query = '') => fetch(`${edge.url}${QUOTE}${query}`, key === null ? {} : { headers: { 'x-api-key': key } });
  const sources = async (response: Response) => [...new Set((await expectQuote(response)).route.map(({ source }) => source))];

  it('a key that names the venue routes through it, and gets more for it', async () => {
    const response = await ask(approved.key);
    expect(await sources(response.clone())).to.include('sushiswap_v2');
    const without = await expectQuote(await ask(other.key));
    expect(BigInt((await expectQuote(response)).buyAmount) > BigInt(without.buyAmount)).to.equal(true);
  });

  it('without the approval it is never routed through: no key, a key for other venues, a key that nobody has', async () => {
    for (const key of [null, other.key, `${approved.key.slice(0, -1)}!`]) {
      expect(await sources(await ask(key)), String(key)).to.deep.equal(['uniswap_v2']);
    }
  });

  it('nor when includeVenues names it: that leaves nothing, and is the usual 404', async () => {
    await expectPlainRefusal(await ask(other.key, '&includeVenues=sushiswap_v2'), 404);
    expect(await sources(await ask(other.key, '&includeVenues=sushiswap_v2,uniswap_v2'))).to.deep.equal(['uniswap_v2']);
    expect(await sources(await ask(approved.key, '&includeVenues=sushiswap_v2'))).to.deep.equal(['sushiswap_v2']);
  });

  it('the caller may exclude what its key opens', async () => {
    expect(await sources(await ask(approved.key, '&excludeVenues=sushiswap_v2'))).to.deep.equal(['uniswap_v2']);
  });

  it('the key reaches the solver as labels alone', () => {
    const [job] = edge.jobs;
    expect(job?.filter.gates).to.deep.equal({ gated: ['sushiswap_v2'], opened: ['sushiswap_v2'] });
    expect(JSON.stringify(job, (_name, value) => (typeof value === 'bigint' ? String(value) : value))).not.to.include(approved.entry.id);
  });
});
