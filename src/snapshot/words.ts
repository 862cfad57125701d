/** Writes integers as little-endian 64-bit limbs. Widths are in limbs (4 hold 256 bits). Throws RangeError when a value does not fit. */
export class WordWriter {
  readonly #limbs: bigint[] = [];

  unsigned(value: bigint, limbs: number): this {
    if (value < 0n || value >> BigInt(64 * limbs) !== 0n) throw new RangeError(`${value} does not fit ${limbs} unsigned limbs`);
    for (let i = 0, rest = value; i < limbs; i++, rest >>= 64n) this.#limbs.push(rest & LIMB_MASK);
    return this;
  }

  signed(value: bigint, limbs: number): this {
    if (BigInt.asIntN(64 * limbs, value) !== value) throw new RangeError(`${value} does not fit ${limbs} signed limbs`);
    return this.unsigned(BigInt.asUintN(64 * limbs, value), limbs);
  }

  finish(): BigUint64Array {
    return BigUint64Array.from(this.#limbs);
  }
}

/** Reads what a WordWriter wrote, in the same order. Throws RangeError past the end. */
export class WordReader {
  readonly #words: BigUint64Array;
  #next = 0;

  constructor(words: BigUint64Array) {
    this.#words = words;
  }

  get remaining(): number {
    return this.#words.length - this.#next;
  }

  unsigned(limbs: number): bigint {
    if (this.remaining < limbs) throw new RangeError('read past the end of packed state');
    let value = 0n;
    for (let i = limbs - 1; i >= 0; i--) value = (value << 64n) | (this.#words[this.#next + i] as bigint);
    this.#next += limbs;
    return value;
  }

  signed(limbs: number): bigint {
    return BigInt.asIntN(64 * limbs, this.unsigned(limbs));
  }
}

const LIMB_MASK = (1n << 64n) - 1n;
