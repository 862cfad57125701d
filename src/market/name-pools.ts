import { type MeasuredVerdict, poolMark } from '../snapshot/snapshot.ts';
import type { Address } from '../units/units.ts';
import type { JudgedPools } from './judge-transfers.ts';

/**
 * A verdict with its pools by their marks, as a snapshot names them. One whose mark is also that of another contract which trades the token is not named: whoever makes pools can look for such an address. Where none is left
 * nothing is known of any.
 */
export function named({ verdict, openAt, seenAt }: JudgedPools, contracts: readonly Address[]): Omit<MeasuredVerdict, 'block'> {
  const pools = openAt ?? seenAt;
  if (pools === undefined) return { verdict };
  const isAlone = (pool: Address): boolean => !contracts.some((other) => other !== pool && poolMark(other) === poolMark(pool));
  const marks = pools.filter(isAlone).map(poolMark);
  if (marks.length === 0) return { verdict: { kind: 'unmeasurable' } };
  return openAt === undefined ? { verdict, seenAt: marks } : { verdict, openAt: marks };
}
