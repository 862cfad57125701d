import { LIMITS } from '../config/limits.ts';
import type { Ahead } from './ahead.ts';
import type { ChainReader } from './chain-reader.ts';
import type { Clock } from './clock.ts';
import type { ChainHeader } from './header.ts';
import type { PoolBook } from './pool-book.ts';
import { RpcError } from './rpc/rpc-error.ts';

const BOUNDS = LIMITS.indexing.ahead;

/** A head that came, as the how manieth it was asked for, and whether all was asked for that was missing of the blocks up to it. */
type Arrival = { readonly asked: number; readonly head: ChainHeader; readonly take: () => void; isFilled: boolean };

/**
 * The head that a step goes to. Of a node that is quick it is asked for once a step. Of one whose answers take long by the time between two blocks several are under way, so that the next head is asked for
 * beside the logs of the last, and each beside the logs since the tip: what is then taken is the highest block for which all is there, and nothing that is missing of a later one holds it up. A head that
 * does not lead on is handed over as it comes, to be judged.
 */
export class HeadsAhead {
  readonly #reader: ChainReader;
  readonly #ahead: Ahead;
  readonly #clock: Clock;
  readonly #onHead: (block: number) => void;
  /** What the last heads took, ms. */
  readonly #times: number[] = [];
  #book: PoolBook | null = null;
  /** Ascending by when they were asked for. */
  #arrived: Arrival[] = [];
  /** The last that came. */
  #latest: Arrival | null = null;
  #fault: Error | null = null;
  #asked = 0;
  /** What was asked for up to then is of no use any more. */
  #outdated = 0;
  #underWay = 0;
  /** Whether one more is going to be asked for. */
  #isGoingOn = false;
  #wake: () => void = () => undefined;

  /** `onHead` hears of each head that comes, whatever becomes of it. */
  constructor(reader: ChainReader, ahead: Ahead, clock: Clock, onHead: (block: number) => void) {
    this.#reader = reader;
    this.#ahead = ahead;
    this.#clock = clock;
    this.#onHead = onHead;
  }

  /** `book`: null while nothing is known. Throws RpcError. */
  async next(book: PoolBook | null): Promise<ChainHeader> {
    this.#book = book;
    while (book !== null && this.#isSlow(book)) {
      const found = this.#found(book);
      if (found !== null) return found;
      const fault = this.#fault;
      this.#fault = null;
      if (fault !== null) throw fault;
      const comes = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#goOn(book);
      await comes;
    }
    this.forget();
    const head = await this.#timed(() => this.#reader.latest());
    this.#onHead(head.number);
    return head;
  }

  /** Whoever gave what is there and under way is left, or is quick. */
  forget(): void {
    this.#arrived = [];
    this.#latest = null;
    this.#fault = null;
    this.#outdated = this.#asked;
  }

  async #timed<Given>(ask: () => Promise<Given>): Promise<Given> {
    const began = this.#clock.now();
    const given = await ask();
    this.#times.push(this.#clock.now() - began);
    if (this.#times.length > BOUNDS.heads) this.#times.shift();
    return given;
  }

  #middleMs(): number {
    return this.#times.toSorted((a, b) => a - b)[this.#times.length >> 1] ?? 0;
  }

  #isSlow(book: PoolBook): boolean {
    return this.#middleMs() > Math.max(BOUNDS.slowMs, BOUNDS.shareOfBlock * book.blockMs(BOUNDS.blocks));
  }

  #found({ tip }: PoolBook): ChainHeader | null {
    const ready = this.#ahead.readyAbove(tip);
    if (ready !== null) {
      const giver = this.#arrived.find(({ head }) => head.number >= ready.number) ?? this.#latest;
      if (giver !== null) {
        this.#take(giver);
        return ready;
      }
    }
    const newest = this.#arrived.at(-1);
    if (newest === undefined || !this.#isToBeJudged(newest, tip)) return null;
    this.#take(newest);
    return newest.head;
  }

  /** Of a head that may lead on more is coming: only what leads elsewhere, or still lacks something after many others came, has a step wait for what it lacks. */
  #isToBeJudged({ head, isFilled }: Arrival, tip: ChainHeader): boolean {
    if (head.number <= tip.number) return true;
    return isFilled && (this.#ahead.leadsElsewhere(tip) || this.#arrived.length >= BOUNDS.unseen);
  }

  #take({ asked, take }: Arrival): void {
    this.#outdated = Math.max(this.#outdated, asked);
    this.#arrived = this.#arrived.filter((other) => other.asked > asked);
    take();
  }

  /** Asks now, and goes on asking after pauses, for as long as somebody takes what comes. */
  #goOn(book: PoolBook): void {
    if (this.#isGoingOn) return;
    const pauseMs = Math.max(this.#middleMs(), book.blockMs(BOUNDS.blocks)) / BOUNDS.asksAtOnce;
    if (this.#underWay < BOUNDS.mostAtOnce) void this.#ask(book);
    this.#isGoingOn = true;
    this.#clock.after(pauseMs, () => {
      this.#isGoingOn = false;
      if (this.#book === null || this.#fault !== null || this.#arrived.length >= BOUNDS.unseen) return;
      if (this.#isSlow(this.#book)) this.#goOn(this.#book);
      else this.#wake();
    });
  }

  async #ask(book: PoolBook): Promise<void> {
    const asked = ++this.#asked;
    this.#underWay++;
    try {
      const [arrival] = await Promise.all([this.#askHead(book, asked), this.#askLogs(book), this.#ahead.askNext(this.#reader, book.tip)]).finally(
        () => this.#underWay--,
      );
      this.#wake();
      await this.#ahead.fill(this.#reader, book.tip, arrival.head);
      arrival.isFilled = true;
    } catch (error) {
      if (asked > this.#outdated) this.#fault = error instanceof Error ? error : new Error(String(error));
    }
    this.#wake();
  }

  async #askHead(book: PoolBook, asked: number): Promise<Arrival> {
    const arrival: Arrival = { ...(await this.#timed(() => this.#reader.latestToTake())), asked, isFilled: false };
    this.#onHead(arrival.head.number);
    if (arrival.head.number > book.tip.number) this.#ahead.remember(arrival.head);
    if (asked > this.#outdated) {
      this.#latest = arrival;
      this.#arrived = [...this.#arrived, arrival].sort((a, b) => a.asked - b.asked);
    }
    this.#wake();
    return arrival;
  }

  async #askLogs({ tip }: PoolBook): Promise<void> {
    try {
      this.#ahead.offer(await this.#reader.logsSince(tip.number + 1));
    } catch (error) {
      // They are asked for again, by the hash of the block.
      if (!(error instanceof RpcError)) throw error;
    }
  }
}
