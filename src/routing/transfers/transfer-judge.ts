import { type SnapshotView, saysNothingAgainst, type TransferVerdict } from '../../snapshot/snapshot.ts';
import { type Address, NATIVE_TOKEN } from '../../units/units.ts';
import { EVERY_TOKEN_CLEAN, type TransferPolicy } from './transfer-policy.ts';

/** What is held of a token at a pinned block; null: nobody measured it within the bound. */
export type Judgement = TransferVerdict | null;

/** Marks of pools. `refusesOthers`: the token was seen to be refused at others; else nobody looked at those. */
export type OpenAt = { readonly marks: readonly number[]; readonly refusesOthers: boolean };

/** Says whether a token may lie between the two of a request; null where every one may. */
export type BetweenTest = ((tokenId: number) => boolean) | null;

/** Reads the verdicts of one chain by its policy. Of one thread: what it found of a block's tokens is kept until the next block. */
export class TransferJudge {
  readonly #policy: TransferPolicy | null;
  readonly #known: ReadonlySet<Address>;
  readonly #wrappedNative: Address;
  /** By token id: one of the marks below. */
  #marks = new Uint8Array(0);
  #view: SnapshotView | null = null;

  constructor(policy: TransferPolicy | typeof EVERY_TOKEN_CLEAN, wrappedNative: Address) {
    this.#policy = policy === EVERY_TOKEN_CLEAN ? null : policy;
    this.#known = new Set(this.#policy?.wellKnown.tokens ?? []);
    this.#wrappedNative = wrappedNative;
  }

  /** `anyAge`: the last verdict, however old. */
  judge(view: SnapshotView, tokenId: number, anyAge = false): Judgement {
    const { address } = view.token(tokenId);
    if (this.#policy === null || address === this.#wrappedNative || address === NATIVE_TOKEN) return CLEAN;
    const measured = view.verdictOf(tokenId);
    const isKnown = this.#known.has(address);
    if (isKnown && (measured === null || saysNothingAgainst(measured))) return CLEAN;
    if (measured === null) return null;
    const [before, after] = isKnown ? [this.#policy.wellKnown.blocks, this.#policy.wellKnown.blocks] : [this.#policy.verdictBlocks, 1];
    const age = view.block.number - measured.block;
    return anyAge || (age <= before && -age <= after) ? measured.verdict : null;
  }

  /** The only pools that a token may be traded at, by what is held of it; null: at all of them. */
  openAt(view: SnapshotView, tokenId: number): OpenAt | null {
    const { address } = view.token(tokenId);
    if (this.#policy === null || address === this.#wrappedNative || address === NATIVE_TOKEN) return null;
    const measured = view.verdictOf(tokenId);
    if (measured === null || (this.#known.has(address) && saysNothingAgainst(measured))) return null;
    const { openAt, seenAt } = measured;
    if (openAt !== undefined) return { marks: openAt, refusesOthers: true };
    return seenAt === undefined ? null : { marks: seenAt, refusesOthers: false };
  }

  /** Whether routes may lead through tokens that are not listed. */
  get leadsThroughMeasured(): boolean {
    return this.#policy?.routeThrough === 'measured';
  }

  /** Tokens without a clean verdict, and those that some pool refuses, never lie between, nor do any that are not listed where the policy says so: a swap through them might revert. `unmeasured` is given those that nobody measured, as they are met. */
  between(view: SnapshotView, unmeasured: (tokenId: number) => void): BetweenTest {
    if (this.#policy === null) return null;
    if (this.#view !== view) this.#begin(view);
    return (tokenId) => {
      const mark = this.#marks[tokenId] === NOT_LOOKED ? this.#mark(view, tokenId) : this.#marks[tokenId];
      if (mark === UNMEASURED) unmeasured(tokenId);
      return mark === PASSES;
    };
  }

  #begin(view: SnapshotView): void {
    this.#view = view;
    if (this.#marks.length < view.tokenCount) this.#marks = new Uint8Array(2 * view.tokenCount);
    else this.#marks.fill(NOT_LOOKED, 0, view.tokenCount);
  }

  #isListed(address: Address): boolean {
    return this.#policy?.routeThrough !== 'listed' || address === this.#wrappedNative || this.#known.has(address);
  }

  #mark(view: SnapshotView, tokenId: number): number {
    const mark = this.#isListed(view.token(tokenId).address) ? this.#markOf(view, tokenId) : BARRED;
    this.#marks[tokenId] = mark;
    return mark;
  }

  #markOf(view: SnapshotView, tokenId: number): number {
    const held = this.judge(view, tokenId);
    if (held === null) return UNMEASURED;
    return held.kind === 'clean' && this.openAt(view, tokenId)?.refusesOthers !== true ? PASSES : BARRED;
  }
}

const CLEAN: TransferVerdict = { kind: 'clean' };

const NOT_LOOKED = 0;
const PASSES = 1;
const BARRED = 2;
const UNMEASURED = 3;
