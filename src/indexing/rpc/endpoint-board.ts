import { LIMITS } from '../../config/limits.ts';
import type { Clock } from '../clock.ts';

/** For what an endpoint is left, for a while: it failed or answered garbage, asked for a pause, is of another chain, or shows what leads nowhere or what most others deny. */
export type LeftFor = 'fault' | 'limited' | 'foreign' | 'doubted';

/** Why an endpoint is not followed: it is left, or there is a better one, since it does not have blocks that others have, or takes far longer for a head. */
export type LeftBecause = LeftFor | 'behind' | 'slow';

/** Which of a chain's endpoints is followed, and why the others before it are not. */
export type EndpointStanding = { readonly followed: number; readonly left: readonly (LeftBecause | null)[] };

/** What is known of the endpoints of one chain, and which of them to ask. Endpoints go by their place in the configuration, the preferred first. */
export type EndpointBoard = {
  /** Whom to ask first: the first that answers, is not behind and not slow; where all are left, the one whose time is up first. */
  followed(): number;
  /** Whom to ask when those have been: somebody else, or the same again when there is nobody. */
  next(tried: ReadonlySet<number>): number;
  /** Whether it is not left, or its time is up. */
  mayBeAsked(endpoint: number): boolean;
  /** A call failed, or what it says is doubted. What was in flight together fails together, and counts once. `retryAfterMs`: how long it asked for, where it is limited and says so. */
  failed(endpoint: number, why: LeftFor, retryAfterMs?: number): void;
  /** It answered when asked for its head, or was given up when asked for anything small, after so long, ms. */
  took(endpoint: number, ms: number): void;
  /** How long it is waited for a small answer, ms: longer where its last ones took long, since who is slow and alone, or slow like all others, has to be followed too. */
  patienceOf(endpoint: number): number;
  /** A call was answered: whoever was left for a fault is back, once its time is up. */
  answered(endpoint: number): void;
  /** `askedAt`: when it was asked. What was asked for before the last that it showed is of the past, whenever it comes. */
  sawHead(endpoint: number, head: ShownHead, askedAt?: number): void;
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
  why: LeftFor | null;
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
  /** When that was asked for. */
  askedAt: number;
  shown: ShownHead | null;
  /** How long it took for its last heads, ms. */
  times: number[];
  behind: boolean;
  slow: boolean;
};

const BOUNDS = LIMITS.indexing.rpc;

/** `random`: 0 … 1, for jitter. */
export function createEndpointBoard(count: number, clock: Clock, random: () => number): EndpointBoard {
  const endpoints = Array.from(
    { length: count },
    (): Endpoint => ({
      why: null,
      until: 0,
      faults: 0,
      limits: 0,
      heads: [],
      confirmedAt: 0,
      shownAt: 0,
      askedAt: 0,
      shown: null,
      times: [],
      behind: false,
      slow: false,
    }),
  );
  const at = (index: number): Endpoint => endpoints[index] as Endpoint;

  /**
   * A head is believed of one witness where only one other answers, of two where more do: one that runs ahead alone draws nobody after it. Whoever is slow shows it late, so that it does not have it yet
   * says nothing against it. Once one is behind it has to be nearly up with the others again, or half a block would have it followed and left in turns.
   */
  const isBehind = ({ heads, shownAt, behind }: Endpoint, index: number): boolean => {
    const own = heads.at(-1)?.number;
    if (own === undefined) return false;
    // By what it showed when it was looked at last: nobody is looked at during a long step, and none of them is behind for that.
    const latest = shownAt - (behind ? BOUNDS.behindMs.back : BOUNDS.behindMs.left);
    const others = endpoints.filter((other, place) => place !== index && other.why === null && other.heads.length > 0);
    const ahead = others.filter((other) => other.heads.some((seen) => seen.number > own && seen.at <= latest));
    const asked = others.filter((other) => !other.slow || ahead.includes(other));
    return ahead.length > 0 && ahead.length >= Math.min(2, asked.length);
  };
  /** By the time that heads take, the middle one of the last few: all are asked for the same there. What is quick enough for any chain is never slow, and one that is, not before it is clearly better. */
  const isSlow = ({ times, slow }: Endpoint, index: number): boolean => {
    const others = endpoints.filter((other, place) => place !== index && other.why === null && !other.behind && other.times.length > 0);
    if (times.length === 0 || others.length === 0) return false;
    const { leastMs, ratio } = slow ? BOUNDS.slow.back : BOUNDS.slow.left;
    return medianOf(times) > Math.max(leastMs, ratio * Math.min(...others.map((other) => medianOf(other.times))));
  };
  /** After whatever was learnt of one of them. */
  const judge = (): void => {
    for (const [index, endpoint] of endpoints.entries()) endpoint.behind = isBehind(endpoint, index);
    for (const [index, endpoint] of endpoints.entries()) endpoint.slow = isSlow(endpoint, index);
  };
  const indices = endpoints.map((_, index) => index);
  /** Those that may be asked, the preferred first; then those that are slow; then those that are behind; then those that are left, whose time is up first. */
  const inOrder = (): readonly number[] => {
    const left = indices.filter((index) => at(index).why !== null).sort((a, b) => at(a).until - at(b).until);
    const there = indices.filter((index) => at(index).why === null);
    const upToDate = there.filter((index) => !at(index).behind);
    const slow = upToDate.filter((index) => at(index).slow);
    return [...upToDate.filter((index) => !slow.includes(index)), ...slow, ...there.filter((index) => at(index).behind), ...left];
  };

  /** What is proven to be of another chain is left for longest; what may have failed or been doubted for once, for longer each time. */
  const boundFor = (endpoint: Endpoint, why: Exclude<LeftFor, 'limited'>): number => {
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
      judge();
    },
    took(index, ms) {
      const { times } = at(index);
      times.push(ms);
      if (times.length > BOUNDS.slow.heads) times.shift();
      judge();
    },
    patienceOf(index) {
      const { times } = at(index);
      const { headTimeoutMs, timeoutMs, slow } = BOUNDS;
      return times.length === 0 ? headTimeoutMs : Math.min(timeoutMs, Math.max(headTimeoutMs, slow.patience * medianOf(times)));
    },
    answered(index) {
      const endpoint = at(index);
      if (endpoint.why === null || (clock.now() < endpoint.until && (count > 1 || endpoint.why === 'limited'))) return;
      endpoint.why = null;
      judge();
    },
    sawHead(index, head, askedAt = clock.now()) {
      const endpoint = at(index);
      if (askedAt < endpoint.askedAt) return;
      endpoint.askedAt = askedAt;
      const { number } = head;
      endpoint.shown = head;
      const { heads } = endpoint;
      let highest = heads.at(-1)?.number ?? -1;
      const now = clock.now();
      endpoint.shownAt = now;
      // Backends behind one address differ for a moment; a chain that was set back shows its higher blocks no more.
      if (number < highest && now - endpoint.confirmedAt > BOUNDS.setBackMs) {
        heads.length = 0;
        highest = -1;
      }
      if (number >= highest) {
        endpoint.confirmedAt = now;
        if (number > highest) heads.push({ number, at: now });
        if (heads.length > BOUNDS.headsRemembered) heads.shift();
      }
      judge();
    },
    witnesses: () =>
      endpoints.flatMap(({ why, shown, shownAt }, endpoint) =>
        why !== null || shown === null || clock.now() - shownAt > BOUNDS.witnessMs ? [] : [{ number: shown.number, hash: shown.hash, endpoint }],
      ),
    pauseOf,
    get allLimited() {
      return endpoints.every(({ why }) => why === 'limited');
    },
    standing: () => ({
      followed: inOrder()[0] as number,
      left: indices.map((index) => at(index).why ?? (at(index).behind ? 'behind' : at(index).slow ? 'slow' : null)),
    }),
  };
}

function medianOf(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1] as number;
}
