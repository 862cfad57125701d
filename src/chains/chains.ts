// The front door of the chains room: what is fixed about each chain, by id, name and alias.

import { asAddress } from '../units/units.ts';
import { CATALOGUE } from './catalogue.ts';
import type { Chain } from './chain.ts';

export { CATALOGUE } from './catalogue.ts';
export type { Chain } from './chain.ts';
export type { ChainView, HostedChain } from './hosted.ts';
export { stablecoinsOf } from './stablecoins.ts';

/** Permit2's one address on every chain. */
export const PERMIT2 = asAddress('0x000000000022D473030F116dDEE9F6B43aC78BA3');

// Maps, not objects: '__proto__' or 'constructor' as a chain name is an unknown name (faults D22).
const BY_ID: ReadonlyMap<number, Chain> = new Map(CATALOGUE.map((chain) => [chain.chainId, chain]));
const BY_NAME: ReadonlyMap<string, Chain> = new Map(CATALOGUE.flatMap((chain) => [chain.name, ...chain.aliases].map((name) => [name, chain])));

const NUMERIC = /^[1-9][0-9]{0,18}$/;

/** The chain of an EIP-155 id, or undefined when the catalogue does not list it. */
export function chainById(chainId: bigint | number): Chain | undefined {
  return BY_ID.get(Number(chainId));
}

/** The chain that a path segment names: canonical name or alias in any letter case, or a decimal id without leading zeros (decisions R19). */
export function findChain(text: string): Chain | undefined {
  return NUMERIC.test(text) ? chainById(BigInt(text)) : BY_NAME.get(text.toLowerCase());
}
