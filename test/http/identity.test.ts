import { expect } from 'chai';
import { expectQuote } from './support/checks.ts';
import { type Edge, type EdgeOptions, FEE_COLLECTOR, ROUTER, startEdge } from './support/edge.ts';
import { type RealSolving, realSolving, USDC, WETH } from './support/real-solving.ts';

const QUOTE = `/v1/quote?chainId=1&mode=sell&sellToken=${WETH}&buyToken=${USDC}&sellAmount=1000000000000000000`;
/** Of each of five kinds, twice. */
const VALUES = process.env.BRAID_SCALE === 'full' ? 10_000 : 40;

describe('identity: who is calling, and on what terms', () => {
  let real: RealSolving;
  let edge: Edge;

  before(async () => {
    real = await realSolving();
  });
  after(() => real.solving.close());
  afterEach(() => edge.close());

  async function start(options: EdgeOptions = {}): Promise<void> {
    edge = await startEdge({ chains: [real.hosted], solve: (job, caller) => real.solving.solve(job, caller), ...options });
  }
  const ask = (headers: Record<string, string> = {}, path = QUOTE) => fetch(`${edge.url}${path}`, { headers });
  const limits = (response: Response) => [Number(response.headers.get('x-ratelimit-limit')), Number(response.headers.get('x-ratelimit-remaining'))];

  it('R13 the anonymous fee goes to the fee collector of the chain, all of it', async () => {
    await start();
    const { fee } = await expectQuote(await ask());
    expect(fee?.partner.toLowerCase()).to.equal(FEE_COLLECTOR);
  });

  it('E6 what is nearly a key is none: cut, longer, other case, joined, with a space, with another middle', async () => {
    await start({ budgetsStandStill: true });
    const good = edge.key(1000);
    const near = [
      good.slice(0, -1),
      `${good}x`,
      good.toUpperCase(),
      `${good}, ${good}`,
      `${good.slice(0, 12)} ${good.slice(12)}`,
      `${good.slice(0, 20)}${'0'.repeat(32)}${good.slice(-7)}`,
    ];
    for (const key of near) expect(limits(await ask({ 'x-api-key': key }, '/v1/eth/sources'))[0], key).to.equal(3);
    expect(edge.budgets.size, 'one bucket').to.equal(1);
  });

  it('a key sent twice is two keys in one text, which nobody has', async () => {
    await start();
    const headers = new Headers();
    headers.append('x-api-key', edge.key(1000));
    headers.append('x-api-key', edge.key(1000));
    expect(limits(await fetch(`${edge.url}${QUOTE}`, { headers }))[0]).to.equal(3);
  });

  it('E1 rotating X-Forwarded-For through 1,000 values with proxy trust off: still one 3 rps bucket', async () => {
    await start();
    const statuses: number[] = [];
    const startedAt = performance.now();
    for (let i = 0; i < 1000; i++) statuses.push((await ask({ 'x-forwarded-for': `10.1.${i >> 8}.${i & 255}` })).status);
    const seconds = (performance.now() - startedAt) / 1000;
    expect(statuses.filter((status) => status === 200).length).to.be.at.most(Math.floor(4.5 + 3 * seconds));
    expect(edge.budgets.size).to.equal(1);
  });

  it('E2 trust proxy = N hops: the right-most untrusted hop is the client, whatever the caller prepends', async () => {
    await start({ budgetsStandStill: true, trustProxy: 1 });
    const remaining: (number | undefined)[] = [];
    for (let i = 0; i < 4; i++) remaining.push(limits(await ask({ 'x-forwarded-for': `6.6.6.${i}, 203.0.113.9` }))[1]);
    expect(remaining).to.deep.equal([3, 2, 1, 0]);
    expect(limits(await ask({ 'x-forwarded-for': '203.0.113.9, 203.0.113.10' }))[1]).to.equal(3);
  });

  it('behind a trusted network, IPv6 clients are metered by /64', async () => {
    await start({ budgetsStandStill: true, trustProxy: ['127.0.0.0/8'] });
    expect(limits(await ask({ 'x-forwarded-for': '2001:db8:1:2::1' }))[1]).to.equal(3);
    expect(limits(await ask({ 'x-forwarded-for': '2001:db8:1:2:ffff::9' }))[1]).to.equal(2);
    expect(limits(await ask({ 'x-forwarded-for': '2001:db8:1:3::1' }))[1]).to.equal(3);
  });

  it("B1: /healthz carries the rate headers of the IP's bucket, ignores the key, costs nothing and never answers 429", async () => {
    await start({ budgetsStandStill: true });
    for (let i = 0; i < 8; i++) await ask();
    for (let i = 0; i < 50; i++) {
      const response = await ask({ 'x-api-key': edge.key(1000) }, '/healthz');
      expect(response.status).to.equal(200);
      expect(limits(response)).to.deep.equal([3, 0]);
    }
  });

  it('a key is in no log line, no metric and no error; neither are addresses of callers (faults E9)', async () => {
    await start();
    const key = edge.key(1000);
    const user = '0x1111111111111111111111111111111111111111';
    await ask({ 'x-api-key': key, 'x-request-id': 'canary' }, `${QUOTE}&taker=${user}`);
    await ask({ 'x-api-key': key }, `${QUOTE.replace('quote', 'swap')}&taker=${ROUTER}&userAddress=${user}`);
    await ask({ 'x-api-key': key }, `/v1/quote?x=${key}&chainId=${key}`);
    await ask({ 'x-api-key': key }, `/${key}?taker=${user}`);
    const metrics = await edge.metrics.registry.metrics();
    const everything = [...edge.lines, metrics].join('\n');
    // The id alone is no secret: it says in the log whose request it was.
    const id = key.slice(11, 19);
    expect(everything).to.include('canary');
    for (const secret of [key, key.slice(11, 20), key.slice(20, 52), user, '127.0.0.1']) expect(everything).not.to.include(secret);
    expect(metrics).not.to.include(id);
    expect(edge.lines.map((line) => JSON.parse(line).keyId)).to.deep.equal([id, id, id, id]);
  });

  it('metric series are constant, whatever callers send (faults L7)', async function () {
    this.timeout(2_400_000);
    await start();
    const series = async () => (await edge.metrics.registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#')).length;
    const sweep = async (salt: string) => {
      const key = { 'x-api-key': edge.key(100_000) };
      for (let i = 0; i < VALUES; i++) {
        await ask(key, `/path-${salt}-${i}`);
        await ask(key, `/v1/chain-${salt}-${i}/sources`);
        await ask(key, `${QUOTE}&excludeVenues=venue-${salt}-${i}`);
        await ask(key, QUOTE.replace(USDC, `0x${salt}${String(i).padStart(40 - salt.length, '0')}`));
        await ask({ 'x-api-key': `${salt}${i}` }, '/healthz');
      }
    };
    await sweep('aa');
    const before = await series();
    await sweep('bb');
    expect(await series()).to.equal(before);
  });
});
