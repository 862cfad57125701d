/** Milliseconds between blocks of the chains that have more than one in two seconds, by chain id, as viem 2.57.20 lists them: Arbitrum, BNB Smart Chain, Celo, Sonic, Unichain, X Layer. */
const BLOCK_MS: ReadonlyMap<number, number> = new Map([
  [42161, 250],
  [56, 750],
  [42220, 1000],
  [146, 630],
  [130, 1000],
  [196, 1000],
]);

/** How old a verdict about a token may be where blocks come faster than it can be measured. */
const LEAST_MS = 2000;

/** After how many blocks a verdict about a token still serves, where the configuration does not say: one, or as many as there are in two seconds. */
export function verdictBlocksOf(chainId: number): number {
  return Math.max(1, Math.floor(LEAST_MS / (BLOCK_MS.get(chainId) ?? LEAST_MS)));
}
