// Braid's public server as the service composes it, over a pool set of four pools. Only the solver may be another one.
import { InflightCounter, watchEventLoopDelay } from '../../src/admission/admission.ts';
import { createLegEncoder } from '../../src/building/building.ts';
import { CATALOGUE, type HostedChain, PERMIT2 } from '../../src/chains/chains.ts';
import { LIMITS } from '../../src/config/config.ts';
import { createPublicServer } from '../../src/http/http.ts';
import { issueKey, keyRingOf, MemoryBudgetStore, proxyTrustOf } from '../../src/metering/metering.ts';
import { createLog, createMetrics, createObserver } from '../../src/observe/observe.ts';
import { loadPoolSet, parsePoolSet } from '../../src/pool-set/pool-set.ts';
import type { SolveJob } from '../../src/routing/routing.ts';
import { createSolving, type SolveOutcome, type Solving } from '../../src/solving/solving.ts';
import { asAddress, asWei, type DurationMs, instantNow } from '../../src/units/units.ts';
import { loadBuilderVenues, loadSolverVenues } from '../../src/venues/venues.ts';
import type { Serving } from './messages.ts';

export const WETH = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2';
export const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const DAI = '0x6B175474E89094C44Da98b954EedeAC495271d0F';

const ETHER = 10n ** 18n;
const POOLS: readonly (readonly [number, string, string, bigint, string, bigint])[] = [
  [1, 'uniswap_v2', USDC, 40_000_000n * 10n ** 6n, WETH, 10_000n * ETHER],
  [2, 'uniswap_v2', DAI, 20_000_000n * ETHER, WETH, 5_000n * ETHER],
  [3, 'sushiswap_v2', USDC, 4_000_000n * 10n ** 6n, WETH, 1_001n * ETHER],
  [4, 'sushiswap_v2', DAI, 5_000_000n * ETHER, USDC, 5_001_000n * 10n ** 6n],
];
const POOL_SET = {
  chainId: 1,
  block: 100,
  blockHash: `0x${'64'.padStart(64, '0')}`,
  timestamp: 1_700_000_000,
  gasPriceWei: '1000000000',
  tokens: { [WETH]: { decimals: 18 }, [USDC]: { decimals: 6, usd: 1 }, [DAI]: { decimals: 18, usd: 1 } },
  pools: POOLS.map(([id, venue, token0, reserve0, token1, reserve1]) => ({
    kind: 'constantProduct',
    id: `0x${id.toString(16).padStart(40, '0')}`,
    venue,
    tokens: [token0, token1],
    reserves: [reserve0.toString(), reserve1.toString()],
    feeBps: 30,
  })),
};

/** Requests a second that no load here reaches. */
const ENOUGH = 100_000;

/** 'real': solved by a thread. 'canned': the thread's first answer, given at once to everybody. 'shed': a queue that is always full. */
export async function startBraid(solver: 'real' | 'canned' | 'shed'): Promise<Serving> {
  // To a file, as a service under a supervisor writes it; the run points standard output there.
  const log = createLog({ level: 'info' });
  const observer = createObserver(log, createMetrics({ version: '0.0.0', mode: 'pool-set' }));
  const { hosted, solving } = await solvePoolSet();
  const { key, entry } = issueKey({ rps: ENOUGH, partnerId: 'benchmark' }, new Date());
  const { eventLoopDelayMs, eventLoopLateTurns, eventLoopWindowMs } = LIMITS.admission;
  const listener = createPublicServer({
    chains: [hosted],
    solving: solver === 'real' ? solving : { ...(await canned(solving)), outlook: () => ({ waitMs: 0, full: solver === 'shed', suspect: false }) },
    budgets: new MemoryBudgetStore(LIMITS.metering.addressBuckets),
    keys: keyRingOf({ keys: [entry] }),
    trust: proxyTrustOf(0),
    inflight: new InflightCounter(LIMITS.http.connections),
    eventLoop: watchEventLoopDelay({ boundMs: eventLoopDelayMs, leastLateTurns: eventLoopLateTurns, windowMs: eventLoopWindowMs }),
    legs: createLegEncoder(await loadBuilderVenues()),
    observer,
    developmentMode: false,
    firmHops: new Map(),
  });
  const listening = await listener.start({ host: '127.0.0.1', port: 0 });
  if (!listening.ok) throw new Error(listening.message);
  return { port: listening.port, apiKey: key };
}

async function solvePoolSet(): Promise<{ readonly hosted: HostedChain; readonly solving: Solving }> {
  const parsed = parsePoolSet(POOL_SET);
  if (!parsed.ok) throw new Error(parsed.message);
  const capacity = { arenaBytes: 2 ** 22, pools: 64, tokens: 64, slots: 8, readers: 4 };
  const result = loadPoolSet(parsed.set, { venues: await loadSolverVenues(), capacity });
  if (!result.ok) throw new Error(result.message);
  const { wrappedNative, buffers, block } = result.loaded;
  const chain = CATALOGUE.find(({ chainId }) => chainId === 1);
  if (chain === undefined) throw new Error('the catalogue has no chain 1');
  const hosted: HostedChain = {
    chain,
    wrappedNative,
    contracts: {
      router: asAddress('0x00000000000000000000000000000000000000f1'),
      allowanceHolder: asAddress('0x00000000000000000000000000000000000000f2'),
      permit2: PERMIT2,
    },
    feeCollector: asAddress('0x00000000000000000000000000000000000000f3'),
    freshnessBound: 30_000 as DurationMs,
    gatedVenues: [],
    wellKnownTokens: { has: () => true },
    view: () => ({ phase: 'frozen', block, age: 0 as DurationMs, labels: ['sushiswap_v2', 'uniswap_v2'] }),
  };
  const solving = await createSolving({
    threads: 1,
    workerFile: new URL('../../workers/solver.js', import.meta.url),
    data: { chains: [{ chainId: 1, wrappedNative, minimumGasPriceWei: 0n, transfers: 'every-token-clean', buffers }] },
    onEvent: (event) => {
      if (event.kind === 'error') throw new Error(event.message);
    },
  });
  return { hosted, solving };
}

/** A solver that has solved once and says the same for ever. Its threads are gone. */
async function canned(solving: Solving): Promise<Solving> {
  const job: SolveJob = {
    chainId: 1,
    mode: 'sell',
    sellToken: asAddress(WETH),
    buyToken: asAddress(USDC),
    amount: asWei(ETHER),
    maxHops: null,
    gasPriceWei: null,
    filter: { include: null, exclude: [], excludeRfq: false, excludeRwa: false },
    deadline: (instantNow() + 5000) as SolveJob['deadline'],
  };
  const outcome: SolveOutcome = await solving.solve(job, { client: 'benchmark', signal: new AbortController().signal });
  if (!outcome.result.ok) throw new Error(`the benchmark's own trade has no route: ${outcome.result.reason}`);
  await solving.close();
  return {
    queueLimit: LIMITS.solving.queue,
    longPlaces: 1,
    threads: 1,
    queueDepth: () => 0,
    inflight: () => 0,
    estimatedWaitMs: () => 0,
    outlook: () => ({ waitMs: 0, full: false, suspect: false }),
    solve: async () => outcome,
    solveAgain: async () => outcome,
    certify: async () => ({ result: { ok: false, reason: 'failed' }, queueMs: 0, runMs: 0 }),
    workers: () => ({ live: 1, starting: 0, reserve: 0, largestHeapBytes: 0 }),
    close: async () => {},
  };
}
