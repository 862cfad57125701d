import { deserialize, serialize } from 'node:v8';
import { expect } from 'chai';
import type { SolverAnswer, SolverTask } from '../../src/solving/solving.ts';
import { job, openWorld, pairPool, planOf, replay, token } from '../routing/world.ts';

const DEPTH = 7;
const SPLITS = 20;
const MOST_BYTES = 64 * 1024;
/** Ten times what is promised of the slowest of a hundred. */
const MOST_MS = 50;

const SINGLETON = {
  venue: 'uniswap_v4',
  protocol: 'uniswap_v4',
  source: 'uniswap_v4',
  hook: null,
  legFacts: { fee: 3000, tickSpacing: 60, native: 0, variant: '' },
};

describe('B14: the largest of routes as a message between threads', () => {
  // As many pools between any two tokens of a row: each hop is worth splitting over all of them.
  const pools = Array.from({ length: DEPTH * SPLITS }, (_, index) => {
    const step = Math.floor(index / SPLITS);
    const reserve = 10n ** 24n + BigInt(index) * 10n ** 18n;
    return pairPool(index, [step, step + 1], [reserve, reserve]);
  });
  const world = openWorld({ pools, tokenCount: DEPTH + 1 });
  const asked = job(token(0), token(DEPTH), 10n ** 24n, { maxHops: DEPTH });
  const result = world.solve(asked, world.view);

  it(`has ${DEPTH * SPLITS} hops and is at most 64 KiB, also with the job that asks to certify it`, () => {
    const plan = planOf(result);
    expect(plan.hops).to.have.length(DEPTH * SPLITS);
    expect(replay(world, plan, token(0), 10n ** 24n).output).to.equal(plan.grossAmount);
    const { chainId, sellToken, buyToken, deadline } = asked;
    // Of a singleton's pools, which carry more: their keys are ids, and the leg names them by fee, spacing and hook.
    const hops = plan.hops.map((hop, at) => ({ ...hop, ...SINGLETON, poolKey: `0x${at.toString(16).padStart(64, '0')}` }));
    const answer: SolverAnswer = { result: { ok: true, plan: { ...plan, hops } }, runMs: 1, heapBytes: 1, heldBytes: 1 };
    const task: SolverTask = { kind: 'certify', job: { chainId, sellToken, buyToken, deadline, sellAmount: plan.sellAmount, hops } };
    for (const message of [answer, task]) {
      const written = serialize(message);
      expect(written.byteLength).to.be.within(10_000, MOST_BYTES);
      expect(deserialize(written)).to.deep.equal(message);
    }
  });

  it('refers to no shared memory, which would be handed over with it', () => {
    const shared: string[] = [];
    let looked = 0;
    const look = (value: unknown, at: string): void => {
      looked++;
      if (value instanceof SharedArrayBuffer || ArrayBuffer.isView(value)) shared.push(at);
      if (typeof value === 'object' && value !== null) for (const [name, inner] of Object.entries(value)) look(inner, `${at}.${name}`);
    };
    look(result, 'result');
    expect(looked).to.be.above(10 * DEPTH * SPLITS);
    expect(shared).to.deep.equal([]);
  });

  it('is copied in next to no time', () => {
    const times = Array.from({ length: 100 }, () => {
      const startedAt = performance.now();
      structuredClone(result);
      return performance.now() - startedAt;
    }).sort((one, other) => one - other);
    // The slowest of a hundred is the machine's where it does other things.
    console.log(`      p50 ${times[50]?.toFixed(2)} ms, p99 ${times[98]?.toFixed(2)} ms`);
    expect(times[50]).to.be.below(MOST_MS);
  });
});
