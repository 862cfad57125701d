import type { DurationMs, EpochSeconds } from '../../../src/units/units.ts';
import type { Decimal } from '../../../src/validation/validation.ts';
import type { FirmHop, FirmHopBy, HopToFirm } from '../../../src/venues/venues.ts';
import type { SeededRandom } from '../../support/seeded-random.ts';
import { lessPercent } from './figures.ts';
import { SIGNING, type Signing } from './made-up-route.ts';
import type { VirtualTime } from './virtual-time.ts';

/** How somebody who is asked to sign may fail. 'deaf': does not end when it is told to. 'disproved': what it offered is found wrong by the chain. */
export const FAULTS = [
  'disproved',
  'silent',
  'deaf',
  'late',
  'refused',
  'busy',
  'throttled',
  'invalid',
  'worse',
  'worst',
  'much-worse',
  'other-amount',
  'nothing',
] as const;
export type Behaviour = 'signs' | 'better' | (typeof FAULTS)[number];

/** One call to somebody who signs. `ended`: when they answered, unless they were told to end before, and whether it can be used. */
export type Call = {
  readonly round: number;
  readonly startedAt: number;
  readonly venue: Signing;
  readonly behaviour: Behaviour;
  readonly hop: HopToFirm;
  readonly signal: AbortSignal;
  ended: { readonly at: number; readonly answer: FirmHop; readonly good: boolean } | null;
  toldToEndAt: number | null;
};

/** What is around whoever signs; `slippage` is what the request allows. */
type SignerWorld = { readonly random: SeededRandom; readonly time: VirtualTime; readonly slippage: Decimal };

type OnOffered = Parameters<FirmHopBy>[2];

const NEVER = new Promise<FirmHop>(() => {});

/** Answers as the behaviour has it, after a while. */
export async function answerOf(call: Call, id: number, { random, time, slippage }: SignerWorld, onOffered: OnOffered = () => undefined): Promise<FirmHop> {
  const { behaviour, hop, signal, venue } = call;
  const delay = behaviour === 'late' ? 2_001 + 3_000 * random.unit() : random.unit() * (random.chance(0.1) ? 2_500 : 300);
  if (behaviour === 'deaf') return NEVER;
  const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  await Promise.race([aborted, ...(behaviour === 'silent' ? [] : [time.sleep(delay as DurationMs)])]);
  if (signal.aborted) return { ok: false, reason: 'unreachable' };
  const attests = SIGNING[venue] === 'attestation';
  const signs = attests ? attested(behaviour, hop, id) : said(behaviour, hop, lessPercent(hop.amountOut, slippage), id);
  if (!attests && signs.ok && (behaviour === 'disproved' || random.chance(0.7))) {
    onOffered(signs);
    // What its contract says takes no time, or longer than a certification that was begun meanwhile is of now.
    await Promise.race([aborted, time.sleep(random.unit() * random.pick([0, 15, 15, 60, 1_000] as const))]);
    if (signal.aborted) return { ok: false, reason: 'unreachable' };
  }
  const answer: FirmHop = behaviour === 'disproved' ? { ok: false, reason: 'invalid' } : signs;
  call.ended = { at: time.now(), answer, good: attests ? answer.ok : behaviour === 'late' || signsInTime(call) };
  return answer;
}

/** Whether whoever behaves so signs what can be used, where they have the time. */
export function signsInTime({ behaviour, venue, hop }: Pick<Call, 'behaviour' | 'venue' | 'hop'>): boolean {
  if (behaviour === 'signs' || behaviour === 'better') return true;
  return SIGNING[venue] !== 'attestation' && hop.mode === 'sell' && (behaviour === 'worse' || behaviour === 'worst');
}

/** An attestation lets any amount pass, and ends with its block. */
function attested(behaviour: Behaviour, { amountIn, amountOut }: HopToFirm, id: number): FirmHop {
  switch (behaviour) {
    case 'refused':
    case 'busy':
    case 'throttled':
      return { ok: false, reason: behaviour };
    case 'signs':
    case 'better':
    case 'late':
      return { ok: true, amountIn, amountOut, legFacts: { order: id }, expiry: null };
    default:
      return { ok: false, reason: 'invalid' };
  }
}

/** The last second at which an order holds. */
export const expiryOf = (id: number): EpochSeconds => (1_900_000_000 + id) as EpochSeconds;

function said(behaviour: Behaviour, { mode, amountIn, amountOut }: HopToFirm, least: bigint, id: number): FirmHop {
  const signed = (taken: bigint, given: bigint): FirmHop => ({ ok: true, amountIn: taken, amountOut: given, legFacts: { order: id }, expiry: expiryOf(id) });
  switch (behaviour) {
    case 'refused':
    case 'busy':
    case 'throttled':
    case 'invalid':
      return { ok: false, reason: behaviour };
    case 'better':
      return mode === 'sell' ? signed(amountIn, amountOut + amountOut / 100n) : signed(amountIn - amountIn / 100n, amountOut);
    case 'worse':
      return mode === 'sell' ? signed(amountIn, (amountOut + least) / 2n) : signed(amountIn, amountOut - 1n);
    // All that slippage allows in `sell`, and a unit beyond it.
    case 'worst':
      return mode === 'sell' ? signed(amountIn, least) : signed(amountIn + 1n, amountOut);
    case 'much-worse':
      return mode === 'sell' ? signed(amountIn, least - 1n) : signed(amountIn + 1n, amountOut);
    case 'other-amount':
      return mode === 'sell' ? signed(amountIn - 1n, amountOut) : signed(amountIn + 1n, amountOut + 1n);
    case 'nothing':
      return signed(amountIn, 0n);
    default:
      return signed(amountIn, amountOut);
  }
}
