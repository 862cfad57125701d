import type { Announced } from '../announced.ts';
import type { ChainHeader } from '../header.ts';
import type { TrackedPool } from '../tracked-pool.ts';
import type { AdverseVerdict, BookState, CheckpointIdentity } from './checkpoint.ts';

export const MAGIC = Buffer.from('BRAIDCKP');
/** Another one where the layout changes. What states mean is told by the digest of the code. */
export const FORMAT_VERSION = 1;
export const CHECKSUM = 'sha256';
export const CHECKSUM_BYTES = 32;
export const WORD_BYTES = 4;

/** JSON, before all else: it can be read where the states can not. */
export type Head = CheckpointIdentity & { readonly verdicts: readonly AdverseVerdict[] };

/** What one part holds. */
export type Item =
  | { readonly kind: 'block'; readonly block: ChainHeader }
  | { readonly kind: 'tokens'; readonly tokens: BookState['tokens'] }
  | { readonly kind: 'announced'; readonly announced: readonly Announced[] }
  | { readonly kind: 'pools'; readonly pools: readonly TrackedPool[] };
