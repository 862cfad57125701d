import { BUY, type FlowNetwork, hopsOf, nodeOrder } from './network.ts';

/** What may join a network without closing a cycle or making a chain of hops too long. By node; −1 where no edge is. */
export class Reach {
  /** The nodes with edges, so that every edge leads onwards. */
  readonly order: readonly number[];
  /** Longest chain of hops from sell, and the level that a node may have at most. */
  readonly depth: Int16Array;
  readonly latest: Int16Array;
  /** In rows of as many bytes as there are nodes: 1 for each node that leads to the row's. */
  readonly #ancestors: Uint8Array;

  constructor({ nodes, edges, problem }: FlowNetwork) {
    const order = nodeOrder(nodes, edges);
    if (order === null) throw new TypeError('the active network has a cycle');
    this.order = order.order;
    this.depth = order.depth;
    const count = nodes.length;
    this.latest = new Int16Array(count).fill(-1);
    for (let at = this.order.length - 1; at >= 0; at--) {
      const node = this.order[at] as number;
      let latest = node === BUY ? problem.maxHops : problem.maxHops - 1;
      for (const edge of order.leaving[node] ?? []) {
        if (edge.carrier.kind !== 'artificial') latest = Math.min(latest, (this.latest[edge.to] as number) - hopsOf(edge));
      }
      this.latest[node] = latest;
    }
    this.#ancestors = new Uint8Array(count * count);
    for (const node of this.order) {
      for (const { to } of order.leaving[node] ?? []) {
        if (this.leadsTo(node, to)) continue;
        for (let other = 0; other < count; other++) if (this.leadsTo(other, node)) this.#ancestors[to * count + other] = 1;
        this.#ancestors[to * count + node] = 1;
      }
    }
  }

  /** Whether edges lead from one node to another. */
  leadsTo(from: number, to: number): boolean {
    return this.#ancestors[to * this.depth.length + from] === 1;
  }

  /** Whether a chain of so many hops may join two nodes. */
  fits(from: number, to: number, hops: number): boolean {
    return (this.depth[from] as number) + hops <= (this.latest[to] as number) && !this.leadsTo(to, from);
  }
}
