import { legsNeeded } from '../building/building.ts';
import { PERMIT2 } from '../chains/chains.ts';
import { type Address, asAddress } from '../units/units.ts';
import { loadBuilderVenues, type VenueDeployment } from '../venues/venues.ts';
import { ACCOUNT_COUNT, type DevnetAccount, deriveAccounts, type HouseAccounts } from './accounts.ts';
import { type AnvilProcess, startAnvil } from './anvil-process.ts';
import { type Bots, createBots } from './bots.ts';
import { approveAll, deployTokens, fundAccounts, type PlacedToken, placePermit2 } from './deploy-contracts.ts';
import { DevnetError } from './devnet-error.ts';
import { START_BASE_FEE_OVER_MINIMUM, startHeartbeat } from './heartbeat.ts';
import { locatePools, type PlacedVenues, venueOf } from './lay-pools.ts';
import { loadDevnetVenues } from './load-venues.ts';
import { placeVenues } from './place-venues.ts';
import { type PlacedPool, sortPools } from './placed-pool.ts';
import { poolsOfVenue } from './pool-spec.ts';
import type { Devnet, DevnetOptions, DevnetPool, DevnetToken } from './running-devnet.ts';
import { type DevnetSettlement, deploySettlement } from './settlement.ts';
import { compileTokens } from './solidity.ts';
import { TOKEN_TABLE, tokensAtScale } from './token-table.ts';
import { createTransactionScript, toHex } from './transaction-script.ts';

const CHAIN_ID = 31_337;
const GWEI = 10n ** 9n;
/** Whole native tokens of every account. */
const BALANCE = 1_000_000n;
/**
 * Set-up mines faster than the clock ticks, and a block's time must exceed its parent's: genesis lies this far back so that the first live block does not
 * lie ahead.
 */
const GENESIS_AGE_SECONDS = 3_600;

type Laid = {
  readonly tokens: readonly PlacedToken[];
  readonly pools: readonly PlacedPool[];
  readonly venues: PlacedVenues;
  readonly accounts: readonly DevnetAccount[];
  readonly house: HouseAccounts;
  readonly settlement: DevnetSettlement;
};

/**
 * Brings up the local chain with tokens, venues and pools, mining one block per block time. Throws DevnetError, with nothing left running, when anvil or a contract is
 * missing or the port is taken.
 */
export async function startDevnet(options: DevnetOptions): Promise<Devnet> {
  const minimumGasPriceWei = options.minimumGasPriceWei ?? GWEI;
  const anvil = await startAnvil({
    host: options.host ?? '127.0.0.1',
    port: options.rpcPort,
    chainId: CHAIN_ID,
    accounts: ACCOUNT_COUNT,
    balance: BALANCE,
    genesisTimestamp: Math.floor(Date.now() / 1000) - GENESIS_AGE_SECONDS,
    baseFeePerGas: START_BASE_FEE_OVER_MINIMUM * minimumGasPriceWei,
  });
  try {
    options.onStep?.(`chain ${CHAIN_ID} answers at ${anvil.url}`);
    const laid = await layGround(anvil, options);
    await catchUpWithClock(anvil, minimumGasPriceWei);
    return await openForBusiness(anvil, laid, options, minimumGasPriceWei);
  } catch (error) {
    await anvil.stop();
    throw error;
  }
}

async function layGround({ rpc }: AnvilProcess, options: DevnetOptions): Promise<Laid> {
  const onStep = options.onStep ?? (() => undefined);
  const { accounts, house } = deriveAccounts();
  const known = await loadDevnetVenues();
  const folders = [...known.values()].flatMap((venue) => venue.folders.map((folder) => ({ venue: folder })));
  const script = createTransactionScript(rpc, house.deployer);
  const settlement = deploySettlement(script, house, legsNeeded(await loadBuilderVenues(), folders));
  const table = deployTokens(script, tokensAtScale(options.scale ?? 1), await compileTokens());
  const wrappedNative = wrappedNativeOf(table);
  if (wrappedNative !== settlement.wrappedNative) throw new DevnetError('the wrapped native token is not where the Router expects it');
  const holders = [...accounts.map(({ address }) => address), house.trader, house.provider];
  const venues = await placeVenues(known, { script, tokens: table, wrappedNative, deployer: house.deployer, holders });
  await placePermit2(rpc);
  fundAccounts(script, table, accounts, house);
  await script.run();
  const titles = [...known.values()].map(({ title }) => title);
  onStep(`${table.length} tokens, Permit2 and the contracts of ${titles.join(', ')} are deployed, ${accounts.length} accounts funded`);
  const tokens = [...table, ...[...venues.values()].flatMap((venue) => venue.tokens ?? [])];
  const tail = table.slice(TOKEN_TABLE.length).map(({ symbol }) => symbol);
  const sorted = sortPools(
    [...known].flatMap(([family, venue]) => poolsOfVenue(family, venue, options.seed, tail)),
    tokens,
  );
  const traderScript = createTransactionScript(rpc, house.trader);
  const providerScript = createTransactionScript(rpc, house.provider);
  for (const [family, { spenders }] of venues) {
    // No others: approvals are most of what is sent.
    const traded = new Set(sorted.filter((pool) => pool.family === family).flatMap((pool) => pool.tokens));
    approveAll(script, [...traded], spenders.provide);
    approveAll(traderScript, [...traded], spenders.trade);
    approveAll(providerScript, [...traded], spenders.provide);
  }
  for (const pool of sorted) venueOf(venues, pool).make(script, pool, house.deployer);
  await script.run();
  await traderScript.run();
  await providerScript.run();
  const pools = await locatePools(rpc, sorted, venues);
  onStep(`${pools.length} pools are laid out (seed ${options.seed})`);
  return { tokens, pools, venues, accounts, house, settlement };
}

function wrappedNativeOf(tokens: readonly PlacedToken[]): PlacedToken['address'] {
  const wrapped = tokens.find((token) => token.kind === 'wrapped');
  if (wrapped === undefined) throw new DevnetError('the token table has no wrapped native token');
  return wrapped.address;
}

async function catchUpWithClock({ rpc }: AnvilProcess, minimumGasPriceWei: bigint): Promise<void> {
  await rpc.request('anvil_setNextBlockBaseFeePerGas', toHex(START_BASE_FEE_OVER_MINIMUM * minimumGasPriceWei));
  await rpc.request('evm_setTime', Math.floor(Date.now() / 1000));
  await rpc.request('evm_mine');
}

async function openForBusiness(anvil: AnvilProcess, laid: Laid, options: DevnetOptions, minimumGasPriceWei: bigint): Promise<Devnet> {
  const { rpc } = anvil;
  const { trader, provider } = laid.house;
  const filled = laid.pools.filter((pool) => pool.liquidityUsd > 0);
  const market = { tokens: laid.tokens, pools: filled, venues: laid.venues, trader, provider };
  const bots: Bots = createBots({ ...market, rpc, seed: options.seed, minimumGasPriceWei, on: options.bots ?? true });
  const heartbeat = await startHeartbeat({ rpc, blockTimeSeconds: options.blockTimeSeconds ?? 1, minimumGasPriceWei, onBlock: () => bots.tick() });
  options.onStep?.((options.bots ?? true) ? 'blocks come, the bots trade' : 'blocks come, the bots rest');
  void anvil.exited.then(() => heartbeat.stop());
  return {
    rpcUrl: anvil.url,
    chainId: CHAIN_ID,
    wrappedNative: wrappedNativeOf(laid.tokens),
    permit2: PERMIT2,
    feeCollector: laid.house.feeCollector,
    router: laid.settlement.router,
    allowanceHolder: laid.settlement.allowanceHolder,
    deployments: deploymentsOf(laid.venues),
    accounts: laid.accounts,
    tokens: laid.tokens.map(tokenOf),
    pools: laid.pools.map(poolOf),
    contract: (name) => contractOf(laid.venues, name),
    pid: anvil.pid,
    setBots: (on) => bots.set(on),
    async stop() {
      const resting = heartbeat.stop();
      await anvil.stop();
      await resting;
    },
    exited: anvil.exited,
  };
}

function contractOf(venues: PlacedVenues, name: string): Address {
  const address = [...venues.values()].map(({ contracts }) => contracts[name]).find((found) => found !== undefined);
  if (address === undefined) throw new DevnetError(`no venue of the local chain has a contract ${name}`);
  return address;
}

function deploymentsOf(venues: PlacedVenues): readonly VenueDeployment[] {
  return [...venues.values()].flatMap(({ deployments }) => deployments.map((deployment) => ({ ...deployment, fromBlock: 1 })));
}

function tokenOf({ address, symbol, decimals, kind, usd }: PlacedToken): DevnetToken {
  return { address: asAddress(address), symbol, decimals: kind === 'no-decimals' ? null : decimals, kind, usd };
}

function poolOf({ family, key, address, tokens: [first, second, ...others], feePpm, liquidityUsd, shape }: PlacedPool): DevnetPool {
  const tokens = [first.address, second.address, ...others.map((token) => token.address)] as const;
  return { family, key, address, tokens, feePpm, liquidityUsd: shape === 'none' ? 0 : liquidityUsd };
}
