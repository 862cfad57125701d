import { legsNeeded } from '../building/building.ts';
import { PERMIT2 } from '../chains/chains.ts';
import type { Address } from '../units/units.ts';
import { loadBuilderVenues } from '../venues/venues.ts';
import { type DevnetAccount, deriveAccounts, type HouseAccounts } from './accounts.ts';
import { permit2RuntimeCode } from './artifacts.ts';
import { approveAll, deployTokens, fundAccounts, type PlacedToken } from './deploy-contracts.ts';
import { DevnetError } from './devnet-error.ts';
import type { PlacedCode } from './devnet-venue.ts';
import { type PlacedVenues, venueOf } from './lay-pools.ts';
import { loadDevnetVenues } from './load-venues.ts';
import { fundMakers, type PlannedMakers, planMakers } from './makers/plan-makers.ts';
import { placeOddTokens } from './odd-tokens.ts';
import { placeVenues } from './place-venues.ts';
import { type SortedPool, sortPools } from './placed-pool.ts';
import { poolsOfVenue } from './pool-spec.ts';
import { type PlacedFeed, PRICE_FEED_SOURCE, placeFeeds } from './price-feeds.ts';
import { type DevnetSettlement, deploySettlement } from './settlement.ts';
import { compileTokens, compileVenue } from './solidity.ts';
import { TOKEN_TABLE, tokensAtScale } from './token-table.ts';
import { createTransactionScript, type TransactionBatch } from './transaction-script.ts';

/** The state of a chain follows from these, in their order, and from nothing else: no transaction goes by an answer of the node. */
export type ChainContents = {
  readonly code: readonly PlacedCode[];
  readonly batches: readonly TransactionBatch[];
};

/** All of a local chain before it has a node: who is on it, what will be where, and what is sent to make it so. */
export type ChainPlan = ChainContents & {
  readonly accounts: readonly DevnetAccount[];
  readonly house: HouseAccounts;
  readonly settlement: DevnetSettlement;
  readonly wrappedNative: Address;
  readonly tokens: readonly PlacedToken[];
  readonly venues: PlacedVenues;
  readonly pools: readonly SortedPool[];
  readonly feeds: readonly PlacedFeed[];
  readonly makers: PlannedMakers;
  readonly issuer: DevnetAccount;
  /** Of the contracts, for people. */
  readonly titles: readonly string[];
};

/** The folder in src/venues that knows the makers' protocol. */
export const MAKERS_FOLDER = 'airswap';
/** That which asks the attester. */
export const ATTESTERS_FOLDER = 'uniswap_v4';
/** That which knows the issuer's. */
export const ISSUERS_FOLDER = 'ondo';

export type PlanOptions = { readonly seed: number; readonly scale?: number };

/** Plans tokens, venues and pools. The same options and sources give the same plan. Throws DevnetError when a contract is missing. */
export async function planChain({ seed, scale }: PlanOptions): Promise<ChainPlan> {
  const { accounts, house, makers: makerAccounts, issuer } = deriveAccounts();
  const known = await loadDevnetVenues();
  const folders = [...[...known.values()].flatMap((venue) => venue.folders), MAKERS_FOLDER, ISSUERS_FOLDER].map((venue) => ({ venue }));
  const script = createTransactionScript(house.deployer);
  const settlement = deploySettlement(script, house, legsNeeded(await loadBuilderVenues(), folders, [{ venue: ATTESTERS_FOLDER }]));
  const compiled = await compileTokens();
  const table = deployTokens(script, tokensAtScale(scale ?? 1), compiled);
  const wrapped = wrappedNativeOf(table);
  const wrappedNative = wrapped.address;
  if (wrappedNative !== settlement.wrappedNative) throw new DevnetError('the wrapped native token is not where the Router expects it');
  const holders = [...accounts.map(({ address }) => address), house.trader, house.provider];
  const venues = await placeVenues(known, { script, tokens: table, wrappedNative, deployer: house.deployer, trader: house.trader, holders });
  fundAccounts(script, table, accounts, house);
  const contracts = script.take();
  const tokens = [...table, ...[...venues.values()].flatMap((venue) => venue.tokens ?? [])];
  const tail = table.slice(TOKEN_TABLE.length).map(({ symbol }) => symbol);
  const pools = sortPools(
    [...known].flatMap(([family, venue]) => poolsOfVenue(family, venue, seed, tail)),
    tokens,
  );
  const traderScript = createTransactionScript(house.trader);
  const providerScript = createTransactionScript(house.provider);
  for (const [family, { spenders }] of venues) {
    // No others: approvals are most of what is sent.
    const traded = [...new Set(pools.filter((pool) => pool.family === family).flatMap((pool) => pool.tokens))];
    approveAll(script, traded, spenders.provide);
    approveAll(traderScript, traded, spenders.trade);
    approveAll(providerScript, traded, spenders.provide);
  }
  for (const pool of pools) venueOf(venues, pool).make(script, pool, house.deployer);
  const feeds = placeFeeds(script, table, await compileVenue('feeds', [PRICE_FEED_SOURCE]));
  const odd = placeOddTokens({ script, compiled, accounts, house, venues, wrappedNative: wrapped, seed });
  const makers = planMakers(makerAccounts, table);
  fundMakers(script, makers);
  return {
    ...{ makers, issuer, accounts, house, settlement, wrappedNative, venues, feeds },
    tokens: [...tokens, ...odd.tokens],
    pools: [...pools, ...odd.pools],
    // Permit2 can not be deployed at its address: its deployer's key is not ours.
    code: [{ address: PERMIT2, code: permit2RuntimeCode() }, ...[...venues.values()].flatMap(({ code = [] }) => code)],
    batches: [contracts, script.take(), traderScript.take(), providerScript.take(), ...makers.batches],
    titles: [...[...known.values()].map(({ title }) => title), 'AirSwap'],
  };
}

function wrappedNativeOf(tokens: readonly PlacedToken[]): PlacedToken {
  const wrapped = tokens.find((token) => token.kind === 'wrapped');
  if (wrapped === undefined) throw new DevnetError('the token table has no wrapped native token');
  return wrapped;
}
