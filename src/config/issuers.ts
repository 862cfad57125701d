import type { IssuerEntry } from '../../schemas/types.gen.ts';
import type { CataloguedChain } from '../chains/chains.ts';
import { type Address, asAddress } from '../units/units.ts';
import type { IssuedAsset } from '../venues/venues.ts';
import type { MakerConfig } from './config-type.ts';
import { ConfigRefused } from './environment.ts';
import { isSecret } from './redact.ts';
import { type ReferenceSources, resolveReferences } from './references.ts';

const DEFAULT_SIZES = ['1', '10', '100', '1000'];
/** Of assets and dollar tokens alike. */
const DECIMALS = 18;

/** Where an issuer's entry is in the file, and what chain it is of. */
export type IssuerPlace = { readonly at: string; readonly chainId: number; readonly known: CataloguedChain | undefined };

/** An issuer as its venue knows it, and what of it no output may have. `address`: of its URL. Throws ConfigRefused. */
export function issuerOf(
  { protocol, name, apiKey, contract, signer, dollar, chain, assets }: IssuerEntry,
  address: { readonly origin: string; readonly path: string },
  { at, chainId, known }: IssuerPlace,
  references: ReferenceSources,
): { readonly issuer: MakerConfig; readonly secrets: readonly string[] } {
  const key = apiKey === undefined ? null : resolveReferences(apiKey, `${at}.apiKey`, references);
  const dollarToken = asAddress(dollar);
  const issues = { chain: chain ?? `${known?.name ?? 'chain'}-${chainId}`, dollar: dollarToken, assets: assetsOf(assets, dollarToken, at) };
  const accounts = { contract: asAddress(contract), signer: asAddress(signer) };
  const issuer = { venue: protocol, name, ...address, ...accounts, issues, ...(key === null ? {} : { apiKey: key.text }) };
  return { issuer, secrets: key === null ? [] : [key.text, ...key.values].filter(isSecret) };
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
