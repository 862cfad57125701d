/** A token with what its transfers do other than moving all of what is sent; absent or null: nothing. */
type Token = { readonly address: string; readonly oddTransfers?: string | null };
type Pool<Of> = { readonly tokens: readonly Of[] };
/** The tokens and pools of a chain, before it runs or while it does: then pools name their tokens by address. */
type Market<Its extends Token, Their extends Pool<Token | string>> = { readonly tokens: readonly Its[]; readonly pools: readonly Their[] };

/** The tokens of a market whose transfers are plain, and the pools that have no other: what is traded at random is taken from here. */
export function plainMarket<Its extends Token, Their extends Pool<Token | string>>({ tokens, pools }: Market<Its, Their>): Market<Its, Their> {
  const isOdd = ({ oddTransfers = null }: Token): boolean => oddTransfers !== null;
  const odd = new Set<string>(tokens.filter(isOdd).map(({ address }) => address));
  return {
    tokens: tokens.filter((token) => !isOdd(token)),
    // Not those of known tokens alone: a pool may have the native token, which no list of tokens has.
    pools: pools.filter((pool) => !pool.tokens.some((token) => odd.has(typeof token === 'string' ? token : token.address))),
  };
}
