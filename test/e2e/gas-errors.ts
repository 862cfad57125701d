import { expect } from 'chai';
import type { ModelledGas } from './swap-check.ts';

/** What design/venues and the settlement issue allow, of what a transaction takes. */
const MEAN = 0.1;
export const WORST = 0.3;

/** Reports how far the gas that responses say is from what their transactions took, and holds it. None of these routes was fitted to: the seed chooses them. Routes through ports that take more gas than the venue's own contract count in the mean alone. `mean`: for routes of one kind, of which the model may be off to one side; then each is held to the bound of the worst. */
export function expectGasNear(measured: readonly ModelledGas[], atLeast: number, mean = MEAN): void {
  expect(measured.length, 'executions whose gas counts').to.be.at.least(atLeast);
  const errors = measured.map((swap) => ({ ...swap, error: swap.said / swap.used - 1 }));
  const error = errors.reduce((sum, each) => sum + Math.abs(each.error), 0) / errors.length;
  const bias = errors.reduce((sum, { error }) => sum + error, 0) / errors.length;
  const [worst] = errors.filter(({ ported }) => !ported).sort((one, other) => Math.abs(other.error) - Math.abs(one.error));
  if (worst === undefined) throw new Error('nothing was measured');
  const percent = (part: number) => `${(100 * part).toFixed(1)}%`;
  process.stdout.write(`      gas of ${errors.length} swaps: mean error ${percent(error)}, on the whole ${percent(bias)}, worst ${percent(worst.error)}\n`);
  expect(error, 'mean error').to.be.at.most(mean);
  expect(Math.abs(worst.error), `${worst.said} said, ${worst.used} taken: ${worst.context}`).to.be.at.most(WORST);
}
