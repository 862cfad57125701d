import { type DualBound, dualBound, type Market } from '../../src/bound/bound.ts';

/** No input below `input` gives the target, gas-free and whatever the hops. Base units of the sell token. */
export type LeastInput = {
  readonly input: number;
  /** How far the bound that says so may be from what can be reached, in basis points of the input: of the output it is less where more input hardly gives more. */
  readonly slackBps: number;
};

/** The search ends where its ends are this close: as a share of the input (a thousandth of a basis point), or of what the route is known to ask too much. */
const CLOSE = 1e-7;
const CLOSE_OF_EXCESS = 0.01;
/** Each is a bound on the whole market. */
const MOST_TURNS = 12;

/**
 * The least input whose bound on the output reaches a target, from below; null where the buy token is out of reach. `asked` is an input that is known to give the target, or nearly.
 * The bound is concave in the input, so the chord between an input that reaches it and one that does not crosses just above the least: it is found with a handful of
 * bounds, where bisection takes dozens.
 */
export function leastInput(market: Market, sell: number, buy: number, target: number, asked: number): LeastInput | null {
  const boundAt = (input: number): DualBound | null => (input > 0 ? dualBound(market, sell, buy, input) : null);
  const first = boundAt(asked);
  if (first === null) return null;
  // A route that is as good as the bound: float can put it on either side.
  if (first.bound < target) return { input: asked, slackBps: first.slackBps };
  let [high, low] = [
    { input: asked, bound: first.bound },
    { input: 0, bound: 0 },
  ];
  const look = (input: number): void => {
    const bound = boundAt(input)?.bound ?? 0;
    if (bound >= target) high = { input, bound };
    else low = { input, bound };
  };
  for (let step = Math.max(CLOSE, (2 * (first.bound - target)) / first.bound); step < 1 && low.input === 0; step *= 4) look(asked * (1 - step));
  // Share of the output that a share of the input brings here.
  const elasticity = (1 - low.bound / first.bound) / (1 - low.input / asked);
  const close = (): number => Math.max(CLOSE * asked, CLOSE_OF_EXCESS * (asked - high.input));
  for (let turn = 0; turn < MOST_TURNS && high.input - low.input > close(); turn++) {
    const width = high.input - low.input;
    const chord = low.input + (width * (target - low.bound)) / (high.bound - low.bound);
    const guesses = [chord, chord - 0.9 * close(), low.input + width / 2];
    const guess = guesses[turn % guesses.length] as number;
    look(guess > low.input && guess < high.input ? guess : low.input + width / 2);
  }
  return { input: low.input, slackBps: first.slackBps / elasticity };
}
