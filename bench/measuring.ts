// What measuring the transfers of a token costs on the devnet: node --import ./scripts/typescript.mjs bench/measuring.ts

import { randomBytes } from 'node:crypto';
import { plainMarket, startDevnet } from '../src/devnet/devnet.ts';
import { createProbeNode } from '../src/indexing/probe-node.ts';
import { createRpc } from '../src/indexing/rpc/rpc.ts';
import { createTransferMeter, readProbeCode } from '../src/market/market.ts';
import type { Address } from '../src/units/units.ts';
import { openReport } from './history/history.ts';

const ROUNDS = 5;
const MOST_POOLS = 4;

const report = openReport('measuring');
const devnet = await startDevnet({ rpcPort: 0, seed: 1, bots: false, blockTimeSeconds: 3600 });
const rpc = createRpc({ urls: [devnet.rpcUrl], chainId: devnet.chainId, fetch, random: Math.random, onHead: () => undefined });
try {
  const node = createProbeNode(rpc);
  const settlement = { router: null, allowanceHolder: null, permit2: null };
  const meter = createTransferMeter({ node, code: readProbeCode(), random: randomBytes, settlement, minimumGasPriceWei: 0n });
  const block = await rpc.call('eth_getBlockByNumber', ['latest', false], (value) => {
    const { number, hash, baseFeePerGas } = value as Readonly<Record<'number' | 'hash' | 'baseFeePerGas', `0x${string}`>>;
    return { number: Number(number), hash, baseFeePerGas: BigInt(baseFeePerGas) };
  });
  const millis: number[] = [];
  let calls = 0;
  let simulations = 0;
  let first = 0;
  for (let round = 0; round < ROUNDS; round++) {
    for (const { address } of plainMarket(devnet).tokens) {
      const pools = poolsOf(address);
      if (pools.length === 0) continue;
      const startedAt = performance.now();
      const measured = await meter.measure(address, { pools, deepest: pools[0] ?? null }, block, lendersOf(address), null);
      if (measured.kind !== 'verdict' || measured.verdict.kind === 'gated') throw new Error(`${address}: ${JSON.stringify(measured)}`);
      // The first round fetches the pools' codes too.
      if (round === 0) first++;
      else millis.push(performance.now() - startedAt);
    }
  }
  for (const { method, durations } of rpc.drainCalls()) {
    if (method === 'eth_call') calls += durations.length;
    if (method === 'eth_simulateV1') simulations += durations.length;
  }
  millis.sort((a, b) => a - b);
  const at = (share: number): number => millis[Math.floor(share * (millis.length - 1))] ?? 0;
  const figures = {
    tokens: first,
    medianMs: at(0.5),
    p95Ms: at(0.95),
    mostMs: at(1),
    callsPerToken: calls / (first * ROUNDS),
    simulationsPerToken: simulations / (first * ROUNDS),
  };
  report(figures, () => {
    const { medianMs, p95Ms, mostMs, callsPerToken, simulationsPerToken } = figures;
    const [median, p95, most, each, simulated] = [medianMs, p95Ms, mostMs, callsPerToken, simulationsPerToken].map((figure) => figure.toFixed(1));
    process.stdout.write(`tokens ${first}\nms of a token: median ${median}, p95 ${p95}, most ${most}\ncalls of a token ${each}, simulations ${simulated}\n`);
  });
} finally {
  rpc.close();
  await devnet.stop();
}

/** Pools of what a token is traded against that do not trade the token. */
function lendersOf(token: Address): (other: Address) => Promise<readonly Address[]> {
  const own = devnet.pools.filter(({ tokens }) => tokens.includes(token)).map(({ address }) => address);
  return async (other) => poolsOf(other).filter((pool) => !own.includes(pool));
}

function poolsOf(token: Address): readonly Address[] {
  const pools = devnet.pools.filter(({ tokens, liquidityUsd }) => liquidityUsd > 0 && tokens.includes(token)).sort((a, b) => b.liquidityUsd - a.liquidityUsd);
  return [...new Set(pools.map(({ address }) => address))].slice(0, MOST_POOLS);
}
