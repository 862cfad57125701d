import type { EncodeFacet } from '../encode.ts';

const POOL_ID = /^0x[0-9a-f]{64}$/;

/** The leg swaps through the vault, which is the hop's address, and names the pool to it by its id. */
export const encodeVaultHop: EncodeFacet = {
  leg: 'balancer_v2',
  legData({ poolKey }) {
    if (!POOL_ID.test(poolKey)) throw new RangeError(`not the id of a pool of the vault: ${poolKey.slice(0, 80)}`);
    return poolKey as `0x${string}`;
  },
};
