import { type Address, asAddress } from '../units/units.ts';

type Hex = `0x${string}`;

/** What is drawn for one measurement. */
export type Dice = {
  word(): Hex;
  address(): Address;
  /** At least 0 and below 1. */
  unit(): number;
  between(least: bigint, most: bigint): bigint;
  /** Up to a tenth less or more. */
  about(value: bigint): bigint;
};

/** `random` gives so many bytes, which nobody can foresee. */
export function diceOf(random: (bytes: number) => Uint8Array): Dice {
  const hex = (bytes: number): Hex => `0x${Buffer.from(random(bytes)).toString('hex')}`;
  const between = (least: bigint, most: bigint): bigint => least + (BigInt(hex(16)) % (most - least + 1n));
  return {
    word: () => hex(32),
    address: () => asAddress(hex(20)),
    unit: () => Number.parseInt(hex(6).slice(2), 16) / 2 ** 48,
    between,
    about: (value) => between(value - value / 10n, value + value / 10n),
  };
}
