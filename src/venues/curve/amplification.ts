import type { QuoteMoment } from '../quote-moment.ts';

/** An amplification on its way: a straight line over time, in steps of the contract's own unit. Times are the chain's, in seconds. */
export type AmplificationRamp = {
  /** With two decimals, as all amplifications here. */
  readonly from: bigint;
  readonly startsAt: bigint;
  readonly endsAt: bigint;
  /** What one of the contract's own units is of ours: 100 in pools that keep whole numbers, 1 in those with two decimals. */
  readonly unit: bigint;
};

/** A pool's amplification, or where it moves to, and the ramp that it is on. */
type Amplified = { readonly amplification: bigint; readonly ramp: AmplificationRamp | null };

/** What the contract computes with in a block of that time. */
export function amplificationAt({ amplification, ramp }: Amplified, { timestamp }: QuoteMoment): bigint {
  const now = BigInt(timestamp);
  if (ramp === null || now >= ramp.endsAt) return amplification;
  const { from, startsAt, endsAt, unit } = ramp;
  const passed = now > startsAt ? now - startsAt : 0n;
  const way = (amplification > from ? amplification - from : from - amplification) / unit;
  const gone = ((way * passed) / (endsAt - startsAt)) * unit;
  return amplification > from ? from + gone : from - gone;
}
