import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Devnet, startDevnet } from '../../src/devnet/devnet.ts';
import type { Braid } from '../../src/main.ts';
import { issueKey } from '../../src/metering/metering.ts';
import { chainEntry, startConfiguredBraid } from './configured-braid.ts';
import { type RpcProxy, startRpcProxy } from './rpc-proxy.ts';

/** What tells a node that it is asked for which chain it has. */
const OTHER_CHAIN_ID = 1;

/** One service for two chains, each with a node of its own: the one of the devnet, and another that takes itself for Ethereum, behind a proxy that can be told to refuse. */
export type TwoChains = {
  readonly braid: Braid;
  readonly proxy: RpcProxy;
  /** Of a client whose budget no test uses up. */
  readonly key: string;
  /** Path and query of a quote of USDC for WETH on one of them. */
  quoteOf(chainId: number, amount: bigint): string;
  readonly chainIds: readonly [steady: number, stopping: number];
  stop(): Promise<void>;
};

export async function startTwoChains(freshnessBoundMs: number): Promise<TwoChains> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'braid-two-chains-'));
  const started: { stop(): Promise<void> }[] = [];
  const stop = async (): Promise<void> => {
    for (const each of started.reverse()) await each.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  const keep = <Started extends { stop(): Promise<void> }>(each: Started): Started => {
    started.push(each);
    return each;
  };
  try {
    const options = { rpcPort: 0, seed: 1, bots: false };
    const steady = keep(await startDevnet(options));
    const other = keep(await startDevnet(options));
    const proxy = keep(await startRpcProxy(() => other.rpcUrl));
    proxy.setRule(async ({ method }, forward) => {
      const answer = await forward();
      return { json: method === 'eth_chainId' ? { ...answer, result: `0x${OTHER_CHAIN_ID.toString(16)}` } : answer };
    });
    const { key, entry } = issueKey({ rps: 1_000_000, partnerId: 'two-chains' }, new Date());
    writeFileSync(path.join(folder, 'keys.json'), JSON.stringify({ keys: [entry] }));
    const chains = [chainEntry(steady, 'devnet', steady.rpcUrl), chainEntry(other, 'ethereum', proxy.url)];
    const configuration = { feeCollector: steady.feeCollector, freshnessBoundMs, chains };
    const braid = keep(await startConfiguredBraid(folder, configuration, { SOLVER_THREADS: '2', KEYS_FILE: path.join(folder, 'keys.json') }));
    const quoteOf = (chainId: number, amount: bigint): string => `/v1/quote?${quoteQuery(chainId === steady.chainId ? steady : other, chainId, amount)}`;
    return { braid, proxy, key, chainIds: [steady.chainId, OTHER_CHAIN_ID], quoteOf, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function quoteQuery({ tokens }: Devnet, chainId: number, amount: bigint): URLSearchParams {
  const token = (symbol: string) => tokens.find((one) => one.symbol === symbol)?.address ?? '';
  return new URLSearchParams({ chainId: String(chainId), mode: 'sell', sellToken: token('USDC'), buyToken: token('WETH'), sellAmount: String(amount) });
}
