import { type Address, asAddress } from '../units/units.ts';
import { CHAIN_FACTS } from './chains.gen.ts';

const STABLECOINS: ReadonlyMap<number, readonly Address[]> = new Map(CHAIN_FACTS.map(({ chainId, stablecoins }) => [chainId, stablecoins.map(asAddress)]));

/** The dollar tokens by which a chain's prices are anchored, best first: USDC, USDT, DAI. None where the catalogue knows none. */
export function stablecoinsOf(chainId: number): readonly Address[] {
  return STABLECOINS.get(chainId) ?? [];
}
