import { concatHex, type Hex, numberToHex, size } from 'viem';
import type { LegFacts } from '../../snapshot/snapshot.ts';
import type { HopToEncode } from '../encode.ts';
import { HOOK_MODELS } from './known-hooks.ts';

/** What a hook is shown to let swaps into one block: the node that attests the block (20 bytes), and its signature (65). */
export type Attestation = { readonly blockNumber: number; readonly unlockData: Hex };

export const NODE_BYTES = 20;
export const ATTESTATION_BYTES = 85;
const BLOCK_BYTES = 8;
const COUNT_BYTES = 1;

/** Whether a hop is of a pool whose hook has to be shown an attestation. */
export function wantsAttestation({ legFacts: { variant } }: Pick<HopToEncode, 'legFacts'>): boolean {
  return HOOK_MODELS.get(String(variant))?.attested === true;
}

/** Attestations of blocks in a row, one at least, as facts of a hop. */
export function attestationFacts(attestations: readonly Attestation[]): LegFacts {
  const [first] = attestations;
  if (first === undefined) throw new RangeError('no attestation');
  const count = numberToHex(attestations.length, { size: COUNT_BYTES });
  return { attestations: concatHex([numberToHex(first.blockNumber, { size: BLOCK_BYTES }), count, ...attestations.map(({ unlockData }) => unlockData)]) };
}

/** The same as contracts/legs/uniswap_v4_attested.sol reads it. Throws RangeError where a hop has none: what is routed was given some. */
export function attestationsOf({ legFacts: { attestations } }: Pick<HopToEncode, 'legFacts'>): Hex {
  const data = typeof attestations === 'string' ? (attestations as Hex) : '0x';
  if (size(data) <= BLOCK_BYTES + COUNT_BYTES || (size(data) - BLOCK_BYTES - COUNT_BYTES) % ATTESTATION_BYTES !== 0) {
    throw new RangeError('a hop by an attested hook has attestations');
  }
  return data;
}
