import type { EdgeCurve, WordReader, WordWriter } from '../../snapshot/snapshot.ts';
import { priceLadder } from '../ladder/price-ladder.ts';
import { type PoolSetEntry, readInteger, readUnsigned } from '../pool-set-entry.ts';
import { readAmounts } from '../scaled/token-scale.ts';
import { PoolRefused, type PoolSetStateFacet } from '../venue.ts';
import { convert, inputFor, type Ratio, type VaultWay } from './vault-way.ts';
import { VAULT_GAS } from './venue.ts';

/** Exact state of a vault. Slot 0 is the asset, slot 1 the share. The ways need not undo each other: a vault may take a fee of either, or keep a spread. */
export type VaultState = { readonly deposit: VaultWay; readonly redeem: VaultWay };

/** No token has more. A vault without a limit answers 2^256 − 1. */
export const MAX_AMOUNT = (1n << 128n) - 1n;
const AMOUNT_BITS = 128;
const LIMBS = 2;
const MILLION = 1_000_000;
const UNCHANGED: Ratio = [1n, 1n];

/** Throws PoolRefused where the state is not one of a vault, or can not be routed: for whoever builds a state from outside. */
export function validateState({ deposit, redeem }: VaultState): void {
  const terms = [...deposit.ratios, ...redeem.ratios].flat();
  if (terms.some((term) => term <= 0n || term > MAX_AMOUNT)) throw new PoolRefused('malformed', `the rates are not 1 … 2^128 − 1: ${terms}`);
  const limits = [deposit.limit, redeem.limit];
  if (limits.some((limit) => limit < 0n || limit > MAX_AMOUNT)) throw new PoolRefused('malformed', `the limits are not 0 … 2^128 − 1: ${limits}`);
  if (limits.every((limit) => limit === 0n)) throw new PoolRefused('not-routable', 'the vault takes neither deposits nor redemptions');
  if (paysForNothing(deposit, redeem)) throw new PoolRefused('malformed', 'the vault pays more for a share than it asks for one');
}

/** No vault lets somebody deposit and redeem at a profit in one state. */
function paysForNothing(deposit: VaultWay, redeem: VaultWay): boolean {
  const ratios = [...deposit.ratios, ...redeem.ratios];
  const product = (side: 0 | 1) => ratios.reduce((all, ratio) => all * ratio[side], 1n);
  return product(0) > product(1);
}

export const state: PoolSetStateFacet<VaultState> = {
  pack({ deposit, redeem }, out) {
    packWay(deposit, out);
    packWay(redeem, out);
  },
  unpack: (words) => ({ deposit: unpackWay(words), redeem: unpackWay(words) }),
  curves: ({ deposit, redeem }) => [...edge(deposit, 0, 1), ...edge(redeem, 1, 0)],
  fromPoolSet(entry, tokenCount) {
    if (tokenCount !== 2) throw new PoolRefused('malformed', `a vault has an asset and a share, not ${tokenCount} tokens`);
    const [asset, share] = readRates(entry.rates, 'rates');
    const [assetBack, shareBack] = entry.redeemRates === undefined ? [asset, share] : readRates(entry.redeemRates, 'redeemRates');
    const vault: VaultState = {
      deposit: { ratios: [readFee(entry, 'depositFeePpm'), [asset, share]], limit: readLimit(entry.maxDeposit, 'maxDeposit') },
      redeem: { ratios: [[shareBack, assetBack], readFee(entry, 'redeemFeePpm')], limit: readLimit(entry.maxRedeem, 'maxRedeem') },
    };
    validateState(vault);
    return vault;
  },
};

function packWay({ ratios: [[a, b], [c, d]], limit }: VaultWay, out: WordWriter): void {
  for (const term of [a, b, c, d, limit]) out.unsigned(term, LIMBS);
}

function unpackWay(words: WordReader): VaultWay {
  const ratio = (): Ratio => [words.unsigned(LIMBS), words.unsigned(LIMBS)];
  return { ratios: [ratio(), ratio()], limit: words.unsigned(LIMBS) };
}

function readRates(value: unknown, name: string): Ratio {
  const [asset = 0n, share = 0n] = readAmounts(value, name, 2, AMOUNT_BITS);
  return [asset, share];
}

/** What is left of assets when a fee is taken, rounded up. */
function readFee(entry: PoolSetEntry, name: 'depositFeePpm' | 'redeemFeePpm'): Ratio {
  const feePpm = entry[name] === undefined ? 0 : readInteger(entry[name], name, 0, MILLION - 1);
  return feePpm === 0 ? UNCHANGED : [BigInt(MILLION - feePpm), BigInt(MILLION)];
}

function readLimit(value: unknown, name: string): bigint {
  if (value === undefined) return MAX_AMOUNT;
  return smaller(readUnsigned(value, name, 256), MAX_AMOUNT);
}

function smaller(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

/** A ladder of one level, up to where the limit or the largest output ends it. */
function edge(way: VaultWay, slotIn: 0 | 1, slotOut: 0 | 1): readonly EdgeCurve[] {
  const most = smaller(way.limit, inputFor(way, MAX_AMOUNT + 1n) - 1n);
  if (convert(way, most) === 0n) return [];
  const [[a, b], [c, d]] = way.ratios;
  const price = (Number(a) / Number(b)) * (Number(c) / Number(d));
  return [{ slotIn, slotOut, curve: priceLadder([{ price, size: Number(most) * (1 - Number.EPSILON) }], VAULT_GAS) }];
}
