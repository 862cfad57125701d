import { encodeFunctionData, parseAbi } from 'viem';
import { TOKEN_ABI } from './abi.ts';
import type { DevnetAccount, HouseAccounts } from './accounts.ts';
import { approveAll, deployTokens, type PlacedToken } from './deploy-contracts.ts';
import { DevnetError } from './devnet-error.ts';
import { type PlacedVenues, venueOf } from './lay-pools.ts';
import { type SortedPool, sortPools } from './placed-pool.ts';
import { type PoolRow, poolsOfVenue } from './pool-spec.ts';
import type { CompiledContracts } from './solidity.ts';
import { approxBaseUnits, type TokenSpec } from './token-table.ts';
import type { TransactionScript } from './transaction-script.ts';

/** A token that is not plain: what its owner sets once it has pools, and the families that have a pair of it with the wrapped native token. */
type OddToken = TokenSpec & {
  readonly oddTransfers: string;
  readonly set: { readonly taxPpm: readonly [bought: number, sold: number, between: number] } | { readonly trap: boolean; readonly paused: boolean } | null;
  readonly pairs: readonly (readonly [family: string, liquidityUsd: number])[];
};

const FEE_PPM = 3000;
const NO_SWAY = { decimals: 18, sway: 0 } as const;

/** What a newcomer can see refused, and served with a warning. Each stands beside the wrapped native token alone, so that no route between others meets one. */
const ODD_TOKENS: readonly OddToken[] = [
  {
    ...{ symbol: 'TOLL', name: 'Toll Road', kind: 'taxed', usd: 2, ...NO_SWAY },
    oddTransfers: 'takes 1% of every transfer',
    set: { taxPpm: [10_000, 10_000, 10_000] },
    pairs: [
      ['uniswap_v2', 800_000],
      ['sushiswap_v2', 450_000],
    ],
  },
  {
    ...{ symbol: 'EXIT', name: 'Exit Charge', kind: 'taxed', usd: 0.5, ...NO_SWAY },
    oddTransfers: 'takes 5% of what is sold',
    set: { taxPpm: [0, 50_000, 0] },
    pairs: [['uniswap_v2', 450_000]],
  },
  {
    ...{ symbol: 'FERRY', name: 'Ferry Ticket', kind: 'taxed', usd: 12, ...NO_SWAY },
    oddTransfers: 'takes 0.4% of what is bought and sold',
    set: { taxPpm: [4_000, 4_000, 0] },
    pairs: [['uniswap_v2', 600_000]],
  },
  {
    ...{ symbol: 'GREED', name: 'Greed', kind: 'taxed', usd: 0.01, ...NO_SWAY },
    oddTransfers: 'takes 20.01% of every transfer',
    set: { taxPpm: [200_100, 200_100, 200_100] },
    pairs: [['uniswap_v2', 400_000]],
  },
  {
    ...{ symbol: 'TRAP', name: 'Honey Trap', kind: 'guarded', usd: 1.5, ...NO_SWAY },
    oddTransfers: 'can be bought and not sold',
    set: { trap: true, paused: false },
    pairs: [['uniswap_v2', 400_000]],
  },
  {
    ...{ symbol: 'HALT', name: 'Halted Token', kind: 'guarded', usd: 3, ...NO_SWAY },
    oddTransfers: 'is paused by its owner',
    set: { trap: false, paused: true },
    pairs: [['uniswap_v2', 400_000]],
  },
  {
    ...{ symbol: 'STAKE', name: 'Staked Shares', kind: 'shares', usd: 2500, ...NO_SWAY },
    oddTransfers: 'loses a unit or two of a transfer, as its balances are shares',
    set: null,
    pairs: [['uniswap_v2', 900_000]],
  },
];

const ABI = parseAbi([
  'function markPair(address factory, address other)',
  'function setTaxes(uint256 buyPpm, uint256 sellPpm, uint256 walletPpm, uint256 leastTaxed)',
  'function setGuard(bool trap, bool paused)',
]);

const ACCOUNT_USD = 100_000;
const DEPLOYER_USD = 2_000_000;

/** What the tokens are placed on: a chain whose other contracts are all in the script, which is the deployer's. */
type OddGround = {
  readonly script: TransactionScript;
  readonly compiled: CompiledContracts;
  readonly accounts: readonly DevnetAccount[];
  readonly house: HouseAccounts;
  readonly venues: PlacedVenues;
  readonly wrappedNative: PlacedToken;
  readonly seed: number;
};

/** Adds the tokens whose transfers are not plain, with their pools, to the end of the script: nothing else on the chain moves for them. */
export function placeOddTokens({ script, compiled, accounts, house, venues, wrappedNative, seed }: OddGround): {
  readonly tokens: readonly PlacedToken[];
  readonly pools: readonly SortedPool[];
} {
  const tokens = deployTokens(script, ODD_TOKENS, compiled);
  for (const token of tokens) {
    for (const [holders, usd] of [
      [accounts.map(({ address }) => address), ACCOUNT_USD],
      [[house.deployer], DEPLOYER_USD],
    ] as const) {
      script.call('fund', token.address, encodeFunctionData({ abi: TOKEN_ABI, functionName: 'mint', args: [holders, approxBaseUnits(token, usd)] }));
    }
  }
  const families = [...new Set(ODD_TOKENS.flatMap(({ pairs }) => pairs.map(([family]) => family)))];
  const specs = families.flatMap((family) => poolsOfVenue(family, { pools: (lay) => pairsOf(family, wrappedNative).map((row) => lay(...row)) }, seed, []));
  const pools = sortPools(specs, [...tokens, wrappedNative]);
  for (const pool of pools) {
    const venue = venueOf(venues, pool);
    const token = pool.tokens.find((one) => one !== wrappedNative);
    const factory = venue.deployments[0]?.factory;
    if (token === undefined || factory === undefined) throw new DevnetError(`no factory for the pool ${pool.symbols.join('/')}`);
    approveAll(script, [token], venue.spenders.provide);
    venue.make(script, pool, house.deployer);
    if (token.kind === 'shares') continue;
    script.call(`mark ${token.symbol}`, token.address, encodeFunctionData({ abi: ABI, functionName: 'markPair', args: [factory, wrappedNative.address] }));
  }
  // Not before they have pools: what fills those is to arrive whole.
  for (const [index, { set, symbol }] of ODD_TOKENS.entries()) {
    const token = tokens[index];
    if (token === undefined || set === null) continue;
    const data =
      'taxPpm' in set
        ? encodeFunctionData({ abi: ABI, functionName: 'setTaxes', args: [...(set.taxPpm.map(BigInt) as [bigint, bigint, bigint]), 0n] })
        : encodeFunctionData({ abi: ABI, functionName: 'setGuard', args: [set.trap, set.paused] });
    script.call(`set ${symbol}`, token.address, data);
  }
  return { tokens, pools };
}

function pairsOf(family: string, wrappedNative: PlacedToken): readonly PoolRow[] {
  return ODD_TOKENS.flatMap(({ symbol, pairs }) =>
    pairs.filter(([its]) => its === family).map(([, usd]): PoolRow => [`${symbol}/${wrappedNative.symbol}`, FEE_PPM, usd, 'full']),
  );
}
