import { expect } from 'chai';
import type { BudgetOwner, BudgetState, BudgetStore } from '../../src/metering/metering.ts';
import { type Edge, type EdgeOptions, endsWith, startEdge } from './support/edge.ts';

const QUOTE =
  '/v1/quote?chainId=1&mode=sell&sellToken=0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2&buyToken=0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48&sellAmount=1';

/** A store as another machine would keep it: it knows whole tokens, does not refill, and each answer travels for a while, later ones at times faster. */
function distantStore(): BudgetStore & { readonly calls: string[] } {
  const spent = new Map<string, number>();
  const calls: string[] = [];
  const burst = ({ rps }: BudgetOwner) => Math.floor(Math.min(rps * 1.5, rps + 20));
  const travel = () => new Promise((resolve) => setTimeout(resolve, 5 + ((calls.length * 7) % 30)));
  const state = (owner: BudgetOwner): BudgetState => ({ limit: owner.rps, remaining: Math.max(0, burst(owner) - (spent.get(owner.id) ?? 0)) });
  return {
    calls,
    async take(owner) {
      calls.push('take');
      await travel();
      const { limit, remaining } = state(owner);
      if (remaining < 1) return { limit, remaining, allowed: false, retryAfterSeconds: 2 };
      spent.set(owner.id, (spent.get(owner.id) ?? 0) + 1);
      return { limit, remaining: remaining - 1, allowed: true };
    },
    async refund(owner) {
      calls.push('refund');
      await travel();
      spent.set(owner.id, (spent.get(owner.id) ?? 1) - 1);
      return state(owner);
    },
    async peek(owner) {
      calls.push('peek');
      await travel();
      return state(owner);
    },
  };
}

describe('budgets in a store that answers from elsewhere', () => {
  let edge: Edge;
  let store: ReturnType<typeof distantStore>;
  afterEach(() => edge.close());

  async function start(options: EdgeOptions = {}): Promise<void> {
    store = distantStore();
    edge = await startEdge({ ...options, budgets: store });
  }
  const remaining = (response: Response) => Number(response.headers.get('x-ratelimit-remaining'));

  it('of many requests at the same time exactly the burst is served, and every answer has the headers of its own take', async () => {
    await start();
    const headers = { 'x-api-key': edge.key(10) };
    const responses = await Promise.all(Array.from({ length: 40 }, () => fetch(`${edge.url}/v1/eth/sources`, { headers })));
    const served = responses.filter(({ status }) => status === 200);
    expect(served).to.have.length(15);
    expect(served.map(remaining).sort((a, b) => a - b)).to.deep.equal(Array.from({ length: 15 }, (_, left) => left));
    for (const refused of responses.filter(({ status }) => status !== 200)) {
      expect([refused.status, remaining(refused), refused.headers.get('retry-after')]).to.deep.equal([429, 0, '2']);
      expect(await refused.json()).to.include({ code: 'rate_limited', retryAfterSeconds: 2 });
    }
  });

  it('a shed request waits for its refund: the header shows the token back (R2)', async () => {
    await start({ solve: endsWith('expired') });
    const response = await fetch(`${edge.url}${QUOTE}`, { headers: { 'x-api-key': edge.key(10) } });
    expect([response.status, remaining(response)]).to.deep.equal([503, 15]);
    expect(store.calls).to.deep.equal(['take', 'refund']);
  });

  it('what costs nothing only looks: /healthz, OPTIONS and 405', async () => {
    await start();
    for (const [path, method] of [
      ['/healthz', 'GET'],
      ['/v1/quote', 'OPTIONS'],
      ['/v1/quote', 'POST'],
    ] as const) {
      const response = await fetch(`${edge.url}${path}`, { method });
      expect(remaining(response), `${method} ${path}`).to.equal(4);
    }
    expect(store.calls).to.deep.equal(['peek', 'peek', 'peek']);
  });
});
