import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Hex } from 'viem';
import { DevnetError } from './devnet-error.ts';

export const WRAPPED_NATIVE_PLACE = 'canonical-weth/build/contracts/WETH9.json';

/**
 * Creation code of a real contract, from the artifact at a place in an npm package of its authors (development dependencies: some are under copyleft licences). Throws DevnetError when
 * the package is not installed.
 */
export function creationCode(place: string): Hex {
  const artifact = readArtifact(place) as { readonly bytecode: string | { readonly object: string } };
  const bytecode = typeof artifact.bytecode === 'string' ? artifact.bytecode : artifact.bytecode.object;
  return bytecode.startsWith('0x') ? (bytecode as Hex) : `0x${bytecode}`;
}

const PERMIT2_PLACE = '@uniswap/v4-periphery/foundry-out/DeployPermit2.sol/DeployPermit2.json';
/** Uniswap's test deployer carries Permit2's runtime code as a literal: where it starts, how it starts, how long it is. */
const PERMIT2_START = 2 + 968;
const PERMIT2_PREFIX = '6040608081526004908136101561001557';
const PERMIT2_BYTES = 9_152;

/** Its immutable "chain id at deployment", as the literal pushes it: that of Foundry's test chain, which is ours too. */
const CACHED_CHAIN_ID = `7f${(31_337).toString(16).padStart(64, '0')}`;
const NO_CHAIN_ID = `7f${''.padStart(64, '0')}`;

/**
 * Runtime code of Permit2. The literal was deployed in a test at another address of a chain 31337, and Permit2 keeps the domain separator of its deployment: on that chain id
 * it would answer with a domain that no wallet computes. With the kept chain id blanked it computes its domain from the chain and its own address, as it does on any
 * other chain.
 */
export function permit2RuntimeCode(): Hex {
  const { deployedBytecode } = readArtifact(PERMIT2_PLACE) as { readonly deployedBytecode: { readonly object: string } };
  const literal = deployedBytecode.object.slice(PERMIT2_START, PERMIT2_START + 2 * PERMIT2_BYTES);
  const [head = '', tail, ...more] = literal.split(CACHED_CHAIN_ID);
  if (!literal.startsWith(PERMIT2_PREFIX) || literal.length !== 2 * PERMIT2_BYTES || tail === undefined || more.length > 0) {
    throw new DevnetError(`${PERMIT2_PLACE} does not carry Permit2 as expected`);
  }
  return `0x${head}${NO_CHAIN_ID}${tail}`;
}

function readArtifact(place: string): unknown {
  try {
    return JSON.parse(readFileSync(createRequire(import.meta.url).resolve(place), 'utf8'));
  } catch (cause) {
    throw new DevnetError(`the contract ${place} is missing. Run "npm ci" (with development dependencies) and start again.`, { cause });
  }
}
