import TinyQueue from 'tinyqueue';
import { appraise, bestPlace, placeBy } from './appraise.ts';
import { isBefore, type Place, type PricedToken, type Standing } from './priced-token.ts';

type Turn = Place & { readonly token: PricedToken };

/** A token that is to be decided again: what it stood for, and the place that it gets by the tokens that are priced now; unknown where one that may have given it the best is to be decided again itself. */
type Pending = { readonly before: Standing | null; place: Place | null; known: boolean; decided: boolean };

/**
 * Brings the prices in line with what changed: `dirty` are tokens whose links, unit or anchor did. What a token is worth follows from the tokens before it alone, so they are gone through in the
 * order of their places, and only those that something before them changed for: the prices are those that pricing all tokens anew would give. Returns the tokens that were looked at.
 */
export function settlePrices(dirty: Iterable<PricedToken>, leastUsd: number): Iterable<PricedToken> {
  const round = new Round(leastUsd);
  for (const token of dirty) round.unsettle(token);
  round.run();
  return round.pending.keys();
}

class Round {
  readonly pending = new Map<PricedToken, Pending>();
  readonly #leastUsd: number;
  readonly #turns = new TinyQueue<Turn>([], (one, other) => (isBefore(one.token, one, other.token, other) ? -1 : 1));

  constructor(leastUsd: number) {
    this.#leastUsd = leastUsd;
  }

  /** Nobody goes by what a token stood for until it is decided again; where it stood it is seen whether it still does. */
  unsettle(token: PricedToken): void {
    if (token.standing !== null && token.pricesOthers) {
      for (const other of token.links.keys()) {
        const pending = this.pending.get(other);
        if (pending?.known && !isWorse(placeBy(token, other, this.#leastUsd), pending.place)) pending.known = false;
      }
    }
    this.pending.set(token, { before: token.standing, place: null, known: false, decided: false });
    this.#enqueue(token, token.standing);
    token.standing = null;
  }

  run(): void {
    for (const [token, pending] of this.pending) this.#enqueue(token, this.#placeOf(token, pending));
    for (let turn = this.#turns.pop(); turn !== undefined; turn = this.#turns.pop()) {
      const pending = this.pending.get(turn.token);
      if (pending === undefined || pending.decided) continue;
      const wasKnown = pending.known;
      const place = this.#placeOf(turn.token, pending);
      if (place !== null && !isBefore(turn.token, turn, turn.token, place)) this.#decide(turn.token, pending, place);
      else {
        this.#unsettleAfter(turn.token, turn);
        if (!wasKnown) this.#enqueue(turn.token, place);
      }
    }
  }

  #decide(token: PricedToken, pending: Pending, place: Place): void {
    token.standing = appraise(token, place, this.#leastUsd);
    pending.decided = true;
    if (!sameStanding(token.standing, pending.before)) this.#unsettleAfter(token, place);
    if (token.standing === null || !token.pricesOthers) return;
    for (const other of token.links.keys()) {
      const waiting = this.pending.get(other);
      if (waiting === undefined || waiting.decided) continue;
      if (waiting.known) {
        const offered = placeBy(token, other, this.#leastUsd);
        if (!isWorse(waiting.place, offered)) continue;
        waiting.place = offered;
      }
      this.#enqueue(other, this.#placeOf(other, waiting));
    }
  }

  /** Those after a place may have gone by what is not so any more. */
  #unsettleAfter(token: PricedToken, place: Place): void {
    if (!token.pricesOthers) return;
    for (const other of token.links.keys()) {
      if (this.pending.has(other) || (other.standing !== null && !isBefore(token, place, other, other.standing))) continue;
      this.unsettle(other);
      this.#enqueue(other, this.#placeOf(other, this.pending.get(other) as Pending));
    }
  }

  #placeOf(token: PricedToken, pending: Pending): Place | null {
    if (!pending.known) pending.place = bestPlace(token, this.#leastUsd);
    pending.known = true;
    return pending.place;
  }

  #enqueue(token: PricedToken, place: Place | null): void {
    if (place !== null) this.#turns.push({ token, width: place.width, hops: place.hops });
  }
}

/** Whether a place is behind another; none is behind all. */
function isWorse(one: Place | null, other: Place | null): boolean {
  if (one === null || other === null) return one === null && other !== null;
  return one.width !== other.width ? one.width < other.width : one.hops > other.hops;
}

function sameStanding(one: Standing | null, other: Standing | null): boolean {
  if (one === null || other === null) return one === other;
  return one.usdPerUnit === other.usdPerUnit && one.width === other.width && one.hops === other.hops && one.confidence === other.confidence;
}
