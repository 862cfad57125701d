// How much more than its estimate a swap has to be sent with: swaps of the devnet, its bots trading, each sent with one of some margins.
// npm run bench:margin -- [--swaps N, with each margin] [--seed N] [--record]

import { parseArgs } from 'node:util';
import { integerOption } from '../../scripts/integer-option.ts';
import { approveAll, randomTrade, takerOf } from '../../test/e2e/swap-check.ts';
import { startTestBraid } from '../../test/support/braid.ts';
import { seededRandom } from '../../test/support/seeded-random.ts';
import { recordFigures } from '../history/history.ts';
import { sendWithMargin } from './send-with-margin.ts';

/** Percent of the estimate. */
const MARGINS = [0n, 5n, 10n, 20n];

const { values } = parseArgs({
  options: { swaps: { type: 'string', default: '200' }, seed: { type: 'string', default: '1' }, record: { type: 'boolean', default: false } },
});
const [swaps, seed] = [integerOption('--swaps', values.swaps, 1), integerOption('--seed', values.seed)];
const braid = await startTestBraid({ devnetBots: true });
try {
  await measure();
} finally {
  await braid.stop();
}

async function measure(): Promise<void> {
  const taker = takerOf(braid);
  await approveAll(taker);
  const random = seededRandom('gas margins', seed);
  const sent = MARGINS.map((percent) => ({ percent, mined: 0, outOfGas: 0, moved: 0 }));
  // In turns, so that all margins meet the same market.
  for (let turn = 0; sent.some(({ mined }) => mined < swaps); turn++) {
    const tally = sent[turn % sent.length];
    if (tally === undefined) throw new Error('no margin');
    const { status, swap } = await taker.ask(randomTrade(taker, random));
    if (status !== 200 || (await taker.balance(swap.sellToken, taker.account.address)) < BigInt(swap.sellAmount)) continue;
    const { kind } = await sendWithMargin(taker, swap, tally.percent);
    if (kind === 'moved') tally.moved++;
    if (kind !== 'done' && kind !== 'out-of-gas') continue;
    tally.mined++;
    if (kind === 'out-of-gas') tally.outOfGas++;
  }
  const figures = sent.map(({ percent, mined, outOfGas, moved }) => ({ marginPercent: Number(percent), mined, outOfGas, moved }));
  if (values.record) recordFigures('margin', figures);
  process.stdout.write('| margin | sent | ran out of gas | beside them, moved past their floor |\n|---|---|---|---|\n');
  for (const { marginPercent, mined, outOfGas, moved } of figures)
    process.stdout.write(`| ${marginPercent}% | ${mined} | ${outOfGas} (${((100 * outOfGas) / mined).toFixed(1)}%) | ${moved} |\n`);
}
