import { expect } from 'chai';
import { createClient } from './conformance/support/client.ts';
import { type Edge, startEdge } from './support/edge.ts';

describe('the client of the conformance suite', () => {
  let edge: Edge;
  beforeEach(async () => {
    edge = await startEdge();
  });
  afterEach(() => edge.close());

  const statuses = () => edge.lines.map((line) => (JSON.parse(line) as { status?: number }).status).filter((status) => status !== undefined);

  it('without a key it keeps to the anonymous rate by the rate headers: no request is refused, however many are asked at once', async () => {
    const client = createClient(edge.url, null);
    const startedAt = performance.now();
    const answers = await Promise.all(Array.from({ length: 10 }, () => client.ask('/v1/eth/sources')));
    expect(answers.map(({ status }) => status)).to.deep.equal(Array(10).fill(200));
    expect(statuses()).to.deep.equal(Array(10).fill(200));
    // 4.5 tokens and three a second: ten take at least (10 − 4.5) / 3 seconds, and waiting for whole tokens little more.
    expect((performance.now() - startedAt) / 1000).to.be.within(1.7, 60);
  });

  it('waits as Retry-After says where somebody else has taken the tokens', async () => {
    const [client, other] = [createClient(edge.url, null), createClient(edge.url, null)];
    await client.ask('/v1/eth/sources');
    await Promise.all(Array.from({ length: 40 }, () => other.askNow('/v1/eth/sources')));
    expect((await client.ask('/v1/eth/sources')).status).to.equal(200);
    expect(statuses()).to.include(429);
  });

  it('a registered key has a pace of its own', async () => {
    const client = createClient(edge.url, edge.key(1000));
    await client.ask('/v1/eth/sources', { key: null });
    const startedAt = performance.now();
    for (let i = 0; i < 50; i++) expect((await client.ask('/v1/eth/sources')).status).to.equal(200);
    // At the anonymous rate it would take a quarter of a minute.
    expect(performance.now() - startedAt).to.be.below(12_000);
  });
});
