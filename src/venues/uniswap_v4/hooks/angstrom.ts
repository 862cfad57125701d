import { asAddress, ZERO_ADDRESS } from '../../../units/units.ts';
import { exactWords } from '../../abi-words.ts';
import type { HookModel } from '../hook-model.ts';

/** Selector of extsload(uint256): the hook has no getters, and anybody may read its storage through it. */
const EXTSLOAD = '0x7cf98081';
/** Where it keeps the fees of pairs (AngstromView.sol). */
const FEES_SLOT = 2n;
/** A pair goes by the last 27 bytes of a hash of its currencies, as the first of a word (StoreKey.sol). */
const PAIR_SHIFT = 40n;
const FEE_BITS = 24n;
const WHOLE_PPM = 1_000_000n;
/** Measured over our leg with five attestations, in a block that was not attested before: 41,700 with our hook, 46,400 with Angstrom's own code as its authors publish it, which keeps accounts for its providers beside (decision 159). */
const ADDED_GAS = 47_000;
/** What the hook reckons in: beyond it, its fee overflows. */
const MAX_INT128 = (1n << 127n) - 1n;

/**
 * Angstrom's hook (UnlockHook.sol, TopLevelAuth.sol), and contracts/devnet/hooks/AttestedHook.sol, which does to swaps what that does. Parameters: of a pair the fee for liquidity providers in a block that is unlocked, and what the hook takes then
 * of what a swap did not specify, in millionths. No log tells of either.
 */
export const hook: HookModel = {
  variant: 'angstrom',
  deployments: [
    { chainId: 1, address: asAddress('0x0000000aa232009084bd71a5797d089aa4edfad4') },
    { chainId: 31_337, address: asAddress('0x6c4c42070287b7165ad69b05c1c6ffd0f4e940c4') },
  ],
  gas: ADDED_GAS,
  attested: true,
  reading: {
    calls({ hook: to, tokens, traits: { native } }, keccak256) {
      // Of the native token the manager says zero, which is also the first of two.
      const currencies = tokens.map((token, slot) => word(BigInt(native === 1 && slot === 0 ? ZERO_ADDRESS : token)));
      const pair = BigInt.asUintN(256, BigInt(keccak256(`0x${currencies.join('')}`)) << PAIR_SHIFT);
      return [{ to, data: `${EXTSLOAD}${keccak256(`0x${word(pair)}${word(FEES_SLOT)}`).slice(2)}`, answerBytes: 32 }];
    },
    parameters([answer]) {
      const [both] = exactWords(answer, 1) ?? [];
      return both === undefined ? null : [BigInt.asUintN(Number(FEE_BITS), both), BigInt.asUintN(Number(FEE_BITS), both >> FEE_BITS)];
    },
  },
  lpFeePpm: ([unlocked = 0n]) => Number(unlocked),
  takes([, rate = 0n], amount, exact) {
    const scaled = amount * (exact === 'in' ? rate : WHOLE_PPM);
    if (scaled > MAX_INT128 || rate >= WHOLE_PPM) return null;
    return exact === 'in' ? scaled / WHOLE_PPM : scaled / (WHOLE_PPM - rate) - amount;
  },
  approxMostOut: ([, rate = 0n]) => (rate >= WHOLE_PPM ? 0 : Number(MAX_INT128) / Math.max(1, Number(rate))),
  approxKeeps: ([, rate = 0n]) => Math.max(0, 1 - Number(rate) / Number(WHOLE_PPM)),
};

function word(value: bigint): string {
  return value.toString(16).padStart(64, '0');
}
