import type { Address } from '../../src/units/units.ts';
import type { ChainAnswer, PinnedReader } from '../../src/venues/venues.ts';

/** Contracts as a node answers for them: what each says to exactly one question; it reverts on all others. */
export class MadeUpContracts {
  readonly #answers = new Map<string, ChainAnswer>();
  /** How many questions each round had. */
  readonly rounds: number[] = [];

  says(to: Address, question: `0x${string}`, answer: ChainAnswer): this {
    this.#answers.set(`${to} ${question}`, answer);
    return this;
  }

  /** Where a call supposes something of storage; without it, it is answered as any other. */
  saysSupposing(to: Address, question: `0x${string}`, answer: ChainAnswer): this {
    this.#answers.set(`${to} ${question} supposing`, answer);
    return this;
  }

  readonly read: PinnedReader = async (calls) => {
    this.rounds.push(calls.length);
    return calls.map(({ to, data, supposing }) => {
      const supposed = supposing === undefined ? undefined : this.#answers.get(`${to} ${data} supposing`);
      return supposed ?? this.#answers.get(`${to} ${data}`) ?? null;
    });
  };
}

/** Numbers as 32-byte words, one behind the other; a negative one as the contracts have it. */
export function wordsOf(...values: readonly (bigint | number | string)[]): `0x${string}` {
  return `0x${values.map((value) => BigInt.asUintN(256, BigInt(value)).toString(16).padStart(64, '0')).join('')}`;
}
