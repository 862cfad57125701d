import { LIMITS } from '../config/limits.ts';

/** What a route gives for an input: an output, or why not. */
export type Probe = { readonly ok: true; readonly output: bigint } | { readonly ok: false; readonly reason: 'reverts' | 'partial' };

/**
 * The smallest input whose output reaches `target`: one less misses it. Secant steps close in from `guess`; when the ends of the bracket differ by a few
 * units of output, interpolation has nothing left to go by and bisection closes the rest. null when no input within `most` reaches the target.
 */
export function leastInput(probe: (input: bigint) => Probe, target: bigint, guess: bigint, most: bigint): bigint | null {
  const bracket = findBracket(probe, target, clamp(guess, 1n, most), most);
  if (bracket === null) return null;
  let { low, high, lowOutput, highOutput } = bracket;
  let sameSide = 0;
  for (let steps = 0; high - low > 1n && steps < LIMITS.routing.exactOutSteps; steps++) {
    let middle = (low + high) >> 1n;
    if (highOutput - lowOutput > 2n && sameSide < 2) {
      const share = ((target - lowOutput) * (high - low)) / (highOutput - lowOutput);
      // A nudge past the estimate makes both ends move: without it a concave output pulls in one end only.
      const nudge = share >> 20n;
      middle = clamp(low + share + (sameSide >= 0 ? nudge : -nudge), low + 1n, high - 1n);
    }
    const at = probe(middle);
    if (at.ok && at.output >= target) {
      high = middle;
      highOutput = at.output;
      sameSide = sameSide < 0 ? sameSide - 1 : -1;
    } else {
      low = middle;
      lowOutput = at.ok ? at.output : 0n;
      sameSide = sameSide > 0 ? sameSide + 1 : 1;
    }
    if (Math.abs(sameSide) > 3) sameSide = 0;
  }
  return high;
}

type Bracket = { readonly low: bigint; readonly high: bigint; readonly lowOutput: bigint; readonly highOutput: bigint };

/** An input that misses and a larger one that reaches the target, or null. */
function findBracket(probe: (input: bigint) => Probe, target: bigint, guess: bigint, most: bigint): Bracket | null {
  let low = 0n;
  let lowOutput = 0n;
  let ceiling = most;
  let input = guess;
  for (let steps = 0; steps < LIMITS.routing.exactOutSteps; steps++) {
    const at = probe(input);
    if (at.ok && at.output >= target) return descend(probe, target, { low, lowOutput, high: input, highOutput: at.output });
    // A refusal below any fill is dust; above one it is too much.
    if (at.ok) {
      low = input;
      lowOutput = at.output;
    } else if (at.reason === 'partial' || lowOutput > 0n) ceiling = input - 1n;
    else low = input;
    if (low >= ceiling) return null;
    const short = lowOutput > 0n ? low + ((target - lowOutput) * low) / lowOutput + (low >> 30n) + 1n : low * 16n + 1n;
    input = clamp(short, low + 1n, ceiling);
    if (ceiling < most) input = clamp(input, low + 1n, low + ((ceiling - low + 1n) >> 1n));
  }
  return null;
}

/** Brings the low end up to just under the high end by growing steps down from it. */
function descend(probe: (input: bigint) => Probe, target: bigint, bracket: Bracket): Bracket {
  let { low, high, lowOutput, highOutput } = bracket;
  const excess = highOutput - target;
  let step = (excess * high) / highOutput + (high >> 40n) + 1n;
  for (let steps = 0; steps < LIMITS.routing.exactOutSteps && high - step > low; steps++, step *= 4n) {
    const at = probe(high - step);
    if (at.ok && at.output >= target) {
      high -= step;
      highOutput = at.output;
    } else return { low: high - step, lowOutput: at.ok ? at.output : 0n, high, highOutput };
  }
  return { low, high, lowOutput, highOutput };
}

function clamp(value: bigint, least: bigint, most: bigint): bigint {
  return value < least ? least : value > most ? most : value;
}
