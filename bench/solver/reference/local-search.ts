import { findAdditions } from './additions.ts';
import type { Choice, Problem, Settled } from './problem.ts';
import { settle } from './settle.ts';
import { joined } from './shape.ts';

/** A step has to win more than this share of the net, or it is rounding. */
const LEAST_WIN = 1e-9;
/** Additions tried at one rest, and after one edge was taken out. */
const MOST_ADDITIONS = 24;
const MOST_EXCHANGES = 4;

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

/** Adds, drops and exchanges one path or one edge, and stops short of a tick or does not, each time with everything at rest again, until none of that wins any more. */
export function improve(problem: Problem, settler: Settler, start: Settled): Settled {
  let best = start;
  const steps = [dropped, added, exchanged, held];
  for (let at = 0; at < steps.length && !problem.expired(); ) {
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
  const cuts = choice.edges.flatMap((edge): Cut[] => {
    const kept = joined(
      market,
      choice.edges.filter((each) => each !== edge),
      sell,
      buy,
    );
    if (kept.length === 0) return [];
    const edges = choice.edges.filter((each) => !kept.includes(each));
    const rooms = new Map([...choice.rooms].filter(([each]) => kept.includes(each)));
    return [{ edges, kept: { edges: kept, rooms }, promise: edges.reduce((sum, each) => sum + (saved.get(each) ?? 0), 0) }];
  });
  return cuts.sort((a, b) => b.promise - a.promise);
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
  for (const { edges } of findAdditions(problem, settled).slice(0, MOST_ADDITIONS)) {
    if (problem.expired()) return null;
    const candidate = settler(union(settled.choice, edges), settled.prices);
    if (wins(candidate, settled)) return candidate;
    // What it takes flow from may no longer pay for itself.
    const relieved = candidate === null ? null : dropped(problem, settler, candidate);
    if (wins(relieved, settled)) return relieved;
  }
  return null;
}

/** Takes something out, and puts in its place what then gains most. */
function exchanged(problem: Problem, settler: Settler, settled: Settled): Settled | null {
  for (const { kept } of cutsOf(problem, settled)) {
    if (problem.expired()) return null;
    const without = settler(kept, settled.prices);
    if (without === null) continue;
    for (const { edges, promise } of findAdditions(problem, without).slice(0, MOST_EXCHANGES)) {
      if (without.net + promise <= settled.net) break;
      const candidate = settler(union(without.choice, edges), without.prices);
      if (wins(candidate, settled)) return candidate;
    }
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
