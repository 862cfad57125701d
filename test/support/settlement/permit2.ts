import { concatHex, encodeFunctionData, erc20Abi, type Hex, parseAbi, size, sliceHex } from 'viem';
import {
  encodePermit2Call,
  type Permit2TypedData,
  permit2Nonce,
  permit2TypedData,
  SIGNATURE_BYTES,
  SIGNATURE_OFFSET,
  type SwapTerms,
} from '../../../src/building/building.ts';
import type { Address } from '../../../src/units/units.ts';
import { type Ground, MAX } from './ground.ts';
import { type SwapEvent, swapEvents } from './swaps.ts';
import type { Call } from './test-chain.ts';

/** Lets Permit2 take every token of the ground from an account, once for all swaps. */
export async function approvePermit2({ chain, tokens, permit2 }: Ground, account: Address): Promise<void> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [permit2, MAX] });
  for (const token of Object.values(tokens)) await chain.mustSend(account, { to: token, data });
}

/** What the taker of these terms has to sign. */
export function typedDataOf({ router, permit2 }: Pick<Ground, 'router' | 'permit2'>, terms: SwapTerms, chainId = 31_337): Permit2TypedData {
  return permit2TypedData(terms, { chainId, permit2, router }, (address) => address);
}

/** Signed by the node, for one of its own accounts: no code of ours or of the client's library has a part in it. */
export async function signByNode({ chain }: Pick<Ground, 'chain'>, account: Address, typedData: Permit2TypedData): Promise<Hex> {
  return (await chain.rpc.request('eth_signTypedData_v4', account, typedData)) as Hex;
}

/** Calldata with the signature in its place. */
export function withSignature(data: Hex, signature: Hex): Hex {
  if (size(signature) !== SIGNATURE_BYTES) throw new RangeError(`a signature of ${size(signature)} bytes`);
  return concatHex([sliceHex(data, 0, SIGNATURE_OFFSET), signature, sliceHex(data, SIGNATURE_OFFSET + SIGNATURE_BYTES)]);
}

/** The transaction of a taker who signed these terms. `changed`: what is signed instead. */
export async function permittedCall(ground: Ground, terms: SwapTerms, changed: Partial<{ signer: Address; typedData: Permit2TypedData }> = {}): Promise<Call> {
  const { to, data } = encodePermit2Call(terms, ground);
  const signature = await signByNode(ground, changed.signer ?? terms.taker, changed.typedData ?? typedDataOf(ground, terms));
  return { to, data: withSignature(data, signature) };
}

/** Sends a swap that its taker signed, which has to go through, and gives its only event. */
export async function settlePermitted(ground: Ground, terms: SwapTerms): Promise<SwapEvent> {
  const [event, ...more] = swapEvents(ground, await ground.chain.mustSend(terms.taker, await permittedCall(ground, terms)));
  if (event === undefined || more.length > 0) throw new Error(`${more.length} Swap events more than one`);
  return event;
}

export const PERMIT2_ABI = parseAbi([
  'function nonceBitmap(address owner, uint256 word) view returns (uint256)',
  'function invalidateUnorderedNonces(uint256 word, uint256 mask)',
  'error InvalidSigner()',
  'error InvalidSignature()',
  'error InvalidNonce()',
  'error InvalidAmount(uint256 maxAmount)',
  'error InvalidContractSignature()',
  'error SignatureExpired(uint256 deadline)',
]);

/** Whether Permit2 has seen the nonce of these terms. */
export async function isNonceUsed({ chain, permit2 }: Ground, { taker, tag }: SwapTerms): Promise<boolean> {
  const nonce = permit2Nonce(tag);
  const word = (await chain.read(permit2, PERMIT2_ABI, 'nonceBitmap', [taker, nonce >> 8n])) as bigint;
  return ((word >> (nonce & 255n)) & 1n) === 1n;
}

/** Gives up another nonce of the same word, so that the word is not zero any more. */
export async function useNonceWord({ chain, permit2 }: Ground, account: Address, tag: Hex): Promise<void> {
  const nonce = permit2Nonce(tag);
  await chain.write(account, permit2, PERMIT2_ABI, 'invalidateUnorderedNonces', [nonce >> 8n, 1n << ((nonce & 255n) ^ 1n)]);
}
