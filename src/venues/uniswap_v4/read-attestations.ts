import { LIMITS } from '../../config/limits.ts';
import { readJson } from '../read-json.ts';
import { ATTESTATION_BYTES, type Attestation } from './attestations.ts';

const UNLOCK_DATA = new RegExp(`^0x[0-9a-fA-F]{${2 * ATTESTATION_BYTES}}$`);

/** What an attester is asked, as text: attestations of the next so many blocks. */
export function attestationsWanted(blocks: number): string {
  return JSON.stringify({ blocks_in_future: blocks });
}

/**
 * Reads an attester's answer: attestations of at most `blocks` blocks in a row, of which those count that are of `head` or come after it. null where it is none of the protocol's answers. 'refused': it says that it would not. 'none': of blocks
 * from the next on there are too few, or they begin too far on; an attester and our node may see the head a little apart.
 */
export function readAttestations(text: string, head: number, blocks: number): readonly Attestation[] | 'refused' | 'none' | null {
  const body = asRecord(readJson(text));
  if (body === null) return null;
  if (body.success === false) return 'refused';
  if (body.success !== true || !Array.isArray(body.attestations)) return null;
  const { apart } = LIMITS.outbound.attestations;
  if (body.attestations.length > blocks) return null;
  const read: Attestation[] = [];
  for (const entry of body.attestations) {
    const attestation = readAttestation(entry);
    const before = read.at(-1);
    if (attestation === null || (before !== undefined && attestation.blockNumber !== before.blockNumber + 1)) return null;
    read.push(attestation);
  }
  const coming = read.filter(({ blockNumber }) => blockNumber > head);
  const [first] = coming;
  const isNone = first === undefined || first.blockNumber > head + 1 + apart || coming.length < blocks - apart;
  return isNone ? 'none' : read.filter(({ blockNumber }) => blockNumber >= head);
}

function readAttestation(value: unknown): Attestation | null {
  const entry = asRecord(value);
  if (entry === null) return null;
  const { blockNumber, unlockData } = entry;
  if (typeof blockNumber !== 'number' || !Number.isSafeInteger(blockNumber) || blockNumber < 0) return null;
  if (typeof unlockData !== 'string' || !UNLOCK_DATA.test(unlockData)) return null;
  return { blockNumber, unlockData: unlockData.toLowerCase() as `0x${string}` };
}

/** Own members alone: an answer names none that every object has. */
function asRecord(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.assign(Object.create(null), value) : null;
}
