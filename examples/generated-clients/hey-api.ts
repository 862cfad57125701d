// The four routes by the client that @hey-api/openapi-ts generates. It reads JSON by JSON.parse: gasPriceWei may lose digits, which @braid/client keeps.
import { client } from './generated/hey-api/client.gen';
import { healthz, quote, sources, swap } from './generated/hey-api/sdk.gen';
import { report, trade, usdc, wbtc } from './trade';

client.setConfig({ auth: trade.apiKey });
const { chainId, taker } = trade;
const sold = { chainId, mode: 'sell', sellToken: usdc, buyToken: wbtc, sellAmount: '1000000000' } as const;

const labels = await sources({ path: { chain: String(chainId) } });
const [excluded = ''] = labels.data?.sources ?? [];
const priced = await quote({ query: { ...sold, excludeRfq: true, maxHops: 3, slippagePct: 1, excludeVenues: excluded } });
const built = await swap({ query: { ...sold, taker, funding: 'permit2', deadline: Math.floor(Date.now() / 1000) + 3600 } });
const none = await quote({ query: { ...sold, includeVenues: 'none' } });
const health = await healthz();

report({
  sources: labels.data?.sources.length,
  buyAmount: priced.data?.buyAmount,
  slippagePct: priced.data?.slippagePct,
  usesExcluded: priced.data?.route.some(({ protocol }) => protocol === excluded),
  to: built.data?.transaction.to,
  permit2: built.data?.permit2?.type,
  refused: none.response?.status,
  error: none.error?.error,
  health: health.data?.status,
  rate: priced.response?.headers.get('x-ratelimit-limit'),
});
