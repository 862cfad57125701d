import { LIMITS } from '../config/limits.ts';
import { type MeasuredVerdict, saysNothingAgainst, type TransferVerdict } from '../snapshot/snapshot.ts';
import type { Address } from '../units/units.ts';
import type { PinnedReader } from '../venues/venues.ts';
import { AheadAllowance, chooseAhead } from './choose-ahead.ts';
import { findHolders } from './find-holders.ts';
import { rememberedLenders } from './find-lenders.ts';
import { HotTokens } from './hot-tokens.ts';
import type { Measured, TransferMeter } from './measure-transfers.ts';
import { named } from './name-pools.ts';
import type { ProbedBlock } from './probe-node.ts';

/** One token measured, for metrics. `ahead`: before anybody waited for it. `outcome`: kind of the verdict, 'untraded' where no pool has it, or 'no-answer' where the node could not be asked. `pools`: contracts that trade it. */
export type MeasuringFacts = {
  readonly outcome: TransferVerdict['kind'] | 'untraded' | 'no-answer';
  readonly ahead: boolean;
  readonly millis: number;
  readonly pools: PoolCounts;
};

/** How many of a token's pools it was measured at, and how many were left out, where routes do not take it. */
type PoolCounts = { readonly measured: number; readonly leftOut: number };

export type KeeperParts = {
  readonly meter: TransferMeter;
  /** Whether a routable pool trades a token, and the contracts that routes may take it to: those of such pools. */
  readonly isTraded: (token: Address) => boolean;
  readonly contractsOf: (token: Address) => readonly Address[];
  /** Those of them whose price it takes USD to move, the most first. */
  readonly deepestPools: (token: Address) => readonly Address[];
  /** Base units of a token for so many USD; null: unpriced. */
  readonly unitsFor: (token: Address, usd: number) => bigint | null;
  /** Whether others are priced by a token. */
  readonly pricesOthers: (token: Address) => boolean;
  readonly readAt: (blockHash: `0x${string}`) => PinnedReader;
  /** Whether a block is, as far as is known, still of the chain. */
  readonly isOnChain: (blockHash: `0x${string}`) => boolean;
  /** Verdicts are there to be published: `take` them. Called at most once until they are taken. */
  readonly onVerdicts: () => void;
  readonly onMeasured: (facts: MeasuringFacts) => void;
  /** Once per block. */
  readonly onKept: (kept: VerdictsKept) => void;
  /** A verdict serves at blocks so far after its own (TransferPolicy). */
  readonly verdictBlocks: number;
  readonly wellKnown: ReadonlySet<Address>;
  /** What the snapshot says of a token: at the start that is what a thread before this one found. */
  readonly published: (token: Address) => MeasuredVerdict | null;
  readonly wrappedNative: Address;
  /** Milliseconds. */
  readonly now: () => number;
};

/**
 * What is kept of the verdicts when a block comes: by kind, or 'partial' where they hold at some pools alone, and the age in blocks of the oldest of those that the block before had measured ahead. `hot`:
 * tokens asked for lately, by whether their verdict serves at the block: those that have none that does are measured when somebody waits.
 */
export type VerdictsKept = {
  readonly byKind: Readonly<Record<string, number>>;
  readonly oldest: number;
  readonly hot: { readonly fresh: number; readonly old: number };
};

/** What came of a request. `block`: of the oldest of the verdicts that there are now; null where there is none, since no pool trades any of the tokens. */
export type Requested = { readonly ok: true; readonly block: number | null } | { readonly ok: false; readonly message: string };

type Job = { readonly token: Address; ahead: boolean; readonly waiting: ((outcome: Requested) => void)[] };
type Found = Measured | { readonly kind: 'untraded' };
type Looked = { readonly measured: Found; readonly pools: PoolCounts };
type Kept = MeasuredVerdict & { readonly hash: `0x${string}` };

const BOUNDS = LIMITS.measuring;
/** What stands where a verdict was of a block that left the chain: as old as can be, and of no use. */
const NONE: MeasuredVerdict = { verdict: { kind: 'unmeasurable' }, block: 0 };
/** Of a verdict against a well-known token whose block left the chain, or that a thread before this one found: it stands until there is another, which is due. */
const GONE = '0x';
const NO_POOLS: PoolCounts = { measured: 0, leftOut: 0 };
/**
 * Keeps the verdicts on the tokens of one chain: measures what somebody waits for, and, as far as there is time, what was asked for lately, once per block. Beside the following of the
 * chain, which it never delays: nothing here is awaited by a block. In the indexer thread.
 */
export class VerdictKeeper {
  readonly #parts: KeeperParts;
  readonly #lendersOf: ReturnType<typeof rememberedLenders>;
  readonly #kept = new Map<Address, Kept>();
  readonly #hot = new HotTokens();
  readonly #queued = new Map<Address, Job>();
  readonly #running = new Map<Address, Job>();
  readonly #fresh = new Map<Address, MeasuredVerdict>();
  /** Who waits for what `#fresh` holds, or what was taken of it, to be published. */
  readonly #untold: (() => void)[] = [];
  #block: ProbedBlock | null = null;
  readonly #ahead = new AheadAllowance();
  /** Hot tokens about which the node gave no answer: they are no newcomers, or they would come before others at every block. */
  readonly #unanswered = new Set<Address>();
  /** What the last block had measured ahead. */
  #chosen: readonly Address[] = [];
  /** The block at which well-known tokens began to be trusted. */
  #trustedSince: number | null = null;
  #settled: (() => void)[] = [];

  constructor(parts: KeeperParts) {
    this.#parts = parts;
    this.#lendersOf = rememberedLenders(parts);
  }

  /**
   * Measures tokens at the head, and calls `done` once verdicts on all are published, or with what was in the way. A probe of before that is under way serves where it will not be too old when it ends.
   */
  request(tokens: readonly Address[], done: (outcome: Requested) => void): void {
    const open = new Set(tokens);
    let worst: Requested = { ok: true, block: null };
    const ended = (token: Address, outcome: Requested): void => {
      worst = worseOf(worst, outcome);
      // When it was asked for, which pools there are may not have been known yet.
      if (outcome.ok) this.#heat(token, false);
      open.delete(token);
      if (open.size === 0) done(worst);
    };
    if (open.size === 0) {
      done(worst);
      return;
    }
    for (const token of new Set(tokens)) {
      this.#heat(token, false);
      this.#enqueue(token, false).waiting.push((outcome) => ended(token, outcome));
    }
    this.#pump();
  }

  wanted(tokens: readonly Address[]): void {
    for (const token of tokens) this.#heat(token, true);
    this.#forgetColdTokens();
  }

  /** A block is about to be published: what is known of it without measuring can be taken. */
  blockComes(block: ProbedBlock): void {
    this.#trust(block);
  }

  /** A block is published: what was asked for lately is measured at it. */
  blockPublished(block: ProbedBlock): void {
    if (this.#block?.hash === block.hash) return;
    this.#block = block;
    this.#parts.onKept(this.#state(block));
    this.#forgetColdTokens();
    for (const [token, job] of this.#queued) if (job.ahead) this.#queued.delete(token);
    const now = this.#parts.now();
    this.#chosen = chooseAhead(
      this.#hot.hottest(now).filter((token) => this.#isDue(token, block)),
      (token) => this.#kept.has(token) || this.#unanswered.has(token),
      this.#ahead.ofBlock(now),
    );
    for (const token of this.#chosen) this.#enqueue(token, true);
    this.#pump();
  }

  /** Blocks left the chain: what was measured at them says nothing any more, but where there would be trust in its place. */
  rolledBack(): void {
    for (const [token, kept] of this.#kept) {
      if (this.#parts.isOnChain(kept.hash)) continue;
      if (this.#parts.wellKnown.has(token) && !saysNothingAgainst(kept)) {
        this.#kept.set(token, { ...kept, hash: GONE });
        continue;
      }
      this.#kept.delete(token);
      this.#offer(token, NONE);
    }
    this.#trustedSince = null;
  }

  /** The verdicts that are not in the snapshot yet. */
  take(): ReadonlyMap<Address, MeasuredVerdict> {
    const taken = new Map(this.#fresh);
    this.#fresh.clear();
    return taken;
  }

  /** What was taken is published. */
  published(): void {
    if (this.#fresh.size > 0) return;
    for (const tell of this.#untold.splice(0)) tell();
  }

  #state(block: ProbedBlock): VerdictsKept {
    const byKind: Record<string, number> = {};
    for (const { verdict, openAt } of this.#kept.values()) {
      const kind = openAt === undefined ? verdict.kind : 'partial';
      byKind[kind] = (byKind[kind] ?? 0) + 1;
    }
    const { wellKnown } = this.#parts;
    const hot = [...this.#hot.keys()].filter((token) => !wellKnown.has(token));
    const fresh = hot.filter((token) => this.#serves(this.#kept.get(token)?.block, block)).length;
    const ages = this.#chosen.map((token) =>
      wellKnown.has(token) || !this.#hot.has(token) ? 0 : block.number - (this.#kept.get(token)?.block ?? block.number),
    );
    return { byKind, oldest: Math.max(0, ...ages), hot: { fresh, old: hot.length - fresh } };
  }

  /** Resolves when nothing is being measured. Nothing further is begun. */
  async close(): Promise<void> {
    for (const [token, { waiting }] of this.#queued) {
      this.#queued.delete(token);
      for (const tell of waiting) tell({ ok: false, message: 'the indexer is stopping' });
    }
    if (this.#running.size > 0) await new Promise<void>((resolve) => this.#settled.push(resolve));
  }

  #enqueue(token: Address, ahead: boolean): Job {
    const job = this.#running.get(token) ?? this.#queued.get(token) ?? { token, ahead, waiting: [] };
    if (!ahead) job.ahead = false;
    if (!this.#running.has(token)) this.#queued.set(token, job);
    return job;
  }

  /** Starts what there is room for: what somebody waits for first. */
  #pump(): void {
    while (this.#block !== null && this.#running.size < BOUNDS.atOnce) {
      const jobs = [...this.#queued.values()];
      const job = jobs.find(({ ahead }) => !ahead) ?? (this.#ahead.lasts(this.#parts.now()) ? jobs[0] : undefined);
      if (job === undefined) return;
      if (job.ahead) this.#ahead.spend();
      this.#queued.delete(job.token);
      this.#running.set(job.token, job);
      void this.#run(job, this.#block);
    }
  }

  async #run(job: Job, block: ProbedBlock): Promise<void> {
    const { token, ahead } = job;
    const startedAt = this.#parts.now();
    const { measured, at, pools } = await this.#measure(job, block);
    this.#running.delete(token);
    const outcome = measured.kind === 'verdict' ? measured.verdict.kind : measured.kind;
    this.#parts.onMeasured({ outcome, ahead, millis: this.#parts.now() - startedAt, pools });
    if (measured.kind === 'no-answer' && this.#hot.has(token)) this.#unanswered.add(token);
    else this.#unanswered.delete(token);
    if (measured.kind === 'untraded') {
      // Nothing trades it (any more): there is nothing to keep fresh, and no pool for a route to take.
      this.#hot.forget(token);
      this.#kept.delete(token);
      for (const tell of job.waiting) tell({ ok: true, block: null });
    } else if (measured.kind === 'verdict') {
      const found: MeasuredVerdict = { ...named(measured, this.#parts.contractsOf(token)), block: at.number };
      this.#kept.set(token, { ...found, hash: at.hash });
      for (const tell of job.waiting) this.#untold.push(() => tell({ ok: true, block: at.number }));
      this.#offer(token, found);
    } else for (const tell of job.waiting) tell({ ok: false, message: measured.message });
    this.#pump();
    if (this.#running.size === 0) for (const settled of this.#settled.splice(0)) settled();
  }

  async #measure({ token, waiting }: Job, first: ProbedBlock): Promise<Looked & { readonly at: ProbedBlock }> {
    if (token === this.#parts.wrappedNative) return { measured: { kind: 'verdict', verdict: { kind: 'clean' } }, pools: NO_POOLS, at: this.#block ?? first };
    let at = first;
    for (let tries = 1; ; tries++) {
      const { measured, pools } = await this.#measureAt(token, at);
      const newest = this.#block ?? at;
      const stays = this.#parts.isOnChain(at.hash);
      // Who began to wait while a probe of an earlier block was under way is served no better by what is too old for the next solve.
      const serves = measured.kind !== 'verdict' || waiting.length === 0 || this.#serves(at.number, newest);
      if (stays && (serves || tries >= BOUNDS.blocksTried)) return { measured, pools, at };
      if (tries >= BOUNDS.blocksTried) return { measured: { kind: 'no-answer', message: 'the blocks that were measured at left the chain' }, pools, at };
      at = newest;
    }
  }

  #serves(measuredAt: number | undefined, block: ProbedBlock): boolean {
    return measuredAt !== undefined && block.number - measuredAt <= this.#parts.verdictBlocks;
  }

  async #measureAt(token: Address, block: ProbedBlock): Promise<Looked> {
    const contracts = this.#parts.contractsOf(token);
    if (contracts.length === 0) return { measured: { kind: 'untraded' }, pools: NO_POOLS };
    try {
      const holders = await findHolders(token, contracts, this.#parts.deepestPools(token), this.#parts.readAt(block.hash));
      const count = holders.pools.length;
      return {
        measured: await this.#parts.meter.measure(token, holders, block, this.#lendersOf(token, block), this.#parts.unitsFor(token, BOUNDS.reachUsd)),
        pools: { measured: count, leftOut: new Set(contracts).size - count },
      };
    } catch (error) {
      return { measured: { kind: 'no-answer', message: error instanceof Error ? error.message : String(error) }, pools: NO_POOLS };
    }
  }

  #offer(token: Address, measured: MeasuredVerdict): void {
    const first = this.#fresh.size === 0;
    this.#fresh.set(token, measured);
    if (first) this.#parts.onVerdicts();
  }

  /** Well-known tokens that routes may pass are plain from the first block on, as the configuration says; the wrapped native token always. */
  #trust(block: ProbedBlock): void {
    const since = this.#trustedSince ?? block.number;
    const { wellKnown, wrappedNative, isTraded, published } = this.#parts;
    const again =
      this.#trustedSince === null ? wellKnown : block.number - since >= LIMITS.transfers.wellKnownBlocks / 2 ? new Set([wrappedNative]) : new Set<Address>();
    if (again.size === 0) return;
    this.#trustedSince = block.number;
    for (const token of again) {
      if (token !== wrappedNative && !isTraded(token)) continue;
      if (this.#kept.has(token) && token !== wrappedNative) continue;
      const found = token === wrappedNative ? null : published(token);
      if (found !== null && !saysNothingAgainst(found)) {
        this.#kept.set(token, { ...found, hash: GONE });
        continue;
      }
      const verdict: TransferVerdict = { kind: 'clean' };
      this.#kept.set(token, { verdict, block: block.number, hash: block.hash });
      this.#offer(token, { verdict, block: block.number });
    }
  }

  #isDue(token: Address, { number, hash }: ProbedBlock): boolean {
    const { wrappedNative, wellKnown } = this.#parts;
    if (token === wrappedNative || this.#running.has(token)) return false;
    const kept = this.#kept.get(token);
    if (kept === undefined) return true;
    if (wellKnown.has(token)) return kept.hash === GONE || number - kept.block >= LIMITS.transfers.wellKnownBlocks;
    // Before it is too old: at half of the bound, and at each block where that is one.
    return kept.hash !== hash && number - kept.block >= this.#parts.verdictBlocks / 2;
  }

  /** `again`: counts also for what is hot already. */
  #heat(token: Address, again: boolean): void {
    const { wellKnown, isTraded, now } = this.#parts;
    const known = this.#hot.has(token);
    // Anybody can ask for addresses that no pool trades: they would take the places of tokens.
    if (known ? again : wellKnown.has(token) || isTraded(token)) this.#hot.asked(token, now());
  }

  #forgetColdTokens(): void {
    for (const token of this.#hot.forgetCold(this.#parts.now())) {
      this.#unanswered.delete(token);
      if (!this.#parts.wellKnown.has(token)) this.#kept.delete(token);
    }
  }
}

function worseOf(one: Requested, other: Requested): Requested {
  if (!one.ok || !other.ok) return one.ok ? other : one;
  if (one.block === null || other.block === null) return one.block === null ? other : one;
  return one.block <= other.block ? one : other;
}
