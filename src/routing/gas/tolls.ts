import { curveGas } from '../../curves/curves.ts';
import type { Curve } from '../../snapshot/snapshot.ts';

/** What a hop costs while choosing, in base units of the token whose amount is sought: the buy token for sell, the sell token for buy. */
export type Tolls = {
  /** For each gas unit. */
  readonly perGas: number;
  /** For each hop, whatever its gas. */
  readonly perHop: number;
};

export const NO_TOLLS: Tolls = { perGas: 0, perHop: 0 };

export function isTolled({ perGas, perHop }: Tolls): boolean {
  return perGas > 0 || perHop > 0;
}

export function hopToll(tolls: Tolls, curve: Curve, input: number): number {
  return tolls.perGas === 0 ? tolls.perHop : tolls.perHop + tolls.perGas * curveGas(curve, input);
}
