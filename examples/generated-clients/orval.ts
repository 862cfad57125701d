// The four routes by the client that orval generates. It reads JSON by JSON.parse: gasPriceWei may lose digits, which @braid/client keeps.
import { healthz, quote, sources, swap } from './generated/orval/braid';
import { report, trade, usdc, wbtc } from './trade';

const { chainId, taker } = trade;
const withKey = { headers: { 'x-api-key': trade.apiKey } };
const sold = { chainId, mode: 'sell', sellToken: usdc, buyToken: wbtc, sellAmount: '1000000000' } as const;

const labels = await sources(String(chainId), withKey);
const all = labels.status === 200 ? labels.data.sources : [];
const [excluded = ''] = all;
const priced = await quote({ ...sold, excludeRfq: true, maxHops: 3, slippagePct: 1, excludeVenues: excluded }, withKey);
const built = await swap({ ...sold, taker, funding: 'permit2', deadline: Math.floor(Date.now() / 1000) + 3600 }, withKey);
const none = await quote({ ...sold, includeVenues: 'none' }, withKey);
const health = await healthz();

report({
  sources: all.length,
  buyAmount: priced.status === 200 ? priced.data.buyAmount : undefined,
  slippagePct: priced.status === 200 ? priced.data.slippagePct : undefined,
  usesExcluded: priced.status === 200 ? priced.data.route.some(({ protocol }) => protocol === excluded) : undefined,
  to: built.status === 200 ? built.data.transaction.to : undefined,
  permit2: built.status === 200 ? built.data.permit2?.type : undefined,
  refused: none.status,
  error: none.status === 404 ? none.data.error : undefined,
  health: health.data.status,
  rate: priced.headers.get('x-ratelimit-limit'),
});
