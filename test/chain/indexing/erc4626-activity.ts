import { encodeFunctionData, parseAbi } from 'viem';
import type { Devnet, DevnetPool } from '../../../src/devnet/devnet.ts';
import type { Address } from '../../../src/units/units.ts';
import { type Activity, ERC20 } from './activity.ts';

export const VAULT = parseAbi([
  'function asset() view returns (address)',
  'function deposit(uint256 assets, address receiver) returns (uint256)',
  'function mint(uint256 shares, address receiver) returns (uint256)',
  'function redeem(uint256 shares, address receiver, address owner) returns (uint256)',
  'function withdraw(uint256 assets, address receiver, address owner) returns (uint256)',
  'function previewDeposit(uint256 assets) view returns (uint256)',
  'function previewRedeem(uint256 shares) view returns (uint256)',
  'function maxDeposit(address receiver) view returns (uint256)',
  'function maxRedeem(address owner) view returns (uint256)',
  'function balanceOf(address account) view returns (uint256)',
  'function convertToAssets(uint256 shares) view returns (uint256)',
]);
const CAPPED = parseAbi(['function owner() view returns (address)', 'function set(uint256 cap, uint256 redeemCap, bool paused)']);
const TRANSFER = parseAbi(['function transfer(address to, uint256 value)']);

/** What can happen to vaults, a block each. */
export type VaultActivity = {
  readonly vaults: readonly DevnetPool[];
  /** The one with caps and a pause. */
  readonly capped: Address;
  deposit(): Promise<void>;
  redeem(): Promise<void>;
  /** A gift to all who hold shares: a vault's yield, or an attack. */
  donate(): Promise<void>;
  setCaps(cap: bigint, redeemCap: bigint, paused?: boolean): Promise<void>;
};

export async function openVaultActivity(devnet: Devnet, { client, request, mine }: Activity, random: () => number): Promise<VaultActivity> {
  const me = devnet.accounts[0]?.address as Address;
  const vaults = devnet.pools.filter(({ family }) => family === 'erc4626');
  const capped = devnet.contract('yDAIVault');
  const any = () => (vaults[Math.floor(random() * vaults.length)] as DevnetPool).address;
  const assetOf = (vault: Address) => client.readContract({ address: vault, abi: VAULT, functionName: 'asset' });
  const share = async (token: Address): Promise<bigint> => {
    const held = await client.readContract({ address: token, abi: ERC20, functionName: 'balanceOf', args: [me] });
    return held / BigInt(50 + Math.floor(random() * 100_000)) + 1n;
  };
  const owner = await client.readContract({ address: capped, abi: CAPPED, functionName: 'owner' });
  await request('anvil_impersonateAccount', owner);
  const approvals = await Promise.all(vaults.map(async ({ address }) => ({ to: (await assetOf(address)) as Address, vault: address })));
  await mine(approvals.map(({ to, vault }) => ({ to, data: encodeFunctionData({ abi: ERC20, functionName: 'approve', args: [vault, 2n ** 256n - 1n] }) })));
  return {
    vaults,
    capped,
    async deposit() {
      const vault = any();
      const args = [await share((await assetOf(vault)) as Address), me] as const;
      await mine([{ to: vault, data: encodeFunctionData({ abi: VAULT, functionName: 'deposit', args }) }]);
    },
    async redeem() {
      const vault = any();
      const args = [await share(vault), me, me] as const;
      await mine([{ to: vault, data: encodeFunctionData({ abi: VAULT, functionName: 'redeem', args }) }]);
    },
    async donate() {
      const vault = any();
      const asset = (await assetOf(vault)) as Address;
      await mine([{ to: asset, data: encodeFunctionData({ abi: TRANSFER, args: [vault, (await share(asset)) / 10n + 1n] }) }]);
    },
    async setCaps(cap, redeemCap, paused = false) {
      const data = encodeFunctionData({ abi: CAPPED, functionName: 'set', args: [cap, redeemCap, paused] });
      await request('eth_sendTransaction', { from: owner, to: capped, data, gas: '0x100000', gasPrice: '0x2e90edd000' });
      await request('evm_mine');
    },
  };
}
