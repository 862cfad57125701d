import { toFunctionSelector } from 'viem';
import type { LegFacts } from '../../snapshot/snapshot.ts';
import { type Address, ZERO_ADDRESS } from '../../units/units.ts';
import { addressOfWord } from '../abi-words.ts';
import type { AnnouncedBy, DiscoveredPool, PinnedReader, VenueDeployment } from '../track.ts';
import { firstWord } from './read-vault.ts';
import { slotHeld, whereHeld } from './supposed-holder.ts';

const ASSET = toFunctionSelector('asset()');
const DECIMALS = toFunctionSelector('decimals()');
const MOST_DECIMALS = 36n;

/** Asks the vaults that are not known yet for their assets, for decimals, and where they keep balances. null for one that names no asset, or itself. */
export async function describeVaults(
  announced: readonly AnnouncedBy[],
  read: PinnedReader,
  isKnown: (key: string) => boolean,
): Promise<readonly (readonly DiscoveredPool[] | null)[]> {
  const ask = (to: Address, data: `0x${string}`) => ({ to, data, answerBytes: 32 });
  const asked = announced.filter(({ deployment }) => !isKnown(deployment.factory));
  const told = await read(asked.flatMap(({ deployment: { factory } }) => [ask(factory, ASSET), ask(factory, DECIMALS)]));
  const held = await read(asked.map(({ deployment: { factory } }) => whereHeld(factory)));
  const assets = asked.map((_, at) => addressOfWord(firstWord(told[2 * at])));
  const assetDecimals = await read(assets.map((asset) => ask(asset ?? ZERO_ADDRESS, DECIMALS)));
  return announced.map((one) => {
    const at = asked.indexOf(one);
    if (at < 0) return [];
    const asset = assets[at] ?? null;
    if (asset === null || asset === one.deployment.factory) return null;
    const sharesAt = slotHeld(firstWord(held[at]));
    const offset = offsetOf(firstWord(told[2 * at + 1]), firstWord(assetDecimals[at]));
    return [poolOf(one.deployment, asset, sharesAt === null ? { offset } : { offset, sharesAt })];
  });
}

function poolOf({ factory, family }: VenueDeployment, asset: Address, traits: LegFacts): DiscoveredPool {
  return { key: factory, address: factory, hook: null, protocol: family, source: family, tokens: [asset, factory], traits };
}

/** Decimals that a share has beyond its asset's: those of OpenZeppelin's virtual shares. An asset that tells none is taken to have 18, as there. */
function offsetOf(decimals: bigint | null, assetDecimals: bigint | null): number {
  const offset = (decimals ?? 0n) - (assetDecimals ?? 18n);
  return offset > 0n && offset <= MOST_DECIMALS ? Number(offset) : 0;
}
