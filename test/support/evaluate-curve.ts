import type { Curve } from '../../src/snapshot/snapshot.ts';

/** The output of a curve as src/snapshot/curve.ts defines it, written for clearness and not for speed. */
export function evaluateCurve(curve: Curve, amountIn: number): number {
  if (curve.kind !== 'segments') throw new Error(`no evaluation of ${curve.kind} curves here`);
  const x = amountIn * curve.keep;
  let output = 0;
  for (let at = 0; at < curve.columns.length; at += 4) {
    const [x0, y0, reserveIn, reserveOut] = curve.columns.subarray(at, at + 4);
    if (x0 === undefined || y0 === undefined || reserveIn === undefined || reserveOut === undefined) throw new Error('a piece has four numbers');
    if (x0 > x) break;
    output = y0 + (reserveOut * (x - x0)) / (reserveIn + (x - x0));
  }
  return output;
}
