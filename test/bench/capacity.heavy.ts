import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { findCapacity } from '../../bench/load/capacity.ts';

const PER_SECOND = 60;
/** Arrivals of an open model come in clusters. */
const BURST = 40;
const TRADES = [{ chainId: '1' }];

describe('the search for a capacity', function suite() {
  this.timeout(300_000);
  let server: Server;

  /** Answers so many a second by the clock, and sheds what is more: what it can do is known, whatever else the machine does. */
  before(async () => {
    let [tokens, at] = [BURST, performance.now()];
    server = createServer((_, response) => {
      const now = performance.now();
      tokens = Math.min(BURST, tokens + ((now - at) * PER_SECOND) / 1000);
      at = now;
      if (tokens < 1) response.writeHead(503, { 'retry-after': '1' }).end();
      else {
        tokens--;
        response.end();
      }
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  after(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });

  it('finds what a service can do', async () => {
    const { port } = server.address() as AddressInfo;
    const steps: (readonly [number, boolean])[] = [];
    const capacity = await findCapacity({
      target: { baseUrl: `http://127.0.0.1:${port}`, keys: [null] },
      trades: TRADES,
      clients: [{ name: 'one', share: 1, budgetsMs: [5000], maxHops: null }],
      // Long beside what a burst holds.
      secondsPerStep: 3,
      seed: 1,
      onStep: (perSecond, holds) => steps.push([perSecond, holds]),
    });
    expect(capacity, JSON.stringify(steps)).to.be.within(0.75 * PER_SECOND, 1.5 * PER_SECOND);
    // The highest that held, and nothing that held lies above what did not.
    const held = steps
      .slice(1)
      .filter(([, holds]) => holds)
      .map(([perSecond]) => perSecond);
    expect(Math.max(...held)).to.equal(capacity);
    expect(steps.some(([perSecond, holds]) => !holds && perSecond <= 1.2 * capacity)).to.equal(true);
  });
});
