import { LIMITS } from '../config/limits.ts';
import type { SnapshotView, TokenFacts } from '../snapshot/snapshot.ts';
import type { SolveJob } from './plan.ts';

/** Default hop depth by trade size in USD (interface specification, maxHops): the depth from the size on. */
const DEPTHS = [
  { fromUsd: 10_000_000, hops: 6 },
  { fromUsd: 250_000, hops: 4 },
  { fromUsd: 25_000, hops: 3 },
  { fromUsd: 0, hops: 2 },
] as const;
const UNPRICED_DEPTH = 3;

/** Depths to try, in order (decisions R17): an explicit one alone; else the default, then one deeper at a time up to the escalation limit. */
export function depthsToTry(explicit: number | null, usd: number | null): number[] {
  if (explicit !== null) return [explicit];
  const first: number = usd === null ? UNPRICED_DEPTH : (DEPTHS.find((depth) => usd >= depth.fromUsd)?.hops ?? UNPRICED_DEPTH);
  const depths: number[] = [first];
  for (let hops = first + 1; hops <= LIMITS.maxHops.escalation; hops++) depths.push(hops);
  return depths;
}

/**
 * USD size of a trade: of the amount that the request fixes, else of the other side by the best direct quote, which is asked for only then. null where
 * neither side is priced.
 */
export function tradeUsd(job: SolveJob, sell: TokenFacts | null, buy: TokenFacts | null, directQuote: () => number | null): number | null {
  const [fixed, other] = job.mode === 'sell' ? [sell, buy] : [buy, sell];
  const known = usdOf(wholeTokens(job.sizeAmount ?? job.amount, fixed), fixed);
  if (known !== null) return known;
  if (other === null || other.usd === null || other.decimals === null) return null;
  const quoted = directQuote();
  return quoted === null ? null : usdOf(quoted / 10 ** other.decimals, other);
}

export function factsOf(view: SnapshotView, tokenId: number): TokenFacts | null {
  return tokenId < 0 ? null : view.token(tokenId);
}

/** Whole units and the fraction apart, so that a size on a threshold is not pushed below it by rounding. */
function wholeTokens(amount: bigint, facts: TokenFacts | null): number {
  const unit = 10n ** BigInt(facts?.decimals ?? 0);
  return Number(amount / unit) + Number(amount % unit) / Number(unit);
}

function usdOf(tokens: number, facts: TokenFacts | null): number | null {
  if (facts === null || facts.usd === null || facts.decimals === null) return null;
  const usd = tokens * facts.usd;
  return Number.isFinite(usd) ? usd : null;
}
