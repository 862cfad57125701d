import type { Market } from './market.ts';
import type { WholePool } from './pool-trade.ts';

export type EdgeFlow = { readonly edge: number; readonly input: number; readonly output: number };

type Spreading = { readonly pool: WholePool; readonly edges: readonly number[]; readonly prices: Float64Array };

/**
 * What a pool of several tokens gives and takes, as a flow on each of its pairs: how a route would enter it. Worth is matched to worth, tokens with one partner left first, so that the pairs
 * that are allowed suffice wherever they can. Amounts of a pair add up to the pool's own, by token; the gain is spread in proportion.
 */
export function spread(market: Market, { pool, edges, prices }: Spreading, net: Float64Array): readonly EdgeFlow[] {
  const taken = net.map((amount) => Math.max(0, -amount));
  const given = net.map((amount) => Math.max(0, amount));
  const worthOf = (amounts: Float64Array): number => amounts.reduce((sum, amount, position) => sum + amount * (prices[position] as number), 0);
  // What goes out is worth more than what comes in, by the gain.
  const gained = worthOf(given) / worthOf(taken);
  const left = net.map((amount, position) => Math.abs(amount) * (prices[position] as number) * (amount < 0 ? gained : 1));
  let open = edges.flatMap((edge) => {
    const [from, to] = [pool.tokens.indexOf(market.from[edge] as number), pool.tokens.indexOf(market.to[edge] as number)];
    return (taken[from] as number) > 0 && (given[to] as number) > 0 ? [{ edge, from, to }] : [];
  });
  const flows: EdgeFlow[] = [];
  while (open.length > 0) {
    const partners = (position: number): number => open.filter(({ from, to }) => from === position || to === position).length;
    const next = open.find(({ from, to }) => partners(from) === 1 || partners(to) === 1) ?? (open[0] as (typeof open)[number]);
    const worth = Math.min(left[next.from] as number, left[next.to] as number);
    left[next.from] = (left[next.from] as number) - worth;
    left[next.to] = (left[next.to] as number) - worth;
    if (worth > 0) flows.push({ edge: next.edge, input: worth / gained / (prices[next.from] as number), output: worth / (prices[next.to] as number) });
    open = open.filter((pair) => pair !== next && (left[pair.from] as number) > 0 && (left[pair.to] as number) > 0);
  }
  return flows;
}
