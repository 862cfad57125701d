import type { HostedChain } from '../chains/chains.ts';
import { asciiLowerCase } from '../units/units.ts';
import type { VenueFacet } from '../venues/venues.ts';
import type { VenueSwitches } from './venue-switches.ts';

/** Switching by the names that operators use. */
export type SwitchOperator = {
  /** What is off, by the chain's name. */
  describe(): Readonly<Record<string, { readonly venues: readonly string[]; readonly pools: readonly string[] }>>;
  change(request: { readonly chain: string; readonly venue?: string; readonly pool?: string; readonly on: boolean }): SwitchAnswer;
};

export type SwitchAnswer = { readonly ok: true } | { readonly ok: false; readonly message: string };

/** An address, or the id of a pool of a singleton; a pool set may name its pools otherwise. */
const POOL_KEY = /^(0x[0-9a-f]{40}([0-9a-f]{24})?|#[0-9]{1,9})$/;

/** A label is taken if a venue here could have it, a variant as much as a family: a misspelt one would leave the operator believing that something is off. */
export function operateSwitches(switches: VenueSwitches, chains: readonly HostedChain[], venues: Iterable<VenueFacet>): SwitchOperator {
  const families = [...venues].flatMap((venue) => venue.families);
  const labels = new Set(families.flatMap(({ family, variants = [] }) => [family, ...variants.map(({ variant }) => `${family}:${variant}`)]));
  const find = (name: string): HostedChain | undefined =>
    chains.find(({ chain }) => [chain.name, ...chain.aliases, String(chain.chainId)].includes(asciiLowerCase(name)));
  const isLabel = (label: string, hosted: HostedChain): boolean =>
    labels.has(label) || hosted.view().labels.includes(label) || switches.off(hosted.chain.chainId).venues.includes(label);
  return {
    describe: () => Object.fromEntries(chains.map(({ chain }) => [chain.name, switches.off(chain.chainId)])),
    change({ chain, venue, pool, on }) {
      const hosted = find(chain);
      if (hosted === undefined) return { ok: false, message: `chain is '${shown(chain)}'; hosted here: ${chains.map((known) => known.chain.name).join(', ')}` };
      const name = asciiLowerCase(venue ?? pool ?? '');
      if (venue !== undefined && !isLabel(name, hosted)) return { ok: false, message: `venue is '${shown(venue)}', which no venue here has for a label` };
      if (venue === undefined && !POOL_KEY.test(name)) return { ok: false, message: `pool is '${shown(name)}'; it has to be the pool's address or id` };
      const outcome = switches.change({ chainId: hosted.chain.chainId, kind: venue === undefined ? 'pool' : 'venue', name, on });
      return outcome === 'full' ? { ok: false, message: 'as many are switched off as there may be' } : { ok: true };
    },
  };
}

function shown(text: string): string {
  return text.slice(0, 70);
}
