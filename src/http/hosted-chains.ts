import type { HostedChain } from '../chains/chains.ts';
import { asciiLowerCase } from '../units/units.ts';

/** The chains of this instance by what callers call them. */
export type HostedChains = {
  readonly all: readonly HostedChain[];
  byId(chainId: bigint): HostedChain | undefined;
  /** By canonical name or alias in any letter case, or by decimal id without leading zeros (decisions R19). */
  byName(text: string): HostedChain | undefined;
};

const NAME = /^[A-Za-z0-9_-]{1,64}$/;

export function hostedChains(all: readonly HostedChain[]): HostedChains {
  // Maps, not objects: '__proto__' is a name like any other. A bigint is a key by its value.
  const ids = new Map(all.map((hosted) => [BigInt(hosted.chain.chainId), hosted]));
  const names = new Map(
    all.flatMap((hosted) => [hosted.chain.name, ...hosted.chain.aliases, String(hosted.chain.chainId)].map((name) => [asciiLowerCase(name), hosted] as const)),
  );
  return {
    all,
    byId: (chainId) => ids.get(chainId),
    byName: (text) => (NAME.test(text) ? names.get(asciiLowerCase(text)) : undefined),
  };
}
