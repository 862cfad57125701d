import { parseAbi } from 'viem';
import type { VenueOracle } from '../venue-oracle.ts';

const VAULT = parseAbi([
  'function asset() view returns (address)',
  'function previewDeposit(uint256 assets) view returns (uint256 shares)',
  'function previewRedeem(uint256 shares) view returns (uint256 assets)',
  'function maxDeposit(address receiver) view returns (uint256 assets)',
  'function redeemCap() view returns (uint256 shares)',
  'function totalSupply() view returns (uint256 shares)',
]);
const ANYBODY = '0x0000000000000000000000000000000000000001';

export const venueOracle: VenueOracle = {
  families: ['erc4626'],
  async exactIn(read, _devnet, { pool, tokenOut }, amountIn) {
    const ask = async (name: string, args: readonly unknown[]) => (await read(pool.address, VAULT, name, args)) as bigint;
    if (tokenOut === pool.address) {
      if (amountIn > (await ask('maxDeposit', [ANYBODY]))) throw new Error('more than the vault takes');
      return ask('previewDeposit', [amountIn]);
    }
    // Only one of the vaults has a cap of redemptions.
    const cap = await ask('redeemCap', []).catch(() => ask('totalSupply', []));
    if (amountIn > cap) throw new Error('more than the vault pays out');
    return ask('previewRedeem', [amountIn]);
  },
  leg: () => ({ leg: 'erc4626', data: '0x' }),
};
