import { expect } from 'chai';
import { expectPlainRefusal } from './support/checks.ts';
import { type Edge, startEdge } from './support/edge.ts';
import { DAI, type RealSolving, realSolving, USDC } from './support/real-solving.ts';

describe('an encoder that throws', () => {
  let real: RealSolving;
  let edge: Edge;
  before(async () => {
    real = await realSolving();
    const { solving } = real;
    edge = await startEdge({
      chains: [real.hosted],
      solve: (job, caller) => solving.solve(job, caller),
      certify: (job, caller) => solving.certify(job, caller),
      legs: {
        toLegs() {
          throw new Error('a leg that nobody can encode, at 0x00000000000000000000000000000000cafe0001');
        },
      },
    });
  });
  after(async () => {
    await edge.close();
    await real.solving.close();
  });

  const ask = (path: 'quote' | 'swap') => {
    const query = new URLSearchParams({ chainId: '1', mode: 'sell', sellToken: USDC, buyToken: DAI, sellAmount: '1000000', taker: DAI });
    return fetch(`${edge.url}/v1/${path}?${query}`, { headers: { 'x-api-key': edge.key(1000) } });
  };
  const counted = async (line: string) =>
    (await edge.metrics.registry.metrics())
      .split('\n')
      .find((text) => text.startsWith(line))
      ?.slice(line.length) ?? ' 0';

  it('answers 500 with `error` only, counted and logged, and nothing else is affected', async () => {
    for (let i = 1; i <= 3; i++) {
      const quoted = ask('quote');
      const refused = await ask('swap');
      const text = await refused.clone().text();
      await expectPlainRefusal(refused, 500);
      expect(text).not.to.include('leg').and.not.to.include('cafe');
      expect((await quoted).status).to.equal(200);
      expect(await counted('braid_quote_outcomes_total{endpoint="swap",chain="ethereum",outcome="internal"}')).to.equal(` ${i}`);
      expect(await counted('braid_http_requests_total{route="swap",chain="ethereum",status="500"}')).to.equal(` ${i}`);
    }
    expect(edge.inflight.clients, 'no place is kept').to.equal(0);
    expect(edge.lines.filter((line) => line.includes('internal failure'))).to.have.length(3);
  });
});
