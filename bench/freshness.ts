// From a block being mined to the first answer of it: the devnet with blocks of a second and its bots trading, the service in one process.
// node --import ./scripts/typescript.mjs bench/freshness.ts [--blocks N] [--record]

import { parseArgs } from 'node:util';
import { integerOption } from '../scripts/integer-option.ts';
import type { Devnet } from '../src/devnet/devnet.ts';
import { createNodeRpc } from '../src/devnet/node-rpc.ts';
import type { Braid } from '../src/main.ts';
import { startTestBraid } from '../test/support/braid.ts';
import { recordFigures } from './history/history.ts';

/** Answers under way at once, so that the measure is as fine as an answer is short. */
const LANES = 4;
const LOOK_MS = 2;

const { values } = parseArgs({ options: { blocks: { type: 'string', default: '60' }, record: { type: 'boolean', default: false } } });
const braid = await startTestBraid({ devnetBots: true });
try {
  await measure(braid, integerOption('--blocks', values.blocks, 1));
} finally {
  await braid.stop();
}

async function measure({ devnet, publicUrl, apiKey }: Braid, blocks: number): Promise<void> {
  if (devnet === null || apiKey === null) throw new Error('the service has no devnet');
  const rpc = createNodeRpc(devnet.rpcUrl);
  const ask = asker(devnet, publicUrl, apiKey);
  const minedAt = new Map<number, number>();
  const delays = new Map<number, number>();
  let newest = Number(await rpc.request('eth_blockNumber'));
  const last = newest + blocks;
  const look = async (): Promise<void> => {
    while (delays.size < blocks) {
      const number = Number(await rpc.request('eth_blockNumber'));
      if (number > newest && number <= last) minedAt.set(number, performance.now());
      newest = Math.max(newest, number);
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  };
  const quote = async (): Promise<void> => {
    while (delays.size < blocks) {
      const seen = await ask();
      const now = performance.now();
      for (const [number, at] of minedAt) if (number <= seen && !delays.has(number)) delays.set(number, now - at);
    }
  };
  await Promise.all([look(), ...Array.from({ length: LANES }, quote)]);
  const sorted = [...delays.values()].sort((a, b) => a - b);
  const at = (share: number): number => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
  const figures = { blocks: sorted.length, p50Ms: at(0.5), p95Ms: at(0.95), mostMs: at(1) };
  if (values.record) recordFigures('freshness', figures);
  process.stdout.write(
    `mined to quoted, ${sorted.length} blocks: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, most ${at(1)} ms (goal: p50 150 ms, at most 300 ms)\n`,
  );
}

/** Asks for a quote of the two first tokens: of which block the answer is. */
function asker({ chainId, tokens }: Devnet, publicUrl: string, apiKey: string): () => Promise<number> {
  const [sell, buy] = tokens;
  if (sell === undefined || buy === undefined) throw new Error('a devnet without tokens');
  const query = new URLSearchParams({
    chainId: String(chainId),
    sellToken: sell.address,
    buyToken: buy.address,
    mode: 'sell',
    sellAmount: String(10n ** BigInt(sell.decimals ?? 18)),
  });
  return async () => {
    const response = await fetch(`${publicUrl}/v1/quote?${query}`, { headers: { 'x-api-key': apiKey } });
    const { blockNumber = 0 } = (await response.json()) as { readonly blockNumber?: number };
    return blockNumber;
  };
}
