import type { ChainView, HostedChain } from '../chains/chains.ts';
import { LIMITS } from '../config/config.ts';
import { isLabelOff, NOTHING_OFF, type SwitchedOff } from '../venues/venues.ts';

/** A label or a pool of a chain, to be switched. `name` is a lower-case label or a pool's key. */
export type SwitchChange = { readonly chainId: number; readonly kind: 'venue' | 'pool'; readonly name: string; readonly on: boolean };

/** What is switched off on the chains of this instance. It is not kept when the process ends: what is to stay off belongs in the configuration. */
export type VenueSwitches = {
  off(chainId: number): SwitchedOff;
  /** Holds at once for whatever asks `off`. 'full': as many are off as there may be. */
  change(change: SwitchChange): 'changed' | 'unchanged' | 'full';
  /** The chain with the labels that are off left out of its view, whatever its indexer has made of it yet. */
  shown(hosted: HostedChain): HostedChain;
};

export type VenueSwitchesOptions = {
  /** What the configuration switches off, by chain id. */
  readonly configured: ReadonlyMap<number, SwitchedOff>;
  readonly onChange: (change: SwitchChange, off: SwitchedOff) => void;
};

export function createVenueSwitches({ configured, onChange }: VenueSwitchesOptions): VenueSwitches {
  const byChain = new Map(configured);
  const off = (chainId: number): SwitchedOff => byChain.get(chainId) ?? NOTHING_OFF;
  return {
    off,
    change(change) {
      const { chainId, kind, name, on } = change;
      const before = off(chainId);
      const list = kind === 'venue' ? before.venues : before.pools;
      if (list.includes(name) !== on) return 'unchanged';
      if (!on && list.length >= LIMITS.switching.offPerChain) return 'full';
      const next = on ? list.filter((other) => other !== name) : [...list, name];
      const after: SwitchedOff = kind === 'venue' ? { ...before, venues: next } : { ...before, pools: next };
      byChain.set(chainId, after);
      onChange(change, after);
      return 'changed';
    },
    shown(hosted) {
      const view = (): ChainView => {
        const seen = hosted.view();
        const now = off(hosted.chain.chainId);
        return now.venues.length === 0 ? seen : { ...seen, labels: seen.labels.filter((label) => !isLabelOff(now, label)) };
      };
      return { ...hosted, view };
    },
  };
}
