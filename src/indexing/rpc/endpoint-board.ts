import { LIMITS } from '../../config/limits.ts';
import type { Clock } from '../clock.ts';

/** Why an endpoint is not followed: it failed or answered garbage, asked for a pause, is of another chain, shows what leads nowhere or what most others deny, or does not have blocks that others have. */
export type LeftBecause = 'fault' | 'limited' | 'foreign' | 'doubted' | 'behind';

/** Which of a chain's endpoints is followed, and why the others before it are not. */
export type EndpointStanding = { readonly followed: number; readonly left: readonly (LeftBecause | null)[] };

/** What is known of the endpoints of one chain, and which of them to ask. Endpoints go by their place in the configuration, the preferred first. */
export type EndpointBoard = {
  /** Whom to ask first: the first that answers and is not behind; where all are left, the one whose time is up first. */
  followed(): number;
  /** Whom to ask when those have been: somebody else, or the same again when there is nobody. */
  next(tried: ReadonlySet<number>): number;
  /** Whether it is not left, or its time is up. */
  mayBeAsked(endpoint: number): boolean;
  /** A call failed, or what it says is doubted. What was in flight together fails together, and counts once. `retryAfterMs`: how long it asked for, where it is limited and says so. */
  failed(endpoint: number, why: Exclude<LeftBecause, 'behind'>, retryAfterMs?: number): void;
  /** A call was answered: whoever was left for a fault is back, once its time is up. */
  answered(endpoint: number): void;
  sawHead(endpoint: number, head: ShownHead): void;
  /** The heads that endpoints showed last and not long ago, of those that are not left. */
  witnesses(): readonly Witness[];
  /** How long until an endpoint that asked for a pause may be called, ms. */
  pauseOf(endpoint: number): number;
  /** Whether nobody may be called without waiting. */
  readonly allLimited: boolean;
  standing(): EndpointStanding;
};

/** A head as an endpoint shows it. */
export type ShownHead = { readonly number: number; readonly hash: `0x${string}` };

/** The same, with who shows it. */
export type Witness = ShownHead & { readonly endpoint: number };

type Seen = { readonly number: number; readonly at: number };
type Endpoint = {
  why: Exclude<LeftBecause, 'behind'> | null;
  /** When it may be asked again. */
  until: number;
  /** Since it last was without one for as long as an endpoint is left at most: one that shows its head and answers nothing else is back after each head, and left for longer each time. */
  faults: number;
  /** The same of being limited. */
  limits: number;
  /** Heads by when it first showed them; the last is the highest. */
  heads: Seen[];
  /** When it last showed its highest. */
  confirmedAt: number;
  /** When it last showed any, and which. */
  shownAt: number;
  shown: ShownHead | null;
};

const BOUNDS = LIMITS.indexing.rpc;

/** `random`: 0 … 1, for jitter. */
export function createEndpointBoard(count: number, clock: Clock, random: () => number): EndpointBoard {
  const endpoints = Array.from(
    { length: count },
    (): Endpoint => ({ why: null, until: 0, faults: 0, limits: 0, heads: [], confirmedAt: 0, shownAt: 0, shown: null }),
  );
  const at = (index: number): Endpoint => endpoints[index] as Endpoint;

  /** A head is believed of one witness where only one other answers, of two where more do: one that runs ahead alone draws nobody after it. */
  const isBehind = (index: number): boolean => {
    const own = at(index).heads.at(-1)?.number;
    if (own === undefined) return false;
    // By what it showed when it was looked at last: nobody is looked at during a long step, and none of them is behind for that.
    const latest = at(index).shownAt - BOUNDS.behindMs;
    const others = endpoints.filter(({ why, heads }, other) => other !== index && why === null && heads.length > 0);
    const ahead = others.filter(({ heads }) => heads.some((seen) => seen.number > own && seen.at <= latest));
    return ahead.length > 0 && ahead.length >= Math.min(2, others.length);
  };
  const isGood = (index: number): boolean => at(index).why === null && !isBehind(index);
  const indices = endpoints.map((_, index) => index);
  /** Those that may be asked, the preferred first; then those that are behind; then those that are left, whose time is up first. */
  const inOrder = (): readonly number[] => {
    const left = indices.filter((index) => at(index).why !== null).sort((a, b) => at(a).until - at(b).until);
    const there = indices.filter((index) => at(index).why === null);
    return [...there.filter(isGood), ...there.filter((index) => !isGood(index)), ...left];
  };

  /** What is proven to be of another chain is left for longest; what may have failed or been doubted for once, for longer each time. */
  const boundFor = (endpoint: Endpoint, why: Exclude<LeftBecause, 'behind' | 'limited'>): number => {
    const { first, longest } = BOUNDS.leaveMs;
    const bound = why === 'foreign' ? longest : Math.min(longest, first * 2 ** endpoint.faults);
    endpoint.faults++;
    return bound;
  };
  /** What it asks for; else longer each time, but never for long where it is the only one. A bit more each time, so that not all that wait come back at once. */
  const pauseFor = (endpoint: Endpoint, retryAfterMs: number): number => {
    const { first, longestAlone } = BOUNDS.limitedPauseMs;
    const bound = Math.min(count === 1 ? longestAlone : BOUNDS.leaveMs.longest, first * 2 ** endpoint.limits);
    endpoint.limits++;
    return Math.max(retryAfterMs, bound * (0.5 + random() / 2));
  };

  const pauseOf = (index: number): number => (at(index).why === 'limited' ? Math.max(0, at(index).until - clock.now()) : 0);

  return {
    followed: () => inOrder()[0] as number,
    next(tried) {
      const order = inOrder();
      const [first] = order as [number];
      const another = order.find((index) => !tried.has(index));
      // Who failed just now may have hiccuped: nobody waits for one that asked for a long pause instead of asking that one again.
      return another === undefined || pauseOf(another) > 0 ? first : another;
    },
    mayBeAsked: (index) => at(index).why === null || clock.now() >= at(index).until,
    failed(index, why, retryAfterMs = 0) {
      const endpoint = at(index);
      const now = clock.now();
      if (endpoint.why !== null && now < endpoint.until) {
        if (why === 'limited' && retryAfterMs > 0) endpoint.until = Math.max(endpoint.until, now + retryAfterMs);
        return;
      }
      if (endpoint.why === null && now - endpoint.until >= BOUNDS.leaveMs.longest) {
        endpoint.faults = 0;
        endpoint.limits = 0;
      }
      endpoint.until = now + (why === 'limited' ? pauseFor(endpoint, retryAfterMs) : boundFor(endpoint, why));
      endpoint.why = why;
      // What it says next is judged anew.
      endpoint.heads = [];
      endpoint.shown = null;
    },
    answered(index) {
      const endpoint = at(index);
      if (clock.now() < endpoint.until && (count > 1 || endpoint.why === 'limited')) return;
      endpoint.why = null;
    },
    sawHead(index, head) {
      const endpoint = at(index);
      const { number } = head;
      endpoint.shown = head;
      const { heads } = endpoint;
      const highest = heads.at(-1)?.number ?? -1;
      const now = clock.now();
      endpoint.shownAt = now;
      // Backends behind one address differ for a moment; a chain that was set back shows its higher blocks no more.
      if (number < highest && now - endpoint.confirmedAt > BOUNDS.setBackMs) heads.length = 0;
      else if (number < highest) return;
      endpoint.confirmedAt = now;
      if (number === highest) return;
      heads.push({ number, at: now });
      if (heads.length > BOUNDS.headsRemembered) heads.shift();
    },
    witnesses: () =>
      endpoints.flatMap(({ why, shown, shownAt }, endpoint) =>
        why !== null || shown === null || clock.now() - shownAt > BOUNDS.witnessMs ? [] : [{ number: shown.number, hash: shown.hash, endpoint }],
      ),
    pauseOf,
    get allLimited() {
      return endpoints.every(({ why }) => why === 'limited');
    },
    standing: () => ({ followed: inOrder()[0] as number, left: indices.map((index) => at(index).why ?? (isBehind(index) ? 'behind' : null)) }),
  };
}
