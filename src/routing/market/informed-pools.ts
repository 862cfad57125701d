import type { PoolView } from '../../snapshot/snapshot.ts';
import type { PoolQuote } from '../plan.ts';
import type { ExactPool, PoolModels } from './pool-models.ts';

/** Pools as exact mathematics sees them, with what their contracts said at this very block beside what was read. For one request: a pool is the same object each time. */
export function informedPools(models: PoolModels, said: readonly PoolQuote[] | undefined, blockHash: string): (pool: PoolView) => ExactPool | null {
  const quotes = said?.filter((quote) => quote.blockHash === blockHash) ?? [];
  if (quotes.length === 0) return (pool) => models.exact(pool);
  const informed = new Map<PoolView, ExactPool>();
  return (pool) => {
    const known = informed.get(pool);
    if (known !== undefined) return known;
    const exact = models.exact(pool);
    const own = quotes.filter(({ poolKey }) => poolKey === pool.key);
    if (exact?.price.informed === undefined || own.length === 0) return exact;
    const better = { ...exact, state: exact.price.informed(exact.state, own) };
    informed.set(pool, better);
    return better;
  };
}
