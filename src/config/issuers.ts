import type { ChainEntry, IssuerEntry } from '../../schemas/types.gen.ts';
import type { CataloguedChain } from '../chains/chains.ts';
import { type Address, asAddress } from '../units/units.ts';
import type { IssuedAsset } from '../venues/venues.ts';
import type { MakerConfig } from './config-type.ts';
import { ConfigRefused } from './environment.ts';
import { outsideUrl } from './makers.ts';
import { outsideKey } from './outside-key.ts';
import type { ReferenceSources } from './references.ts';

const DEFAULT_SIZES = ['1', '10', '100', '1000'];
/** Of assets and dollar tokens alike. */
const DECIMALS = 18;

type ChainFacts = { readonly chainId: number; readonly known: CataloguedChain | undefined; readonly references: ReferenceSources };

/** The issuers of a chain as their venues know them, and what of that no output may have. Throws ConfigRefused. */
export function issuersOf(
  { makers = [], issuers: entries = [] }: ChainEntry,
  at: string,
  { chainId, known, references }: ChainFacts,
): { readonly issuers: readonly MakerConfig[]; readonly secrets: readonly string[] } {
  const names = [...makers, ...entries].map(({ name }) => name);
  const secrets: string[] = [];
  const issuers = entries.map(({ protocol, name, url, apiKey, contract, signer, dollar, chain, assets }, index): MakerConfig => {
    const here = `${at}.issuers.${index}`;
    if (names.indexOf(name) !== makers.length + index) throw new ConfigRefused(`${here}.name is ${name}, which another one has`);
    const address = outsideUrl(url, here);
    const key = apiKey === undefined ? null : outsideKey(apiKey, address.origin, here, references);
    secrets.push(...(key?.secrets ?? []));
    const dollarToken = asAddress(dollar);
    const issues = { chain: chain ?? `${known?.name ?? 'chain'}-${chainId}`, dollar: dollarToken, assets: assetsOf(assets, dollarToken, here) };
    const accounts = { contract: asAddress(contract), signer: asAddress(signer) };
    return { venue: protocol, name, ...address, ...accounts, issues, ...(key === null ? {} : { apiKey: key.text }) };
  });
  return { issuers, secrets };
}

function assetsOf(entries: IssuerEntry['assets'], dollar: Address, at: string): readonly IssuedAsset[] {
  return entries.map(({ symbol, token: text, sizes = DEFAULT_SIZES }, index) => {
    const place = `${at}.assets.${index}`;
    const token = asAddress(text);
    if (token === dollar) throw new ConfigRefused(`${place}.token is the issuer's dollar token`);
    if (entries.findIndex((other) => asAddress(other.token) === token) !== index) throw new ConfigRefused(`${place}.token is that of another asset`);
    const amounts = sizes.map(baseUnits);
    const wrong = amounts.findIndex((amount, before) => amount <= (amounts[before - 1] ?? 0n));
    if (wrong >= 0) throw new ConfigRefused(`${place}.sizes.${wrong} is ${sizes[wrong]}; sizes are above zero, and each is above the one before it`);
    return { symbol, token, sizes: amounts };
  });
}

/** Of a decimal text that the schema has checked. */
function baseUnits(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(DECIMALS, '0'));
}
