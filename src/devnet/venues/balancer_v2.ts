import { concatHex, encodeAbiParameters, encodeFunctionData } from 'viem';
import { TOKEN_ABI } from '../abi.ts';
import { creationCode } from '../artifacts.ts';
import type { PlacedToken } from '../deploy-contracts.ts';
import { deployWith } from '../deploy-with.ts';
import type { DevnetVenue, Ground, PlacedVenue } from '../devnet-venue.ts';
import { SETTABLE_RATE } from '../kinds/settable-rate.ts';
import { vaultPools } from '../kinds/vault-pools.ts';
import type { PoolRow } from '../pool-spec.ts';
import { approxBaseUnits } from '../token-table.ts';

const TASKS = '@balancer-labs/v2-deployments/dist/tasks';
const PLACES = {
  authorizer: `${TASKS}/20210418-authorizer/artifact/Authorizer.json`,
  vault: `${TASKS}/20210418-vault/artifact/Vault.json`,
  feeProvider: `${TASKS}/20220725-protocol-fee-percentages-provider/artifact/ProtocolFeePercentagesProvider.json`,
  weightedFactory: `${TASKS}/20230206-weighted-pool-v3/artifact/WeightedPoolFactory.json`,
  composableFactory: `${TASKS}/20230206-composable-stable-pool-v3/artifact/ComposableStablePoolFactory.json`,
} as const;

/** 'stable': composable, for tokens whose worth keeps to each other; the others are weighted. */
const ROWS: readonly PoolRow[] = [
  ['AAVE/WETH', 3000, 900_000, 'full'],
  ['LINK/WETH', 2500, 400_000, 'full'],
  ['WBTC/USDC', 2000, 700_000, 'full'],
  ['WBTC/WETH/USDC', 3000, 2_400_000, 'full'],
  ['WETH/WBTC/USDC/DAI/LINK/UNI/CRV/LDO', 5000, 1_600_000, 'full'],
  ['USDC/DAI/USDT', 100, 6_000_000, 'stable'],
  ['SDAI/USDC', 400, 3_000_000, 'stable'],
  ['SDAI/GUSD/BSC-USD/DAI', 400, 1_200_000, 'stable'],
];

/** Percent, of pools that are not even. */
const WEIGHTS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'AAVE/WETH': { AAVE: 80, WETH: 20 },
  'WBTC/USDC': { WBTC: 60, USDC: 40 },
  'WBTC/WETH/USDC': { WBTC: 33, WETH: 33, USDC: 34 },
};

/** A token that earns: worth what its rate provider says, in the coin that it is made of. */
const SAVINGS = { symbol: 'SDAI', name: 'Savings Dai', decimals: 18, kind: 'standard', usd: 1.0825, sway: 0.0008 } as const;
const RATE = 1_082_500_000_000_000_000n;
const HOLDER_USD = 5_000_000;
const HOUSE_USD = 500_000_000;

/** As long as the vault's constructor allows. */
const PAUSE_WINDOW_SECONDS = 90n * 86_400n;
const BUFFER_SECONDS = 30n * 86_400n;
/** Largest protocol fees on yield and on assets. */
const WHOLE = 10n ** 18n;

/** Balancer V2: the vault and the factories of 2023, as their authors deployed them. */
export const devnetVenue: DevnetVenue = {
  title: 'Balancer V2',
  folders: ['balancer_v2_weighted', 'balancer_v2_stable'],
  sources: [SETTABLE_RATE.source, 'contracts/devnet/tokens/StandardToken.sol'],
  pools: (lay) => ROWS.map((row) => lay(...row)),
  place,
};

function place(ground: Ground): PlacedVenue {
  const { script, compiled, deployer, wrappedNative } = ground;
  const authorizer = deployWith(script, 'Balancer authorizer', creationCode(PLACES.authorizer), deployer);
  const pause = [PAUSE_WINDOW_SECONDS, BUFFER_SECONDS] as const;
  const vaultParameters = encodeAbiParameters(
    [{ type: 'address' }, { type: 'address' }, { type: 'uint256' }, { type: 'uint256' }],
    [authorizer, wrappedNative, ...pause],
  );
  const vault = script.deploy('Balancer vault', concatHex([creationCode(PLACES.vault), vaultParameters]));
  const feeParameters = encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }, { type: 'uint256' }], [vault, WHOLE, WHOLE]);
  const feeProvider = script.deploy('Balancer fee provider', concatHex([creationCode(PLACES.feeProvider), feeParameters]));
  const factoryParameters = encodeAbiParameters(
    [{ type: 'address' }, { type: 'address' }, { type: 'string' }, { type: 'string' }],
    [vault, feeProvider, '3', '3'],
  );
  const weightedFactory = script.deploy('Balancer weighted pools', concatHex([creationCode(PLACES.weightedFactory), factoryParameters]));
  const composableFactory = script.deploy('Balancer composable pools', concatHex([creationCode(PLACES.composableFactory), factoryParameters]));
  const rate = script.deploy('rate provider', compiled(SETTABLE_RATE.contract));
  script.call('rate', rate, encodeFunctionData({ abi: SETTABLE_RATE.abi, functionName: 'set', args: [RATE, false] }));
  const token = issueSavings(ground);
  return {
    contracts: {
      balancerVault: vault,
      balancerAuthorizer: authorizer,
      balancerWeightedFactory: weightedFactory,
      balancerComposableFactory: composableFactory,
      savingsRate: rate,
    },
    deployments: [
      { venue: 'balancer_v2_weighted', family: 'balancer_v2', factory: weightedFactory },
      { venue: 'balancer_v2_stable', family: 'balancer_v2', factory: composableFactory },
    ],
    tokens: [token],
    spenders: { trade: [vault], provide: [vault] },
    ...vaultPools({
      vault,
      weightedFactory,
      composableFactory,
      rateProviders: new Map([[SAVINGS.symbol, rate]]),
      weightsOf: ({ symbols }) => WEIGHTS[symbols.join('/')],
    }),
  };
}

function issueSavings({ script, compiled, deployer, holders }: Ground): PlacedToken {
  const parameters = encodeAbiParameters([{ type: 'string' }, { type: 'string' }, { type: 'uint8' }], [SAVINGS.name, SAVINGS.symbol, SAVINGS.decimals]);
  const address = script.deploy(SAVINGS.symbol, concatHex([compiled('StandardToken'), parameters]));
  const mint = (accounts: readonly `0x${string}`[], usd: number): void =>
    script.call('fund', address, encodeFunctionData({ abi: TOKEN_ABI, functionName: 'mint', args: [accounts, approxBaseUnits(SAVINGS, usd)] }));
  mint(holders, HOLDER_USD);
  mint([deployer], HOUSE_USD);
  return { ...SAVINGS, address };
}
