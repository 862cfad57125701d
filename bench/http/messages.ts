// What the parts of the benchmark tell each other: the run starts one process for each server and one for the load.

/** What a server process serves. */
export const SUBJECTS = ['node', 'express', 'braid-canned', 'braid-shed', 'braid-real'] as const;
export type Subject = (typeof SUBJECTS)[number];

/** From a server process when it listens. `apiKey`: a key with a budget that no load uses up; null where there are none. */
export type Serving = { readonly port: number; readonly apiKey: string | null };

/** To a server process: any message asks what it has cost so far. The answer: */
export type Cost = { readonly cpuMicros: number; readonly residentBytes: number };

/** To the load process. */
export type LoadOrder = {
  readonly port: number;
  /** A whole request. */
  readonly payload: string;
  readonly connections: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
};

/** From the load process. */
export type LoadReport = {
  readonly answers: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers by status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Share of one processor that the load itself took: near 1 it, not the server, is what is measured. */
  readonly ownShare: number;
};

/** To the strain process. */
export type StrainOrder =
  | { readonly kind: 'malformed'; readonly port: number; readonly apiKey: string; readonly count: number; readonly atOnce: number; readonly seed: number }
  | { readonly kind: 'slow-headers'; readonly port: number; readonly sockets: number; readonly patienceMs: number }
  | {
      readonly kind: 'pipelined';
      readonly port: number;
      readonly sockets: number;
      readonly payload: string;
      readonly reads: boolean;
      readonly patienceMs: number;
    };

/** From the strain process. */
export type MalformedReport = {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly longestMs: number;
  readonly statuses: Readonly<Record<string, number>>;
};
export type SlowReport = { /** Connections that the server has closed. */ readonly closed: number; readonly longestMs: number };
