import { decodeFunctionResult, encodeAbiParameters, encodeFunctionData, getContractAddress, type Hex } from 'viem';
import { type Address, asAddress, ZERO_ADDRESS } from '../../units/units.ts';
import { NEVER } from '../abi.ts';
import { DevnetError } from '../devnet-error.ts';
import type { BotTransaction, PlacedVenue, Provision } from '../devnet-venue.ts';
import type { PlacedPool, SortedPool } from '../placed-pool.ts';
import { approxBaseUnits } from '../token-table.ts';
import type { TransactionScript } from '../transaction-script.ts';
import { balanceOf } from './balance-of.ts';
import { COMPOSABLE_FACTORY_ABI, VAULT_ABI, WEIGHTED_FACTORY_ABI } from './vault-abi.ts';

/** Balancer's vault with a factory of each kind. */
export type VaultPlace = {
  readonly vault: Address;
  readonly weightedFactory: Address;
  readonly composableFactory: Address;
  /** Who says what a token is worth in a stable pool, by its symbol. */
  readonly rateProviders: ReadonlyMap<string, Address>;
  /** Percent by symbol of a weighted pool's tokens; of no pool: equal ones. */
  weightsOf(pool: SortedPool): Readonly<Record<string, number>> | undefined;
};

const ONE = 10n ** 18n;
const MAX = 2n ** 256n - 1n;
const AMPLIFICATION = 200n;
/** How long a pool goes by a rate before it asks again. */
const RATE_SECONDS = 600n;
/** A factory lays its pool code down in two contracts first. */
const FIRST_POOL_NONCE = 3n;
/** What a pool is asked the price of, in dollars of the token that is paid. */
const PROBE_USD = 100;
/** Of a balance, in one swap. */
const SWAP_SHARE = 0.02;
const ADDED_SHARE = { least: 0.0005, most: 0.004 };
/** Kinds of joins and exits, as pools number them. */
const INIT = 0n;
const EXACT_TOKENS_IN = 1n;
const EXACT_SHARES_OUT = { weighted: 1n, stable: 2n } as const;

type Made = { readonly contract: Address; readonly poolId: Hex };

/** Weighted and composable stable pools of one vault. A pool's contract and its id follow from how many came before it, so that nothing has to be asked to fill it. */
export function vaultPools(place: VaultPlace): Pick<PlacedVenue, 'make' | 'whereIs' | 'readNow' | 'swap' | 'changeLiquidity'> {
  const { vault } = place;
  const made = new Map<string, Made>();
  const next = { weighted: FIRST_POOL_NONCE, composable: FIRST_POOL_NONCE, registered: 0n };
  const register = (pool: SortedPool): Made => {
    const stable = isStable(pool);
    const [from, nonce] = stable ? [place.composableFactory, next.composable++] : [place.weightedFactory, next.weighted++];
    const contract = asAddress(getContractAddress({ from, nonce }));
    // The vault's word for how it asks a pool: with all balances, with two of them, or one that can only have two.
    const specialization = stable ? 0 : pool.tokens.length > 2 ? 1 : 2;
    const one: Made = {
      contract,
      poolId: `${contract}${specialization.toString(16).padStart(4, '0')}${(next.registered++).toString(16).padStart(20, '0')}` as Hex,
    };
    made.set(nameOf(pool), one);
    return one;
  };
  const placeOf = (pool: SortedPool): Made => {
    const one = made.get(nameOf(pool));
    if (one === undefined) throw new DevnetError(`no pool was made of ${pool.symbols.join('/')}`);
    return one;
  };
  return {
    make(script, pool, owner) {
      const one = register(pool);
      if (isStable(pool)) createStable(script, pool, place, owner);
      else createWeighted(script, pool, place, owner);
      join(script, pool, one, place, owner);
    },
    whereIs(pool) {
      const { poolId, contract } = placeOf(pool);
      return {
        to: vault,
        data: encodeFunctionData({ abi: VAULT_ABI, functionName: 'getPool', args: [poolId] }),
        decode(data) {
          const [registered] = decodeFunctionResult({ abi: VAULT_ABI, functionName: 'getPool', data });
          if (asAddress(registered) !== contract) throw new DevnetError(`the vault has ${registered} where ${contract} was expected`);
          return { key: poolId, address: vault };
        },
      };
    },
    readNow: (pool) => readPrice(pool, vault),
    swap(pool, { price }, { target, largest, trader }) {
      const down = target < price;
      const [from, to] = down ? [pool.token0, pool.token1] : [pool.token1, pool.token0];
      // As much of what the pool was made with as moves an even pool there; later rounds make up for the rest.
      const share = Math.min(Math.sqrt(down ? price / target : target / price) - 1, SWAP_SHARE);
      const amount = BigInt(Math.floor(Number(approxBaseUnits(from, dollarsOf(pool, from.symbol, place))) * share));
      if (amount < 1n) return [];
      const order = {
        poolId: pool.key as Hex,
        kind: 0,
        assetIn: from.address,
        assetOut: to.address,
        amount: amount < largest ? amount : largest,
        userData: '0x',
      } as const;
      const funds = { sender: trader, fromInternalBalance: false, recipient: trader, toInternalBalance: false };
      return [{ from: trader, to: vault, data: encodeFunctionData({ abi: VAULT_ABI, functionName: 'swap', args: [order, funds, 0n, NEVER] }) }];
    },
    changeLiquidity: (pool, _reading, provision) => changeShare(pool, provision, place),
  };
}

export function isStable({ shape }: SortedPool): boolean {
  return shape === 'stable';
}

function nameOf({ symbols, shape }: SortedPool): string {
  return `${symbols.join('/')} ${shape}`;
}

/** Dollars of one token in a pool as it was made. */
function dollarsOf(pool: SortedPool, symbol: string, place: VaultPlace): number {
  return pool.liquidityUsd * (isStable(pool) ? 1 / pool.tokens.length : weightOf(pool, symbol, place) / 100);
}

function weightOf(pool: SortedPool, symbol: string, place: VaultPlace): number {
  return place.weightsOf(pool)?.[symbol] ?? 100 / pool.tokens.length;
}

function createWeighted(script: TransactionScript, pool: SortedPool, place: VaultPlace, owner: Address): void {
  const { tokens, feePpm } = pool;
  const weights = tokens.map(({ symbol }) => (ONE * BigInt(Math.round(weightOf(pool, symbol, place) * 1000))) / 100_000n);
  const name = `${pool.symbols.join('/')} weighted`;
  const addresses = tokens.map(({ address }) => address);
  const args = [name, name, addresses, weights, tokens.map(() => ZERO_ADDRESS), feeOf(feePpm), owner] as const;
  script.call(`Balancer ${name}`, place.weightedFactory, encodeFunctionData({ abi: WEIGHTED_FACTORY_ABI, args }));
}

function createStable(script: TransactionScript, pool: SortedPool, place: VaultPlace, owner: Address): void {
  const { tokens, feePpm } = pool;
  const name = `${pool.symbols.join('/')} stable`;
  const providers = tokens.map(({ symbol }) => place.rateProviders.get(symbol) ?? ZERO_ADDRESS);
  const durations = providers.map((provider) => (provider === ZERO_ADDRESS ? 0n : RATE_SECONDS));
  const addresses = tokens.map(({ address }) => address);
  const args = [name, name, addresses, AMPLIFICATION, providers, durations, tokens.map(() => false), feeOf(feePpm), owner] as const;
  script.call(`Balancer ${name}`, place.composableFactory, encodeFunctionData({ abi: COMPOSABLE_FACTORY_ABI, args }));
}

/** Millionths as 18-decimal. */
function feeOf(feePpm: number): bigint {
  return BigInt(feePpm) * 10n ** 12n;
}

/** The first deposit. A composable pool holds its own token beside the others, and mints what it may ever hold of it then. */
function join(script: TransactionScript, pool: SortedPool, { contract, poolId }: Made, place: VaultPlace, owner: Address): void {
  const deposits = pool.tokens.map((token, slot) => {
    const usd = dollarsOf(pool, token.symbol, place) * (slot === 0 ? pool.skew : 1);
    return { asset: token.address, amount: approxBaseUnits(token, usd), limit: MAX };
  });
  const all = isStable(pool) ? sortByAsset([...deposits, { asset: contract, amount: 0n, limit: MAX }]) : deposits;
  const userData = encodeAbiParameters([{ type: 'uint256' }, { type: 'uint256[]' }], [INIT, all.map(({ amount }) => amount)]);
  const request = { assets: all.map(({ asset }) => asset), limits: all.map(({ limit }) => limit), userData, internalBalance: false };
  script.call(`Balancer ${nameOf(pool)}`, place.vault, encodeFunctionData({ abi: VAULT_ABI, functionName: 'joinPool', args: [poolId, owner, owner, request] }));
}

function sortByAsset<Entry extends { readonly asset: Address }>(entries: readonly Entry[]): readonly Entry[] {
  return [...entries].sort((one, other) => (one.asset < other.asset ? -1 : 1));
}

/** What the vault gives for a little of token0. */
function readPrice(pool: PlacedPool, vault: Address): ReturnType<PlacedVenue['readNow']> {
  const amount = approxBaseUnits(pool.token0, PROBE_USD);
  const steps = [{ poolId: pool.key as Hex, assetInIndex: 0n, assetOutIndex: 1n, amount, userData: '0x' }] as const;
  const funds = { sender: ZERO_ADDRESS, fromInternalBalance: false, recipient: ZERO_ADDRESS, toInternalBalance: false };
  const functionName = 'queryBatchSwap';
  return {
    to: vault,
    data: encodeFunctionData({ abi: VAULT_ABI, functionName, args: [0, steps, [pool.token0.address, pool.token1.address], funds] }),
    decode(data) {
      const [, out = 0n] = decodeFunctionResult({ abi: VAULT_ABI, functionName, data });
      return out === 0n ? undefined : { price: Number(-out) / (Number(amount) * (1 - pool.feePpm / 1e6)), tick: null, reserves: null };
    },
  };
}

/** Liquidity of all tokens in, or, where the bot has some, a share of the pool out. */
async function changeShare(pool: PlacedPool, { rpc, provider, random }: Provision, place: VaultPlace): Promise<readonly BotTransaction[]> {
  const contract = asAddress(pool.key.slice(0, 42));
  const stable = isStable(pool);
  const held = await balanceOf(rpc, contract, provider);
  const own = stable ? [contract] : [];
  const parts = random.between(ADDED_SHARE.least, ADDED_SHARE.most);
  const deposits = pool.tokens.map((token) => ({ asset: token.address, amount: approxBaseUnits(token, dollarsOf(pool, token.symbol, place) * parts) }));
  const assets = sortByAsset([...pool.tokens.map(({ address }) => ({ asset: address })), ...own.map((asset) => ({ asset }))]).map(({ asset }) => asset);
  const limits = assets.map(() => (held > 0n ? 0n : MAX));
  if (held > 0n) {
    const userData = encodeAbiParameters([{ type: 'uint256' }, { type: 'uint256' }], [EXACT_SHARES_OUT[stable ? 'stable' : 'weighted'], held]);
    const args = [pool.key as Hex, provider, provider, { assets, limits, userData, internalBalance: false }] as const;
    return [{ from: provider, to: place.vault, data: encodeFunctionData({ abi: VAULT_ABI, functionName: 'exitPool', args }) }];
  }
  const amounts = deposits.map(({ amount }) => amount);
  const userData = encodeAbiParameters([{ type: 'uint256' }, { type: 'uint256[]' }, { type: 'uint256' }], [EXACT_TOKENS_IN, amounts, 0n]);
  const args = [pool.key as Hex, provider, provider, { assets, limits, userData, internalBalance: false }] as const;
  return [{ from: provider, to: place.vault, data: encodeFunctionData({ abi: VAULT_ABI, functionName: 'joinPool', args }) }];
}
