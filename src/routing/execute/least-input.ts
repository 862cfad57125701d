import { LIMITS } from '../../config/limits.ts';

/** What a route gives for an input: an output, or why not. */
export type Probe = { readonly ok: true; readonly output: bigint } | { readonly ok: false; readonly reason: 'reverts' | 'partial' };

/**
 * An input whose output reaches `target` while one less misses it. Secant steps close in from `guess`; a step that does not halve the bracket is followed by a bisection, so that it closes within twice as many steps as it has bits.
 * `closeBits`: how closely it is looked for, where not to the unit: one that is less by more than the 2^-closeBits part of itself misses. null when no input within `most` reaches the target.
 */
export function leastInput(probe: (input: bigint) => Probe, target: bigint, guess: bigint, most: bigint, closeBits = EXACTLY): bigint | null {
  const bracket = findBracket(probe, target, clamp(guess, 1n, most), most);
  if (bracket === null) return null;
  let { low, high, lowOutput, highOutput } = bracket;
  let halved = true;
  for (let steps = 0; high - low > 1n + (high >> closeBits) && steps < LIMITS.routing.exactOutSteps; steps++) {
    const width = high - low;
    let middle = (low + high) >> 1n;
    // Interpolation needs outputs that tell the ends apart, and earns its turn by halving: on a plateau, as a token of few decimals makes, it creeps.
    if (halved && highOutput - lowOutput > 2n) middle = clamp(low + ((target - lowOutput) * width) / (highOutput - lowOutput), low + 1n, high - 1n);
    const at = probe(middle);
    if (at.ok && at.output >= target) {
      high = middle;
      highOutput = at.output;
    } else {
      low = middle;
      lowOutput = at.ok ? at.output : 0n;
    }
    halved = 2n * (high - low) <= width;
  }
  return high;
}

/** More bits than an amount has. */
const EXACTLY = 256n;

type Bracket = { readonly low: bigint; readonly high: bigint; readonly lowOutput: bigint; readonly highOutput: bigint };

/** An input that misses and a larger one that reaches the target, or null. Where the output hardly answers the input, steps grow until it does. */
function findBracket(probe: (input: bigint) => Probe, target: bigint, guess: bigint, most: bigint): Bracket | null {
  let low = 0n;
  let lowOutput = 0n;
  let ceiling = most;
  let input = guess;
  let step = 0n;
  for (let steps = 0; steps < LIMITS.routing.exactOutSteps && low < ceiling; steps++) {
    const at = probe(input);
    if (at.ok && at.output >= target) return descend(probe, target, { low, lowOutput, high: input, highOutput: at.output });
    // A refusal below any fill is dust; above one it is too much.
    if (!at.ok && (at.reason === 'partial' || lowOutput > 0n)) ceiling = input - 1n;
    else {
      low = input;
      lowOutput = at.ok ? at.output : 0n;
    }
    const secant = lowOutput > 0n ? ((target - lowOutput) * low) / lowOutput + (low >> 30n) + 1n : low * 15n + 1n;
    step = secant > 2n * step ? secant : 2n * step;
    const middle = low + ((ceiling - low + 1n) >> 1n);
    input = clamp(low + step, low + 1n, ceiling < most ? middle : most);
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
