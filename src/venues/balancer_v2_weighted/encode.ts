import { encodeVaultHop } from '../balancer/encode-vault-hop.ts';
import type { EncodeFacet } from '../encode.ts';

export const encode: EncodeFacet = encodeVaultHop;
