/**
 * Places in a list for the tokens that a search meets. Kept from search to search: clearing takes as long as there were tokens met, not as there are in the snapshot. A look-up is one read of memory, where a map would hash.
 */
export class TokenPlaces {
  /** By token: its place and one; 0 where it has none. */
  #places = new Int32Array(0);
  readonly #tokens: number[] = [];

  /** Forgets all. `tokenCount`: above all tokens to come. */
  clear(tokenCount: number): void {
    for (const token of this.#tokens) this.#places[token] = 0;
    this.#tokens.length = 0;
    if (this.#places.length < tokenCount) this.#places = new Int32Array(Math.max(tokenCount, 2 * this.#places.length));
  }

  /** −1 for a token without a place. */
  of(token: number): number {
    return (this.#places[token] as number) - 1;
  }

  set(token: number, place: number): void {
    this.#places[token] = place + 1;
    this.#tokens.push(token);
  }
}
