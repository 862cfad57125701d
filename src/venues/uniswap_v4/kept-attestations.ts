import type { Attestation } from './attestations.ts';

/** Further from the head than any answer may be. */
const REACH = 16;

/** Attestations as an attester gave them, by their blocks, of which each is the head one day: a swap is tried on the head before it is sent, and no attester signs for a block that is there already. Whoever takes one checks it. */
export class KeptAttestations {
  readonly #byBlock = new Map<number, Attestation>();

  /** What is of blocks before `head`, or far from it, is forgotten. */
  keep(attestations: readonly Attestation[], head: number): void {
    for (const attestation of attestations) this.#byBlock.set(attestation.blockNumber, attestation);
    for (const block of this.#byBlock.keys()) if (block < head || block > head + REACH) this.#byBlock.delete(block);
  }

  of(block: number): Attestation | undefined {
    return this.#byBlock.get(block);
  }
}
