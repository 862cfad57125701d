/** A token with what its transfers do other than moving all of what is sent; absent or null: nothing. */
type Token = { readonly address: string; readonly oddTransfers?: string | null };
type Pool<Of> = { readonly tokens: readonly Of[] };
/** The tokens and pools of a chain, before it runs or while it does: then pools name their tokens by address. */
type Market<Its extends Token, Their extends Pool<Token | string>> = { readonly tokens: readonly Its[]; readonly pools: readonly Their[] };

/** The tokens of a market whose transfers are plain, and the pools of none but these: what is traded at random is taken from here. */
export function plainMarket<Its extends Token, Their extends Pool<Token | string>>({ tokens, pools }: Market<Its, Their>): Market<Its, Their> {
  const plain = tokens.filter(({ oddTransfers = null }) => oddTransfers === null);
  const known = new Set<string>(plain.map(({ address }) => address));
  return { tokens: plain, pools: pools.filter((pool) => pool.tokens.every((token) => known.has(typeof token === 'string' ? token : token.address))) };
}
