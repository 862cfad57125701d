import { expect } from 'chai';
import type { ChainHeader } from '../../../src/indexing/header.ts';
import { moved } from '../followed-chain.ts';
import { type Backend, HONEST, type Mood } from './backend.ts';
import { MOMENT_MS, type Simulation, simulation } from './simulate.ts';

/** Runs a whole simulation by a seed. Rejects with what did not hold. */
export type Mode = (seed: number, steps: number) => Promise<void>;

/** Seeds that once found something, at the whole number of steps. */
export const KEPT = [
  // A chain of the same id whose block this one was told by; a branch that the chain had left believed again; a dead witness that kept a lagging backend followed.
  3,
  20, 30, 32,
  // A chain of the same id that was let in since it had nothing to say, once, of the block that this one is told by.
  138, 1296,
  // A chain that came under a node that had said which it serves, just as the own one was believed to be gone.
  398,
  // A branch that the chain had left, shown by who stands still on it, above the blocks of the new one that could be read so far.
  718,
  // Logs of a range of a chain of the same id, at a start.
  743,
  // An honest endpoint that was outvoted.
  1886,
];
export const WHOLE_STEPS = 200;
export const WHOLE_SEEDS = 2000;

const GOES_APART = 20;
/** Two blocks of the others, 3 s in which they go on with them, and what it takes to see each. */
const MOMENTS_TO_OUTVOTE = 40;

/** What is left may have been left for a minute, and what is doubted for some seconds. */
const MOMENTS_TO_HEAL = 4 * 90;

/** One to three nodes that change their moods, then are well again: what is published is what the chain was at one of its blocks, and the head is there in the end. */
export const safely: Mode = async (seed, steps) => {
  const run = simulation(
    seed,
    Array.from({ length: 1 + (seed % 3) }, () => null),
  );
  try {
    for (let step = 0; step < steps; step++) {
      run.happen();
      await run.moment();
    }
    for (const backend of run.backends) backend.mood = HONEST;
    await heal(run);
  } finally {
    run.close();
  }
};

const BEHIND: Mood = { ...HONEST, lag: 2 };
/** Slow for ever: it answers in time, when the next block is there; or too late for most that is asked; or never; or with nothing but errors. */
const SLOW: readonly Mood[] = [
  { ...HONEST, slow: 1000 },
  { ...HONEST, slow: 2500 },
  { ...HONEST, mute: 1 },
  { ...HONEST, faulty: 1 },
];

/** A block a second. */
const MOMENTS_A_BLOCK = 1000 / MOMENT_MS;
/** What it takes at most to find out who lags and who is slow: twelve seconds. */
const MOMENTS_TO_CHOOSE = 12 * MOMENTS_A_BLOCK;
/** What it may be followed elsewhere for all the same: two seconds, where the good one takes long several times in a row. */
const MOMENTS_ELSEWHERE = 2 * MOMENTS_A_BLOCK;
/** Blocks that what is published is behind at most, at any moment, until then and from then on. */
const FAR = { choosing: 6, chosen: 2 };

/**
 * A node that is two blocks behind for ever and one that is slow for ever, beside a good one, in any order, with a block a second: the head is never far, and from when it is known who is who it is followed
 * at the good one, as if the two others were not there.
 */
export const lively: Mode = async (seed, steps) => {
  const slow = SLOW[Math.floor(seed / 3) % SLOW.length] as Mood;
  const moods = [BEHIND, slow, HONEST];
  const run = simulation(seed, [...moods.slice(seed % 3), ...moods.slice(0, seed % 3)]);
  try {
    await heal(run);
    let elsewhere = 0;
    for (let step = 0; step < steps; step++) {
      if (step % MOMENTS_A_BLOCK === 0) run.chain.grow();
      await run.moment();
      const { number } = run.followed.of('published').at(-1)?.block ?? { number: 0 };
      expect(run.chain.head.number - number, `step ${step}: blocks behind`).to.be.at.most(step < MOMENTS_TO_CHOOSE ? FAR.choosing : FAR.chosen);
      if (step >= MOMENTS_TO_CHOOSE && run.backends[run.rpc.standing().followed]?.mood !== HONEST) elsewhere++;
      expect(elsewhere, `step ${step}: moments at another one`).to.be.at.most(MOMENTS_ELSEWHERE);
    }
    await heal(run);
  } finally {
    run.close();
  }
};

/** What one node alone may be behind that takes one and a half blocks for each answer, until that is known and from then on. */
const FAR_ALONE = { choosing: 8, chosen: 3 };

/** One node, and each answer takes as long as one and a half blocks, half of it more or less: it is followed for ever, as far behind as one such answer takes, and not several of them. */
export const alone: Mode = async (seed, steps) => {
  const run = simulation(seed, [{ ...HONEST, slow: 1500 }]);
  try {
    await heal(run);
    for (let step = 0; step < steps; step++) {
      if (step % MOMENTS_A_BLOCK === 0) run.chain.grow(moved(10, step));
      await run.moment();
      const { number } = run.followed.of('published').at(-1)?.block ?? { number: 0 };
      expect(run.chain.head.number - number, `step ${step}: blocks behind`).to.be.at.most(step < MOMENTS_TO_CHOOSE ? FAR_ALONE.choosing : FAR_ALONE.chosen);
    }
  } finally {
    run.close();
  }
};

/** When the chain of one node alone is set back. */
const SET_BACK = 40;
/** What it takes at most to be with it again once it is higher than before: of a quick node, and of a slow one, of which the way to the block that both branches have is asked for block by block. */
const comesBackIn = (isSlow: boolean, depth: number): number => (isSlow ? 10 + 2 * depth : 3) * MOMENTS_A_BLOCK;
/** What it takes at most to believe that a chain which stands still on a lower block was set back: 30 s, and some answers. */
const MOMENTS_TO_RETREAT = 40 * MOMENTS_A_BLOCK;

/**
 * One node alone, quick or slow, whose chain goes back to a lower block, as on the command of a test chain: it stands there for a while and goes on differently, or stays there. It is followed on the new
 * branch soon after that is higher than the old one was, and where it stays lower all the same, later.
 */
export const setBack: Mode = async (seed, steps) => {
  const isSlow = seed % 2 === 1;
  const run = simulation(seed, [isSlow ? { ...HONEST, slow: 1500 } : HONEST]);
  const { chain, random } = run;
  const depth = 1 + Math.floor(random() * 6);
  const standsFor = Math.floor(random() * 8);
  const staysLower = seed % 5 === 4;
  const goesOnAt = SET_BACK + standsFor;
  const isHigherAt = goesOnAt + MOMENTS_A_BLOCK * (depth + 1);
  try {
    await heal(run);
    for (let step = 0; step < steps; step++) {
      if (step === SET_BACK) chain.back(depth);
      const isGoingOn = step < SET_BACK || (step >= goesOnAt && !staysLower);
      if (isGoingOn && (step - (step < SET_BACK ? 0 : goesOnAt)) % MOMENTS_A_BLOCK === 0) chain.grow(moved(10, step));
      await run.moment();
      if (staysLower || step < isHigherAt + comesBackIn(isSlow, depth)) continue;
      const block = run.followed.of('published').at(-1)?.block;
      expect(
        chain.branch(chain.head.hash).some(({ hash }) => hash === block?.hash),
        `step ${step}: of the branch that there is now`,
      ).to.equal(true);
      expect(chain.head.number - (block?.number ?? 0), `step ${step}: blocks behind`).to.be.at.most(FAR_ALONE.chosen);
    }
    for (let moments = 0; staysLower && moments < MOMENTS_TO_RETREAT && !run.isThere(); moments++) await run.moment();
    if (staysLower) expect(run.isThere(), 'the lower block is published').to.equal(true);
    await heal(run);
  } finally {
    run.close();
  }
};

/** Of three honest nodes one goes over to a branch of its own and builds on it, as fast as the others or twice: the two others' branch is what counts, soon and for good. */
export const outvoting: Mode = async (seed, steps) => {
  const run = simulation(seed, [HONEST, HONEST, HONEST]);
  const { chain, backends, followed } = run;
  const alone = backends[seed % 3] as Backend;
  try {
    await heal(run);
    let own: ChainHeader | null = null;
    for (let step = 0; step < steps; step++) {
      if (step % MOMENTS_A_BLOCK === 0) {
        const fork: ChainHeader = own ?? chain.head;
        chain.grow(moved(10, step));
        for (let block = 0; step >= GOES_APART && block <= seed % 2; block++) own = chain.growOn(own ?? fork, moved(10, 5000 + step));
        if (own !== null) alone.standsOn(own);
      }
      await run.moment();
      if (step < GOES_APART + MOMENTS_TO_OUTVOTE) continue;
      const block = followed.of('published').at(-1)?.block;
      expect(
        chain.branch(chain.head.hash).some(({ hash }) => hash === block?.hash),
        `step ${step}: of the branch that two have`,
      ).to.equal(true);
      expect(chain.head.number - (block?.number ?? 0), `step ${step}`).to.be.at.most(3);
    }
  } finally {
    run.close();
  }
};

export const MODES = { safely, lively, alone, setBack, outvoting };

/** The head is published, whole, before long. */
export async function heal({ chain, moment, isThere }: Simulation): Promise<void> {
  chain.grow();
  for (let moments = 0; moments < MOMENTS_TO_HEAL && !isThere(); moments++) await moment();
  expect(isThere(), 'the head is published, with all pools').to.equal(true);
}

/** Runs seeds one after the other, all of them, and names those that fail: to be kept. */
export async function bySeeds(mode: Mode, seeds: readonly number[], steps: number): Promise<void> {
  expect(await failuresOf(mode, seeds, steps)).to.deep.equal([]);
}

export async function failuresOf(mode: Mode, seeds: readonly number[], steps: number): Promise<readonly string[]> {
  const failures: string[] = [];
  for (const seed of seeds) {
    await mode(seed, steps).catch((error: unknown) => failures.push(`seed ${seed}, ${steps} steps: ${error instanceof Error ? error.message : String(error)}`));
  }
  return failures;
}

export const seedsFrom = (first: number, count: number): readonly number[] => Array.from({ length: count }, (_, at) => first + at);
