import { concatHex, decodeFunctionResult, encodeAbiParameters, encodeFunctionData, type Hex, parseAbi } from 'viem';
import { type Address, asAddress, ZERO_ADDRESS } from '../../units/units.ts';
import { TOKEN_ABI } from '../abi.ts';
import type { PlacedToken } from '../deploy-contracts.ts';
import { DevnetError } from '../devnet-error.ts';
import type { BotTransaction, DevnetVenue, Ground, PlacedVenue, WantedSwap } from '../devnet-venue.ts';
import { placeAt } from '../kinds/place-at.ts';
import type { PlacedPool, PoolReading, SortedPool } from '../placed-pool.ts';
import { approxBaseUnits } from '../token-table.ts';
import type { TransactionScript } from '../transaction-script.ts';

const VAULT_ABI = parseAbi([
  'function asset() view returns (address)',
  'function convertToAssets(uint256 shares) view returns (uint256 assets)',
  'function deposit(uint256 assets, address receiver) returns (uint256 shares)',
  'function redeem(uint256 shares, address receiver, address owner) returns (uint256 assets)',
]);
const UINT: { readonly type: 'uint256' } = { type: 'uint256' };

/** A vault of the chain: a plain one, one whose redemptions pay a fee in ten-thousandths, one with caps of its assets and of each redemption, in USD. */
type VaultSpec = {
  readonly symbol: string;
  readonly name: string;
  readonly asset: string;
  readonly usd: number;
} & ({ readonly offset: number; readonly exitFee: number } | { readonly capUsd: number; readonly redeemCapUsd: number });

const VAULTS: readonly VaultSpec[] = [
  { symbol: 'yWETH', name: 'Yielding WETH', asset: 'WETH', usd: 6_000_000, offset: 0, exitFee: 0 },
  { symbol: 'yUSDC', name: 'Yielding USDC', asset: 'USDC', usd: 4_000_000, offset: 6, exitFee: 10 },
  { symbol: 'yDAI', name: 'Yielding DAI', asset: 'DAI', usd: 1_500_000, capUsd: 40_000_000, redeemCapUsd: 250_000 },
];

/** What each of the holders gets, worth of shares, and what is given up for good, so that no gift can make a share worth anything. */
const HOLDER_USD = 100_000;
const BURNT_USD = 500_000;
const BURNT = asAddress('0x000000000000000000000000000000000000dead');
/** A vault has earned so much of its first deposit when the chain starts. */
const EARNED_PARTS = 16n;
/** What a bot deposits or redeems, and what it gives to a vault as its yield. */
const SWAP_USD = 2_000;
const DRIP_USD = 5;

type Vault = { readonly spec: VaultSpec; readonly asset: PlacedToken; readonly share: PlacedToken };

/** Vaults of OpenZeppelin's, compiled from their sources: none of them has a factory, so each is a deployment. */
export const devnetVenue: DevnetVenue = {
  title: 'ERC-4626 vaults',
  folders: ['erc4626'],
  sources: ['FeeVault.sol', 'CappedVault.sol'].map((file) => `contracts/devnet/vaults/${file}`),
  pools: (lay) => VAULTS.map(({ asset, symbol, usd }) => lay(`${asset}/${symbol}`, 0, usd, 'full')),
  place,
};

function place({ script, tokens, compiled, holders }: Ground): PlacedVenue {
  const vaults = VAULTS.map((spec) => placeVault(script, spec, tokens, compiled));
  const byShare = new Map(vaults.map((vault) => [vault.share.symbol, vault]));
  const vaultOf = ({ symbols }: SortedPool): Vault => {
    const vault = symbols.map((symbol) => byShare.get(symbol)).find((found) => found !== undefined);
    if (vault === undefined) throw new DevnetError(`no vault has the shares ${symbols.join('/')}`);
    return vault;
  };
  const addresses = vaults.map(({ share }) => share.address);
  return {
    contracts: Object.fromEntries(vaults.map(({ spec, share }) => [`${spec.symbol}Vault`, share.address])),
    deployments: addresses.map((factory) => ({ venue: 'erc4626', family: 'erc4626', factory })),
    tokens: vaults.map(({ share }) => share),
    spenders: { trade: addresses, provide: addresses },
    make: (script, pool, owner) => fillVault(script, vaultOf(pool), approxBaseUnits(vaultOf(pool).asset, pool.liquidityUsd), owner, holders),
    whereIs(pool) {
      const { address } = vaultOf(pool).share;
      return { to: address, data: encodeFunctionData({ abi: VAULT_ABI, functionName: 'asset' }), decode: () => placeAt(address) };
    },
    readNow(pool) {
      const { share } = vaultOf(pool);
      const one = 10n ** BigInt(share.decimals);
      return {
        to: share.address,
        data: encodeFunctionData({ abi: VAULT_ABI, functionName: 'convertToAssets', args: [one] }),
        decode(data) {
          const worth = Number(decodeFunctionResult({ abi: VAULT_ABI, functionName: 'convertToAssets', data })) / Number(one);
          return { price: pool.token0 === share ? worth : 1 / worth, tick: null, reserves: null };
        },
      };
    },
    swap: (pool, reading, wanted) => trade(vaultOf(pool), pool, reading, wanted),
    /** Its yield: a gift to all who hold shares. */
    async changeLiquidity(pool, _reading, { provider, random }) {
      const { asset, share } = vaultOf(pool);
      const gift = approxBaseUnits(asset, random.between(0, DRIP_USD));
      return [{ from: provider, to: asset.address, data: encodeFunctionData({ abi: TOKEN_ABI, functionName: 'transfer', args: [share.address, gift] }) }];
    },
  };
}

function placeVault(script: TransactionScript, spec: VaultSpec, tokens: readonly PlacedToken[], compiled: (name: string) => Hex): Vault {
  const asset = tokens.find(({ symbol }) => symbol === spec.asset);
  if (asset === undefined) throw new DevnetError(`no token ${spec.asset} for a vault`);
  const { name, symbol } = spec;
  const start = [{ type: 'address' }, { type: 'string' }, { type: 'string' }] as const;
  const code =
    'capUsd' in spec
      ? concatHex([
          compiled('CappedVault'),
          encodeAbiParameters(
            [...start, UINT, UINT],
            [asset.address, name, symbol, approxBaseUnits(asset, spec.capUsd), approxBaseUnits(asset, spec.redeemCapUsd)],
          ),
        ])
      : concatHex([
          compiled('FeeVault'),
          encodeAbiParameters(
            [...start, { type: 'uint8' }, UINT, UINT, { type: 'address' }],
            [asset.address, name, symbol, spec.offset, 0n, BigInt(spec.exitFee), FEE_RECEIVER],
          ),
        ]);
  const address = script.deploy(symbol, code);
  const decimals = asset.decimals + ('offset' in spec ? spec.offset : 0);
  return { spec, asset, share: { symbol, name, decimals, kind: 'standard', usd: asset.usd * (1 + 1 / Number(EARNED_PARTS)), sway: 0, address } };
}

/** Gets the exit fees, and never touches them. */
const FEE_RECEIVER = `${ZERO_ADDRESS.slice(0, -3)}fee` as Address;

/** The owner's deposit first, then what it earned, then the holders'. */
function fillVault(script: TransactionScript, { asset, share }: Vault, amount: bigint, owner: Address, holders: readonly Address[]): void {
  const deposit = (assets: bigint, receiver: Address) =>
    script.call(`${share.symbol} deposit`, share.address, encodeFunctionData({ abi: VAULT_ABI, functionName: 'deposit', args: [assets, receiver] }));
  deposit(amount, owner);
  script.call(
    `${share.symbol} yield`,
    asset.address,
    encodeFunctionData({ abi: TOKEN_ABI, functionName: 'transfer', args: [share.address, amount / EARNED_PARTS] }),
  );
  deposit(approxBaseUnits(asset, BURNT_USD), BURNT);
  for (const holder of holders) deposit(approxBaseUnits(asset, HOLDER_USD), holder);
}

/** A deposit where shares are wanted, else a redemption. The price is what the vault has earned, which neither moves. */
function trade({ asset, share }: Vault, { token0 }: PlacedPool, { price }: PoolReading, { target, largest, trader }: WantedSwap): readonly BotTransaction[] {
  const paysToken0 = target < price;
  const deposits = paysToken0 === (token0 === asset);
  const wanted = approxBaseUnits(deposits ? asset : share, SWAP_USD);
  const amount = wanted < largest ? wanted : largest;
  const data = deposits
    ? encodeFunctionData({ abi: VAULT_ABI, functionName: 'deposit', args: [amount, trader] })
    : encodeFunctionData({ abi: VAULT_ABI, functionName: 'redeem', args: [amount, trader, trader] });
  return [{ from: trader, to: share.address, data }];
}
