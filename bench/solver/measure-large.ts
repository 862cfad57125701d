import { openBenchSet } from './bench-set.ts';
import { type BraidOutcome, createBraid, singlePathOutcomes } from './candidates.ts';
import { gasInToken } from './gas-in-token.ts';
import { DEEP_HOPS, selectRequests } from './measure.ts';
import { startStopwatch } from './stopwatch.ts';

export type Solved = { readonly id: string; readonly outcome: BraidOutcome };

/** One set at one depth, with or without gas. */
export type LargeRun = {
  readonly maxHops: number;
  readonly gasPriceWei: bigint | null;
  readonly solved: readonly Solved[];
  /** Requests that had a turn before the time for the row was used up, of so many chosen. */
  readonly chosen: number;
};

export type LargeMeasured = {
  readonly name: string;
  readonly pools: number;
  readonly tokens: number;
  readonly openedMillis: number;
  readonly runs: readonly LargeRun[];
  /** On a few requests: answers below the best single path, gross and net of gas, at the depth of the table. */
  readonly againstSingle: { readonly compared: number; readonly cutOff: number; readonly below: number };
};

export type LargeOptions = {
  readonly requests: number;
  readonly maxHops: number;
  readonly gasPriceWei: bigint;
  /** Requests for which the best single path is searched: on 100,000 pools that takes seconds. */
  readonly singles: number;
  /** A row ends after so much time: a core that is slow here would otherwise take the whole table's. */
  readonly rowMs: number;
};

/** Code runs slow at first; a solver thread is warmed at its start too. */
const WARM_UP = 20;
/** A difference below this share is rounding. */
const DRAW = 1e-7;

/** Times on a set too large for a bound, not cleared of arbitrage: depths and gas one after the other over the same requests. */
export async function measureLarge(name: 'L' | 'XL', { requests: limit, maxHops, gasPriceWei, singles, rowMs }: LargeOptions): Promise<LargeMeasured> {
  const started = performance.now();
  const set = await openBenchSet({ name, seed: 1, outside: 0, clear: false, blocks: false, requests: 1000 });
  const openedMillis = performance.now() - started;
  const { requests } = selectRequests(set, maxHops, limit, null);
  const braid = createBraid(set, 1);
  for (const request of requests.slice(0, WARM_UP)) for (const gas of [null, gasPriceWei]) braid(request, maxHops, gas);
  const runs = [maxHops, DEEP_HOPS].flatMap((hops) =>
    [null, gasPriceWei].map((gas): LargeRun => {
      const solved: Solved[] = [];
      const watch = startStopwatch();
      for (const request of requests) {
        if (watch() > rowMs) break;
        solved.push({ id: request.id, outcome: braid(request, hops, gas) });
      }
      return { maxHops: hops, gasPriceWei: gas, solved, chosen: requests.length };
    }),
  );
  const compared = requests.slice(0, singles).map((request) => {
    const perGas = gasInToken(set, request.buy, gasPriceWei);
    const single = singlePathOutcomes(set, request, request.amount, maxHops, perGas);
    const [free, aware] = [braid(request, maxHops, null), braid(request, maxHops, gasPriceWei)];
    const below = (ours: BraidOutcome, theirs: { output: bigint | null; gas: number }, gas: number): boolean =>
      theirs.output !== null && Number(ours.output ?? 0n) - gas * ours.gas < Number(theirs.output) * (1 - DRAW) - gas * theirs.gas;
    return { complete: single.complete, below: below(free, single.gross, 0) || below(aware, single.net, perGas) };
  });
  return {
    name,
    pools: set.pools.size,
    tokens: set.tokens.length,
    openedMillis,
    runs,
    againstSingle: {
      compared: compared.length,
      cutOff: compared.filter(({ complete }) => !complete).length,
      below: compared.filter(({ below }) => below).length,
    },
  };
}
