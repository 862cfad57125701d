import { PERMIT2 } from '../chains/chains.ts';
import { projectFile } from '../project-file.ts';
import { type Address, asAddress } from '../units/units.ts';
import type { VenueDeployment } from '../venues/venues.ts';
import { ACCOUNT_COUNT } from './accounts.ts';
import { type AnvilProcess, claimPort } from './anvil-process.ts';
import { runAttester } from './attesters/run-attester.ts';
import { type Bots, createBots } from './bots.ts';
import type { PlacedToken } from './deploy-contracts.ts';
import { DevnetError } from './devnet-error.ts';
import { START_BASE_FEE_OVER_MINIMUM, startHeartbeat } from './heartbeat.ts';
import { runIssuers } from './issuers/run-issuers.ts';
import { type LaidChain, startLaidChain } from './laid-chain.ts';
import { locatePools, type PlacedVenues } from './lay-pools.ts';
import { runMakers } from './makers/run-makers.ts';
import type { PlacedPool } from './placed-pool.ts';
import { plainMarket } from './plain-market.ts';
import { ATTESTERS_FOLDER, type ChainPlan, ISSUERS_FOLDER, MAKERS_FOLDER, planChain } from './plan-chain.ts';
import { createFeedKeeper, type FeedKeeper, priceSourcesOf } from './price-feeds.ts';
import type { Devnet, DevnetOptions, DevnetPool, DevnetToken } from './running-devnet.ts';
import { toHex } from './transaction-script.ts';

const CHAIN_ID = 31_337;
const GWEI = 10n ** 9n;
/** Whole native tokens of every account. */
const BALANCE = 1_000_000n;
/** Where states of chains that were set up are kept, from the project's folder on. */
const STATE_FOLDER = 'build/devnet';

/** What answers of feeds pay at most, over the base fee of the first block: they are to be mined in whatever block comes next. */
const FEED_FEE_OVER_START = 50n;

type Laid = Omit<ChainPlan, 'pools'> & { readonly pools: readonly PlacedPool[] };

/**
 * Brings up the local chain with tokens, venues and pools, mining one block per block time. Throws DevnetError, with nothing left running, when anvil or a contract is
 * missing or the port is taken.
 */
export async function startDevnet(options: DevnetOptions): Promise<Devnet> {
  const minimumGasPriceWei = options.minimumGasPriceWei ?? GWEI;
  const host = options.host ?? '127.0.0.1';
  // Before anything is compiled: a taken port should not cost the wait for it.
  await claimPort(host, options.rpcPort);
  const plan = await planChain(options);
  const setting = {
    host,
    port: options.rpcPort,
    chainId: CHAIN_ID,
    accounts: ACCOUNT_COUNT,
    balance: BALANCE,
    baseFeePerGas: START_BASE_FEE_OVER_MINIMUM * minimumGasPriceWei,
  };
  const folder = options.stateFolder === undefined ? projectFile(STATE_FOLDER) : options.stateFolder;
  const { anvil, from } = await startLaidChain(plan, setting, folder, () =>
    options.onStep?.('another start is setting up the same chain: waiting for its state'),
  );
  try {
    const laid = { ...plan, pools: await locatePools(anvil.rpc, plan.pools, plan.venues) };
    tell(options, anvil, laid, from);
    const keeper = createFeedKeeper(anvil.rpc, laid.feeds, laid.house.deployer, START_BASE_FEE_OVER_MINIMUM * minimumGasPriceWei * FEED_FEE_OVER_START);
    await catchUpWithClock(anvil, minimumGasPriceWei, keeper);
    return await openForBusiness(anvil, laid, options, minimumGasPriceWei, keeper);
  } catch (error) {
    await anvil.stop();
    throw error;
  }
}

function tell(
  { onStep = () => undefined, seed }: DevnetOptions,
  { url }: AnvilProcess,
  { tokens, titles, accounts, pools }: Laid,
  from: LaidChain['from'],
): void {
  onStep(`chain ${CHAIN_ID} answers at ${url}, set up from ${from === 'kept state' ? 'the kept state of an earlier start' : 'its first transaction on'}`);
  onStep(`${tokens.length} tokens, Permit2 and the contracts of ${titles.join(', ')} are deployed, ${accounts.length} accounts funded`);
  onStep(`${pools.length} pools are laid out (seed ${seed})`);
}

/** What was answered when the chain was set up may be a day old by then. */
async function catchUpWithClock({ rpc }: AnvilProcess, minimumGasPriceWei: bigint, keeper: FeedKeeper): Promise<void> {
  await rpc.request('anvil_setNextBlockBaseFeePerGas', toHex(START_BASE_FEE_OVER_MINIMUM * minimumGasPriceWei));
  await rpc.request('evm_setTime', Math.floor(Date.now() / 1000));
  await keeper.answerAll();
  await rpc.request('evm_mine');
}

async function openForBusiness(anvil: AnvilProcess, laid: Laid, options: DevnetOptions, minimumGasPriceWei: bigint, keeper: FeedKeeper): Promise<Devnet> {
  const { rpc } = anvil;
  const { trader, provider } = laid.house;
  // They trade what is plain: amounts of other tokens are not what arrives, and their swaps would revert.
  const plain = plainMarket(laid);
  const filled = plain.pools.filter((pool) => pool.liquidityUsd > 0);
  const market = { tokens: plain.tokens, pools: filled, venues: laid.venues, trader, provider };
  const bots: Bots = createBots({ ...market, rpc, seed: options.seed, minimumGasPriceWei, on: options.bots ?? true });
  const onBlock = async (): Promise<void> => {
    await bots.tick();
    await keeper.tick(bots.wanted);
  };
  const heartbeat = await startHeartbeat({ rpc, blockTimeSeconds: options.blockTimeSeconds ?? 1, minimumGasPriceWei, onBlock });
  options.onStep?.((options.bots ?? true) ? 'blocks come, the bots trade' : 'blocks come, the bots rest');
  void anvil.exited.then(() => heartbeat.stop());
  const { makers, issuers, attesters } = options.makers === true ? await runOutside(anvil, laid, options, bots.wanted) : NOBODY_OUTSIDE;
  if (makers.length > 0) options.onStep?.(`the makers ${makers.map(({ name, origin }) => `${name} (${origin})`).join(' and ')} price and sign`);
  for (const { name, origin, issues } of issuers)
    options.onStep?.(`the issuer ${name} (${origin}) attests ${issues.assets.map(({ symbol }) => symbol).join(' and ')}`);
  for (const { name, origin } of attesters) options.onStep?.(`the attester ${name} (${origin}) attests blocks`);
  return {
    rpcUrl: anvil.url,
    chainId: CHAIN_ID,
    wrappedNative: laid.wrappedNative,
    permit2: PERMIT2,
    feeCollector: laid.house.feeCollector,
    router: laid.settlement.router,
    allowanceHolder: laid.settlement.allowanceHolder,
    deployments: deploymentsOf(laid.venues),
    prices: priceSourcesOf(laid.feeds, laid.tokens),
    accounts: laid.accounts,
    tokens: laid.tokens.map(tokenOf),
    pools: laid.pools.map(poolOf),
    contract: (name) => (name === 'swapERC20' ? laid.makers.contract : contractOf(laid.venues, name)),
    makers,
    attesters,
    issuers,
    pid: anvil.pid,
    setBots: (on) => bots.set(on),
    async stop() {
      const resting = heartbeat.stop();
      await Promise.all([...makers, ...issuers, ...attesters].map((each) => each.stop()));
      await anvil.stop();
      await resting;
    },
    exited: anvil.exited,
  };
}

type Outside = Pick<Devnet, 'makers' | 'issuers' | 'attesters'>;
const NOBODY_OUTSIDE: Outside = { makers: [], issuers: [], attesters: [] };

/** Those who price and sign off the chain. */
async function runOutside({ rpc }: AnvilProcess, laid: Laid, options: DevnetOptions, wanted: Bots['wanted']): Promise<Outside> {
  const host = options.host ?? '127.0.0.1';
  const { issuer, accounts, tokens, house, settlement } = laid;
  const exchange = contractOf(laid.venues, 'uniswapV2Router');
  const issuers = await runIssuers({ rpc, chainId: CHAIN_ID, host, issuer, accounts, tokens, deployer: house.deployer, router: settlement.router, exchange });
  const makers = await runMakers(laid.makers, { rpc, chainId: CHAIN_ID, host, wanted });
  const attester = await runAttester(contractOf(laid.venues, 'attestedHook'), { rpc, chainId: CHAIN_ID, host });
  return {
    makers: makers.map((maker) => ({ ...maker, venue: MAKERS_FOLDER })),
    issuers: issuers.map((each) => ({ ...each, venue: ISSUERS_FOLDER })),
    attesters: [{ ...attester, venue: ATTESTERS_FOLDER }],
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

function tokenOf({ address, symbol, decimals, kind, usd, oddTransfers }: PlacedToken): DevnetToken {
  return { address: asAddress(address), symbol, decimals: kind === 'no-decimals' ? null : decimals, kind, usd, oddTransfers: oddTransfers ?? null };
}

function poolOf({ family, key, address, tokens: [first, second, ...others], feePpm, liquidityUsd, shape }: PlacedPool): DevnetPool {
  const tokens = [first.address, second.address, ...others.map((token) => token.address)] as const;
  return { family, key, address, tokens, feePpm, liquidityUsd: shape === 'none' ? 0 : liquidityUsd };
}
