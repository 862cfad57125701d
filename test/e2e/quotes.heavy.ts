import { expect } from 'chai';
import { useBraid } from '../support/braid.ts';
import { checkRandomQuotes } from './quote-check.ts';
import { expectAllVenues } from './route-facts.ts';

describe('500 random quotes on the devnet, replayed on the chain', function suite() {
  this.timeout(600_000);
  const still = useBraid();

  it('equal to the wei while the bots rest', async () => {
    const tally = await checkRandomQuotes(still.current(), 450, 'still');
    process.stdout.write(`      ${JSON.stringify(tally)}\n`);
    expect(tally.answered, JSON.stringify(tally)).to.be.at.least(410);
    expect(tally.split).to.be.at.least(10);
    expect(tally.early).to.equal(0);
    expectAllVenues(tally, still.current().devnet?.deployments ?? []);
  });

  it('equal to the wei at each answer’s own block while the bots trade', async () => {
    const braid = still.current();
    await braid.devnet?.setBots(true);
    const tally = await checkRandomQuotes(braid, 110, 'moving');
    process.stdout.write(`      ${JSON.stringify(tally)}\n`);
    expect(tally.answered, JSON.stringify(tally)).to.be.at.least(90);
    // One in some two thousand calls: hops of one quote come of one.
    expect(tally.early, JSON.stringify(tally)).to.be.at.most(4);
  });
});
