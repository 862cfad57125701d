import { expect } from 'chai';
import { toSolveJob } from '../../src/quoting/quoting.ts';
import type { SolveJob } from '../../src/routing/routing.ts';
import type { InstantMs } from '../../src/units/units.ts';
import { accepted, type Changes, RECIPIENT, USDC, WETH } from '../validation/queries.ts';
import { feeFor } from './fixtures.ts';

const ARRIVAL = 1_000_000.25 as InstantMs;
const MAX_WEI = 2n ** 256n - 1n;

function jobOf(changes: Changes): SolveJob {
  const request = accepted(changes);
  const result = toSolveJob(request, feeFor(request), 1, ARRIVAL);
  if (!result.ok) throw new Error(result.reason);
  return result.job;
}

describe('toSolveJob', () => {
  it('asks for the input of a sell whole: the fee is taken from the output', () => {
    expect(jobOf({ sellAmount: '007', feeBps: '1500', feeRecipient: RECIPIENT })).to.deep.equal({
      chainId: 1,
      mode: 'sell',
      sellToken: WETH.toLowerCase(),
      buyToken: USDC.toLowerCase(),
      amount: 7n,
      maxHops: null,
      gasPriceWei: null,
      filter: { include: null, exclude: [], excludeRfq: false, excludeRwa: false },
      deadline: ARRIVAL + 5000,
    });
  });

  it('grosses up the target of a buy by the fee', () => {
    expect(jobOf({ mode: 'buy', buyAmount: '9990' }).amount).to.equal(9_999n);
    expect(jobOf({ mode: 'buy', buyAmount: '8500', feeBps: '1500', feeRecipient: RECIPIENT }).amount).to.equal(9_999n);
    expect(jobOf({ mode: 'buy', buyAmount: '1' }).amount).to.equal(1n);
  });

  it('a buy whose gross target no amount can hold is unreachable; without a fee it is not', () => {
    const request = accepted({ mode: 'buy', buyAmount: `${MAX_WEI}` });
    expect(toSolveJob(request, feeFor(request), 1, ARRIVAL)).to.deep.equal({ ok: false, reason: 'unreachable' });
    expect(toSolveJob(request, null, 1, ARRIVAL)).to.have.nested.property('job.amount', MAX_WEI);
  });

  it('the budget counts from arrival', () => expect(jobOf({ timeLimitMs: '50' }).deadline).to.equal(ARRIVAL + 50));

  it('below 300 ms leaves out every venue priced off-chain, at 300 none', () => {
    expect(jobOf({ timeLimitMs: '299' }).filter).to.deep.include({ excludeRfq: true, excludeRwa: true });
    expect(jobOf({ timeLimitMs: '300' }).filter).to.deep.include({ excludeRfq: false, excludeRwa: false });
    expect(jobOf({ excludeRfq: '1' }).filter).to.deep.include({ excludeRfq: true, excludeRwa: false });
    expect(jobOf({ excludeRwa: '1' }).filter).to.deep.include({ excludeRfq: false, excludeRwa: true });
  });

  it('passes on hops, gas price and labels', () => {
    expect(jobOf({ maxHops: '9', gasPriceGwei: '2', includeVenues: 'A,b' })).to.deep.include({
      maxHops: 7,
      gasPriceWei: 2_000_000_000n,
      filter: { include: ['a', 'b'], exclude: [], excludeRfq: false, excludeRwa: false },
    });
    expect(jobOf({ excludeVenues: 'A' }).filter).to.deep.include({ include: null, exclude: ['a'] });
  });
});
