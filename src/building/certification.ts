import type { Plan } from '../routing/routing.ts';
import type { InstantMs } from '../units/units.ts';

/**
 * Whether a plan still holds on the newest snapshot, that is, delivers what its transaction enforces; or why nobody could tell. 'moved': a block that came since it was found leaves it under that; 'lost': it can not be handed out for another reason.
 * `plan`: as it is to be written, which with hops that were signed is as it is there; `fresh`: the same route as it is there, null where it is none any more.
 */
export type Certification =
  | { readonly verdict: 'holds'; readonly plan: Plan }
  | { readonly verdict: 'moved' | 'lost'; readonly fresh: Plan | null }
  | { readonly verdict: 'no-snapshot' | 'expired' | 'failed' | 'cancelled' };

/** One that was begun while what was signed was still held against the chain. */
export type BegunCertification = { readonly at: InstantMs; readonly certification: Promise<Certification> };
