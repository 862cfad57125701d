import { dualBound, leastInputBound, readMarket } from '../bound/bound.ts';
import type { SnapshotReader } from '../snapshot/snapshot.ts';
import { type Address, NATIVE_TOKEN } from '../units/units.ts';
import type { BoundOf } from './solve-requests.ts';

/** A bound that may be off by more than this says nothing about a loss. */
const LOOSE_BPS = 50;

/** Bounds on a snapshot that does not change any more: gas-free, without a hop limit, and of use only where no free arbitrage is left in it. */
export function boundsOn(reader: SnapshotReader, wrappedNative: Address): BoundOf {
  const read = pinned(reader);
  if (read === null) return () => null;
  const { market, tokenId } = read;
  const idOf = (token: Address) => tokenId(token === NATIVE_TOKEN ? wrappedNative : token);
  return ({ mode, sellToken, buyToken, amount }, plan) => {
    const [sell, buy] = [idOf(sellToken), idOf(buyToken)];
    if (sell < 0 || buy < 0 || sell === buy) return null;
    const input = Number(plan.sellAmount);
    const found = dualBound(market, sell, buy, input);
    if (found === null || found.slackBps > LOOSE_BPS) return null;
    return mode === 'sell' ? found.bound : leastInputBound(market, sell, buy, Number(amount), input);
  };
}

function pinned(reader: SnapshotReader) {
  const view = reader.pin();
  if (view === null) return null;
  try {
    const market = readMarket(view);
    const ids = new Map(Array.from({ length: view.tokenCount }, (_, id) => [view.token(id).address, id]));
    return { market, tokenId: (token: Address) => ids.get(token) ?? -1 };
  } finally {
    reader.unpin();
  }
}
