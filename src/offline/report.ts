import { type AddressText, addressTextFor } from '../quoting/quoting.ts';
import type { PlanHop, SolveFacts } from '../routing/routing.ts';
import type { Address } from '../units/units.ts';
import type { OfflineAnswer } from './solve-requests.ts';

/** How the summary line describes a sample: nearest-rank percentiles; null for an empty sample. */
export type Spread = { readonly median: number; readonly p95: number; readonly max: number };

export type OfflineSummary = {
  readonly count: number;
  readonly solved: number;
  readonly millis: Spread | null;
  readonly lossBps: Spread | null;
  /** Solved requests by why the search ended. */
  readonly stopped: Readonly<Partial<Record<SolveFacts['stopped'], number>>>;
};

/** How many basis points the exact output is below the certified bound, or in `buy` the exact input above it; null where none was computed. */
export function lossBps(answer: OfflineAnswer): number | null {
  if (!answer.ok || answer.bound === null) return null;
  const { bound, plan } = answer;
  if (answer.request.mode === 'sell') return ((bound - Number(plan.grossAmount)) / bound) * 10_000;
  return ((Number(plan.sellAmount) - bound) / Number(plan.sellAmount)) * 10_000;
}

/** Collects what the summary needs of each answer: two numbers and a count. */
export function createSummary(): { add(answer: OfflineAnswer): void; summary(): OfflineSummary } {
  let count = 0;
  let solved = 0;
  const millis: number[] = [];
  const losses: number[] = [];
  const stopped: Partial<Record<SolveFacts['stopped'], number>> = {};
  return {
    add(answer) {
      count++;
      if (answer.ok) {
        solved++;
        const why = answer.plan.facts.stopped;
        stopped[why] = (stopped[why] ?? 0) + 1;
      }
      if (answer.request !== null) millis.push(answer.millis);
      const loss = lossBps(answer);
      if (loss !== null) losses.push(loss);
    },
    summary: () => ({ count, solved, millis: spread(millis), lossBps: spread(losses), stopped: { ...stopped } }),
  };
}

function spread(sample: readonly number[]): Spread | null {
  const sorted = [...sample].sort((a, b) => a - b);
  const at = (share: number): number => rounded(sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0);
  return sorted.length === 0 ? null : { median: at(0.5), p95: at(0.95), max: at(1) };
}

/** One JSON line per request; amounts are decimal strings, the route is that of the API. */
export function jsonLine(answer: OfflineAnswer): string {
  if (answer.request === null) return JSON.stringify({ id: answer.id, ok: false, reason: answer.reason, message: answer.message });
  if (!answer.ok) {
    const { mode, amount } = answer.request;
    const amounts = { sellAmount: mode === 'sell' ? String(amount) : null, buyAmount: mode === 'buy' ? String(amount) : null };
    return JSON.stringify({ id: answer.id, ok: false, ...amounts, millis: rounded(answer.millis), reason: answer.reason });
  }
  const { plan } = answer;
  const loss = lossBps(answer);
  const addressText = addressTextFor(answer.request.echo);
  return JSON.stringify({
    id: answer.id,
    ok: true,
    sellAmount: String(plan.sellAmount),
    buyAmount: String(plan.grossAmount),
    gas: plan.gas,
    gasMode: plan.gasMode,
    maxHops: plan.maxHops,
    blockNumber: plan.block.number,
    route: plan.hops.map((hop) => routeHop(hop, addressText)),
    ...(answer.bound === null || loss === null ? {} : { boundAmount: wholeNumber(answer.bound), lossBps: rounded(loss) }),
    millis: rounded(answer.millis),
    phases: Object.fromEntries(Object.entries(plan.facts.phases).map(([phase, ms]) => [phase, rounded(ms)])),
    facts: effortOf(plan.facts),
  });
}

function effortOf({ steps, pathsConsidered, columnsGenerated, approxOutput, stopped }: SolveFacts) {
  return { steps, pathsConsidered, columnsGenerated, approxOutput, stopped };
}

function routeHop(hop: PlanHop, addressText: AddressText) {
  return {
    poolAddress: addressText(hop.poolAddress),
    protocol: hop.protocol,
    source: hop.source,
    hook: hop.hook === null ? null : addressText(hop.hook),
    tokenIn: addressText(hop.tokenIn),
    tokenOut: addressText(hop.tokenOut),
    amountIn: String(hop.amountIn),
    amountOut: String(hop.amountOut),
    bps: hop.bps,
  };
}

/** One line of the table for people. `symbol` names a token. */
export function tableLine(answer: OfflineAnswer, symbol: (address: Address) => string): string {
  const id = cell(answer.id);
  if (answer.request === null) return `${id}  ${answer.reason}: ${printable(answer.message)}`;
  const { sellToken, buyToken } = answer.request;
  const millis = `${answer.millis.toFixed(1)} ms`;
  if (!answer.ok) return `${id}  ${symbol(sellToken)} → ${symbol(buyToken)}  ${answer.reason}  ${millis}`;
  const { plan } = answer;
  return `${id}  ${plan.sellAmount} ${symbol(sellToken)} → ${plan.grossAmount} ${symbol(buyToken)}  ${plan.hops.length} hops  ${plan.gas} gas  ${millis}`;
}

/** The summary for people. */
export function summaryText({ count, solved, millis, lossBps: loss, stopped }: OfflineSummary): string {
  const of = (name: string, unit: string, { median, p95, max }: Spread) => `; ${name} median ${median} p95 ${p95} max ${max} ${unit}`;
  const ends = Object.entries(stopped).map(([why, times]) => `${why} ${times}`);
  const ended = ends.length === 0 ? '' : `; search ended: ${ends.join(', ')}`;
  return `${count} requests, ${solved} solved${millis === null ? '' : of('time', 'ms', millis)}${loss === null ? '' : of('loss', 'bps', loss)}${ended}`;
}

/** Ids come from the file: cut, and without characters that would move the cursor. */
function cell(id: string): string {
  const text = printable(id);
  return (text.length > 14 ? `${text.slice(0, 13)}…` : text).padEnd(14);
}

export function printable(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, '').trim();
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}

function wholeNumber(value: number): string {
  return Number.isFinite(value) ? String(BigInt(Math.round(value))) : String(value);
}
