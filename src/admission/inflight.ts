/** Counts the trade requests in flight of each client (decisions B12), of so many clients at most: a client that left keeps its place until its solve has ended, so that connections alone do not bound them. */
export class InflightCounter {
  readonly mostClients: number;
  readonly #counts = new Map<string, number>();

  constructor(mostClients: number) {
    this.mostClients = mostClients;
  }

  /** Clients with a request in flight. */
  get clients(): number {
    return this.#counts.size;
  }

  /** Takes a place if the client has fewer than `limit` in flight, and is not one client too many. Every true is followed by one leave. */
  enter(client: string, limit: number): boolean {
    const count = this.#counts.get(client) ?? 0;
    if (count >= limit || (count === 0 && this.#counts.size >= this.mostClients)) return false;
    this.#counts.set(client, count + 1);
    return true;
  }

  leave(client: string): void {
    const count = this.#counts.get(client) ?? 0;
    if (count > 1) this.#counts.set(client, count - 1);
    else this.#counts.delete(client);
  }
}

/** As many as the client may send in one second, within bounds. */
export function inflightLimit(rps: number, bounds: { readonly least: number; readonly most: number }): number {
  return Math.min(bounds.most, Math.max(bounds.least, rps));
}
