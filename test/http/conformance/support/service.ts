// The service under test: BRAID_URL, or one that the suite starts for itself on the embedded devnet. One for all files of the suite.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chainById, stablecoinsOf } from '../../../../src/chains/chains.ts';
import type { Braid } from '../../../../src/main.ts';
import { issueKey } from '../../../../src/metering/metering.ts';
import { startTestBraid } from '../../../support/braid.ts';
import { type Client, createClient } from './client.ts';

export const NATIVE = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';
export const ZERO = `0x${'0'.repeat(40)}`;
/** Someone who holds nothing: takers and recipients need not be known to the service. */
export const TAKER = '0x00000000000000000000000000000000000A11ce';
export const POLICY = { feeBps: 25, partner: '0x00000000000000000000000000000000000000aB', partnerShareBps: 4000 } as const;

/** What a self-started service can show and a deployment can not: its keys, its parts, its chain. */
export type Own = {
  readonly braid: Braid;
  /** A key of that many requests per second without a fee policy. */
  key(rps: 2 | 10 | 50): string;
  /** A key whose policy is POLICY. */
  readonly policyKey: string;
};

export type Service = {
  /** Without a slash at the end. */
  readonly url: string;
  readonly client: Client;
  readonly own: Own | null;
  readonly chainId: number;
  readonly chain: string;
  readonly labels: readonly string[];
  readonly sellToken: string;
  readonly buyToken: string;
  /** Of the sell token: a trade of ordinary size. */
  readonly sellAmount: string;
  /** About what that yields. */
  readonly buyAmount: string;
  readonly wrappedNative: string | null;
  /** The settlement contracts; null where they are not known. */
  readonly settlement: { readonly router: string; readonly allowanceHolder: string } | null;
};

export type ServiceHandle = () => Service;

const START_TIMEOUT_MS = 480_000;
const foreign = process.env.BRAID_URL?.replace(/\/+$/, '') ?? '';
let users = 0;
let starting: Promise<Service> | null = null;
let stopOwn: (() => Promise<void>) | null = null;

/** Gives the surrounding suite the service under test. It starts with the first suite that needs it and ends after the last. */
export function useService(): ServiceHandle {
  let service: Service | undefined;
  users++;
  before(async function start() {
    this.timeout(START_TIMEOUT_MS);
    starting ??= find();
    service = await starting;
  });
  after(async function stop() {
    this.timeout(START_TIMEOUT_MS);
    users--;
    if (users === 0) await end();
  });
  return () => {
    if (service === undefined) throw new Error('the service is not there yet: use it inside tests only');
    return service;
  };
}

// Suites that a filter leaves out run no hooks, so the count above may never come to zero.
after(async function stop() {
  this.timeout(START_TIMEOUT_MS);
  await end();
});

async function end(): Promise<void> {
  const stop = stopOwn;
  stopOwn = null;
  await stop?.();
}

/** Leaves a test out, and the report says why. */
export function leaveOut(context: Mocha.Context, why: string): never {
  process.stdout.write(`      left out: ${why}\n`);
  return context.skip();
}

/** Tests that need a hand inside of the service are left out against a deployment, and the report says why. */
export function needsOwn(context: Mocha.Context, { own, url }: Service): Own {
  return own ?? leaveOut(context, `${url} is a deployment, and this takes a service that the suite started itself`);
}

export function needsSwaps(context: Mocha.Context, { settlement, url }: Service): { readonly router: string; readonly allowanceHolder: string } {
  return settlement ?? leaveOut(context, `${url} builds no swaps on this chain`);
}

export function needsWrappedNative(context: Mocha.Context, { wrappedNative, chain }: Service): string {
  return wrappedNative ?? leaveOut(context, `no catalogue and no route tells the wrapped native token of ${chain}`);
}

async function find(): Promise<Service> {
  return foreign === '' ? startOwn() : describeService(foreign, process.env.BRAID_API_KEY ?? null, null);
}

async function startOwn(): Promise<Service> {
  const folder = mkdtempSync(path.join(tmpdir(), 'braid-conformance-'));
  const issued = new Map([2, 10, 50].map((rps) => [rps, issueKey({ rps, partnerId: `partner-${rps}` }, new Date(0))]));
  const policy = issueKey({ rps: 50, partnerId: 'partner-policy', feePolicy: { ...POLICY } }, new Date(0));
  const file = path.join(folder, 'keys.json');
  writeFileSync(file, JSON.stringify({ keys: [...issued.values(), policy].map(({ entry }) => entry) }));
  const braid = await startTestBraid({ env: { KEYS_FILE: file } });
  stopOwn = async () => {
    await braid.stop();
    rmSync(folder, { recursive: true });
  };
  const key = (rps: number): string => {
    const found = issued.get(rps);
    if (found === undefined) throw new Error(`no key of ${rps} rps`);
    return found.key;
  };
  return describeService(braid.publicUrl, braid.apiKey, { braid, key, policyKey: policy.key });
}

/** What can be learnt of a service from outside: a healthy chain, its labels, a pair, and an amount that trades. */
async function describeService(url: string, key: string | null, own: Own | null): Promise<Service> {
  const client = createClient(url, key);
  const health = (await (await client.ask('/healthz')).json()) as { chains: readonly { chain: string; healthy: boolean }[] };
  const name = process.env.BRAID_CHAIN ?? health.chains.find(({ healthy }) => healthy)?.chain;
  if (name === undefined) throw new Error(`${url} hosts no healthy chain`);
  const { chainId, chain, sources } = (await (await client.ask(`/v1/${name}/sources`)).json()) as { chainId: number; chain: string; sources: string[] };
  const { sellToken, buyToken } = pairOf(chainId, chain, own);
  const amounts = await tradableAmounts(client, { chainId: String(chainId), mode: 'sell', sellToken, buyToken });
  const wrappedNative = own?.braid.devnet?.wrappedNative ?? (await wrappedNativeOf(client, chainId, buyToken));
  const settlement = await settlementOf(client, { chainId: String(chainId), mode: 'sell', buyToken, taker: TAKER }, sellToken, amounts.sellAmount);
  return { url, client, own, chainId, chain, labels: sources, sellToken, buyToken, ...amounts, wrappedNative, settlement };
}

/** The two contracts as swaps name them: a native sell goes to the router, an ERC-20 sell to the allowance holder. */
async function settlementOf(client: Client, trade: Readonly<Record<string, string>>, sellToken: string, sellAmount: string): Promise<Service['settlement']> {
  const targetOf = async (token: string, amount: string) => {
    const response = await client.ask(`/v1/swap?${new URLSearchParams({ ...trade, sellToken: token, sellAmount: amount })}`);
    return response.status === 200 ? ((await response.json()) as { transaction: { to: string } }).transaction.to : null;
  };
  const router = await targetOf(NATIVE, '1000000000000000000');
  const allowanceHolder = await targetOf(sellToken, sellAmount);
  return router === null || allowanceHolder === null ? null : { router, allowanceHolder };
}

function pairOf(chainId: number, chain: string, own: Own | null): { readonly sellToken: string; readonly buyToken: string } {
  const ofDevnet = (symbol: string) => own?.braid.devnet?.tokens.find((token) => token.symbol === symbol)?.address;
  const catalogued = chainById(chainId)?.wrappedNative ?? undefined;
  const sellToken = process.env.BRAID_SELL_TOKEN ?? ofDevnet('WETH') ?? catalogued;
  const buyToken = process.env.BRAID_BUY_TOKEN ?? ofDevnet('USDC') ?? stablecoinsOf(chainId)[0];
  if (sellToken === undefined || buyToken === undefined)
    throw new Error(`name two tokens of ${chain} in BRAID_SELL_TOKEN and BRAID_BUY_TOKEN (of a devnet, GET /devnet on the internal port lists them)`);
  return { sellToken, buyToken };
}

/** The pair's decimals are unknown from outside: the first power of ten that trades at an ordinary size. */
async function tradableAmounts(client: Client, pair: Readonly<Record<string, string>>): Promise<{ readonly sellAmount: string; readonly buyAmount: string }> {
  const found: { sellAmount: string; buyAmount: string }[] = [];
  for (const zeros of [18, 8, 9, 6, 4, 2, 0, 24]) {
    const response = await client.ask(`/v1/quote?${new URLSearchParams({ ...pair, sellAmount: `1${'0'.repeat(zeros)}` })}`);
    const body = (await response.json()) as { sellAmount: string; buyAmount: string; amountInUsd: number | null };
    if (response.status !== 200) continue;
    const { sellAmount, buyAmount, amountInUsd } = body;
    if (BigInt(buyAmount) >= 10_000n) found.push({ sellAmount, buyAmount });
    if (BigInt(buyAmount) >= 10_000n && amountInUsd !== null && amountInUsd >= 1 && amountInUsd < 25_000) return { sellAmount, buyAmount };
  }
  const [first] = found;
  if (first === undefined) throw new Error(`no amount of ${pair.sellToken} trades for ${pair.buyToken}: name two other tokens`);
  return first;
}

async function wrappedNativeOf(client: Client, chainId: number, buyToken: string): Promise<string | null> {
  const catalogued = chainById(chainId)?.wrappedNative;
  if (catalogued !== null && catalogued !== undefined) return catalogued;
  const query = new URLSearchParams({ chainId: String(chainId), mode: 'sell', sellToken: NATIVE, buyToken, sellAmount: '1000000000000000000' });
  const response = await client.ask(`/v1/quote?${query}`);
  if (response.status !== 200) return null;
  const { route } = (await response.json()) as { route: readonly { protocol: string; tokenOut: string }[] };
  return route.find(({ protocol }) => protocol === 'WRAP')?.tokenOut ?? null;
}
