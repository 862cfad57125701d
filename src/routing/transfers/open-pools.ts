import { type PoolView, poolMark, type SnapshotView } from '../../snapshot/snapshot.ts';
import type { TransferJudge } from './transfer-judge.ts';

type Pool = Pick<PoolView, 'address' | 'tokens'>;

/** Says whether the ends of a trade may be traded at a pool, where one of them is refused at some; null where they may at every one. */
export function openPools(judge: TransferJudge, view: SnapshotView, ids: { readonly sell: number; readonly buy: number }): ((pool: Pool) => boolean) | null {
  const ends = [ids.sell, ids.buy].map((token) => ({ token, marks: judge.openAt(view, token) }));
  if (ends.every(({ marks }) => marks === null)) return null;
  return ({ address, tokens }) => ends.every(({ token, marks }) => marks === null || !tokens.includes(token) || marks.includes(poolMark(address)));
}
