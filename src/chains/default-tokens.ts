import { type Address, asAddress } from '../units/units.ts';
import byChain from './default-tokens.gen.json' with { type: 'json' };

/** Tokens of a chain, by Uniswap's default list (`npm run tokens`); none where that has none. */
export function defaultTokensOf(chainId: number): readonly Address[] {
  const listed: readonly string[] | undefined = new Map(Object.entries(byChain)).get(String(chainId));
  return (listed ?? []).map(asAddress);
}
