import type { Braid } from '../../src/main.ts';
import { NATIVE_TOKEN } from '../../src/units/units.ts';

const EVERY_MS = 60;
/** As many as it takes for the estimated wait to pass the limit of short budgets. */
const BURST = 400;
/** More than an address without a key may ask for even where a busy machine takes seconds to send them. */
const ANONYMOUS_BURST = 60;
const PAIRS = [
  ['USDC', 'WBTC'],
  ['DAI', 'USDC'],
  ['USDC', 'WETH'],
  ['USDT', 'WETH'],
] as const;

/** A little of everything that callers do: quotes of both modes and of a taxed token, swaps, refusals of every kind, and a burst that is shed. Runs until it is stopped. */
export function smallLoad(braid: Braid): { stop(): Promise<ReadonlyMap<number, number>> } {
  const { devnet, apiKey } = braid;
  if (devnet === null || apiKey === null) throw new Error('the load is for a devnet');
  const address = (symbol: string) => devnet.tokens.find((token) => token.symbol === symbol)?.address ?? '';
  const taker = devnet.accounts[0]?.address ?? '';
  const statuses = new Map<number, number>();
  const underway = new Set<Promise<void>>();
  const ask = (path: string, key: string | null = apiKey) => {
    const asked = fetch(`${braid.publicUrl}${path}`, { headers: key === null ? {} : { 'x-api-key': key } }).then(async (response) => {
      await response.arrayBuffer();
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    });
    underway.add(asked);
    void asked.finally(() => underway.delete(asked));
  };
  const trade = (turn: number, more = '') => {
    const [sell, buy] = PAIRS[turn % PAIRS.length] ?? PAIRS[0];
    const mode = turn % 3 === 0 ? `mode=buy&buyAmount=${10 ** 6 * (turn + 1)}` : `mode=sell&sellAmount=${10 ** 9 * (turn + 1)}`;
    return `chainId=${devnet.chainId}&sellToken=${address(sell)}&buyToken=${address(buy)}&${mode}${more}`;
  };
  const kinds: readonly ((turn: number) => void)[] = [
    (turn) => ask(`/v1/quote?${trade(turn)}`),
    (turn) => ask(`/v1/quote?${trade(turn + 1)}`),
    (turn) => ask(`/v1/quote?${trade(turn + 2)}`),
    () => ask(`/v1/swap?chainId=${devnet.chainId}&sellToken=${NATIVE_TOKEN}&buyToken=${address('USDC')}&mode=sell&sellAmount=${10n ** 18n}&taker=${taker}`),
    // By a maker's order.
    () =>
      ask(
        `/v1/swap?chainId=${devnet.chainId}&sellToken=${address('WETH')}&buyToken=${address('USDC')}&mode=sell&sellAmount=${10n ** 17n}&taker=${taker}&includeVenues=airswap`,
      ),
    // Through a pool whose hook has to be shown an attestation.
    () =>
      ask(
        `/v1/swap?chainId=${devnet.chainId}&sellToken=${address('LINK')}&buyToken=${address('USDC')}&mode=sell&sellAmount=${10n ** 20n}&taker=${taker}&includeVenues=uniswap_v4:angstrom`,
      ),
    // Nobody's well-known token: it is measured for whoever asks.
    () => ask(`/v1/quote?chainId=${devnet.chainId}&sellToken=${address('TOLL')}&buyToken=${NATIVE_TOKEN}&mode=sell&sellAmount=${10n ** 18n}`),
    () => ask('/v1/quote?chainId=1'),
    () => ask('/v1/devnet/sources', null),
    () => ask('/nothing'),
    () => ask('/healthz', null),
  ];
  let turn = 0;
  const timer = setInterval(() => {
    kinds[turn % kinds.length]?.(turn);
    if (turn === 40) for (let i = 0; i < ANONYMOUS_BURST; i++) ask('/v1/devnet/sources', null);
    if (turn % 100 === 50) for (let i = 0; i < BURST; i++) ask(`/v1/quote?${trade(i, '&timeLimitMs=50&maxHops=7')}`);
    turn++;
  }, EVERY_MS);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.allSettled(underway);
      return statuses;
    },
  };
}
