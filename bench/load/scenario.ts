// A load test as data: who asks for what, how often over time, what breaks meanwhile, and what has to hold.

/** How a request ended. 'shed': 503 overloaded; 'stale': a 503 that does not say when to come again; 'limited': 429. 'failed': any other 5xx; 'lost': no answer, or the connection broke; 'left': the client hung up, as the scenario wants it. */
export type Ending = 'answered' | 'shed' | 'stale' | 'limited' | 'refused' | 'failed' | 'lost' | 'left';

export type Scenario = {
  readonly name: string;
  readonly title: string;
  readonly clients: readonly LoadClient[];
  readonly steps: readonly Step[];
  readonly faults: readonly Fault[];
  readonly checks: readonly Check[];
};

/** A caller with a key of its own. */
export type LoadClient = {
  readonly name: string;
  /** Of the arrivals. All shares add up to 1. */
  readonly share: number;
  /** timeLimitMs, one of them at random. */
  readonly budgetsMs: readonly number[];
  readonly maxHops: number | null;
  /** How its requests kill the thread which solves them; only against a target that the harness starts. */
  readonly poison?: Poison;
  /** Arrivals per second in the place of a share of the scenario's rate, and the seconds within which they come; without these all. */
  readonly perSecond?: number;
  readonly within?: readonly [number, number];
  /** It closes its connection so long after it sent a request, unless there is an answer by then. */
  readonly hangsUpAfterMs?: number;
};

/** What a thread does of which such a request was asked: it exits, or its heap is full. */
export type Poison = 'exit' | 'full-heap';

/** The arrival rate goes from `from` to `to`, in capacities, within so many seconds. */
export type Step = {
  readonly seconds: number;
  readonly from: number;
  readonly to: number /** More than can be served: what checks of overload look at. */;
  readonly overload?: boolean;
};

export type Fault =
  | { readonly kind: 'kill-thread'; readonly atSecond: number; readonly everySeconds: number; readonly count: number }
  | { readonly kind: 'block-storm' | 'node-stall'; readonly atSecond: number; readonly seconds: number };

export type Check =
  /** Requests ended in no other way. */
  | { readonly kind: 'only-endings'; readonly endings: readonly Ending[] }
  /** Answers in time during overload, as a share of the capacity. */
  | { readonly kind: 'goodput'; readonly atLeast: number }
  | { readonly kind: 'admitted-p99'; readonly ms: number }
  /** 99th percentile of what an admitted request took beyond its own budget. */
  | { readonly kind: 'beyond-budget-p99'; readonly ms: number }
  | { readonly kind: 'refusals-p99'; readonly ms: number }
  /** Nothing is shed once so long after the last overload. */
  | { readonly kind: 'recovered-after'; readonly seconds: number }
  | { readonly kind: 'failed'; readonly atMost: number }
  /** No more failed or lost requests than threads died. */
  | { readonly kind: 'failed-per-death' }
  /** /healthz, and /metrics where the internal port is known, are answered 200 whatever else is asked, within this at the 99th percentile. */
  | { readonly kind: 'probes-p99'; readonly ms: number }
  /** Share of one client's requests that were answered in time. */
  | { readonly kind: 'served'; readonly client: string; readonly atLeast: number }
  /** From the death of a thread to a loaded one in its place, the 99th percentile. Needs a service of the harness's own. */
  | { readonly kind: 'refilled-p99'; readonly ms: number }
  /** From when the last client hung up to an empty queue. Needs the internal port. */
  | { readonly kind: 'queue-empty'; readonly ms: number }
  /** Resident memory of the process is above what it was before the first poison by such a share at most, so long after the last one was answered. Needs the internal port. */
  | { readonly kind: 'memory-back'; readonly share: number; readonly seconds: number }
  /** Each shed request got its token back. Needs the internal port. */
  | { readonly kind: 'shed-costs-nothing' };
