import { concatHex, encodeFunctionData, erc20Abi, padHex } from 'viem';
import { creationCode } from '../../src/devnet/artifacts.ts';
import { UNISWAP_V2_PLACES, UNISWAP_V3_PLACES } from '../../src/devnet/kinds/uniswap-places.ts';
import { type Hosting, hostConfigured } from '../../src/host-chains.ts';
import { SnapshotWriter, type TransferVerdict } from '../../src/snapshot/snapshot.ts';
import { createSolving, MeasuringQueue, measuredSolving, type Solving, type TokenMeasuring } from '../../src/solving/solving.ts';
import type { Address, DurationMs } from '../../src/units/units.ts';
import { NOTHING_OFF } from '../../src/venues/venues.ts';
import { testConfig } from './braid.ts';
import { contractOf, type Ground, MAX, ONE } from './settlement/ground.ts';
import { until } from './until.ts';

/** A token with what its transfers take: parts per million of what pools pay out, of what is paid to pools, and between other accounts. */
export type TaxedSpec = {
  readonly name: string;
  readonly buyPpm: number;
  readonly sellPpm: number;
  readonly walletPpm: number;
  readonly verdict: TransferVerdict;
  /** Its contract, where that is an heir of TaxedToken. */
  readonly contract?: 'GatedToken';
};

export type MadeToken = { readonly name: string; readonly address: Address; readonly verdict: TransferVerdict };

/** Tokens that lose something on their way, on a real chain with real pools, followed by a real indexer and solved by a real thread. */
export type TaxedMarket = {
  readonly hosting: Hosting;
  readonly solving: Solving;
  readonly tokens: readonly MadeToken[];
  /** Two clean ones. */
  readonly clean: readonly [Address, Address];
  /** How often the indexer was asked to measure a token that somebody waits for. */
  readonly asked: () => number;
  close(): Promise<void>;
};

/** Of each token in each of its pools. */
const DEPTH = 10_000n * ONE;
const NEVER_OLD = 10 ** 9;
const VERDICT_BLOCKS = 1;

/** Who says what transfers of the tokens do: the test, at a block that stays; or the indexer, which measures what requests wait for and follows the chain on. */
export type Verdicts = 'given' | 'measured';

export type MarketOptions = {
  /** The node that the service is told of. Absent: the chain's own. */
  readonly rpcUrl?: string;
  /** How many blocks after its own a verdict serves. Absent: one. */
  readonly verdictBlocks?: number;
};

/**
 * Each token has pairs of two V2 factories and a V3 pool with the wrapped native token, and a pair with a clean token. Where verdicts are given the snapshot is that of the block where all was there; the chain is the
 * test's to keep as it is.
 */
export async function openTaxedMarket(ground: Ground, specs: readonly TaxedSpec[], source: Verdicts, options: MarketOptions = {}): Promise<TaxedMarket> {
  const { chain, accounts, contracts, tokens, wrappedNative } = ground;
  const owner = accounts.deployer;
  const trick = contractOf(contracts, 'TrickToken').abi;
  const seeder = contractOf(contracts, 'PoolSeeder');
  const seeding = await chain.create(owner, seeder);
  const pairFactory = () => chain.deploy(owner, concatHex([creationCode(UNISWAP_V2_PLACES.factory), padHex(owner, { size: 32 })]));
  const factories = { uniswap: await pairFactory(), sushiswap: await pairFactory(), v3: await chain.deploy(owner, creationCode(UNISWAP_V3_PLACES.factory)) };
  const count = BigInt(specs.length + 2);
  await chain.rpc.request('anvil_setBalance', owner, `0x${(100n * count * DEPTH).toString(16)}`);
  await chain.mustSend(owner, { to: wrappedNative, value: 8n * count * DEPTH });
  await chain.write(owner, wrappedNative, trick, 'transfer', [seeding, 8n * count * DEPTH]);
  const clean = [tokens.a, tokens.b] as const;
  for (const token of clean) await chain.write(owner, token, trick, 'mint', [[seeding], 4n * count * DEPTH]);
  const seedPair = async (factory: Address, one: Address, other: Address): Promise<Address> => {
    await chain.write(owner, seeding, seeder.abi, 'seedPair', [factory, one, other, DEPTH]);
    return (await chain.read(seeding, seeder.abi, 'pairOf', [one, other])) as Address;
  };
  for (const token of clean) {
    await seedPair(factories.uniswap, token, wrappedNative);
    await chain.write(owner, seeding, seeder.abi, 'seedPool', [factories.v3, token, wrappedNative, DEPTH]);
  }

  const fund = async (token: Address): Promise<void> => {
    await chain.write(owner, token, trick, 'mint', [[seeding], 8n * DEPTH]);
    await chain.write(owner, token, trick, 'mint', [[accounts.taker], 4n * DEPTH]);
    for (const spender of [ground.allowanceHolder, ground.permit2])
      await chain.mustSend(accounts.taker, { to: token, data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, MAX] }) });
  };
  const made: MadeToken[] = [];
  for (const { name, buyPpm, sellPpm, walletPpm, verdict, contract: heir } of specs) {
    const contract = contractOf(contracts, heir ?? 'TaxedToken');
    const token = await chain.create(owner, contract, heir === undefined ? [name, name] : []);
    await fund(token);
    const pairs = [await seedPair(factories.uniswap, token, wrappedNative), await seedPair(factories.sushiswap, token, wrappedNative)];
    pairs.push(await seedPair(factories.uniswap, token, tokens.a));
    await chain.write(owner, seeding, seeder.abi, 'seedPool', [factories.v3, token, wrappedNative, DEPTH]);
    const pool = (await chain.read(seeding, seeder.abi, 'poolOf', [token, wrappedNative])) as Address;
    for (const place of [...pairs, pool]) await chain.write(owner, token, contract.abi, 'mark', [place, true, false]);
    await chain.write(owner, token, contract.abi, 'setTaxes', [buyPpm, sellPpm, walletPpm, 0n]);
    made.push({ name, address: token, verdict });
  }
  const sharesToken = await chain.create(owner, contractOf(contracts, 'SharesToken'), ['Shares', 'SHARE', 18]);
  await fund(sharesToken);
  for (const factory of [factories.uniswap, factories.sushiswap]) await seedPair(factory, sharesToken, wrappedNative);
  made.push({ name: 'shares', address: sharesToken, verdict: { kind: 'imprecise' } });
  const verdicts = new Map(made.map(({ address, verdict }) => [address, verdict]));
  const { hosting, solving, asked, stop } = await follow(ground, factories, source === 'given' ? verdicts : null, clean, options);
  return { hosting, solving, tokens: made, clean, asked, close: stop };
}

type Factories = { readonly uniswap: Address; readonly sushiswap: Address; readonly v3: Address };

/** `verdicts`: null where the indexer measures. */
async function follow(
  ground: Ground,
  { uniswap, sushiswap, v3 }: Factories,
  verdicts: ReadonlyMap<Address, TransferVerdict> | null,
  clean: readonly Address[],
  { rpcUrl = ground.chain.url, verdictBlocks = VERDICT_BLOCKS }: MarketOptions,
) {
  const { chain, router, allowanceHolder, wrappedNative } = ground;
  const config = { ...testConfig(), feeCollector: ground.accounts.collector, solverThreads: 1 };
  const hosting = hostConfigured(config, [
    {
      chainId: 31_337,
      rpcUrls: [rpcUrl],
      wrappedNative,
      minimumGasPriceWei: 1n,
      freshnessBound: NEVER_OLD as DurationMs,
      deployments: [
        { venue: 'uniswap_v2', family: 'uniswap_v2', factory: uniswap, fromBlock: 0 },
        { venue: 'uniswap_v2', family: 'sushiswap_v2', factory: sushiswap, fromBlock: 0 },
        { venue: 'uniswap_v3', family: 'uniswap_v3', factory: v3, fromBlock: 0 },
      ],
      router,
      allowanceHolder,
      gatedVenues: [],
      wellKnownTokens: [],
      verdictBlocks,
      routeThrough: 'measured',
      switchedOff: NOTHING_OFF,
      makers: [],
      listedMakers: null,
      listedTokens: null,
      minimumLiquidity: null,
      prices: { feeds: [], stablecoins: [], minimumDepthUsd: null },
    },
  ]);
  const endChecks = await hosting.verifySettlement((message) => {
    throw new Error(message);
  });
  endChecks();
  const head = Number(await chain.rpc.request('eth_blockNumber'));
  const stop = hosting.startIndexers(
    () => undefined,
    () => undefined,
  );
  const here = () => {
    const view = hosting.chains[0]?.view();
    return view !== undefined && view.phase === 'live' && view.block.number >= head ? view : null;
  };
  if (!(await until(() => here() !== null, 60_000))) throw new Error('the chain is not followed');
  if (verdicts !== null) {
    await stop();
    giveVerdicts(hosting, verdicts, clean);
  }
  const threads = await createSolving({
    threads: 1,
    workerFile: new URL('../../workers/solver.ts', import.meta.url),
    data: { chains: hosting.solverChains },
    onEvent: (event) => {
      if (event.kind === 'error') throw new Error(event.message);
    },
  });
  let asked = 0;
  const counted: TokenMeasuring = {
    measure(chainId, tokens) {
      asked++;
      return hosting.measure(chainId, tokens);
    },
    wanted: hosting.wanted,
  };
  return {
    hosting,
    asked: () => asked,
    solving: verdicts === null ? measuredSolving(threads, new MeasuringQueue(counted)) : threads,
    stop: async () => {
      if (verdicts === null) await stop();
      await threads.close();
    },
  };
}

/** In the place of an indexer whose thread has ended. */
function giveVerdicts(hosting: Hosting, verdicts: ReadonlyMap<Address, TransferVerdict>, clean: readonly Address[]): void {
  const [solverChain] = hosting.solverChains;
  const view = hosting.chains[0]?.view();
  if (solverChain === undefined || view === undefined || view.phase === 'coming-up') throw new Error('the chain is not followed');
  const writer = new SnapshotWriter(solverChain.buffers);
  for (const [token, verdict] of verdicts) writer.setVerdict(token, { verdict, block: view.block.number });
  for (const token of clean) writer.setVerdict(token, { verdict: { kind: 'clean' }, block: view.block.number - VERDICT_BLOCKS });
  if (!writer.publish(view.block).ok) throw new Error('the verdicts were not published');
}
