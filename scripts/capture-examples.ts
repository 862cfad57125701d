// `npm run examples`: writes schemas/openapi-examples.gen.json, the examples of openapi.json, as a running service on the embedded devnet answered them.
// By hand, where an answer has changed: what is captured has ids, times and block numbers of its own each time.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Config, loadConfig } from '../src/config/config.ts';
import { type Braid, becomeReady, startBraid } from '../src/main.ts';
import { issueKey } from '../src/metering/metering.ts';
import { createLog } from '../src/observe/observe.ts';
import { NATIVE_TOKEN } from '../src/units/units.ts';

type Example = { readonly status: number; readonly body: unknown };
/** By operation, then status, then name. */
type Examples = Record<string, Record<string, Record<string, unknown>>>;

const target = fileURLToPath(new URL('../schemas/openapi-examples.gen.json', import.meta.url));
const folder = mkdtempSync(path.join(os.tmpdir(), 'braid-examples-'));
const RPS = 20;
const { key, entry } = issueKey({ rps: RPS, partnerId: 'example' }, new Date());
const keysFile = path.join(folder, 'keys.json');
writeFileSync(keysFile, JSON.stringify({ keys: [entry] }));

function configOf(file: object | null): Config {
  const name = path.join(folder, 'config.json');
  if (file !== null) writeFileSync(name, JSON.stringify(file));
  const env = { PORT: '0', INTERNAL_PORT: '0', DEVNET_PORT: '0', SOLVER_THREADS: '1', KEYS_FILE: keysFile };
  const loaded = loadConfig({ env, argv: file === null ? [] : ['--config', name], readFile: (path) => readFileSync(path, 'utf8'), availableParallelism: 2 });
  if (!loaded.ok) throw new Error(loaded.message);
  return loaded.config;
}

const start = (file: object | null): Promise<Braid> =>
  startBraid(configOf(file), { log: createLog({ level: 'silent' }), print: () => undefined, onDevnetLost: () => undefined, devnetBots: false });

async function ask(base: string, route: string, withKey = false): Promise<Example> {
  const response = await fetch(`${base}${route}`, withKey ? { headers: { 'x-api-key': key } } : {});
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  return { status: response.status, body: isJson ? JSON.parse(text) : text };
}

const examples: Examples = {};

function keep(operation: string, status: number, name: string, example: Example | undefined): void {
  if (example?.status !== status) throw new Error(`${operation} ${name}: ${JSON.stringify(example)} instead of ${status}`);
  examples[operation] ??= {};
  examples[operation][status] ??= {};
  examples[operation][status][name] = example.body;
}

async function captureAnswers(braid: Braid): Promise<void> {
  const { devnet, publicUrl } = braid;
  if (devnet === null) throw new Error('the devnet is not up');
  const token = (symbol: string) => devnet.tokens.find((candidate) => candidate.symbol === symbol)?.address ?? '';
  const query = (more: Readonly<Record<string, string>>) => `${new URLSearchParams({ chainId: String(devnet.chainId), mode: 'sell', ...more })}`;
  const taker = devnet.accounts[0]?.address ?? '';
  const native = { sellToken: NATIVE_TOKEN, buyToken: token('USDC'), sellAmount: String(10n ** 18n) };
  const erc20 = { sellToken: token('USDC'), buyToken: token('WBTC'), sellAmount: String(50_000n * 10n ** 6n) };
  const exactOut = { mode: 'buy', sellToken: token('USDC'), buyToken: token('WETH'), buyAmount: String(2n * 10n ** 18n) };
  const refused = {
    malformed: query({ ...native, taker, sellAmount: '1e18' }),
    inconsistent: query({ ...native, taker, feeBps: '25' }),
    chain: query({ ...native, taker, chainId: '424242' }),
    route: query({ ...native, taker, includeVenues: 'no_such_venue' }),
  };

  keep('quote', 200, 'sellNative', await ask(publicUrl, `/v1/quote?${query(native)}`));
  keep('quote', 200, 'buyExactly', await ask(publicUrl, `/v1/quote?${query({ ...exactOut, taker })}`, true));
  keep('swap', 200, 'native', await ask(publicUrl, `/v1/swap?${query({ ...native, taker })}`, true));
  keep('swap', 200, 'allowanceHolder', await ask(publicUrl, `/v1/swap?${query({ ...erc20, taker })}`, true));
  for (const operation of ['quote', 'swap']) {
    keep(operation, 400, 'malformed', await ask(publicUrl, `/v1/${operation}?${refused.malformed}`, true));
    keep(operation, 400, 'inconsistent', await ask(publicUrl, `/v1/${operation}?${refused.inconsistent}`, true));
    keep(operation, 404, 'chain', await ask(publicUrl, `/v1/${operation}?${refused.chain}`, true));
    keep(operation, 404, 'route', await ask(publicUrl, `/v1/${operation}?${refused.route}`, true));
  }
  keep('sources', 200, 'devnet', await ask(publicUrl, `/v1/${devnet.chainId}/sources`, true));
  keep('sources', 404, 'chain', await ask(publicUrl, '/v1/atlantis/sources', true));
  keep('healthz', 200, 'ok', await ask(publicUrl, '/healthz'));

  // The whole burst at the same time, from a key whose burst is more than it may have in flight.
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const burst = (operation: string) =>
    Promise.all(Array.from({ length: 1.5 * RPS }, () => ask(publicUrl, `/v1/${operation}?${query({ ...erc20, taker })}`, true)));
  for (const operation of ['quote', 'swap']) {
    keep(
      operation,
      503,
      'overloaded',
      (await burst(operation)).find(({ status }) => status === 503),
    );
    await new Promise((resolve) => setTimeout(resolve, 1500));
  }
  for (const [operation, route] of [
    ['quote', `/v1/quote?${query(native)}`],
    ['swap', `/v1/swap?${query({ ...native, taker })}`],
    ['sources', `/v1/${devnet.chainId}/sources`],
  ] as const) {
    const answers = await Promise.all(Array.from({ length: 6 }, () => ask(publicUrl, route)));
    keep(
      operation,
      429,
      'budget',
      answers.find(({ status }) => status === 429),
    );
  }

  const chain = { chainId: devnet.chainId, rpcUrls: [devnet.rpcUrl], wrappedNative: devnet.wrappedNative, deployments: devnet.deployments };
  // A head is always older than a millisecond.
  const stale = await start({ feeCollector: devnet.feeCollector, freshnessBoundMs: 1, chains: [chain] });
  await becomeReady(stale, 20_000);
  await new Promise((resolve) => setTimeout(resolve, 50));
  for (const operation of ['quote', 'swap']) keep(operation, 503, 'stale', await ask(stale.publicUrl, `/v1/${operation}?${query({ ...native, taker })}`, true));
  keep('healthz', 503, 'behind', await ask(stale.publicUrl, '/healthz'));
  await stale.stop();
  // Nothing answers there.
  const dark = await start({ feeCollector: devnet.feeCollector, chains: [{ ...chain, rpcUrls: ['http://127.0.0.1:9'] }] });
  for (const operation of ['quote', 'swap'])
    keep(operation, 500, 'comingUp', await ask(dark.publicUrl, `/v1/${operation}?${query({ ...native, taker })}`, true));
  keep('healthz', 503, 'comingUp', await ask(dark.publicUrl, '/healthz'));
  await dark.stop();
}

const braid = await start(null);
try {
  await becomeReady(braid, 20_000);
  await captureAnswers(braid);
  writeFileSync(target, `${JSON.stringify(examples, null, 2)}\n`);
  console.log('wrote schemas/openapi-examples.gen.json: now run npm run generate');
} finally {
  await braid.stop();
  rmSync(folder, { recursive: true, force: true });
}
