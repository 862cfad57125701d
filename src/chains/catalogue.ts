import { asAddress, type DurationMs } from '../units/units.ts';
import { NAMED_CHAINS, type NamedChain } from './by-hand.ts';
import type { CataloguedChain } from './chain.ts';
import { CHAIN_FACTS } from './chains.gen.ts';

const GWEI = 1_000_000_000n;

/** A head is stale after five blocks that did not come, and never within half a minute: nodes pause. */
const MISSED_BLOCKS = 5;
const LEAST_FRESHNESS_BOUND_MS = 30_000;
/** A verdict about a token serves for one block, or for as many as come in this time: in less, none can be measured and relied on. */
const LEAST_VERDICT_MS = 2000;

/** Every chain the service knows by name. */
export const CATALOGUE: readonly CataloguedChain[] = [
  ...NAMED_CHAINS.map(entry),
  {
    chainId: 31337,
    name: 'devnet',
    aliases: [],
    wrappedNative: null,
    minimumGasPriceWei: GWEI,
    nativeSymbol: 'ETH',
    nativeDecimals: 18,
    blockTime: 1000 as DurationMs,
    freshnessBound: LEAST_FRESHNESS_BOUND_MS as DurationMs,
    verdictBlocks: 1,
    baseTokens: [],
  },
];

function entry({ chainId, name, aliases, minimumGasPriceWei = 0n, blockTimeMs, nativeIsToken }: NamedChain): CataloguedChain {
  const facts = CHAIN_FACTS.find((chain) => chain.chainId === chainId);
  const blockTime = facts?.blockTimeMs ?? blockTimeMs;
  if (facts === undefined || blockTime === undefined) throw new Error(`the catalogue lacks facts of chain ${chainId}`);
  const { nativeSymbol, nativeDecimals, wrappedNative, baseTokens } = facts;
  return {
    chainId,
    name,
    aliases,
    wrappedNative: nativeIsToken === true ? null : asAddress(wrappedNative),
    minimumGasPriceWei,
    nativeSymbol,
    nativeDecimals,
    blockTime: blockTime as DurationMs,
    freshnessBound: Math.max(LEAST_FRESHNESS_BOUND_MS, MISSED_BLOCKS * blockTime) as DurationMs,
    verdictBlocks: Math.max(1, Math.floor(LEAST_VERDICT_MS / blockTime)),
    baseTokens: baseTokens.map(asAddress),
  };
}
