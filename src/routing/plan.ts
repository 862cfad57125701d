import type { BlockRef, LegFacts } from '../snapshot/snapshot.ts';
import type { Address, Bps, InstantMs, Wei } from '../units/units.ts';
import type { SaidQuote, SwitchedOff } from '../venues/venues.ts';
import type { LossyEnds, TokenRefusal } from './transfers/judge-trade.ts';

export type GasMode = 'blind' | 'guardrail' | 'prune';

/** Which venues a route may use. Labels are lower-case; a family label also stands for its variants. */
export type VenueFilter = {
  readonly include: readonly string[] | null;
  readonly exclude: readonly string[];
  /** No venue priced off-chain: RFQ makers and attested hooks. */
  readonly excludeRfq: boolean;
  /** No real-world-asset venue. */
  readonly excludeRwa: boolean;
  /** Absent: the operator has switched nothing off. */
  readonly switchedOff?: SwitchedOff;
  /** Absent: no venue of the chain is gated. */
  readonly gates?: VenueGates;
};

/** Venues that price only for approved callers. No include list opens them, only the caller's key does. Labels as above. */
export type VenueGates = {
  /** Gated on the chain. */
  readonly gated: readonly string[];
  /** Which of them, or of their variants, this caller may use. */
  readonly opened: readonly string[];
};

/** What a solver thread is asked. Structured-clonable. Fees are not its business: in `buy`, `amount` is the gross target. */
export type SolveJob = {
  readonly chainId: number;
  readonly mode: 'sell' | 'buy';
  /** May be the native sentinel; native and wrapped are one node of the search, and the plan has a WRAP hop wherever the form changes. */
  readonly sellToken: Address;
  readonly buyToken: Address;
  /** sell: the input. buy: the output that the route has to reach. */
  readonly amount: Wei;
  /** What the default depth goes by, where that is not `amount`: in `buy` the target before it is grossed up by a fee (decisions R17). */
  readonly sizeAmount?: Wei;
  /** 1 … 7, honoured verbatim; null: the default by size, with escalation (decisions R17). */
  readonly maxHops: number | null;
  /** The request's gas price; null: the head's base fee, at least the chain's minimum. */
  readonly gasPriceWei: bigint | null;
  readonly filter: VenueFilter;
  /** The best of single paths, for whoever wants to see what splitting earns: no request of the interface asks for it. */
  readonly unsplit?: true;
  /** Whether the sell token is moved from the taker once, as by Permit2: hops that share it then take it from the Router, to which every other one comes straight from the taker. */
  readonly pullsOnce?: true;
  /** What contracts said since that states only estimate. Those of other blocks than the one that is pinned count for nothing. Absent: nobody was asked. */
  readonly said?: readonly PoolQuote[];
  /** When the request's time budget ends. */
  readonly deadline: InstantMs;
};

/** What a pool's contract said it gives at a block. */
export type PoolQuote = SaidQuote & { readonly blockHash: string; readonly poolKey: string };

/** One hop of a solved route, in execution order. */
export type PlanHop = {
  readonly poolAddress: Address;
  /** Key of the pool in the snapshot; '' for WRAP. */
  readonly poolKey: string;
  /** Folder in src/venues of the venue that prices the pool and writes its leg; '' for WRAP. */
  readonly venue: string;
  readonly protocol: string;
  readonly source: string;
  readonly hook: Address | null;
  /** What the leg needs to name the pool. */
  readonly legFacts: LegFacts;
  /** Places of tokenIn and tokenOut in the pool's own list of tokens. */
  readonly slotIn: number;
  readonly slotOut: number;
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  readonly amountIn: Wei;
  readonly amountOut: Wei;
  /** Share of what is left of tokenIn when the hop's turn comes; the last hop of a token has 10,000 (decisions S6). */
  readonly bps: Bps;
  /** Gas units. */
  readonly gas: number;
};

/** A solved route. Every amount is exact: what leaves a token's balance, and what arrives at the next one's. */
export type Plan = {
  readonly hops: readonly PlanHop[];
  readonly sellAmount: Wei;
  /** Exact output of the route, before any fee. In `buy` at least the target. */
  readonly grossAmount: Wei;
  /** Gas units of the whole plan. */
  readonly gas: number;
  readonly gasMode: GasMode;
  /** Wei per gas unit that valued gas; null when unknown. */
  readonly gasPriceWei: bigint | null;
  /** Depth actually used: the last one tried. */
  readonly maxHops: number;
  readonly block: BlockRef;
  /** USD per whole token and decimals at the pinned block; null when unpriced or unknown. */
  readonly prices: { readonly sell: TokenPrice | null; readonly buy: TokenPrice | null; readonly native: TokenPrice | null };
  readonly facts: SolveFacts;
  /** Absent: all of what is sent arrives. */
  readonly lossyEnds?: LossyEnds;
  /** Tokens that a route might have led through, had anybody measured them lately. A few of them at most; absent where there was none. */
  readonly unmeasured?: readonly Address[];
};

export type TokenPrice = { readonly usd: number; readonly decimals: number };

/** What a solve says about itself. */
export type SolveFacts = {
  readonly steps: number;
  readonly pathsConsidered: number;
  readonly columnsGenerated: number;
  /** Milliseconds by phase. */
  readonly phases: Readonly<Record<SolvePhase, number>>;
  /** What the float model made of the split of the whole amount, in base units: in `sell` its output, in `buy` its input. 0 where nothing was split. */
  readonly approxOutput: number;
  readonly stopped: 'converged' | 'deadline' | 'limit';
};

export type SolvePhase = 'subgraph' | 'path' | 'columns' | 'gas' | 'exact';

export type SolveResult =
  | { readonly ok: true; readonly plan: Plan }
  | { readonly ok: false; readonly reason: 'no-route'; readonly maxHops: number; readonly block: BlockRef; readonly unmeasured?: readonly Address[] }
  | { readonly ok: false; readonly reason: 'token-refused'; readonly token: Address; readonly refusal: TokenRefusal; readonly block: BlockRef }
  /** Nobody knows within the bound what transfers of these do. */
  | { readonly ok: false; readonly reason: 'unmeasured'; readonly tokens: readonly Address[]; readonly block: BlockRef }
  | { readonly ok: false; readonly reason: 'no-snapshot' | 'cancelled' };
