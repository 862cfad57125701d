import { LIMITS } from '../config/limits.ts';
import { createAsk, createPauses, type Pauses } from '../outbound/outbound.ts';
import type { EpochSeconds } from '../units/units.ts';
import {
  type AskOutside,
  type ChainAnswer,
  type ChainCall,
  type FirmHop,
  type FirmHopBy,
  type FirmHops,
  type FirmUpChain,
  type FirmUpFacet,
  type FirmUpVenues,
  type HopToFirm,
  type OutsideSource,
  toldUser,
} from '../venues/venues.ts';
import { type Polled, pollSources } from './poll-sources.ts';

/** A venue whose hops are signed. */
export type FirmingVenue = {
  readonly venue: string;
  /** Who signs, whenever it is looked at. */
  readonly sources: readonly OutsideSource[];
  /** Whoever may come to sign, and where: nobody else is asked. */
  readonly allowed: readonly Pick<OutsideSource, 'name' | 'origin' | 'apiKey'>[];
};

/** A chain with those who sign on it, by venue folder. */
export type FirmingChain = {
  readonly chainId: number;
  readonly outside: readonly FirmingVenue[];
  /** The newest block that is known; null: none yet. */
  readonly head: () => { readonly number: number; readonly hash: `0x${string}`; readonly timestamp: number } | null;
  /** Tells of each block that is new. Absent: nobody does. */
  readonly eachBlock?: (listener: () => void) => void;
};

/** What came of a firm-up. `shortfall`: by which part of what was planned the amounts are worse that were signed, or offered and too much worse; below zero, better; null: there are none, or of so few units that a rounding is as much. */
export type Firmed = {
  readonly chainId: number;
  readonly source: string;
  readonly signs: FirmUpFacet['signs'];
  readonly outcome: 'ok' | 'cancelled' | Extract<FirmHop, { ok: false }>['reason'];
  readonly millis: number;
  readonly shortfall: number | null;
};

export type FirmingParts = {
  readonly venues: FirmUpVenues;
  readonly chains: readonly FirmingChain[];
  /** Asks a chain's contracts at a block: Hosting.ask. */
  readonly read: (chainId: number, blockHash: `0x${string}`, calls: readonly ChainCall[], signal: AbortSignal) => Promise<readonly ChainAnswer[] | null>;
  /** Somebody is left alone for so long: whatever is priced by them is to leave the chain's snapshot. */
  readonly onPause: (chainId: number, venue: string, source: string, ms: number) => void;
  readonly onFirmed: (firmed: Firmed) => void;
  /** Somebody was asked in a block, for whatever swap may come. */
  readonly onPolled?: (polled: Polled) => void;
  /** Nobody is asked from then on but for a hop; absent: never. */
  readonly ending?: AbortSignal;
  /** Milliseconds since 1970. */
  readonly wallClock?: () => number;
  /** Absent: by HTTP. */
  readonly ask?: (allowed: FirmingVenue['allowed']) => AskOutside;
};

export type Firming = {
  /** How hops are firmed, by chain. */
  readonly hops: ReadonlyMap<number, FirmHops>;
  /** Nothing is asked of a source of a venue for so long, ms: they said to somebody else of this service that they are busy. */
  leaveAlone(chainId: number, venue: string, source: string, ms: number): void;
};

/**
 * How hops are firmed on each chain that has somebody to firm them with. Who is busy, or fails again and again, is left alone for a while that grows: nothing is asked of them then, and no route leads to them. What a client or
 * this service may be the cause of is not held against them: who is refused, or meters, is left alone for that user.
 */
export function createFirming(parts: FirmingParts): Firming {
  const pauses: VenuePauses = new Map();
  return {
    hops: new Map(parts.chains.filter(({ outside }) => outside.length > 0).map((chain) => [chain.chainId, firmHopsOf(chain, parts, pauses)])),
    leaveAlone: (chainId, venue, source, ms) => pauses.get(`${chainId} ${venue}`)?.hold(source, ms),
  };
}

/** By chain and venue. */
type VenuePauses = Map<string, Pauses>;

function firmHopsOf({ chainId, outside, head, eachBlock }: FirmingChain, parts: FirmingParts, venuePauses: VenuePauses): FirmHops {
  const {
    venues,
    read,
    onPause,
    onPolled = () => undefined,
    ending,
    wallClock = Date.now,
    ask = (allowed: FirmingVenue['allowed']) => createAsk({ sources: allowed }),
  } = parts;
  const now = (): EpochSeconds => Math.max(Math.floor(wallClock() / 1000), head()?.timestamp ?? 0) as EpochSeconds;
  const hops = new Map<string, Pick<FirmUpFacet, 'signs' | 'needs'> & { readonly firm: FirmHopBy }>();
  for (const signers of outside) {
    const { venue, allowed } = signers;
    const facet = venues.get(venue);
    if (facet === undefined) continue;
    const readNow = async (calls: readonly ChainCall[], signal: AbortSignal): Promise<readonly ChainAnswer[] | null> => {
      const at = head();
      return at === null ? null : await read(chainId, at.hash, calls, signal);
    };
    const pauses = createPauses({ now: () => performance.now() });
    venuePauses.set(`${chainId} ${venue}`, pauses);
    const polling = { chainId, head, pauses, sources: () => signers.sources, onPolled, ending };
    const onBusy = (source: string, ms: number) => onPause(chainId, venue, source, ms);
    const chain: FirmUpChain = {
      ...{ chainId, ask: ask(allowed), read: readNow, now, blockNumber: () => head()?.number ?? null },
      inEachBlock: (poll) => eachBlock?.(pollSources(poll, { ...polling, onBusy })),
      get sources() {
        return signers.sources;
      },
    };
    const firm = facet.open(chain);
    const { signs, needs } = facet;
    hops.set(venue, { signs, firm: sparingly(firm, { facet, signers, chainId, pauses }, parts), ...(needs === undefined ? {} : { needs }) });
  }
  return hops;
}

/** Failures that are the maker's own, whoever asks. */
const FAILURES: ReadonlySet<string> = new Set(['unreachable', 'invalid']);
const { fairMs: FAIR_MS, worseBy: WORSE_BY, leastUnits: LEAST_UNITS, users: USERS } = LIMITS.outbound.orders;

type Firmer = { readonly facet: FirmUpFacet; readonly signers: FirmingVenue; readonly chainId: number; readonly pauses: Pauses };

function sparingly(firm: FirmHopBy, { facet, signers, chainId, pauses }: Firmer, { onPause, onFirmed }: FirmingParts): FirmHopBy {
  const { venue } = signers;
  const userPauses = createPauses({ now: () => performance.now(), names: USERS });
  return async (hop, signal, onOffered) => {
    const signer = whoSigns(hop, facet, signers.sources);
    const source = signer.name;
    const told = toldUser(hop, signer);
    const user = `${source} ${told}`;
    const started = performance.now();
    const isLeftAlone = pauses.left(source) > 0 || userPauses.left(user) > 0;
    const outcome: FirmHop = isLeftAlone ? { ok: false, reason: 'throttled' } : await settled(() => firm(hop, signal, onOffered));
    const millis = performance.now() - started;
    // Whoever was cut off did nothing wrong: another hop of the route failed, the client left, or gave it no fair time.
    const cancelled = !outcome.ok && signal.aborted && (millis < FAIR_MS || !isLate(signal));
    const amounts = outcome.ok ? outcome : outcome.offered;
    const shortfall = amounts === undefined || facet.signs === 'attestation' ? null : shortfallOf(hop, amounts);
    onFirmed({ chainId, source, signs: facet.signs, outcome: outcome.ok ? 'ok' : cancelled ? 'cancelled' : outcome.reason, millis, shortfall });
    if (outcome.ok) {
      pauses.succeeded(source);
      userPauses.succeeded(user);
      return outcome;
    }
    const { reason, retryAfterMs } = outcome;
    if (facet.signs === 'attestation') {
      // A block is attested for everybody alike: a refusal is no user's.
      if (reason === 'busy' || (!cancelled && (FAILURES.has(reason) || reason === 'refused'))) {
        const pause = pauses.failed(source, reason === 'busy' ? 'busy' : 'failed', retryAfterMs);
        if (pause > 0) onPause(chainId, venue, source, pause);
      }
      return outcome;
    }
    // Issuers are not told who asks: what they refuse is their hours' and limits' and nobody's fault, and where they are busy they are so for everybody.
    const isOfUser = facet.signs === 'order' && (reason === 'refused' || (reason === 'busy' && told !== hop.taker));
    if (isOfUser) {
      if (!cancelled) userPauses.failed(user, reason === 'busy' ? 'busy' : 'failed', retryAfterMs);
    } else if (reason === 'busy' || (!cancelled && (FAILURES.has(reason) || (reason === 'worse' && (shortfall ?? 0) > WORSE_BY)))) {
      const pause = pauses.failed(source, reason === 'busy' ? 'busy' : 'failed', retryAfterMs);
      if (pause > 0) onPause(chainId, venue, source, pause);
    }
    return outcome;
  };
}

/** By its name alone where nobody is asked by that any more. */
function whoSigns(hop: HopToFirm, { sourceOf }: FirmUpFacet, sources: readonly OutsideSource[]): Pick<OutsideSource, 'name' | 'screens'> {
  if (sourceOf !== undefined) return sourceOf(hop, sources) ?? { name: '' };
  const name = String(hop.legFacts.maker ?? '');
  return sources.find((source) => source.name === name) ?? { name };
}

/** No venue is to throw for what others send; where one does, that is their failure and nobody else's. */
async function settled(firm: () => Promise<FirmHop>): Promise<FirmHop> {
  try {
    return await firm();
  } catch {
    return { ok: false, reason: 'invalid' };
  }
}

/** The signal of a deadline says so by its reason: only then the maker was too slow. */
function isLate({ reason }: AbortSignal): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError';
}

/** null: of so few units anybody could have an honest maker told, and left alone, as worse, by an amount at the edge of one. */
function shortfallOf({ mode, amountIn, amountOut }: HopToFirm, signed: { readonly amountIn: bigint; readonly amountOut: bigint }): number | null {
  if ((mode === 'sell' ? amountOut : amountIn) < LEAST_UNITS) return null;
  return mode === 'sell' ? 1 - Number(signed.amountOut) / Number(amountOut) : Number(signed.amountIn) / Number(amountIn) - 1;
}
