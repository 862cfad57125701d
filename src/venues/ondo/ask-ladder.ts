import { LIMITS } from '../../config/limits.ts';
import { type Ladder, MAX_AMOUNT, type Rung, withFallingPrices } from '../ladder/rungs.ts';
import type { AskOutside, IssuedAsset, OutsideSource } from '../outside.ts';
import { requestOf, SOFT_PATH } from './assets.ts';
import type { Side } from './attestation.ts';
import { readAnswer, readQuoted } from './read-answers.ts';
import { wholeTokens, worthDown } from './worth.ts';

/** What an issuer indicates for one side of an asset. 'closed': nothing, since its market is closed or by a limit of its own; what it refuses above a size is that size and no failure. */
export type AskedLadder =
  | { readonly outcome: 'ok' | 'closed'; readonly ladder: Ladder }
  | { readonly outcome: 'busy' | 'unreachable' | 'garbled'; readonly retryAfterMs: number | null };

/** Asks for one size after the other, the smallest first, until one is refused. */
export async function askLadder(
  ask: AskOutside,
  source: OutsideSource,
  chainId: number,
  issued: IssuedAsset,
  side: Side,
  signal: AbortSignal,
): Promise<AskedLadder> {
  const { symbol, token: asset, sizes } = issued;
  const chain = source.issues?.chain ?? String(chainId);
  const rungs: Rung[] = [];
  for (const size of sizes.slice(0, LIMITS.outbound.issuers.levels)) {
    const answer = readAnswer(await ask(source, requestOf(chain, symbol, side, { tokenAmount: wholeTokens(size) }), signal, SOFT_PATH));
    if (!answer.ok) {
      if (answer.reason === 'refused') break;
      return { outcome: answer.reason === 'crowded' ? 'unreachable' : answer.reason, retryAfterMs: answer.retryAfterMs };
    }
    const quoted = readQuoted(answer.says, { chainId, symbol, asset, side });
    if (quoted === null || quoted.quantity !== size) return { outcome: 'garbled', retryAfterMs: null };
    const worth = worthDown(size, quoted.price);
    rungs.push(side === 'buy' ? { amountIn: worth, amountOut: size } : { amountIn: size, amountOut: worth });
  }
  const ladder = withFallingPrices(rungs.filter(isHandled));
  return { outcome: ladder.length === 0 ? 'closed' : 'ok', ladder };
}

function isHandled({ amountIn, amountOut }: Rung): boolean {
  return amountIn > 0n && amountOut > 0n && amountIn <= MAX_AMOUNT && amountOut <= MAX_AMOUNT;
}
