import type { ChainEntry } from '../../schemas/types.gen.ts';
import { asAddress } from '../units/units.ts';
import type { ChainConfig, ListedMakerConfig, MakerConfig } from './config-type.ts';
import { ConfigRefused } from './environment.ts';

const MAKER_PROTOCOLS: ReadonlySet<string> = new Set(['http:', 'https:']);

/** The makers of a chain: those with a signer and no staker are asked always, the others while the registry lists them. No message repeats a URL: it may hold a key. Throws ConfigRefused. */
export function makersOf({ makers: entries = [], makerRegistry }: ChainEntry, at: string): Pick<ChainConfig, 'makers' | 'listedMakers'> {
  const makers: MakerConfig[] = [];
  const listed: ListedMakerConfig[] = [];
  for (const [index, { protocol: venue, name, url: text, contract, signer, staker, screens = false }] of entries.entries()) {
    const here = `${at}.makers.${index}`;
    if (entries.findIndex((other) => other.name === name) !== index) throw new ConfigRefused(`${here}.name is ${name}, which another one has`);
    const { origin, path } = outsideUrl(text, here);
    const common = { venue, name, origin, contract: asAddress(contract), ...(screens ? { screens } : {}) };
    if (signer !== undefined && staker === undefined) {
      makers.push({ ...common, path, signer: asAddress(signer) });
      continue;
    }
    if (makerRegistry === undefined)
      throw new ConfigRefused(`${here} has ${staker === undefined ? 'no signer' : 'a staker'}, and ${at} no makerRegistry that could list it`);
    if (path !== '/') throw new ConfigRefused(`${here}.url has a path, which the registry gives where it lists a maker`);
    const maker = { ...common, staker: staker === undefined ? null : asAddress(staker), signer: signer === undefined ? null : asAddress(signer) };
    if (listed.some(({ origin, staker: other }) => origin === maker.origin && (other === null || maker.staker === null || other === maker.staker)))
      throw new ConfigRefused(`${here}.url is where another one answers that the registry lists: both need a staker of their own`);
    listed.push(maker);
  }
  return { makers, listedMakers: makerRegistry === undefined || listed.length === 0 ? null : { registry: asAddress(makerRegistry), makers: listed } };
}

/** Where somebody answers. No message repeats it: it may hold a key. Throws ConfigRefused. */
export function outsideUrl(text: string, at: string): { readonly origin: string; readonly path: string } {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain = url !== null && MAKER_PROTOCOLS.has(url.protocol) && url.username === '' && url.password === '' && url.hash === '';
  if (!isPlain) throw new ConfigRefused(`${at}.url is no URL that begins with http:// or https://, without a user's name`);
  return { origin: url.origin, path: `${url.pathname}${url.search}` };
}
