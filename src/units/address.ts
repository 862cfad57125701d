/** A 20-byte address in lower-case hex. Checksums are a matter of presentation and made where responses are written. */
export type Address = `0x${string}` & { readonly unit: 'Address' };

const PATTERN = /^0x[0-9a-fA-F]{40}$/;

/** Tells whether a text is an address, in any letter case. */
export function isAddress(text: string): boolean {
  return text.length === 42 && PATTERN.test(text);
}

/** Brands and lower-cases an address. Throws TypeError on anything else: validate caller input with isAddress first. */
export function asAddress(text: string): Address {
  if (!isAddress(text)) throw new TypeError(`not an address: ${text.slice(0, 60)}`);
  // Only hex digits are left.
  return text.toLowerCase() as Address;
}

export const ZERO_ADDRESS = asAddress('0x0000000000000000000000000000000000000000');

/** The sentinel that stands for a chain's native token in requests and responses (interface specification). */
export const NATIVE_TOKEN = asAddress('0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee');
