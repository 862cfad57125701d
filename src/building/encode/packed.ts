import { numberToHex, size } from 'viem';
import { MAX_WEI, type Wei } from '../../units/units.ts';

export type Hex = `0x${string}`;

/** An unsigned integer in `bytes` bytes. Throws RangeError where it does not fit. */
export function packInteger(value: number | bigint, bytes: number): Hex {
  if (value < 0 || BigInt(value) >> BigInt(8 * bytes) !== 0n) throw new RangeError(`${value} does not fit ${bytes} unsigned bytes`);
  return numberToHex(value, { size: bytes });
}

/** An amount as the contract reads it (contracts/lib/Cursor.sol): its length in bytes, then the bytes. Zero is a length alone. */
export function packAmount(value: Wei | bigint): Hex {
  if (value < 0n || value > MAX_WEI) throw new RangeError(`not an amount: ${value}`);
  if (value === 0n) return '0x00';
  const digits = numberToHex(value);
  const even: Hex = digits.length % 2 === 0 ? digits : `0x0${digits.slice(2)}`;
  return `${packInteger(size(even), 1)}${even.slice(2)}` as Hex;
}
