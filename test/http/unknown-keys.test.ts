import { Agent, get } from 'node:http';
import { expect } from 'chai';
import { formatApiKey } from '../../src/metering/metering.ts';
import { type Edge, startEdge } from './support/edge.ts';

const KEYS = process.env.BRAID_SCALE === 'full' ? 100_000 : 1500;

describe('unknown keys', function suite() {
  this.timeout(process.env.BRAID_SCALE === 'full' ? 300_000 : 300_000);
  let edge: Edge;
  before(async () => {
    edge = await startEdge();
  });
  after(() => edge.close());

  it(`Rotating key values does not widen a budget: ${KEYS} well-formed keys that nobody has share one bucket of 3 rps (faults E5)`, async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 8 });
    const ask = (key: string) =>
      new Promise<number>((resolve, reject) => {
        const request = get(`${edge.url}/v1/eth/sources`, { agent, headers: { 'x-api-key': key } }, (response) => {
          response.resume();
          response.once('end', () => resolve(response.statusCode === 429 && response.headers['x-ratelimit-limit'] === '3' ? 429 : (response.statusCode ?? 0)));
        });
        request.once('error', reject);
      });
    const keyOf = (n: number) => formatApiKey({ id: String(n).padStart(8, '0'), secret: String(n).padStart(32, 'x') });
    const startedAt = performance.now();
    const statuses = new Map<number, number>();
    let next = 0;
    const caller = async () => {
      while (next < KEYS) {
        const status = await ask(keyOf(next++));
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: 8 }, caller));
    const seconds = (performance.now() - startedAt) / 1000;
    agent.destroy();
    expect([...statuses.keys()].sort()).to.deep.equal([200, 429]);
    expect(statuses.get(200)).to.be.at.most(Math.floor(4.5 + 3 * seconds));
    expect(edge.budgets.size).to.equal(1);
    process.stdout.write(`      ${KEYS} keys in ${seconds.toFixed(1)} s, ${statuses.get(200)} served\n`);
  });
});
