import { LIMITS } from '../config/limits.ts';
import type { Address } from '../units/units.ts';
import { firstWords, type PinnedReader } from '../venues/venues.ts';

/** Selector of balanceOf(address). */
const BALANCE_OF = '0x70a08231';

/** Pools that a token is measured at; `deepest`: the one of all that it takes most USD to move, null where that is unknown. */
export type Holders = { readonly pools: readonly Address[]; readonly deepest: Address | null };

/**
 * The pools, of those given, that a token is measured at, and so traded at: of the `deepest`, by the USD that it takes to move them, the first few, since whoever makes a token can put any amount of it into pools
 * that nobody trades at; and those that have most of it, as it says itself. The deepest is one of them whatever the token says of it: hiding its balance would hide the pool where it is traded. None where none has any. Throws where the node could not be asked. A token that says nothing of a balance is measured
 * where it is first looked for: that it does not say is then what is found.
 */
export async function findHolders(token: Address, pools: readonly Address[], deepest: readonly Address[], read: PinnedReader): Promise<Holders> {
  const { lookedAt, measuredAt, deepestFirst, leastShare } = LIMITS.measuring.pools;
  // A vault's shares are its own token: nothing can stand in for both.
  const first = [...new Set(deepest)].filter((pool) => pool !== token).slice(0, deepestFirst);
  const candidates = [...new Set([...first, ...pools])].filter((pool) => pool !== token).slice(0, lookedAt);
  const answers = await read(candidates.map((pool) => ({ to: token, data: `${BALANCE_OF}${pool.slice(2).padStart(64, '0')}` as const, answerBytes: 32 })));
  const balances = candidates.map((pool, at) => ({ pool, balance: firstWords(answers[at], 1)?.[0] ?? null }));
  if (balances.length > 0 && balances.every(({ balance }) => balance === null)) return { pools: candidates.slice(0, 1), deepest: first[0] ?? null };
  const known = balances.map(({ pool, balance }) => ({ pool, balance: balance ?? 0n })).sort(byBalance);
  const most = known[0]?.balance ?? 0n;
  const large = known.filter(({ balance }) => balance > 0n && balance >= most / BigInt(leastShare)).map(({ pool }) => pool);
  const deep = first.filter((pool, at) => at === 0 || known.some((one) => one.pool === pool && one.balance > 0n));
  return { pools: [...new Set([...deep, ...large])].slice(0, measuredAt), deepest: first[0] ?? null };
}

function byBalance(one: { readonly balance: bigint }, other: { readonly balance: bigint }): number {
  return one.balance > other.balance ? -1 : one.balance < other.balance ? 1 : 0;
}
