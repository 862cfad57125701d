import { readArtifact } from '../contract-artifacts.ts';
import type { Address } from '../units/units.ts';

type Hex = `0x${string}`;
/** What contracts/artifacts/*.gen.json hold of a part of the probe (scripts/build-contracts.ts). */
type Artifact = { readonly deployedBytecode: Hex; readonly immutables: Readonly<Record<string, readonly number[]>> };

/** The code that a probe supposes at addresses while it runs (contracts/probe). */
export type ProbeCode = {
  /** Of the probe itself. */
  readonly probe: Hex;
  /** Of what stands in for a pool, obeys whoever knows the secret (32 bytes), and hands anything else to the pool's own code at `original`. */
  puppet(secret: Hex, original: Address): Hex;
};

export function readProbeCode(): ProbeCode {
  const probe = readArtifact<Artifact>('TransferProbe');
  const puppet = readArtifact<Artifact>('PoolPuppet');
  return {
    probe: probe.deployedBytecode,
    puppet: (secret, original) => withWords(puppet, { secret, original: `0x${original.slice(2).padStart(64, '0')}` }),
  };
}

/** Puts the words of immutables where construction would. */
function withWords({ deployedBytecode, immutables }: Artifact, words: Readonly<Record<string, Hex>>): Hex {
  let code: string = deployedBytecode;
  for (const [name, word] of Object.entries(words)) {
    const places = immutables[name] ?? [];
    if (places.length === 0 || word.length !== 66) throw new RangeError(`${name} has no place in the code, or is no word`);
    for (const place of places) code = code.slice(0, 2 + 2 * place) + word.slice(2) + code.slice(2 + 2 * place + 64);
  }
  return code as Hex;
}
