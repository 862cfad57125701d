import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { compareTwoCoinAnswers, type Seen } from '../chain/curve/compare-two-coin-answers.ts';
import { answersIn } from '../chain/curve/two-coin-answers.ts';

const FIXTURE = new URL('../fixtures/two-coin-exchanges.json.gz', import.meta.url);

describe('an exchange on a crypto pool of two coins', () => {
  it("gives what Curve's own contract gave, and leaves what it left, ramps, claims and reverts included", () => {
    const recorded = answersIn(gunzipSync(readFileSync(FIXTURE)).toString());
    const seen: Seen = { filled: 0, refused: 0, repriced: 0, claimed: 0 };
    for (const answers of recorded) compareTwoCoinAnswers(answers, seen);
    // The file is what it says it is: exchanges of every kind are in it.
    const exchanges = recorded.reduce((total, one) => total + one.exchanges.length, 0);
    expect(seen.filled + seen.refused).to.equal(exchanges);
    for (const count of Object.values(seen)) expect(count).to.be.greaterThan(exchanges / 25);
  });
});
