import { PriceBook } from '../../src/market/price-book.ts';
import type { EdgeCurve, PoolView, SnapshotView } from '../../src/snapshot/snapshot.ts';
import type { Address } from '../../src/units/units.ts';

/** A book of all that a snapshot holds, priced. `sources`: the tokens by which others are. */
export function bookOfView(view: SnapshotView, anchors: ReadonlyMap<Address, number>, leastDepthUsd: number, sources: ReadonlySet<Address>): PriceBook {
  const book = new PriceBook(leastDepthUsd);
  const tokens = Array.from({ length: view.tokenCount }, (_, id) => view.token(id));
  for (const { address, decimals } of tokens) book.setDecimals(address, decimals);
  for (let id = 0; id < view.poolCount; id++) {
    const pool = view.pool(id);
    if (pool !== undefined)
      book.setPool(
        pool.key,
        pool.tokens.flatMap((at) => tokens[at]?.address ?? []),
        curvesOf(pool),
      );
  }
  book.setSources(sources);
  book.setAnchors(anchors);
  book.settle();
  return book;
}

function curvesOf(pool: PoolView): readonly EdgeCurve[] {
  const slots = pool.tokens.map((_, slot) => slot);
  return slots.flatMap((slotIn) =>
    slots.flatMap((slotOut) => {
      const curve = slotIn === slotOut ? undefined : pool.curve(slotIn, slotOut);
      return curve === undefined ? [] : [{ slotIn, slotOut, curve }];
    }),
  );
}
