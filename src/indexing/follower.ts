import { LIMITS } from '../config/limits.ts';
import type { KeeperParts, Requested, TokenPrices, VerdictKeeper } from '../market/market.ts';
import type { BlockRef, SnapshotStats, TokenFacts } from '../snapshot/snapshot.ts';
import type { Address, DurationMs } from '../units/units.ts';
import type { StreamedPool, SwitchedOff } from '../venues/venues.ts';
import { Ahead } from './ahead.ts';
import { Anchoring } from './anchoring.ts';
import { Auditor } from './auditor.ts';
import type { Checkpoints } from './checkpoint/checkpoints.ts';
import { type Clock, SYSTEM_CLOCK } from './clock.ts';
import { ColdStarts, type ColdStartsParts } from './cold-starts.ts';
import { FeedWatch } from './feed-watch.ts';
import { type Branch, findBranch } from './find-branch.ts';
import { HeadDoubt } from './head-doubt.ts';
import { HeadQuorum } from './head-quorum.ts';
import { blockRef, type ChainHeader } from './header.ts';
import { HeadsAhead } from './heads-ahead.ts';
import type { PoolBook } from './pool-book.ts';
import type { Publisher } from './publisher.ts';
import { ReachedBlocks } from './reached-blocks.ts';
import { Refusals } from './refusals.ts';
import type { IndexerReport } from './report.ts';
import { settleBook } from './settle.ts';
import { Troubles } from './troubles.ts';
import { UnreadBlock } from './unread-block.ts';

export type FollowerOptions = ColdStartsParts & {
  readonly publisher: Publisher;
  /** Those of the publisher. */
  readonly prices: TokenPrices;
  readonly snapshotStats: () => SnapshotStats;
  /** Always in the snapshot, whether or not a pool trades it. */
  readonly wrappedNative: TokenFacts['address'];
  readonly report: (report: IndexerReport) => void;
  /** Auditor's. */
  readonly random: () => number;
  readonly clock?: Clock;
  /** What is found of tokens' transfers, which goes with what is published. Absent: nothing is. */
  readonly verdicts?: (market: FollowedMarket) => VerdictKeeper;
  /** Absent: none are read or written. */
  readonly checkpoints?: Checkpoints | null;
};

/** What the follower tells the keeper of verdicts. */
export type FollowedMarket = Pick<KeeperParts, 'isTraded' | 'contractsOf' | 'deepestPools' | 'isOnChain' | 'onVerdicts'>;

/**
 * Follows one chain: each step brings the snapshot to the node's head, whatever lies between. A step that fails has either changed nothing or left the book at a
 * whole block, so the next step simply tries again. One step at a time.
 */
export class Follower {
  readonly #options: FollowerOptions;
  readonly #clock: Clock;
  readonly #feeds: FeedWatch;
  readonly #doubt: HeadDoubt;
  readonly #quorum: HeadQuorum;
  readonly #unread: UnreadBlock;
  readonly #anchoring: Anchoring;
  readonly #ahead = new Ahead();
  readonly #reached: ReachedBlocks;
  readonly #heads: HeadsAhead;
  readonly #said: Troubles;
  #book: PoolBook | null = null;
  /** Whether some of a book that is being built could not be read yet: nothing is published before it was. */
  #building = false;
  readonly #coldStart: ColdStarts;
  /** Whether nothing was known yet: only then a checkpoint is gone on from. What was forgotten or lost since is not to be had from one. */
  #isFirstStart = true;
  /** What was published is of this book, whose chain is gone, and what takes its place is not published yet. */
  #orphaned: PoolBook | null = null;
  /** Pools that differ from what is staged. */
  readonly #dirty = new Set<string>();
  #unpublished = false;
  /** The block that was published last, or would have been. */
  #stagedFor: BlockRef | null = null;
  readonly #refusals: Refusals;
  readonly #auditor: Auditor;
  readonly #verdicts: VerdictKeeper | null;

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#clock = options.clock ?? SYSTEM_CLOCK;
    this.#feeds = new FeedWatch(options.reader, options.prices, this.#clock);
    this.#doubt = new HeadDoubt(options.reader, this.#clock);
    this.#quorum = new HeadQuorum(options.reader, this.#clock);
    this.#unread = new UnreadBlock(this.#clock, (millis) => options.report({ kind: 'unread-block', chainId: options.chainId, millis }));
    this.#anchoring = new Anchoring(options.reader);
    this.#reached = new ReachedBlocks(options);
    this.#heads = new HeadsAhead(options.reader, this.#ahead, this.#clock, this.#reached.head);
    this.#said = new Troubles(options);
    this.#refusals = new Refusals(this.#clock);
    this.#auditor = new Auditor({ ...options, clock: this.#clock });
    this.#coldStart = new ColdStarts(options, this.#refusals);
    this.#verdicts =
      options.verdicts?.({
        isTraded: (token) => options.publisher.isTraded(token),
        contractsOf: (token) => options.publisher.contractsOf(token),
        deepestPools: (token) => options.prices.deepestPools(token).flatMap((key) => this.#book?.pool(key)?.pool.address ?? []),
        isOnChain: (hash) => (this.#book?.depthOf(hash) ?? null) !== null,
        // Not at once: whoever offers one may be in the middle of something.
        onVerdicts: () => void setImmediate(() => this.#publishVerdicts()),
      }) ?? null;
  }

  /** Throws RpcError when the node can not be followed now. Resolves to whether anything was published. */
  async step(): Promise<boolean> {
    const { reader } = this.#options;
    const head = await this.#heads.next(this.#book);
    await this.#auditor.inTime(this.#book);
    this.#applyDistrust();
    if (this.#book === null) return await this.#startOver(head);
    const book = this.#book;
    const outvoted = this.#quorum.outvotes(book);
    if (head.hash === book.tip.hash) {
      if (outvoted) return this.#denied(book);
      this.#doubt.tipShown();
      this.#isThere(book);
      return await this.#finish(book);
    }
    const branch = await findBranch(reader, book, head, this.#ahead);
    if (branch.kind === 'lost') return await this.#lost(book, head);
    const undoes = branch.ancestor !== book.tip.hash;
    if (undoes ? this.#quorum.distrusts(book) : outvoted) return this.#denied(book);
    // A lagging backend shows an old head for a moment, of this branch or of one that the chain has left; a chain that was really set back keeps showing it.
    if (this.#doubt.isLower(head, book.tip, undoes) && !outvoted && !this.#doubt.believesRetreat()) return false;
    this.#doubt.clear();
    this.#isThere(book);
    // Beside the logs of the next block. Of a longer way nobody knows yet how far it is gone now, and prices of a later block than the one that is published are none.
    if (branch.headers.length === 1) this.#feeds.ask(head);
    try {
      await this.#advance(book, branch);
    } catch (error) {
      if (!this.#isHopeless(error, branch, head)) throw error;
      return await this.#startOver(head);
    }
    this.#doubt.advanced(head, undoes);
    return await this.#finish(book);
  }

  #isHopeless(error: unknown, { headers: [next] }: Extract<Branch, { kind: 'branch' }>, head: ChainHeader): boolean {
    const { report, chainId, startDepthBlocks } = this.#options;
    if (next === undefined || !this.#unread.isHopeless(error, next, head.number - startDepthBlocks)) return false;
    report({ kind: 'ignored', chainId, what: 'unread-block', count: 1 });
    report({ kind: 'log', chainId, level: 'warn', message: `the logs of block ${next.number} can not be read: the chain is read anew from above it` });
    return true;
  }

  /** Most endpoints are on another branch: whoever leads on with this one is left, and the next head is one of theirs. */
  #denied(book: PoolBook): false {
    const { report, chainId } = this.#options;
    report({ kind: 'ignored', chainId, what: 'denied-head', count: 1 });
    report({
      kind: 'log',
      chainId,
      level: 'warn',
      message: `most endpoints are on another branch than the one that leads on from block ${book.tip.number}: it is left`,
    });
    this.#quorum.deny();
    this.#heads.forget();
    return false;
  }

  /** The chain shows a block that the book leads to: also one that was taken for gone. */
  #isThere(book: PoolBook): void {
    if (this.#orphaned === book) this.#leaveOrphan();
  }

  #leaveOrphan(): void {
    this.#orphaned = null;
    this.#options.report({ kind: 'orphaned', chainId: this.#options.chainId, orphaned: false });
  }

  /** Forgets what is known: the next step builds it from the chain again. The snapshot stays as it is until then. */
  forget(): void {
    this.#book = null;
    this.#isFirstStart = false;
  }

  /**
   * Takes what is switched off out of the snapshot at once, also while a step waits for a node that does not answer: what is staged between two of its waits belongs to the
   * block it was staged for. What comes back does so with the next step.
   */
  switchOff(off: SwitchedOff): void {
    const { removed, restored } = this.#options.publisher.switchOff(off);
    for (const key of restored) this.#dirty.add(key);
    if (removed > 0 && this.#stagedFor !== null) this.#announce(this.#stagedFor);
  }

  /** Takes in prices from off the chain at once, as with what is switched off. Before anything is known of the chain there is nothing that they could be of. */
  takeStreamed(venue: string, pools: readonly StreamedPool<unknown>[]): void {
    if (this.#book === null || this.#stagedFor === null) return;
    this.#said.refused(this.#options.publisher.stageStreamed(this.#book, venue, pools));
    this.#announce(this.#stagedFor);
  }

  /** null: of a token that no pool of the chain trades, or that has none. */
  readonly decimalsOf = (token: Address): number | null => this.#book?.token(token)?.decimals ?? null;

  /** Has tokens measured at the head: VerdictKeeper.request. */
  measure(tokens: readonly Address[], done: (outcome: Requested) => void): void {
    if (this.#verdicts === null) done({ ok: false, message: 'transfers are not measured' });
    else this.#verdicts.request(tokens, done);
  }

  /** Tokens were asked for: VerdictKeeper.wanted. */
  wanted(tokens: readonly Address[]): void {
    this.#verdicts?.wanted(tokens);
  }

  /** Resolves when no audit and no measuring is under way. */
  async settled(): Promise<void> {
    await this.#verdicts?.close();
    await this.#auditor.settled();
  }

  async #lost(book: PoolBook, head: ChainHeader): Promise<boolean> {
    const { report, chainId } = this.#options;
    const verdict = await this.#doubt.judgeLost(book, head);
    this.#heads.forget();
    if (verdict === 'not-yet') return false;
    if (verdict === 'orphaned') {
      report({ kind: 'log', chainId, level: 'warn', message: `the chain up to block ${book.tip.number} is gone, further back than can be undone` });
      if (this.#orphaned === null) report({ kind: 'orphaned', chainId, orphaned: true });
      this.#orphaned = book;
    }
    return await this.#startOver(head, verdict === 'far-ahead' ? book : null);
  }

  /** As with what is switched off: between two waits of a step, and for the block that is staged. */
  #publishVerdicts(): void {
    if (this.#stagedFor === null) return;
    if (this.#stageVerdicts() > 0) this.#announce(this.#stagedFor);
  }

  #stageVerdicts(): number {
    const verdicts = this.#verdicts?.take() ?? new Map();
    for (const [token, measured] of verdicts) this.#options.publisher.stageVerdict(token, measured);
    return verdicts.size;
  }

  /** `behind`: a book of this chain that the head is too far above: the pools that it knows are not looked for again. */
  async #startOver(shown: ChainHeader, behind: PoolBook | null = null): Promise<boolean> {
    const { publisher, reader, checkpoints } = this.#options;
    const anchor = await this.#anchoring.before(shown);
    const known = this.#isFirstStart ? ((await checkpoints?.resume(reader, shown)) ?? null) : null;
    const { book, settled, head, isFollowedUp } = await this.#coldStart.build(shown, known, behind);
    await this.#anchoring.after(anchor);
    this.#doubt.readAnew(head);
    this.#book = book;
    if (known !== null) checkpoints?.resumed(head.number - known.block.number, isFollowedUp);
    this.#isFirstStart = false;
    this.#building = settled.fault !== null || isFollowedUp;
    this.#verdicts?.rolledBack();
    this.#said.unread(settled);
    for (const key of [...publisher.keys(), ...book.keys()]) this.#dirty.add(key);
    if (settled.fault !== null) throw settled.fault;
    const branch = await findBranch(reader, book, head, this.#ahead);
    if (branch.kind === 'lost') return false;
    await this.#advance(book, branch);
    return await this.#finish(book);
  }

  /**
   * Goes back to the branch's ancestor and forward through its headers, as far as their logs can be read now. Those of the first block are there before anything is undone; throws RpcError
   * where they are not.
   */
  async #advance(book: PoolBook, branch: Extract<Branch, { kind: 'branch' }>): Promise<void> {
    const { reader, report, chainId } = this.#options;
    const depth = book.depthOf(branch.ancestor) ?? 0;
    let taken = 0;
    for (let at = 0; at === 0 || at < branch.headers.length; at += LIMITS.indexing.batchBlocks) {
      const headers = branch.headers.slice(at, at + LIMITS.indexing.batchBlocks);
      const logs = await this.#ahead.logs(reader, headers).catch((error: unknown) => {
        if (taken === 0) throw error;
        return [];
      });
      if (at === 0 && depth > 0) {
        for (const key of book.rollBackTo(branch.ancestor)) this.#dirty.add(key);
        this.#unpublished = true;
        this.#verdicts?.rolledBack();
        report({ kind: 'reorg', chainId, depth });
      }
      for (const [i, found] of logs.entries()) this.#takeIn(book, headers[i] as ChainHeader, found);
      this.#ahead.forget(headers.slice(0, logs.length));
      taken += logs.length;
      if (logs.length < headers.length) break;
    }
    if (taken > 0) this.#unread.clear();
    if (taken > 1) report({ kind: 'backfilled', chainId, blocks: taken - 1 });
  }

  #takeIn(book: PoolBook, header: ChainHeader, logs: Parameters<FollowerOptions['interpreter']['read']>[2]): void {
    const { interpreter, report, chainId } = this.#options;
    const reading = interpreter.read(book, header, logs);
    book.commit(header, reading.changes, reading.announced);
    for (const [key, { stale }] of reading.changes) {
      this.#dirty.add(key);
      // What will be read from the chain needs no comparison with it.
      if (!stale) this.#auditor.touch(key, header.number);
    }
    this.#unpublished = true;
    for (const [venue, count] of reading.applied) report({ kind: 'logs', chainId, venue, count });
    if (reading.unknownEmitters > 0) report({ kind: 'ignored', chainId, what: 'unknown-emitter', count: reading.unknownEmitters });
  }

  /** Reads what is missing, publishes what is new, and audits. Pools that can not be read now stay absent; the block is published without them. */
  async #finish(book: PoolBook): Promise<boolean> {
    const { reader, venues } = this.#options;
    this.#reached.indexed(book.tip.number);
    this.#feeds.ask(book.tip);
    if (book.isUnsettled) {
      const settled = await settleBook(book, venues, reader.readAt(book.tip.hash), this.#refusals);
      const { changed, fault } = settled;
      for (const key of changed) this.#dirty.add(key);
      this.#said.unread(settled);
      if (fault !== null && this.#building) throw fault;
      this.#said.fault(book, fault);
    }
    this.#building = false;
    this.#said.feeds(await this.#feeds.takeIn());
    this.#said.waiting(book);
    const published = (this.#dirty.size > 0 || this.#unpublished) && this.#publish(book);
    await this.#anchoring.late(book);
    return published;
  }

  #publish(book: PoolBook): boolean {
    const { publisher, report, chainId, wrappedNative } = this.#options;
    publisher.stageToken(book.token(wrappedNative) ?? { address: wrappedNative, decimals: 18, usd: null });
    this.#said.refused(publisher.stage(book, this.#dirty));
    this.#dirty.clear();
    const block = blockRef(book.tip);
    this.#verdicts?.blockComes(block);
    this.#stageVerdicts();
    const published = this.#announce(block);
    // Not where something is announced between two waits of a step: the block that the step takes in is still to come then.
    if (published) this.#unpublished = false;
    if (published) this.#verdicts?.blockPublished(block);
    report({ kind: 'followed', chainId, pools: book.countByVenue() });
    report({ kind: 'unplaced', chainId, pools: publisher.unplaced() });
    report({ kind: 'too-small', chainId, pools: publisher.tooSmall() });
    if (published) this.#coldStart.done();
    if (published && this.#orphaned !== null) this.#leaveOrphan();
    if (published) this.#auditor.start(book);
    if (published) this.#options.checkpoints?.published(book);
    return published;
  }

  /** Makes what is staged visible, as the state of that block. */
  #announce(block: BlockRef): boolean {
    const { publisher, report, chainId, snapshotStats } = this.#options;
    this.#stagedFor = block;
    const result = publisher.publish(block);
    report({ kind: 'priced', chainId, pricing: result.pricing });
    if (!result.ok) {
      this.#unpublished = true;
      report({ kind: 'ignored', chainId, what: 'skipped-publish', count: 1 });
      return false;
    }
    const { arenaUsedBytes, arenaCapacityBytes, pinnedSlots } = snapshotStats();
    const publish = result.millis as DurationMs;
    this.#verdicts?.published();
    const labels = publisher.labels();
    const pools = publisher.poolsByVenue();
    report({ kind: 'published', chainId, epoch: result.epoch, block, labels, pools, publish, arenaUsedBytes, arenaCapacityBytes, pinnedSlots });
    return true;
  }

  /** What the audit found to differ is read anew. */
  #applyDistrust(): void {
    for (const key of this.#auditor.takeDistrusted()) {
      this.#book?.distrust(key);
      this.#dirty.add(key);
    }
  }
}
