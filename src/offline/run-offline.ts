import { threadId } from 'node:worker_threads';
import { applyBlocks, type LoadedPoolSet, loadPoolSet, readPoolSet } from '../pool-set/pool-set.ts';
import { createSolver } from '../routing/routing.ts';
import { SnapshotReader } from '../snapshot/snapshot.ts';
import { type Address, instantNow, NATIVE_TOKEN } from '../units/units.ts';
import { loadSolverVenues, type SolverVenues } from '../venues/venues.ts';
import { type ClearedArbitrage, clearArbitrage } from './arbitrage/clear-arbitrage.ts';
import { type OfflineArguments, parseArguments, USAGE } from './arguments.ts';
import { boundsOn } from './bounds.ts';
import { createSummary, jsonLine, printable, summaryText, tableLine } from './report.ts';
import { readRequests } from './requests.ts';
import { type SolveOne, solveRequests, warmUp } from './solve-requests.ts';

/** Where lines go: standard output and standard error. */
export type LineOutput = { readonly out: (line: string) => void; readonly err: (line: string) => void };

/** What went in, for people: pools by label and what is left out. */
type Notes = (line: string) => void;

/** The offline solver: command line in, exit code out (2: the command line, 1: a file). */
export async function runOffline(argv: readonly string[], output: LineOutput): Promise<number> {
  const parsed = parseArguments(argv);
  if (!parsed.ok) {
    if (parsed.kind === 'help') output.out(parsed.message);
    else output.err(`${parsed.message}\n\n${USAGE}`);
    return parsed.kind === 'help' ? 0 : 2;
  }
  const refusal = await solveFile(parsed.arguments, output);
  if (refusal !== null) output.err(refusal);
  return refusal === null ? 0 : 1;
}

/** Null, or why a file can not be used. */
async function solveFile(options: OfflineArguments, output: LineOutput): Promise<string | null> {
  const venues = await loadSolverVenues();
  const read = await readPoolSet(options.pools);
  if (!read.ok) return read.message;
  const load = loadPoolSet(read.set, { venues });
  if (!load.ok) return load.message;
  const { loaded } = load;
  const applied = options.blocks === null ? null : await applyBlocks(loaded, options.blocks);
  if (applied?.ok === false) return applied.message;
  const { every, limit, defaults } = options;
  const rows = await readRequests(options.requests, { every, limit, defaults, chainId: read.set.chainId });
  if (!rows.ok) return rows.message;
  const { requests } = rows;

  // With --json, standard output is for the answers alone.
  const note: Notes = options.json ? output.err : output.out;
  if (applied !== null) note(`applied ${applied.blocks} blocks: ${applied.changed} pools changed, ${applied.removed} removed`);
  describe(loaded, note);
  const reader = SnapshotReader.claim(loaded.buffers, threadId);
  if (options.clearArbitrage) describeCleared(clearArbitrage(loaded, reader, venues), loaded, note);

  const solve = solverOn(loaded, reader, venues);
  warmUp(requests, solve);
  const summary = createSummary();
  const symbol = symbolsOf(loaded);
  const boundOf = options.clearArbitrage ? boundsOn(reader, loaded.wrappedNative) : undefined;
  for (const answer of solveRequests(requests, solve, boundOf)) {
    summary.add(answer);
    output.out(options.json ? jsonLine(answer) : tableLine(answer, symbol));
  }
  output.out(options.json ? JSON.stringify({ summary: summary.summary() }) : summaryText(summary.summary()));
  return null;
}

/** What workers/solver.ts does with a job: pin, solve, unpin. */
function solverOn({ chain, wrappedNative }: LoadedPoolSet, reader: SnapshotReader, venues: SolverVenues): SolveOne {
  const { chainId, minimumGasPriceWei } = chain;
  const solver = createSolver({ chain: { chainId, wrappedNative, minimumGasPriceWei }, venues, now: instantNow, cancelled: () => reader.cancelled() });
  return (job) => {
    const view = reader.pin();
    if (view === null) return { ok: false, reason: 'no-snapshot' };
    try {
      return solver.solve(job, view);
    } finally {
      reader.unpin();
    }
  };
}

function describe({ chain, block, tally }: LoadedPoolSet, note: Notes): void {
  const { pools, bySource, leftOut, examples } = tally.summary();
  note(`${chain.name}, block ${block.number}: ${pools} pools (${[...bySource].map(([source, count]) => `${count} ${source}`).join(', ')})`);
  for (const { kind, reason, count } of leftOut) note(`left out: ${count} ${printable(kind)}, ${reason}`);
  for (const example of examples) note(`  ${printable(example)}`);
}

function describeCleared({ trades, poolsChanged, poolsLeftOut, takenOut, complete }: ClearedArbitrage, loaded: LoadedPoolSet, note: Notes): void {
  const symbol = symbolsOf(loaded);
  note(
    `cleared arbitrage: ${trades} trades over ${poolsChanged} pools, ${poolsLeftOut} dust pools left out${complete ? '' : ', stopped at the bound on trades'}`,
  );
  for (const [token, amount] of takenOut) note(`  taken out: ${amount} ${symbol(token)}`);
}

function symbolsOf({ set }: LoadedPoolSet): (address: Address) => string {
  return (address) => {
    if (address === NATIVE_TOKEN) return 'native';
    const symbol = printable(set.tokens.get(address)?.symbol ?? '').slice(0, 12);
    return symbol === '' ? `${address.slice(0, 8)}…` : symbol;
  };
}
