import type { PoolView } from '../../snapshot/snapshot.ts';
import type { EdgeModel, PoolModels } from '../market/pool-models.ts';
import type { FlowEdge, FlowNetwork } from './network.ts';

/**
 * Which pool of an inventory pays a token out of it. Each pool's curve and exact state promise the whole inventory, so two pools that pay the same token out of one would promise it twice; within a route only one may. Paths
 * keep to that by themselves, since they come by each token once; here it is kept for networks.
 */
export class InventoryClaims {
  readonly #models: PoolModels;
  readonly #claims = new Map<string, PoolView>();

  constructor({ problem, edges }: FlowNetwork) {
    this.#models = problem.market.models;
    for (const edge of edges) this.add(edge);
  }

  allow({ pool, slotOut }: Pick<EdgeModel, 'pool' | 'slotOut'>): boolean {
    const claim = this.#claimOf(pool, slotOut);
    return claim === null || (this.#claims.get(claim) ?? pool) === pool;
  }

  /** Whether all of these may join, each beside the others. */
  allowAll(edges: readonly FlowEdge[]): boolean {
    const fresh = new Map<string, PoolView>();
    return edges.every((edge) => {
      const paid = paidBy(edge);
      const claim = paid === null ? null : this.#claimOf(paid.pool, paid.slotOut);
      if (paid === null || claim === null) return true;
      if (!this.allow(paid) || (fresh.get(claim) ?? paid.pool) !== paid.pool) return false;
      fresh.set(claim, paid.pool);
      return true;
    });
  }

  add(edge: FlowEdge): void {
    const paid = paidBy(edge);
    const claim = paid === null ? null : this.#claimOf(paid.pool, paid.slotOut);
    if (paid !== null && claim !== null) this.#claims.set(claim, paid.pool);
  }

  #claimOf(pool: PoolView, slotOut: number): string | null {
    const { inventory, inventoryServesOnce = false } = this.#models.traits(pool);
    if (inventory === undefined) return null;
    return inventoryServesOnce ? inventory : `${pool.tokens[slotOut]} ${inventory}`;
  }
}

/** The pool that pays at the end of an edge, and which of its tokens. */
function paidBy({ carrier }: FlowEdge): { readonly pool: PoolView; readonly slotOut: number } | null {
  if (carrier.kind === 'pair') return carrier.edge;
  return carrier.kind === 'withdrawal' ? { pool: carrier.arc.pool, slotOut: carrier.arc.slot } : null;
}
