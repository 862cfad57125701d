import type { EncodeFacet } from '../encode.ts';

/** Which way a hop goes the leg sees by its tokens: one of them is the vault. */
export const encode: EncodeFacet = { leg: 'erc4626', legData: () => '0x' };
