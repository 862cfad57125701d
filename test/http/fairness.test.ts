import { expect } from 'chai';
import { BEHAVIOUR } from '../solving/workers/misbehaving.ts';
import { FULL_SCALE } from '../support/seeded-random.ts';
import type { Edge } from './support/edge.ts';
import { type MisbehavingThreads, startMisbehavingThreads } from './support/misbehaving-threads.ts';

const HEAVY_MS = 300;
const CHEAP_MS = 2;
const SECONDS = FULL_SCALE ? 10 : 2;

/** A trade that occupies a thread for so long and then has no route. */
const trade = (jobMs: number, timeLimitMs: number) =>
  `/v1/quote?chainId=1&mode=sell&sellToken=0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2&buyToken=0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48&sellAmount=${jobMs}&maxHops=${BEHAVIOUR.answer}&timeLimitMs=${timeLimitMs}`;

describe('heavy and cheap requests at three times the capacity of two threads', () => {
  let running: MisbehavingThreads;
  let edge: Edge;

  beforeEach(async () => {
    running = await startMisbehavingThreads(2);
    ({ edge } = running);
  });
  afterEach(() => running.close());

  /** Asks at a rate. Resolves with the statuses of all answers. */
  async function openLoop(perSecond: number, rps: number, path: string): Promise<readonly number[]> {
    const asked: Promise<number>[] = [];
    const startedAt = performance.now();
    for (let elapsed = 0; elapsed < SECONDS; elapsed = (performance.now() - startedAt) / 1000) {
      while (asked.length < elapsed * perSecond) {
        const answer = fetch(`${edge.url}${path}`, { headers: { 'x-api-key': edge.key(rps) } });
        asked.push(answer.then(async (response) => response.text().then(() => response.status)));
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return Promise.all(asked);
  }

  const served = (statuses: readonly number[]) => statuses.filter((status) => status === 404).length;

  for (const [whose, cheapKey] of [
    ['of two clients', 50],
    ['of one and the same client', 1000],
  ] as const) {
    it(`${whose}: the cheap ones are served, and the heavy ones go on`, async () => {
      const [heavy, cheap] = await Promise.all([
        openLoop((3 * 2 * 1000) / HEAVY_MS, 1000, trade(HEAVY_MS, 5000)),
        openLoop(10, cheapKey, trade(CHEAP_MS, 5000)),
      ]);
      expect(cheap.length).to.be.within(SECONDS, SECONDS * 11);
      // They ask for a hundredth of what there is, so their fair share is all of it.
      expect(served(cheap)).to.be.at.least(cheap.length / 2);
      expect(served(heavy)).to.be.at.least((0.5 * SECONDS * 1000) / HEAVY_MS);
      expect(heavy.filter((status) => status === 503).length, 'heavy ones are shed').to.be.at.least(heavy.length / 2);
    });
  }

  it('heavy requests of two clients get the same number of answers, though one sends ten times as many', async () => {
    const [many, few] = await Promise.all([openLoop(30, 1000, trade(100, 5000)), openLoop(8, 50, trade(100, 5000))]);
    // By how much they send it would be a quarter.
    expect(served(few) / served(many)).to.be.within(0.4, 2.5);
  });
});
