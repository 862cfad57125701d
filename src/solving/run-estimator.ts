import { LIMITS } from '../config/limits.ts';
import type { SolveJob } from '../routing/routing.ts';
import type { SolverWork } from './solver-thread.ts';

type Average = { meanMs: number; runs: number };

/** How much the newest run weighs at least: an average follows a market that changes. */
const NEWEST_WEIGHT = 0.1;
/**
 * An average of few runs is drawn towards that of the wider kind, as if that were so many more runs. A whole one for a depth, which starts from a guess. Little for pairs and jobs: of one depth
 * some take a hundred times as long as others, and a single run of its own says more of a job than all of those.
 */
const DEPTH_PRIOR_RUNS = 1;
const PRIOR_RUNS = 0.1;
const FIRST_GUESS_MS = 3;
const CERTIFY_GUESS_MS = 0.5;
/** Beyond this depth each hop makes the first guess so much longer. */
const USUAL_HOPS = 4;
const GUESS_PER_HOP = 3;

/**
 * Estimates how long a job will run from the runs of jobs like it: by mode and depth, by these with the pair and the magnitude of the amount, and by the very same job. Each
 * kind's average is drawn towards the wider one's while it knows few runs. Bounded: the kinds not seen for longest are forgotten.
 */
export class RunEstimator {
  // Insertion order is the order of the last touch.
  readonly #averages = new Map<string, Average>();

  /** Kinds remembered. */
  get size(): number {
    return this.#averages.size;
  }

  /** Run time of a piece of work on a thread, ms. */
  estimateMs(work: SolverWork): number {
    let estimate = guessOf(work);
    let priorRuns = DEPTH_PRIOR_RUNS;
    for (const kind of kindsOf(work)) {
      const known = this.#averages.get(kind);
      if (known !== undefined) estimate = (known.runs * known.meanMs + priorRuns * estimate) / (known.runs + priorRuns);
      priorRuns = PRIOR_RUNS;
    }
    return estimate;
  }

  /** Whether work of its mode, depth, pair and magnitude has run to its end before. */
  knows(work: SolverWork): boolean {
    return this.runsOf(work) > 0;
  }

  /** How often work of its mode, depth, pair and magnitude has run to its end lately; many are not counted. */
  runsOf(work: SolverWork): number {
    return this.#averages.get(kindsOf(work)[1] ?? work.kind)?.runs ?? 0;
  }

  /** Takes in a run. One that its deadline cut short says only that the job takes at least so long. */
  learn(work: SolverWork, runMs: number, cutShort: boolean): void {
    const tookMs = cutShort ? Math.max(runMs, this.estimateMs(work)) : runMs;
    for (const kind of kindsOf(work)) {
      const known = this.#averages.get(kind) ?? { meanMs: 0, runs: 0 };
      known.runs = Math.min(known.runs + 1, 1 / NEWEST_WEIGHT);
      known.meanMs += (tookMs - known.meanMs) / known.runs;
      this.#averages.delete(kind);
      this.#averages.set(kind, known);
    }
    for (const oldest of this.#averages.keys()) {
      if (this.#averages.size <= LIMITS.solving.rememberedKinds) break;
      this.#averages.delete(oldest);
    }
  }
}

function guessOf(work: SolverWork): number {
  if (work.kind === 'certify') return CERTIFY_GUESS_MS;
  return FIRST_GUESS_MS * GUESS_PER_HOP ** Math.max(0, (work.job.maxHops ?? USUAL_HOPS) - USUAL_HOPS);
}

/** From the widest to the narrowest. */
function kindsOf(work: SolverWork): readonly string[] {
  if (work.kind === 'certify') return ['certify'];
  const { mode, maxHops, chainId, sellToken, buyToken, amount } = work.job;
  const depth = `${mode}/${maxHops ?? 'default'}`;
  const pair = `${depth}/${chainId}/${sellToken}/${buyToken}/${magnitudeOf(amount)}`;
  return [depth, pair, `${pair}/${amount}/${filterOf(work.job)}`];
}

/** Powers of 16, by the digits that the amount has in that base. */
function magnitudeOf(amount: bigint): number {
  return amount.toString(16).length;
}

function filterOf({ filter }: SolveJob): string {
  return `${filter.include?.length ?? 0}-${filter.exclude.length}`;
}
