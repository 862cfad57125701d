import type { SwapResponse } from './answer.ts';

/**
 * Calldata of a swap with the taker's signature of `permit2.eip712` written into its place (funding=permit2). `signature`: 65 bytes as 0x-prefixed hex, as `eth_signTypedData_v4` and wallets
 * return them. Throws RangeError on another length, or calldata that is too short.
 */
export function withSignature(
  data: string,
  { signatureOffset, signatureLength }: Pick<NonNullable<SwapResponse['permit2']>, 'signatureOffset' | 'signatureLength'>,
  signature: string,
): `0x${string}` {
  const [start, end] = [signatureOffset, signatureOffset + signatureLength].map((byte) => 2 + 2 * byte) as [number, number];
  if (!/^0x[0-9a-fA-F]*$/.test(signature) || signature.length !== 2 + 2 * signatureLength) {
    throw new RangeError(`the signature has ${(signature.length - 2) / 2} bytes as hex; expected ${signatureLength}`);
  }
  if (data.length < end)
    throw new RangeError(`the calldata has ${(data.length - 2) / 2} bytes; the signature ends at byte ${signatureOffset + signatureLength}`);
  return `0x${data.slice(2, start)}${signature.slice(2)}${data.slice(end)}`;
}
