// The closed sets that labels take their values from. Whatever a caller, a node or a pool says, a label is one of these, or OTHER.
import type { Firmed } from '../firming/firming.ts';
import type { IndexerReport, LeftBecause } from '../indexing/indexing.ts';
import type { GasMode, SolvePhase, TokenRefusal } from '../routing/routing.ts';
import type { GateReason, TransferVerdict } from '../snapshot/snapshot.ts';
import type { RequoteFacts, SolvingEvent } from '../solving/solving.ts';
import type { RegistryEntry, StreamOutcome } from '../venues/venues.ts';

/** The chain of what concerns none that is hosted here. */
export const NO_CHAIN = 'none';
/** Stands for a value outside of its set: a set that fell behind the code shows here, and still adds one series only. */
export const OTHER = 'other';

export type TokenCause = Exclude<TokenRefusal['kind'], 'gated'> | GateReason | 'unmeasured';

type Restart = Extract<SolvingEvent, { kind: 'restart' }>['reason'];
type Measuring = Extract<IndexerReport, { kind: 'measuring' }>;
type Requoted = RequoteFacts['outcomes'][number];
type CheckpointWrite = 'written' | Extract<IndexerReport, { kind: 'checkpoint-failed' }>['reason'];
type CheckpointRead = Extract<IndexerReport, { kind: 'checkpoint-read' }>['outcome'];
type Ignored = Extract<IndexerReport, { kind: 'ignored' }>;
type Ran = Extract<SolvingEvent, { kind: 'ran' }>;

/** Keys of a record over a union: the compiler asks for a value that is missing here. */
function all<Value extends string>(values: Readonly<Record<Value, true>>): readonly Value[] {
  return Object.keys(values) as Value[];
}

export const TRADE_ENDPOINTS = ['quote', 'swap'] as const;
/** Routes whose requests may name a chain, and those that never do; "none" is what was no request of HTTP. */
export const CHAIN_ROUTES = ['quote', 'swap', 'sources'] as const;
export const OTHER_ROUTES = ['healthz', 'unknown', 'none'] as const;
export const ABORTED = 'aborted';
export const STATUSES = ['200', '204', '400', '404', '405', '408', '429', '431', '500', '503', ABORTED] as const;
export const STATUS_CLASSES = ['2xx', '4xx', '5xx', ABORTED] as const;
/** What becomes of a trade request: the names of the error table, and these. */
export const OUTCOMES = [
  'ok',
  'invalid-request',
  'unknown-chain',
  'no-route',
  'token-refused',
  'token-unmeasured',
  'rate-limited',
  'overloaded',
  'stale',
  'coming-up',
  'internal',
  'method-not-allowed',
  'malformed-http',
  'headers-too-large',
  'options',
  'client-left',
] as const;
export const IDENTITIES = ['ip', 'key'] as const;
export const BUDGET_DECISIONS = ['allowed', 'refused', 'refunded'] as const;
export const ADMISSION_DECISIONS = ['admitted', 'queue-full', 'wait-too-long', 'event-loop-late', 'client-in-flight'] as const;
export type AdmissionDecisionLabel = (typeof ADMISSION_DECISIONS)[number];
export const PRICE_OUTCOMES = all<StreamOutcome>({ ok: true, closed: true, busy: true, refused: true, unreachable: true, garbled: true });
export const FIRM_OUTCOMES = all<Firmed['outcome']>({
  ok: true,
  cancelled: true,
  refused: true,
  busy: true,
  throttled: true,
  unfit: true,
  unreachable: true,
  invalid: true,
  barred: true,
  unverified: true,
  worse: true,
});
export const REGISTRY_ENTRIES = all<RegistryEntry>({ served: true, foreign: true, malformed: true, contested: true, beyond: true });
export const REGISTRY_READS = ['ok', 'failed'] as const;
export const MODES = ['sell', 'buy'] as const;
export const GAS_MODES = all<GasMode>({ blind: true, guardrail: true, prune: true });
/** Of a solve without a route. */
export const NO_GAS_MODE = 'none';
export const SOLVE_FAILURES = ['no-route', 'token-refused', 'unmeasured', 'no-snapshot', 'expired', 'failed', 'cancelled'] as const;
export const PHASES = all<SolvePhase>({ subgraph: true, path: true, columns: true, gas: true, exact: true });
export const STOPPED = ['converged', 'deadline', 'limit'] as const;
export const RESTART_REASONS = all<Restart>({ exit: true, oom: true, overrun: true, memory: true, rebuild: true });
export const WORKER_STATES = ['live', 'starting', 'reserve'] as const;
export const WORK = all<Ran['work']>({ solve: true, certify: true });
export const RUN_ENDS = all<Ran['end']>({ answered: true, cancelled: true, refused: true, lost: true });
/** Why a token of a request was not traded; a gated one by what gates it. */
export const TOKEN_CAUSES = all<TokenCause>({
  honeypot: true,
  blacklist: true,
  paused: true,
  refused: true,
  'tax-above-cap': true,
  'taxed-in-buy-mode': true,
  'taxed-when-bought': true,
  'imprecise-in-buy-mode': true,
  unmeasurable: true,
  unmeasured: true,
});
export const WARNING_CODES = ['RFQ_FIRMUP_FAILED', 'HOOK_ATTESTATION_UNAVAILABLE', 'STALE_STATE_RESOLVED', 'FEE_ON_TRANSFER', 'HIGH_PRICE_IMPACT'] as const;
export const IGNORED = all<Ignored['what']>({
  'unknown-emitter': true,
  'corrupt-pool': true,
  'arena-full': true,
  'skipped-publish': true,
  unanswered: true,
  undescribed: true,
  unaudited: true,
  'audit-bug': true,
  'unread-feeds': true,
  'unread-block': true,
  'denied-head': true,
});
export const CHECKPOINT_WRITES = all<CheckpointWrite>({ written: true, disk: true, 'too-large': true });
export const CHECKPOINT_READS = all<CheckpointRead>({
  resumed: true,
  'pools-kept': true,
  absent: true,
  unreadable: true,
  corrupt: true,
  format: true,
  'too-large': true,
  'other-chain': true,
  'other-configuration': true,
  'other-code': true,
  ahead: true,
  'not-on-chain': true,
});
export const RPC_METHODS = ['eth_chainId', 'eth_getBlockByNumber', 'eth_getBlockByHash', 'eth_getLogs', 'eth_call', 'eth_simulateV1', 'eth_getCode'] as const;
export const LEFT_BECAUSE = all<LeftBecause>({ fault: true, limited: true, foreign: true, doubted: true, behind: true, slow: true });
/** What was found of a token's transfers; and who it was measured for. */
export const VERDICT_KINDS = all<TransferVerdict['kind'] | 'partial'>({
  clean: true,
  taxed: true,
  imprecise: true,
  gated: true,
  unmeasurable: true,
  partial: true,
});
export const MEASURING_OUTCOMES = all<Measuring['outcome']>({
  clean: true,
  taxed: true,
  imprecise: true,
  gated: true,
  unmeasurable: true,
  untraded: true,
  'no-answer': true,
});
export const MEASURED_POOLS = ['measured', 'left-out'] as const;
export const MEASURED_FOR = ['ahead', 'request'] as const;
/** What the contract of an estimated pool said of a hop. */
export const REQUOTE_OUTCOMES = all<Requoted>({ same: true, more: true, less: true, refused: true, unanswered: true });
export const RPC_OUTCOMES = ['ok', 'error', 'timeout'] as const;

/** The value, or OTHER where the set does not have it. */
export function within(values: readonly string[], value: string): string {
  return values.includes(value) ? value : OTHER;
}
