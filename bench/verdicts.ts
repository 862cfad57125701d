// What it costs a solve that verdicts on transfers are relied on, all of them fresh: node --import ./scripts/typescript.mjs bench/verdicts.ts [--json]

import { createSolver } from '../src/routing/routing.ts';
import { asAddress, instantNow } from '../src/units/units.ts';
import { openReport } from './history/history.ts';
import { openBenchSet } from './solver/bench-set.ts';
import { solveInTurns } from './solver/solve-in-turns.ts';

const REQUESTS = 100;

const report = openReport('verdicts');
const set = await openBenchSet({ name: 'M', seed: 3, outside: 0, clear: false, blocks: false, requests: REQUESTS });
const { writer, block, wrappedNative } = set.loaded;
for (const { address } of set.tokens) writer.setVerdict(asAddress(address), { verdict: { kind: 'clean' }, block: block.number });
writer.publish(block);
const chain = { chainId: 31337, wrappedNative, minimumGasPriceWei: 1n };
const context = { venues: set.venues, now: instantNow, cancelled: () => false };
const trusting = createSolver({ ...context, chain: { ...chain, transfers: 'every-token-clean' } });
const relying = createSolver({
  ...context,
  chain: { ...chain, transfers: { verdictBlocks: 1, wellKnown: { tokens: [], blocks: 0 }, routeThrough: 'measured' } },
});
const times = solveInTurns(set, { trusting, relying });
const figures = { requests: set.requests.length, trustingMs: times.trusting, relyingMs: times.relying, ratio: times.relying / times.trusting };
report(figures, () => {
  console.log(
    `${figures.requests} solves, processor time: ${times.relying.toFixed(1)} ms by verdicts, ${times.trusting.toFixed(1)} ms where every token is clean`,
  );
  console.log(`ratio ${figures.ratio.toFixed(3)}`);
});
