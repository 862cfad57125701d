import path from 'node:path';
import { expect } from 'chai';
import { LIMITS } from '../../src/config/limits.ts';
import { FULL_SCALE, SEED, type SeededRandom, seededRandom } from '../support/seeded-random.ts';
import { useTemporaryFolder } from '../support/temporary-folder.ts';
import { fee, follow, moved, opened, REAL_HEIGHT, STRANGER } from './followed-chain.ts';
import { MadeUpChain } from './made-up-chain.ts';

const SEEDS = FULL_SCALE ? 100 : 2;
const STEPS = FULL_SCALE ? 200 : 60;
/** Even: of the followed folder. */
const IDS = [10, 12, 14, 16, 18, 20, 22, 24] as const;

/** Blocks come, are replaced, also deeper than a checkpoint lies below the tip, or are set back; processes end at any moment and others take their places. */
async function live(seed: number, file: string): Promise<ReadonlyMap<string, number>> {
  const random = seededRandom('restarts', seed);
  const chain = new MadeUpChain(REAL_HEIGHT);
  const grow = (): void => void chain.grow(...logsBy(random));
  for (let block = 0; block < 40; block++) grow();
  const start = () => follow(chain, { checkpoint: { file }, startDepthBlocks: 4, pools: 64 });
  let now = start();
  const outcomes = new Map<string, number>();
  for (let step = 0; step < STEPS; step++) {
    const choice = random.unit();
    if (choice < 0.6) grow();
    else if (choice < 0.7) for (let block = 0; block < random.integer(2, 90); block++) grow();
    else if (choice < 0.85) reorganise(chain, random.integer(1, 6), grow);
    else if (choice < 0.88) reorganise(chain, random.integer(60, 90), grow);
    now.clock.advance(random.integer(0, LIMITS.indexing.checkpoint.everyMs));
    if (random.chance(0.15)) now = start();
    const seen = now.of('checkpoint-read').length;
    // What is doubted is believed once it lasts.
    for (let polls = 0; polls < 8 && now.of('published').at(-1)?.block.hash !== chain.head.hash; polls++) {
      now.clock.advance(LIMITS.indexing.retreatMs);
      await now.step().catch((error: Error) => {
        if (error.name !== 'RpcError') throw error;
      });
    }
    for (const { outcome } of now.of('checkpoint-read').slice(seen)) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    expect(now.view(), `step ${step}`).to.deep.equal({ block: chain.head.hash, pools: chain.pricesAt(chain.head.hash) });
    expect(now.of('audit-mismatch'), `step ${step}`).to.have.length(0);
  }
  return outcomes;
}

function reorganise(chain: MadeUpChain, depth: number, grow: () => void): void {
  const height = chain.head.number - REAL_HEIGHT;
  chain.back(Math.min(depth, height - 10));
  for (let block = 0; block <= depth; block++) grow();
}

function logsBy(random: SeededRandom) {
  return Array.from({ length: random.integer(0, 3) }, () => {
    const kind = random.unit();
    const [id, value] = [random.pick(IDS), random.integer(0, 1000)];
    if (kind < 0.3) return opened(id, value);
    if (kind < 0.85) return moved(id, value);
    return kind < 0.95 ? fee(value) : moved(id, value, STRANGER);
  });
}

describe(`checkpoints over many restarts (${SEEDS} seeds from ${SEED})`, function suite() {
  this.timeout(FULL_SCALE ? 3_600_000 : 60_000);
  const folder = useTemporaryFolder();

  it('lead to what the chain says, whatever it did meanwhile', async () => {
    const all = new Map<string, number>();
    for (let seed = SEED; seed < SEED + SEEDS; seed++) {
      const outcomes = await live(seed, path.join(folder.current(), String(seed))).catch((error: Error) => {
        throw new Error(`seed ${seed}: ${error.message}`, { cause: error });
      });
      for (const [outcome, count] of outcomes) all.set(outcome, (all.get(outcome) ?? 0) + count);
    }
    expect(all.get('resumed') ?? 0, `restarts that went on from one, of ${JSON.stringify([...all])}`).to.be.above(SEEDS);
    // Which two seeds need not meet.
    if (FULL_SCALE) expect(all.get('not-on-chain') ?? 0, 'restarts on another branch').to.be.above(0);
  });
});
