// A small pool set in real shared memory, solved by a real solver thread: what the service itself runs, without a chain.
import type { HostedChain } from '../../../src/chains/chains.ts';
import { type LoadedPoolSet, loadPoolSet, parsePoolSet } from '../../../src/pool-set/pool-set.ts';
import { EVERY_TOKEN_CLEAN } from '../../../src/routing/routing.ts';
import { createSolving, type SolverChain, type Solving } from '../../../src/solving/solving.ts';
import { loadIndexerVenues } from '../../../src/venues/venues.ts';
import { frozenChain } from './edge.ts';

export const WETH = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2';
export const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
export const DAI = '0x6B175474E89094C44Da98b954EedeAC495271d0F';
/** A token that no pool trades. */
export const LONELY = '0x00000000000000000000000000000000000010FE';
export const NATIVE = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';

const ETHER = 10n ** 18n;
const POOLS: readonly (readonly [number, string, string, bigint, string, bigint, number])[] = [
  [1, 'uniswap_v2', USDC, 40_000_000n * 10n ** 6n, WETH, 10_000n * ETHER, 30],
  [2, 'uniswap_v2', DAI, 20_000_000n * ETHER, WETH, 5_000n * ETHER, 30],
  [3, 'sushiswap_v2', USDC, 4_000_000n * 10n ** 6n, WETH, 1_001n * ETHER, 30],
  [4, 'sushiswap_v2', DAI, 5_000_000n * ETHER, USDC, 5_001_000n * 10n ** 6n, 30],
];

const SET = {
  chainId: 1,
  block: 100,
  blockHash: `0x${'64'.padStart(64, '0')}`,
  timestamp: 1_700_000_000,
  gasPriceWei: '1000000000',
  tokens: { [WETH]: { decimals: 18 }, [USDC]: { decimals: 6, usd: 1 }, [DAI]: { decimals: 18, usd: 1 }, [LONELY]: { decimals: 0 } },
  pools: POOLS.map(([id, venue, token0, reserve0, token1, reserve1, feeBps]) => ({
    kind: 'constantProduct',
    id: `0x${id.toString(16).padStart(40, '0')}`,
    venue,
    tokens: [token0, token1],
    reserves: [reserve0.toString(), reserve1.toString()],
    feeBps,
  })),
};

export type RealSolving = { readonly solving: Solving; readonly hosted: HostedChain };

/** `adjust` changes the snapshot before the solver sees it. `transfers`: how far its verdicts are relied on. */
export async function realSolving(
  adjust: (loaded: LoadedPoolSet) => void = () => undefined,
  transfers: SolverChain['transfers'] = EVERY_TOKEN_CLEAN,
): Promise<RealSolving> {
  const parsed = parsePoolSet(SET);
  if (!parsed.ok) throw new Error(parsed.message);
  const capacity = { arenaBytes: 2 ** 22, pools: 64, tokens: 64, slots: 8, readers: 4 };
  const result = loadPoolSet(parsed.set, { venues: await loadIndexerVenues(), capacity });
  if (!result.ok) throw new Error(result.message);
  const { loaded } = result;
  adjust(loaded);
  const chain = { chainId: 1, wrappedNative: loaded.wrappedNative, minimumGasPriceWei: 0n, transfers, buffers: loaded.buffers };
  const failures: string[] = [];
  const solving = await createSolving({
    threads: 1,
    workerFile: new URL('../../../workers/solver.ts', import.meta.url),
    data: { chains: [chain] },
    onEvent: (event) => void failures.push(JSON.stringify(event)),
  });
  return { solving, hosted: frozenChain('ethereum', loaded.wrappedNative) };
}
