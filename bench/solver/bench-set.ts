import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bestRates, type Market, readMarket } from '../../src/bound/bound.ts';
import { type ClearedArbitrage, clearArbitrage } from '../../src/offline/offline.ts';
import { applyBlocks, isObject, type LoadedPoolSet, loadPoolSet, type PoolSet, parsePoolSet, readJsonFile, readPoolSet } from '../../src/pool-set/pool-set.ts';
import { type SnapshotCapacity, SnapshotReader, type SnapshotView } from '../../src/snapshot/snapshot.ts';
import { asAddress } from '../../src/units/units.ts';
import { loadSolverVenues, type SolverVenues } from '../../src/venues/venues.ts';
import { type ExactPool, readExactPools } from './exact-pools.ts';
import { generateDevnet } from './generate/devnet.ts';
import { type GeneratedSet, generateSet, isSize } from './generate/generate.ts';
import { generateHostile } from './generate/hostile.ts';

/** A trade that the benchmark asks for, in snapshot token ids; −1 for a token that the set does not know. */
export type BenchRequest = {
  readonly id: string;
  readonly mode: 'sell' | 'buy';
  readonly sell: number;
  readonly buy: number;
  readonly sellToken: string;
  readonly buyToken: string;
  readonly amount: bigint;
};

export type BenchToken = { readonly address: string; readonly symbol: string; readonly decimals: number; readonly usd: number };

/** A set as all solvers see it: loaded, cleared of arbitrage, priced. */
export type BenchSet = {
  readonly name: string;
  readonly loaded: LoadedPoolSet;
  readonly reader: SnapshotReader;
  readonly venues: SolverVenues;
  readonly cleared: ClearedArbitrage | null;
  readonly market: Market;
  readonly pools: ReadonlyMap<string, ExactPool>;
  readonly tokens: readonly BenchToken[];
  /** Snapshot token id of an address; −1 for one that the set does not know. */
  readonly idOf: (address: string) => number;
  readonly native: number;
  readonly requests: readonly BenchRequest[];
};

export type SetChoice = {
  readonly name: string;
  readonly seed: number;
  readonly outside: number;
  readonly clear: boolean;
  readonly blocks: boolean;
  readonly requests: number;
  /** Pools of these kinds alone (design/pool-set); absent: all. */
  readonly kinds?: readonly string[];
  /** Prices for a set that has none: where arbitrage is left in it, its own would be off by what a cycle gives. Absent: its own. */
  readonly prices?: readonly BenchToken[];
};

const DATA = new URL('../../../shared/data/', import.meta.url);
const REAL: Readonly<Record<string, { readonly pools: string; readonly requests: string; readonly blocks: string | null }>> = {
  tycho: {
    pools: 'snapshots/tycho-ethereum-24693611.snapshot.json.gz',
    requests: 'requests/fynd-1k-requests.json.gz',
    blocks: 'snapshots/tycho-ethereum-24693611.blocks.json.gz',
  },
  cow: { pools: 'snapshots/cow-ethereum-auction-7400681.snapshot.json.gz', requests: 'requests/cow-ethereum-auction-7400681.orders.json.gz', blocks: null },
};

/** A real set is asked for, and the data beside the project is not there. */
export class SetAbsentError extends Error {}

export async function openBenchSet(choice: SetChoice): Promise<BenchSet> {
  const venues = await loadSolverVenues();
  const { set, rows } = await readSet(choice);
  const { kinds, name, clear, prices } = choice;
  const entries = kinds === undefined ? set.entries : set.entries.filter((entry) => isObject(entry) && kinds.includes(String(entry.kind)));
  const loaded = load({ ...set, entries }, venues);
  const blocks = REAL[name]?.blocks ?? null;
  if (choice.blocks && blocks !== null) {
    const applied = await applyBlocks(loaded, dataFile(blocks));
    if (!applied.ok) throw new Error(applied.message);
  }
  return openLoaded({ name, loaded, venues, rows, clear, ...(prices === undefined ? {} : { prices }) });
}

/** Of a market of a few pools: thousands of them are opened one after the other. */
const SMALL: Partial<SnapshotCapacity> = { arenaBytes: 2 ** 20, pools: 64, tokens: 32, slots: 8 };

/** A generated market of at most some dozen pools, as it is. */
export function openSmallSet(name: string, poolSet: unknown, rows: readonly unknown[], venues: SolverVenues): BenchSet {
  const parsed = parsePoolSet(poolSet);
  if (!parsed.ok) throw new Error(parsed.message);
  return openLoaded({ name, loaded: load(parsed.set, venues, SMALL), venues, rows, clear: false });
}

function load(set: PoolSet, venues: SolverVenues, capacity: Partial<SnapshotCapacity> = {}): LoadedPoolSet {
  // Gas is a matter of each run: without a price in the set, a job without one is blind.
  const loading = loadPoolSet({ ...set, block: { ...set.block, baseFeePerGas: null } }, { venues, capacity });
  if (!loading.ok) throw new Error(loading.message);
  return loading.loaded;
}

type Loaded = {
  readonly name: string;
  readonly loaded: LoadedPoolSet;
  readonly venues: SolverVenues;
  readonly rows: readonly unknown[];
  readonly clear: boolean;
  readonly prices?: readonly BenchToken[];
};

function openLoaded({ name, loaded, venues, rows, clear, prices }: Loaded): BenchSet {
  const reader = SnapshotReader.claim(loaded.buffers, 0);
  const cleared = clear ? clearArbitrage(loaded, reader, venues) : null;
  const market = pinned(reader, readMarket);
  const known = pinned(reader, (view) => describeTokens(view, loaded));
  const native = pinned(reader, (view) => view.tokenId(loaded.wrappedNative));
  const tokens = knownPrices(known, prices ?? []) ?? pricesOf(market, known, native);
  publishPrices(loaded, tokens);
  const pools = pinned(reader, (view) => readExactPools(view, venues));
  const requests = pinned(reader, (view) => rows.flatMap((row, index) => toRequest(row, index, view)));
  return { name, loaded, reader, venues, cleared, market, pools, tokens, idOf: idsByAddress(tokens), native, requests };
}

export function pinned<T>(reader: SnapshotReader, use: (view: SnapshotView) => T): T {
  const view = reader.pin();
  if (view === null) throw new Error('nothing is published');
  try {
    return use(view);
  } finally {
    reader.unpin();
  }
}

async function readSet({ name, seed, outside, requests }: SetChoice): Promise<{ readonly set: PoolSet; readonly rows: readonly unknown[] }> {
  const generated = generatedSet(name, seed, requests, outside);
  if (generated !== null) {
    const parsed = parsePoolSet(generated.poolSet);
    if (!parsed.ok) throw new Error(parsed.message);
    return { set: parsed.set, rows: generated.requests.requests };
  }
  const files = REAL[name];
  if (files === undefined) throw new Error(`no set '${name}'; there are ${[...Object.keys(REAL), 'M', 'L', 'XL', DEVNET, `${HOSTILE}60`].join(', ')}`);
  const read = await readPoolSet(dataFile(files.pools));
  if (!read.ok) throw new Error(read.message);
  const file = await readJsonFile(dataFile(files.requests));
  if (!file.ok || !isObject(file.value)) throw new Error(file.ok ? 'no requests' : file.message);
  const rows = file.value.requests ?? file.value.orders;
  if (!Array.isArray(rows)) throw new Error('a list of requests is expected');
  return { set: read.set, rows };
}

/** Names of the sets of so many tokens: hostile60. */
export const HOSTILE = 'hostile';
export const DEVNET = 'devnet';

function generatedSet(name: string, seed: number, requests: number, outside: number): GeneratedSet | null {
  if (isSize(name)) return generateSet({ size: name, seed, requests, outside });
  if (name === DEVNET) return generateDevnet(seed);
  const tokens = name.startsWith(HOSTILE) ? Number(name.slice(HOSTILE.length)) : Number.NaN;
  return Number.isInteger(tokens) ? generateHostile({ tokens, seed, requests }) : null;
}

function dataFile(file: string): string {
  const path = fileURLToPath(new URL(file, DATA));
  if (!existsSync(path)) throw new SetAbsentError(`the real sets are not here: ${path}`);
  return path;
}

function describeTokens(view: SnapshotView, loaded: LoadedPoolSet): readonly BenchToken[] {
  return Array.from({ length: view.tokenCount }, (_, id) => {
    const { address, decimals, usd } = view.token(id);
    const symbol = (loaded.set.tokens.get(address)?.symbol ?? '').replaceAll(/[^\x21-\x7e]/g, '').slice(0, 12);
    return { address, symbol: symbol === '' ? address.slice(0, 8) : symbol, decimals: decimals ?? 18, usd: usd ?? Number.NaN };
  });
}

/**
 * Prices for tokens that the file does not price: the mean of buying with the native token and selling for it, at the margin, and a dollar for the chain's first
 * dollar token.
 */
function pricesOf(market: Market, tokens: readonly BenchToken[], native: number): readonly BenchToken[] {
  const sold = bestRates(market, native);
  const bought = bestRates({ ...market, from: market.to, to: market.from, entering: market.leaving, leaving: market.entering }, native);
  const natives = (id: number): number => Math.sqrt((sold[id] as number) / (bought[id] as number)) * 10 ** ((tokens[id]?.decimals ?? 18) - 18);
  const dollar = tokens.findIndex(({ symbol }) => symbol === 'USDC');
  const nativeUsd = 1 / natives(dollar);
  return tokens.map((token, id) => ({ ...token, usd: natives(id) * nativeUsd }));
}

/** null where neither the set nor another one has prices. */
function knownPrices(tokens: readonly BenchToken[], others: readonly BenchToken[]): readonly BenchToken[] | null {
  const prices = new Map(others.map(({ address, usd }) => [address, usd]));
  const priced = tokens.map((token) => ({ ...token, usd: Number.isNaN(token.usd) ? (prices.get(token.address) ?? Number.NaN) : token.usd }));
  return priced.some(({ usd }) => !Number.isNaN(usd)) ? priced : null;
}

/** Into the snapshot, so that every solver values gas alike. */
function publishPrices(loaded: LoadedPoolSet, tokens: readonly BenchToken[]): void {
  for (const { address, decimals, usd } of tokens) {
    if (usd > 0 && usd < Number.POSITIVE_INFINITY) loaded.writer.setToken({ address: asAddress(address), decimals, usd });
  }
  loaded.writer.publish(loaded.block);
}

function idsByAddress(tokens: readonly BenchToken[]): (address: string) => number {
  const ids = new Map(tokens.map(({ address }, id) => [address, id]));
  return (address) => ids.get(address) ?? -1;
}

function toRequest(row: unknown, index: number, view: SnapshotView): readonly BenchRequest[] {
  const fields: unknown = Array.isArray(row) ? { sellToken: row[0], buyToken: row[1], sellAmount: row[2], buyAmount: row[2], mode: row[3] } : row;
  if (!isObject(fields)) return [];
  const mode = fields.mode === 'buy' ? 'buy' : 'sell';
  const [sellToken, buyToken] = [String(fields.sellToken).toLowerCase(), String(fields.buyToken).toLowerCase()];
  const amount = BigInt(String(mode === 'buy' ? fields.buyAmount : fields.sellAmount));
  const id = typeof fields.id === 'string' ? fields.id : String(index);
  const ids = { sell: view.tokenId(asAddress(sellToken)), buy: view.tokenId(asAddress(buyToken)) };
  return [{ id, mode, ...ids, sellToken, buyToken, amount }];
}
