import { type PoolView, poolMark, type SnapshotView } from '../../snapshot/snapshot.ts';
import type { OpenAt, TransferJudge } from './transfer-judge.ts';

type Pool = Pick<PoolView, 'address' | 'tokens'>;

/**
 * Says whether the tokens of a trade may be traded at a pool: its ends, and where routes lead through tokens that are not listed, those too; null where they may at every one. What a token does at a pool that nobody measured it at is
 * not known, though it is clean at all others.
 */
export function openPools(judge: TransferJudge, view: SnapshotView, ids: { readonly sell: number; readonly buy: number }): ((pool: Pool) => boolean) | null {
  const known = new Map<number, OpenAt | null>();
  const openAt = (token: number): OpenAt | null => {
    const held = known.get(token);
    if (held !== undefined) return held;
    const open = judge.openAt(view, token);
    known.set(token, open);
    return open;
  };
  const isOpen = (token: number, address: PoolView['address']): boolean => {
    const open = openAt(token);
    if (open === null || open.marks.includes(poolMark(address))) return true;
    // A vault pays with shares of its own, in which nothing can stand in for it: the operator named it (decision 92).
    return !open.refusesOthers && view.token(token).address === address;
  };
  if (judge.leadsThroughMeasured) return ({ address, tokens }) => tokens.every((token) => isOpen(token, address));
  const ends = [ids.sell, ids.buy].filter((token) => openAt(token) !== null);
  if (ends.length === 0) return null;
  return ({ address, tokens }) => ends.every((token) => !tokens.includes(token) || isOpen(token, address));
}
