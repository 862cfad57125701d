import type { MeasuredVerdict, TokenFacts } from '../../snapshot/snapshot.ts';
import type { Address } from '../../units/units.ts';
import type { Announced } from '../announced.ts';
import type { ChainHeader } from '../header.ts';
import type { TrackedPool } from '../tracked-pool.ts';

/** What a book knew at one block: all that following goes on from. A value: the book may change meanwhile. */
export type BookState = {
  readonly block: ChainHeader;
  readonly pools: readonly TrackedPool[];
  readonly announced: readonly Announced[];
  readonly tokens: readonly TokenFacts[];
};

/** What was found against a token's transfers. */
export type AdverseVerdict = MeasuredVerdict & { readonly token: Address };

/** What a checkpoint holds. */
export type Checkpoint = {
  readonly state: BookState;
  /** Against tokens that are trusted where nothing is known of them. */
  readonly verdicts: readonly AdverseVerdict[];
};

/** What a checkpoint is of: what another chain, another configuration or other code wrote can not be gone on from. */
export type CheckpointIdentity = {
  readonly chainId: number;
  /** Digest of the deployments that are followed and of what else the configuration says of pools. */
  readonly configuration: string;
  /** First blocks of these deployments, in the digest's order: pools that were announced before them are missing. */
  readonly firstBlocks: readonly number[];
  /** Digest of the code that gives states their meaning. */
  readonly code: string;
};

/**
 * Why a checkpoint is not gone on from. 'unreadable': the file could not be read; 'corrupt': it is not what was written; 'format': of another version of the format; 'too-large'; then what it is of that this is not;
 * 'ahead': its block is above the chain's head; 'not-on-chain': the chain has another block at its height.
 */
export type CheckpointRefusal =
  | 'unreadable'
  | 'corrupt'
  | 'format'
  | 'too-large'
  | 'other-chain'
  | 'other-configuration'
  | 'other-code'
  | 'ahead'
  | 'not-on-chain';
