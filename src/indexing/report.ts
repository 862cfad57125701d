import type { MeasuringFacts, PricingReport, Requested, VerdictsKept } from '../market/market.ts';
import type { BlockRef } from '../snapshot/snapshot.ts';
import type { DurationMs } from '../units/units.ts';
import type { ChainAnswer, OutsideSource, RegistryEntry, StreamOutcome } from '../venues/venues.ts';
import type { CheckpointRefusal } from './checkpoint/checkpoint.ts';
import type { LeftBecause } from './rpc/endpoint-board.ts';

/** What an indexer thread tells the main thread: one small message per event, for admission, /healthz, sources and metrics. */
export type IndexerReport =
  | {
      readonly kind: 'published';
      readonly chainId: number;
      readonly epoch: number;
      readonly block: BlockRef;
      /** Source labels of the routable pools: unique, sorted by code unit. */
      readonly labels: readonly string[];
      /** Routable pools by venue folder. */
      readonly pools: Readonly<Record<string, number>>;
      readonly publish: DurationMs;
      readonly arenaUsedBytes: number;
      readonly arenaCapacityBytes: number;
      readonly pinnedSlots: number;
    }
  /** The head that the chain's node showed last, whenever that changes. */
  | { readonly kind: 'head'; readonly chainId: number; readonly block: number }
  /** The block up to which all is taken in, published or not, whenever that changes. */
  | { readonly kind: 'indexed'; readonly chainId: number; readonly block: number }
  /** Pools that are followed, routable or not, by venue folder: those that `published` lacks have no liquidity or too little, are paused, wait to be read, or have a hook that nothing is known of. */
  | { readonly kind: 'followed'; readonly chainId: number; readonly pools: Readonly<Record<string, number>> }
  /** What could not be read from the chain so far; it is asked for again with each block, and in between. `absent`: pools that are until then, for their own state's sake or for a token's. */
  | {
      readonly kind: 'waiting';
      readonly chainId: number;
      readonly pools: number;
      readonly tokens: number;
      readonly announcements: number;
      readonly absent: number;
    }
  /** The published block's chain is gone, further back than can be undone, and is being read anew (decisions B22); then, that it is published. */
  | { readonly kind: 'orphaned'; readonly chainId: number; readonly orphaned: boolean }
  /** For how long the logs of the block after the tip could not be read, ms; 0: they can be, or the chain is read anew from above it. */
  | { readonly kind: 'unread-block'; readonly chainId: number; readonly millis: number }
  /** How many pools the snapshot has no room for. */
  | { readonly kind: 'unplaced'; readonly chainId: number; readonly pools: number }
  /** How many pools are followed, and not solved with because they are too small. */
  | { readonly kind: 'too-small'; readonly chainId: number; readonly pools: number }
  /** An audit ended. How many blocks lie between the oldest change that was not compared with the chain, and the tip. */
  | { readonly kind: 'audited'; readonly chainId: number; readonly unaudited: number }
  /** Which endpoint is followed, and why the others are not, by their place in the chain's list. */
  | { readonly kind: 'endpoints'; readonly chainId: number; readonly followed: number; readonly left: readonly (LeftBecause | null)[] }
  /** By endpoint, the heads that it announced over a socket since the last such report; null: it announces none. */
  | { readonly kind: 'announced'; readonly chainId: number; readonly heads: readonly (number | null)[] }
  /** What the tokens of a published epoch are worth, or of one that readers left no slot for. */
  | { readonly kind: 'priced'; readonly chainId: number; readonly pricing: PricingReport }
  | { readonly kind: 'reorg'; readonly chainId: number; readonly depth: number }
  | { readonly kind: 'logs'; readonly chainId: number; readonly venue: string; readonly count: number }
  | { readonly kind: 'backfilled'; readonly chainId: number; readonly blocks: number }
  | {
      readonly kind: 'rpc';
      readonly chainId: number;
      /** Place of the node's URL in the chain's list, from 0. */
      readonly endpoint: number;
      readonly method: string;
      readonly outcome: 'ok' | 'error' | 'timeout';
      /** Of each call, ms. */
      readonly durations: readonly number[];
    }
  | {
      readonly kind: 'ignored';
      readonly chainId: number;
      /** `unaudited`: an audit that a node would not answer; `audit-bug` and `unread-feeds`: one, and a reading of price feeds, that could not be done; `unread-block`: a block that was gone around; `denied-head`: one that most endpoints have another block for. */
      readonly what:
        | 'unknown-emitter'
        | 'corrupt-pool'
        | 'arena-full'
        | 'skipped-publish'
        | 'unanswered'
        | 'undescribed'
        | 'unaudited'
        | 'audit-bug'
        | 'unread-feeds'
        | 'unread-block'
        | 'denied-head';
      readonly count: number;
    }
  /** The audit found pools that differ from the chain; they are absent until they have been read again. */
  | { readonly kind: 'audit-mismatch'; readonly chainId: number; readonly venue: string; readonly count: number }
  /** A token's transfers were measured, ahead of anybody who waits or for somebody; ms. */
  | ({ readonly kind: 'measuring'; readonly chainId: number } & MeasuringFacts)
  /** The verdicts that are kept, by kind, the age in blocks of the oldest that is to be fresh, and the tokens that are asked for lately. */
  | { readonly kind: 'verdicts'; readonly chainId: number; readonly byKind: VerdictsKept['byKind']; readonly oldest: number; readonly hot: VerdictsKept['hot'] }
  /**
   * Answers the command 'measure' of that id, once an epoch that holds the verdicts is published. Not ok: the node could not be asked, about one of the tokens at least, which is no
   * verdict about any.
   */
  /** Answers the command 'read' of that id. null: the node could not be asked. */
  | { readonly kind: 'read'; readonly chainId: number; readonly id: number; readonly answers: readonly ChainAnswer[] | null }
  | { readonly kind: 'measured'; readonly chainId: number; readonly id: number; readonly outcome: Requested }
  /** How far a start is: questions in which blocks contracts were made, blocks whose announcements are read, parts of pairs that factories are asked for, or pools whose states are read. The last of a phase has `done` equal to `total`. */
  | {
      readonly kind: 'progress';
      readonly chainId: number;
      readonly phase: 'first-blocks' | 'logs' | 'pairs' | 'states';
      readonly done: number;
      readonly total: number;
    }
  /** A checkpoint is on the disk: of a block, in bytes; ms that it took, beside the following, and that the thread did nothing else at a time. */
  | {
      readonly kind: 'checkpoint-written';
      readonly chainId: number;
      readonly block: number;
      readonly pools: number;
      readonly bytes: number;
      readonly millis: number;
      readonly longestPartMs: number;
    }
  /** None could be written; the one before it is still there. */
  | { readonly kind: 'checkpoint-failed'; readonly chainId: number; readonly reason: 'disk' | 'too-large'; readonly message: string }
  /**
   * What became of the one that was there at the start. 'resumed': following goes on from it; 'pools-kept': it is too far behind for that, and its pools were read again. Else the chain is read anew: there is none, or why it is
   * not used.
   */
  | {
      readonly kind: 'checkpoint-read';
      readonly chainId: number;
      readonly outcome: 'resumed' | 'pools-kept' | 'absent' | CheckpointRefusal;
      readonly blocksBehind: number;
    }
  /** Somebody was asked for prices off the chain. `malformed`: pairs of the answer that are none. `pausedMs`: for how long they are left alone now. */
  | {
      readonly kind: 'outside-asked';
      readonly chainId: number;
      readonly venue: string;
      readonly source: string;
      readonly outcome: StreamOutcome;
      readonly malformed: number;
      readonly pausedMs: number;
    }
  /** What the registry of a venue says: who is served by it now. `entries`: what became of each of its entries; null: it could not be read. `unread`: of how many makers it did not say anything, who are served as it said last, or not where that is long ago. */
  | {
      readonly kind: 'listed';
      readonly chainId: number;
      readonly venue: string;
      readonly sources: readonly OutsideSource[];
      readonly entries: Readonly<Record<RegistryEntry, number>> | null;
      readonly unread: number;
    }
  /** The thread died and is started again. */
  | { readonly kind: 'restarted'; readonly chainId: number }
  /** A line for the log: indexer threads do not log themselves. */
  | { readonly kind: 'log'; readonly chainId: number; readonly level: 'info' | 'warn' | 'error'; readonly message: string };
