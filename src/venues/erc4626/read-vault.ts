import { encodeFunctionData, type Hex, parseAbi, toFunctionSelector } from 'viem';
import { asAddress, ZERO_ADDRESS } from '../../units/units.ts';
import { firstWords } from '../abi-words.ts';
import { supposedAt } from '../supposed-balances.ts';
import type { ChainAnswer, ChainCall, DiscoveredPool } from '../track.ts';
import { type Fit, fitWay, type Preview } from './fit-way.ts';
import { MAX_AMOUNT, type VaultState } from './state.ts';
import { ANYBODY } from './supposed-holder.ts';
import { inputFor, type Ratio, type VaultWay } from './vault-way.ts';

const VAULT = parseAbi([
  'function totalAssets() view returns (uint256)',
  'function totalSupply() view returns (uint256)',
  'function convertToAssets(uint256 shares) view returns (uint256)',
  'function maxDeposit(address receiver) view returns (uint256)',
  'function maxRedeem(address owner) view returns (uint256)',
  'function balanceOf(address account) view returns (uint256)',
  'function previewDeposit(uint256 assets) view returns (uint256)',
  'function previewRedeem(uint256 shares) view returns (uint256)',
]);
const PAUSED = toFunctionSelector('paused()');
/** Where the first shares are often given up, so that there are always some: a holder that is always there to ask what it may redeem. */
const BURNT = asAddress('0x000000000000000000000000000000000000dead');

/** Amounts that are asked for: digits without a pattern, so that a rounding shows; three places apart, from a unit to more than there is. */
const DIGITS = '3141592653589793238462643383279';
const SAMPLES = Array.from({ length: 11 }, (_, at) => BigInt(DIGITS.slice(0, 1 + 3 * at)));
/** What wrappers with a rate of their own multiply with. */
const RATE_UNITS = [10n ** 18n, 10n ** 27n] as const;

/** A vault with fewer shares is one whose share somebody can make worth anything by a gift: what a deposit is rounded by is then at most a millionth of all it has. */
const LEAST_SUPPLY = 1_000_000n;

const HEAD_CALLS = 7 + RATE_UNITS.length;
const PREVIEWS = 2 * SAMPLES.length;
const CALLS = HEAD_CALLS + PREVIEWS;

/** Everything that is asked of a vault as it is at a block, always as many calls. */
export function callsOf({ address, tokens }: DiscoveredPool): readonly ChainCall[] {
  const ask = (data: Hex, to = address): ChainCall => ({ to, data, answerBytes: 32 });
  const shares = { abi: VAULT, functionName: 'balanceOf' } as const;
  return [
    ask(encodeFunctionData({ abi: VAULT, functionName: 'totalAssets' })),
    ask(encodeFunctionData({ abi: VAULT, functionName: 'totalSupply' })),
    ask(PAUSED),
    ask(encodeFunctionData({ abi: VAULT, functionName: 'maxDeposit', args: [ANYBODY] })),
    ask(encodeFunctionData({ abi: VAULT, functionName: 'maxRedeem', args: [BURNT] })),
    ask(encodeFunctionData({ ...shares, args: [BURNT] })),
    ask(encodeFunctionData({ ...shares, args: [address] }), tokens[0] ?? ZERO_ADDRESS),
    ...RATE_UNITS.map((unit) => ask(encodeFunctionData({ abi: VAULT, functionName: 'convertToAssets', args: [unit] }))),
    ...SAMPLES.map((amount) => ask(encodeFunctionData({ abi: VAULT, functionName: 'previewDeposit', args: [amount] }))),
    ...SAMPLES.map((amount) => ask(encodeFunctionData({ abi: VAULT, functionName: 'previewRedeem', args: [amount] }))),
  ];
}

/** What somebody with more shares than are asked for may redeem; nothing where it is not known how the vault keeps balances. */
export function supposedCallsOf({ address, traits }: DiscoveredPool): readonly ChainCall[] {
  if (typeof traits.sharesAt !== 'string') return [];
  const data = encodeFunctionData({ abi: VAULT, functionName: 'maxRedeem', args: [ANYBODY] });
  return [{ to: address, data, answerBytes: 32, supposing: supposedAt(address, traits.sharesAt as Hex) }];
}

/** The part of the answers that is the vault's at this place. */
export function answersOf(answers: readonly ChainAnswer[], at: number): readonly ChainAnswer[] {
  return answers.slice(CALLS * at, CALLS * (at + 1));
}

/** null where the vault does not answer as one, is paused, or has too few shares. A direction that can not be told exactly is closed. `supposed`: the answer of the holder that is supposed, absent without one. */
export function stateOf({ traits }: DiscoveredPool, answers: readonly ChainAnswer[], supposed: ChainAnswer | undefined): VaultState | null {
  const [assets = null, supply = null, paused = null, maxDeposit = null, maxBurnt = null, burnt = null, idle = null, ...worths] = answers
    .slice(0, HEAD_CALLS)
    .map(firstWord);
  if (assets === null || supply === null || supply < LEAST_SUPPLY || paused === 1n) return null;
  const previews = answers.slice(HEAD_CALLS).map(firstWord);
  // Shares over assets, as a deposit multiplies.
  const rates: readonly Ratio[] = [
    [supply + 10n ** BigInt(Number(traits.offset)), assets + 1n],
    [supply, assets],
    ...RATE_UNITS.map((unit, at): Ratio => [unit, worths[at] ?? 0n]),
  ];
  const redemptions = rates.map(([shares, worth]): Ratio => [worth, shares]);
  const deposits = maxDeposit ?? 0n;
  return {
    deposit: wayOf(previews.slice(0, SAMPLES.length), rates, () => deposits),
    redeem: wayOf(previews.slice(SAMPLES.length), redemptions, ({ rate }) =>
      mostRedeemed({ supply, burnt: burnt ?? 0n, idle: idle ?? 0n, allowed: firstWord(supposed) ?? maxBurnt ?? 0n }, rate),
    ),
  };
}

type Holdings = { readonly supply: bigint; readonly burnt: bigint; readonly idle: bigint; readonly allowed: bigint };

/**
 * The most shares that are redeemed. Each holder has a limit of its own, and ours has no shares before the swap. So: what a holder may redeem that is supposed to have more than enough, or else what burnt
 * shares may be redeemed for, and no more than the vault can pay out of what lies in it. Burnt shares are paid wherever their assets work.
 */
function mostRedeemed({ supply, burnt, idle, allowed }: Holdings, rate: Ratio): bigint {
  const paid = inputFor({ ratios: [rate, [1n, 1n]], limit: supply }, idle + 1n) - 1n;
  return smaller(allowed, smaller(supply, larger(burnt, paid)));
}

/** A direction that takes as much as the vault allows and as was asked for. */
function wayOf(previews: readonly (bigint | null)[], rates: readonly Ratio[], mostOf: (fit: Fit) => bigint): VaultWay {
  const end = previews.indexOf(null);
  const answered = previews.slice(0, end < 0 ? previews.length : end).map((out, at): Preview => ({ amountIn: SAMPLES[at] ?? 0n, amountOut: out ?? 0n }));
  const fit = fitWay(answered, rates.filter(isUsable));
  return fit === null ? CLOSED : { ratios: fit.ratios, limit: smaller(mostOf(fit), answered.at(-1)?.amountIn ?? 0n) };
}

const CLOSED: VaultWay = {
  ratios: [
    [1n, 1n],
    [1n, 1n],
  ],
  limit: 0n,
};

function isUsable(ratio: Ratio): boolean {
  return ratio.every((term) => term > 0n && term <= MAX_AMOUNT);
}

function smaller(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

/** Whatever comes behind it: a vault answers as it likes. */
export function firstWord(answer: ChainAnswer | undefined): bigint | null {
  return firstWords(answer, 1)?.[0] ?? null;
}
