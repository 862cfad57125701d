import { createRequire } from 'node:module';
import type { Abi, Hex } from 'viem';

const require = createRequire(import.meta.url);

/** ABI and creation code of a real contract, from its authors' npm package. */
export function npmArtifact(place: string): { readonly abi: Abi; readonly bytecode: Hex } {
  const { abi, bytecode } = require(place) as { readonly abi: Abi; readonly bytecode: string };
  return { abi, bytecode: bytecode.startsWith('0x') ? (bytecode as Hex) : `0x${bytecode}` };
}

/** Creation code of a contract of Uniswap V4, from the place of its artifact in the periphery's package. */
export function foundryArtifact(place: string): Hex {
  return (require(`@uniswap/v4-periphery/foundry-out/${place}`) as { readonly bytecode: { readonly object: Hex } }).bytecode.object;
}
