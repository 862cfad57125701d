import { type Addition, findAdditions } from './additions.ts';
import type { Choice, Problem, Settled } from './problem.ts';
import { settle } from './settle.ts';
import { joined, shapeOf } from './shape.ts';

/** A step has to win more than this share of the net, or it is rounding. */
const LEAST_WIN = 1e-9;
/** Additions tried at one rest, and after one edge was taken out. */
const MOST_ADDITIONS = 24;
const MOST_EXCHANGES = 4;
/** Additions that fall short of paying by about the gas of two hops at most, and how many of them are tried. */
const NEAR_GAS = 250_000;
const MOST_NEAR = 12;
/** Above so many edges, this part of those that do not pay is taken out at once. */
const MANY_EDGES = 30;
const AT_ONCE = 0.34;

/** Settles choices, each once. */
export type Settler = (choice: Choice, near: Float64Array | null) => Settled | null;

export function createSettler(problem: Problem): Settler {
  const known = new Map<string, Settled | null>();
  return (choice, near) => {
    const name = nameOf(choice);
    const found = known.get(name);
    if (found !== undefined) return found;
    const settled = settle(problem, choice, near);
    known.set(name, settled);
    return settled;
  };
}

export function nameOf({ edges, rooms }: Choice): string {
  const sorted = [...edges].sort((a, b) => a - b);
  return sorted.map((edge) => (rooms.has(edge) ? `${edge}:${rooms.get(edge)}` : edge)).join(' ');
}

/**
 * Adds, drops and exchanges one path or one edge, and stops short of a tick or does not, each time with everything at rest again, until none of that wins any more. `passed`: by searches before, which
 * went on from there. */
export function improve(problem: Problem, settler: Settler, start: Settled, passed: Set<string>): Settled {
  let best = start;
  const steps = [dropped, replaced, added, exchanged, relieved, held];
  for (let at = 0; at < steps.length && !problem.expired(); ) {
    if (at === 0 && passed.has(nameOf(best.choice))) break;
    passed.add(nameOf(best.choice));
    const better = (steps[at] as Step)(problem, settler, best);
    if (better === null) at++;
    else [best, at] = [better, 0];
  }
  return best;
}

/** One step: what wins, or null where nothing does. */
type Step = (problem: Problem, settler: Settler, settled: Settled) => Settled | null;

export function wins(candidate: Settled | null, settled: Settled): candidate is Settled {
  return candidate !== null && candidate.net > settled.net + LEAST_WIN * Math.abs(settled.amount);
}

/** What may be taken out together: an edge with what leads nowhere without it. `promise`: the most that it can win, its gas less what it gains at the prices. */
export type Cut = { readonly edges: readonly number[]; readonly kept: Choice; readonly promise: number };

/** Most promising first. */
export function cutsOf({ market, sell, buy, perGas }: Problem, { choice, flows, prices }: Settled): readonly Cut[] {
  const price = (token: number | undefined): number => prices[token as number] as number;
  const saved = new Map(
    flows.map(({ edge, input, output }) => {
      const gain = price(market.to[edge]) * output - price(market.from[edge]) * input;
      return [edge, perGas * market.gas(edge, input) - gain];
    }),
  );
  const between = new Map<number, number>();
  const pairOf = (edge: number): number => (market.from[edge] as number) * market.tokenCount + (market.to[edge] as number);
  for (const edge of choice.edges) between.set(pairOf(edge), (between.get(pairOf(edge)) ?? 0) + 1);
  const cuts = choice.edges.flatMap((edge): Cut[] => {
    // Beside another one between the same tokens an edge goes alone.
    const alone = (between.get(pairOf(edge)) as number) > 1;
    const others = choice.edges.filter((each) => each !== edge);
    const kept = alone ? others : joined(market, others, sell, buy);
    if (kept.length === 0) return [];
    const edges = alone ? [edge] : choice.edges.filter((each) => !kept.includes(each));
    const rooms = new Map([...choice.rooms].filter(([each]) => kept.includes(each)));
    return [{ edges, kept: { edges: kept, rooms }, promise: edges.reduce((sum, each) => sum + (saved.get(each) ?? 0), 0) }];
  });
  return cuts.sort((a, b) => b.promise - a.promise);
}

/** Takes out what does not pay, much at a time first; then each that wins. */
export function pruned(problem: Problem, settler: Settler, start: Settled): Settled {
  let best = start;
  let now: Settled | null = start;
  while (now !== null && !problem.expired()) {
    if (wins(now, best)) best = now;
    const cuts = cutsOf(problem, now).filter(({ promise }) => promise > 0);
    if (cuts.length === 0) break;
    const count = now.choice.edges.length > MANY_EDGES ? Math.max(1, Math.floor(cuts.length * AT_ONCE)) : 1;
    const gone = new Set(cuts.slice(0, count).flatMap((cut) => cut.edges));
    now = settler({ edges: now.choice.edges.filter((edge) => !gone.has(edge)), rooms: now.choice.rooms }, now.prices);
  }
  return best;
}

function dropped(problem: Problem, settler: Settler, settled: Settled): Settled | null {
  for (const { kept, promise } of cutsOf(problem, settled)) {
    if (promise <= 0 || problem.expired()) return null;
    const candidate = settler(kept, settled.prices);
    if (wins(candidate, settled)) return candidate;
  }
  return null;
}

function added(problem: Problem, settler: Settler, settled: Settled): Settled | null {
  const additions = findAdditions(problem, settled, 0, MOST_ADDITIONS);
  const together = addedTogether(problem, settler, settled, additions);
  if (together !== null) return together;
  for (const { edges } of additions) {
    if (problem.expired()) return null;
    const candidate = settler(union(settled.choice, edges), settled.prices);
    if (wins(candidate, settled)) return candidate;
    // What it takes flow from may no longer pay for itself.
    const relieved = candidate === null ? null : dropped(problem, settler, candidate);
    if (wins(relieved, settled)) return relieved;
  }
  return null;
}

/** As many at once as go together, less what then does not pay: a large trade takes dozens of steps otherwise. */
function addedTogether(
  { market, sell, buy, maxHops, ...problem }: Problem,
  settler: Settler,
  settled: Settled,
  additions: readonly Addition[],
): Settled | null {
  if (additions.length < 3) return null;
  const joint = additions.reduce((choice, { edges }) => {
    const more = union(choice, edges);
    const shape = shapeOf(market, more.edges, sell, buy);
    return shape !== null && (maxHops === null || shape.longest <= maxHops) ? more : choice;
  }, settled.choice);
  const start = settler(joint, settled.prices);
  if (start === null) return null;
  const best = pruned({ market, sell, buy, maxHops, ...problem }, settler, start);
  return wins(best, settled) ? best : null;
}

/** Puts another pool in the place of one, between the same tokens. */
function replaced(problem: Problem, settler: Settler, settled: Settled): Settled | null {
  const { market, perGas } = problem;
  const used = new Set(settled.choice.edges.map((edge) => market.pool[edge] as number));
  for (const { edge, input } of settled.flows) {
    if (problem.expired()) return null;
    const [from, to] = [market.from[edge] as number, market.to[edge] as number];
    const others = Array.from(market.leaving[from] as Int32Array).filter((other) => market.to[other] === to && !used.has(market.pool[other] as number));
    // For what flows now.
    const worth = (other: number): number =>
      (settled.prices[to] as number) * (market.output(other, input) || market.held(other)) - perGas * market.gas(other, input);
    const rest = settled.choice.edges.filter((each) => each !== edge);
    const ranked = others.map((other) => ({ other, worth: worth(other) })).sort((a, b) => b.worth - a.worth);
    for (const { other } of ranked.slice(0, MOST_EXCHANGES)) {
      const candidate = settler({ edges: [...rest, other], rooms: settled.choice.rooms }, settled.prices);
      if (wins(candidate, settled)) return candidate;
    }
  }
  return null;
}

/** Takes something out, and puts in its place what then gains most. */
function exchanged(problem: Problem, settler: Settler, settled: Settled): Settled | null {
  for (const { kept } of cutsOf(problem, settled)) {
    if (problem.expired()) return null;
    const without = settler(kept, settled.prices);
    if (without === null) continue;
    for (const { edges } of findAdditions(problem, without, Math.max(0, settled.net - without.net), MOST_EXCHANGES)) {
      const candidate = settler(union(without.choice, edges), without.prices);
      if (wins(candidate, settled)) return candidate;
    }
  }
  return null;
}

/** Adds what does not quite pay for its gas, where something else can then go. */
function relieved(problem: Problem, settler: Settler, settled: Settled): Settled | null {
  if (problem.perGas === 0) return null;
  for (const { edges } of findAdditions(problem, settled, -problem.perGas * NEAR_GAS, MOST_NEAR)) {
    if (problem.expired()) return null;
    const candidate = settler(union(settled.choice, edges), settled.prices);
    const less = candidate === null ? null : dropped(problem, settler, candidate);
    if (wins(less, settled)) return less;
  }
  return null;
}

/** Stops a flow a hair short of the last tick that it reaches, or lets one go on that was stopped. */
function held(problem: Problem, settler: Settler, settled: Settled): Settled | null {
  const { market, perGas } = problem;
  const { edges, rooms } = settled.choice;
  if (perGas === 0) return null;
  for (const edge of rooms.keys()) {
    const freed = new Map(rooms);
    freed.delete(edge);
    const candidate = settler({ edges, rooms: freed }, settled.prices);
    if (wins(candidate, settled)) return candidate;
  }
  for (const { edge, input } of settled.flows) {
    if (problem.expired()) return null;
    const room = market.belowGasStep(edge, input);
    if (!(room > 0)) continue;
    const candidate = settler({ edges, rooms: new Map(rooms).set(edge, room) }, settled.prices);
    if (wins(candidate, settled)) return candidate;
  }
  return null;
}

export function union({ edges, rooms }: Choice, more: readonly number[]): Choice {
  return { edges: [...new Set([...edges, ...more])], rooms };
}
