import type { Token } from '../../schemas/pool-set.gen.ts';
import type { Address } from '../units/units.ts';

const NATIVE_ATOMS = 1e18;

/**
 * USD per whole token for each token of a set: `usd` where the file gives it, else `ethPriceWeiPerAtom` times the USD price of the native token. That price is
 * the wrapped native's own `usd`, else it follows from the first stablecoin that the file prices in wei (a whole stablecoin is one dollar). Without
 * either anchor such a token has no price: null.
 */
export function approxUsdPrices(
  tokens: ReadonlyMap<Address, Token>,
  wrappedNative: Address,
  stablecoins: readonly Address[],
): (address: Address) => number | null {
  const nativeUsd = tokens.get(wrappedNative)?.usd ?? nativeUsdByStablecoin(tokens, stablecoins);
  return (address) => {
    const token = tokens.get(address);
    if (token === undefined) return null;
    if (typeof token.usd === 'number') return token.usd;
    const natives = nativesPerWholeToken(token);
    return positive(natives === null || nativeUsd === null ? null : natives * nativeUsd);
  };
}

function nativeUsdByStablecoin(tokens: ReadonlyMap<Address, Token>, stablecoins: readonly Address[]): number | null {
  for (const address of stablecoins) {
    const token = tokens.get(address);
    const natives = token === undefined ? null : nativesPerWholeToken(token);
    if (natives !== null) return positive(1 / natives);
  }
  return null;
}

function nativesPerWholeToken({ decimals, ethPriceWeiPerAtom }: Token): number | null {
  if (ethPriceWeiPerAtom === undefined || ethPriceWeiPerAtom === null || decimals === null) return null;
  return positive((Number(ethPriceWeiPerAtom) * 10 ** decimals) / NATIVE_ATOMS);
}

/** A price is a positive finite number or absent: extremes of the file over- or underflow here. */
function positive(value: number | null): number | null {
  return value !== null && Number.isFinite(value) && value > 0 ? value : null;
}
