// What makers who sign cost a swap: with one that answers, /v1/swap against /v1/quote and the maker's own time; with makers that hang, the time of the answer against the request's budget. They hang in turns by
// saying nothing, a byte at a time, or half an answer whose rest never comes. An answer that is late fails the run: that bound is a promise, and no figure.
// node --import ./scripts/typescript.mjs bench/makers.ts [--rounds N] [--hanging N] [--record]
import { parseArgs } from 'node:util';
import { integerOption } from '../scripts/integer-option.ts';
import type { Devnet, DevnetMaker } from '../src/devnet/devnet.ts';
import type { Braid } from '../src/main.ts';
import { startTestBraid } from '../test/support/braid.ts';
import { until } from '../test/support/until.ts';
import { recordFigures } from './history/history.ts';

const WETH = 10n ** 18n;
/** Of the figures: what a swap may take beyond a quote and the maker, and an answer beyond its budget. */
const BEYOND_QUOTE_MS = 5;
const BEYOND_BUDGET_MS = 250;
/** Too few to be asked for something else meanwhile: a maker that fails is left alone for a while, and then its prices come back. */
const BUDGETS_MS = [300, 500, 1_000, 1_500, 2_000, 3_000, 5_000];
/** How makers hang, in turns: so many that each meets each of the budgets. */
const HANGING = ['silent', 'drip', 'half-closed'] as const;
const PATIENCE_MS = 120_000;

type Answer = { readonly status: number; readonly ms: number; readonly signed: boolean; readonly warned: boolean; readonly text: string };
type Ask = (path: 'quote' | 'swap', query: Readonly<Record<string, string>>) => Promise<Answer>;

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '200' }, hanging: { type: 'string', default: '200' }, record: { type: 'boolean', default: false } },
});
const [rounds, hanging] = [integerOption('--rounds', values.rounds, 1), integerOption('--hanging', values.hanging, 1)];
const braid = await startTestBraid({ devnetMakers: true, env: { FRESHNESS_BOUND_MS: '600000' } });
try {
  const { devnet } = braid;
  if (devnet === null) throw new Error('the service has no devnet');
  const ask = asker(braid);
  const trade = { sellToken: tokenOf(devnet, 'WETH'), buyToken: tokenOf(devnet, 'USDC'), mode: 'sell' };
  const signing = await healthy(ask, devnet.makers, { ...trade, sellAmount: String(WETH), includeVenues: 'airswap' });
  const hung = await hangs(ask, devnet.makers, { ...trade, sellAmount: String(120n * WETH) });
  if (hung.within < hung.rounds) process.exitCode = 1;
  if (values.record) recordFigures('makers', { signing, hung });
} finally {
  await braid.stop();
}

/** In turns, so that what else the machine does is in all three alike. */
async function healthy(ask: Ask, makers: readonly DevnetMaker[], trade: Readonly<Record<string, string>>): Promise<object> {
  if (!(await until(async () => (await ask('swap', trade)).signed, PATIENCE_MS))) throw new Error('no maker signs');
  const times = { quote: [] as number[], maker: [] as number[], swap: [] as number[] };
  while (times.swap.length < rounds) {
    const quote = await ask('quote', trade);
    const swap = await ask('swap', trade);
    if (!swap.signed || swap.warned) continue;
    times.quote.push(quote.ms);
    times.swap.push(swap.ms);
    times.maker.push(await directly(makers));
  }
  const [quote, maker, swap] = [times.quote, times.maker, times.swap].map(medianOf) as [number, number, number];
  const beyond = swap - quote - maker;
  console.log(
    `p50 of ${rounds}: quote ${shown(quote)}, the maker asked directly ${shown(maker)}, swap ${shown(swap)}: ${shown(beyond)} beyond both (at most ${BEYOND_QUOTE_MS} ms)`,
  );
  return { rounds, quoteMs: quote, makerMs: maker, swapMs: swap, beyondMs: beyond };
}

/** The last order that a maker was asked for, asked for again: ms. */
async function directly(makers: readonly DevnetMaker[]): Promise<number> {
  const asked = makers.flatMap((maker) =>
    maker
      .calls()
      .filter(({ method }) => method.endsWith('OrderERC20'))
      .slice(-1)
      .map((call) => ({ maker, call })),
  );
  const last = asked.at(-1);
  if (last === undefined) throw new Error('no maker was asked');
  const began = performance.now();
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: last.call.method, params: last.call.params });
  const response = await fetch(last.maker.origin, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
  await response.text();
  return performance.now() - began;
}

type Hung = { readonly rounds: number; readonly within: number; readonly warned: number; readonly latestMs: number };

async function hangs(ask: Ask, makers: readonly DevnetMaker[], trade: Readonly<Record<string, string>>): Promise<Hung> {
  const late: number[] = [];
  let within = 0;
  let warned = 0;
  for (let at = 0; at < hanging; at++) {
    for (const maker of makers) maker.setFault(null);
    // Until its prices are back: a request that no maker is part of shows nothing.
    if (!(await until(async () => (await ask('swap', trade)).signed, PATIENCE_MS))) throw new Error('no maker signs');
    const kind = HANGING[at % HANGING.length] ?? 'silent';
    for (const maker of makers) maker.setFault({ kind });
    const budget = BUDGETS_MS[at % BUDGETS_MS.length] ?? 0;
    const answer = await ask('swap', { ...trade, timeLimitMs: String(budget) });
    if (answer.status !== 200 || answer.signed) throw new Error(`${kind}, ${budget} ms: ${answer.text}`);
    if (answer.warned) warned++;
    if (answer.ms <= budget + BEYOND_BUDGET_MS) within++;
    late.push(answer.ms - budget);
  }
  const most = Math.max(...late);
  console.log(
    `makers that hang (${HANGING.join(', ')}, in turns): ${within} of ${hanging} answered within timeLimitMs + ${BEYOND_BUDGET_MS} ms, ${warned} of them after a maker was asked; the latest ${shown(most)} after its budget`,
  );
  return { rounds: hanging, within, warned, latestMs: most };
}

function asker({ publicUrl, apiKey, devnet }: Braid): Ask {
  const taker = devnet?.accounts[3]?.address ?? '';
  return async (path, query) => {
    const ofSwap = path === 'swap' ? { taker, slippageBps: '50' } : {};
    const url = `${publicUrl}/v1/${path}?${new URLSearchParams({ chainId: String(devnet?.chainId), ...query, ...ofSwap })}`;
    const began = performance.now();
    const response = await fetch(url, { headers: { 'x-api-key': apiKey ?? '' } });
    const text = await response.text();
    const ms = performance.now() - began;
    const { route = [], warnings = [] } = JSON.parse(text) as {
      readonly route?: readonly { readonly protocol: string }[];
      readonly warnings?: readonly { readonly code: string }[];
    };
    const signed = route.some(({ protocol }) => protocol === 'airswap');
    return { status: response.status, ms, signed, warned: warnings.some(({ code }) => code === 'RFQ_FIRMUP_FAILED'), text };
  };
}

function tokenOf({ tokens }: Devnet, symbol: string): string {
  const token = tokens.find((candidate) => candidate.symbol === symbol);
  if (token === undefined) throw new Error(`no token ${symbol}`);
  return token.address;
}

function medianOf(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[Math.floor((times.length - 1) / 2)] ?? 0;
}

function shown(ms: number): string {
  return `${ms.toFixed(1)} ms`;
}
