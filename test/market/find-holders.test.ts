import { expect } from 'chai';
import { LIMITS } from '../../src/config/limits.ts';
import { findHolders } from '../../src/market/find-holders.ts';
import { type Address, asAddress } from '../../src/units/units.ts';
import type { PinnedReader } from '../../src/venues/venues.ts';

const at = (n: number): Address => asAddress(`0x${n.toString(16).padStart(40, '0')}`);
const TOKEN = at(1);
const { measuredAt, lookedAt, deepestFirst } = LIMITS.measuring.pools;

/** What a token says pools have of it; null: it does not say. */
const saying = (balances: ReadonlyMap<Address, bigint | null>): PinnedReader => {
  return async (calls) =>
    calls.map(({ data }) => {
      const balance = balances.get(asAddress(`0x${data.slice(-40)}`)) ?? null;
      return balance === null ? null : (`0x${balance.toString(16).padStart(64, '0')}` as const);
    });
};

describe('the pools that a token is measured at', () => {
  const decoys = Array.from({ length: lookedAt }, (_, n) => at(100 + n));
  const real = at(7);
  const balances = new Map([...decoys.map((pool) => [pool, 10n ** 24n] as const), [real, 10n ** 18n] as const]);

  it('hold most of it, and are those that it takes USD to move, however many others its maker filled with it before', async () => {
    const pools = [...decoys, real];
    expect(await findHolders(TOKEN, pools, [real], saying(balances))).to.deep.equal({
      pools: [real, ...decoys.slice(0, measuredAt - 1)],
      deepest: real,
    });
    expect(await findHolders(TOKEN, pools, [], saying(balances))).to.deep.equal({ pools: decoys.slice(0, measuredAt), deepest: null });
    // Deep pools alone are not all: what has most of it comes too.
    expect(await findHolders(TOKEN, [decoys[9] as Address], decoys.slice(0, 8), saying(balances))).to.deep.equal({
      pools: [...decoys.slice(0, deepestFirst), decoys[9]],
      deepest: decoys[0],
    });
  });

  it('have some of it, and are not the token itself', async () => {
    const known = new Map(balances).set(TOKEN, 1n).set(real, 0n);
    expect(await findHolders(TOKEN, [TOKEN, real], [TOKEN], saying(known))).to.deep.equal({ pools: [], deepest: null });
    expect(await findHolders(TOKEN, [decoys[0] as Address, real], [real], saying(known)), 'the deepest, whatever it says of it').to.deep.equal({
      pools: [real, decoys[0]],
      deepest: real,
    });
    expect(await findHolders(TOKEN, [decoys[0] as Address, real], [real], saying(new Map())), 'it says nothing of any').to.deep.equal({
      pools: [real],
      deepest: real,
    });
  });
});
