import type { AttesterEntry, ChainEntry } from '../../schemas/types.gen.ts';
import { asAddress } from '../units/units.ts';
import type { MakerConfig } from './config-type.ts';
import { ConfigRefused } from './environment.ts';
import { outsideUrl } from './makers.ts';
import { outsideKey } from './outside-key.ts';
import type { ReferenceSources } from './references.ts';

/** An attester, and what of it no output may have. */
export type ReadAttester = { readonly source: MakerConfig; readonly secrets: readonly string[] };

/** By their protocol's name: the folder in src/venues that asks them. */
const VENUES = { angstrom: 'uniswap_v4' } as const;

/** The attesters of a chain's entry, which is at `at` in the file. A name stands for one of all whom the entry names, and a hook has one attester. Throws ConfigRefused; no message repeats a URL or a key. */
export function attestersOf({ attesters = [], makers = [], issuers = [] }: ChainEntry, at: string, references: ReferenceSources): readonly ReadAttester[] {
  return attesters.map((entry, index) => {
    const place = `${at}.attesters.${index}`;
    const before = attesters.slice(0, index);
    if ([...makers, ...issuers, ...before].some(({ name }) => name === entry.name))
      throw new ConfigRefused(`${place}.name is ${entry.name}, which another one has`);
    if (before.some(({ hook }) => asAddress(hook) === asAddress(entry.hook))) throw new ConfigRefused(`${place}.hook is one that another attester is for`);
    return readAttester(entry, place, references);
  });
}

function readAttester({ protocol, name, url, hook, apiKey }: AttesterEntry, at: string, references: ReferenceSources): ReadAttester {
  const address = outsideUrl(url, at);
  const contract = asAddress(hook);
  const plain = { venue: VENUES[protocol], name, ...address, contract, signer: contract };
  if (apiKey === undefined) return { source: plain, secrets: [] };
  const key = outsideKey(apiKey, address.origin, at, references);
  // In the file itself a key would go wherever the file goes.
  if (!key.named) throw new ConfigRefused(`${at}.apiKey has to name where the key is: \${NAME}, or \${file:PATH}`);
  return { source: { ...plain, apiKey: key.text }, secrets: key.secrets };
}
