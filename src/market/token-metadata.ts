import type { TokenFacts } from '../snapshot/snapshot.ts';
import type { Address } from '../units/units.ts';
import { type ChainAnswer, firstWords, type PinnedReader } from '../venues/venues.ts';

/** Selector of decimals(). */
const DECIMALS = '0x313ce567';

/**
 * What tokens say about themselves, at the reader's block, in the order asked. A token whose decimals() reverts, answers nothing or answers above 255 has null:
 * it can be traded, and not valued. Names and symbols are not read: nothing that is served needs them, and bytes32 ones can so do no harm.
 */
export async function readTokenFacts(tokens: readonly Address[], read: PinnedReader): Promise<readonly TokenFacts[]> {
  const answers = await read(tokens.map((token) => ({ to: token, data: DECIMALS, answerBytes: 32 })));
  return tokens.map((address, at) => ({ address, decimals: decimalsOf(answers[at]), usd: null }));
}

function decimalsOf(answer: ChainAnswer | undefined): number | null {
  const [value] = firstWords(answer, 1) ?? [];
  return value !== undefined && value <= 255n ? Number(value) : null;
}
