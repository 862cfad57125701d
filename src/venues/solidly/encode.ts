import type { EncodeFacet } from '../encode.ts';

/** The leg asks the pool itself what it gives, so it needs the pool's address only. */
export const encode: EncodeFacet = { leg: 'solidly', legData: () => '0x' };
