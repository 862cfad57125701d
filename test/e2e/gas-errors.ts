import { expect } from 'chai';
import type { ModelledGas } from './swap-check.ts';

/** What design/venues and the settlement issue allow, of what a transaction takes. */
const MEAN = 0.1;
const WORST = 0.3;

/** Reports how far the gas that responses say is from what their transactions took, and holds it. None of these routes was fitted to: the seed chooses them. */
export function expectGasNear(measured: readonly ModelledGas[], atLeast: number): void {
  expect(measured.length, 'executions whose gas counts').to.be.at.least(atLeast);
  const errors = measured.map(({ said, used, context }) => ({ error: said / used - 1, said, used, context }));
  const mean = errors.reduce((sum, { error }) => sum + Math.abs(error), 0) / errors.length;
  const bias = errors.reduce((sum, { error }) => sum + error, 0) / errors.length;
  const [worst] = [...errors].sort((one, other) => Math.abs(other.error) - Math.abs(one.error));
  if (worst === undefined) throw new Error('nothing was measured');
  const percent = (part: number) => `${(100 * part).toFixed(1)}%`;
  process.stdout.write(`      gas of ${errors.length} swaps: mean error ${percent(mean)}, on the whole ${percent(bias)}, worst ${percent(worst.error)}\n`);
  expect(mean, 'mean error').to.be.at.most(MEAN);
  expect(Math.abs(worst.error), `${worst.said} said, ${worst.used} taken: ${worst.context}`).to.be.at.most(WORST);
}
