import type { EdgeCurve } from '../../snapshot/snapshot.ts';
import { priceLadder } from '../ladder/price-ladder.ts';
import { readUnsigned } from '../pool-set-entry.ts';
import { readAmounts } from '../scaled/token-scale.ts';
import { PoolRefused, type PoolSetStateFacet } from '../venue.ts';
import { VAULT_GAS } from './venue.ts';

/**
 * Exact state of a vault. Slot 0 is the asset, slot 1 the share. `rates` say what one base unit of each is worth in a unit that both share: an input of one
 * slot gives input · rate of its slot / rate of the other. `limits` are the most that the vault takes, base units: assets to deposit, shares to redeem.
 */
export type VaultState = { readonly rates: Pair; readonly limits: Pair };
type Pair = readonly [asset: bigint, share: bigint];

/** No token has more. A vault without a limit answers 2^256 − 1. */
export const MAX_AMOUNT = (1n << 128n) - 1n;
const AMOUNT_BITS = 128;
const LIMBS = 2;

/** Throws PoolRefused where the state is not one of a vault, or can not be routed: for whoever builds a state from outside. */
export function validateState({ rates, limits }: VaultState): void {
  if (rates.some((rate) => rate <= 0n || rate > MAX_AMOUNT)) throw new PoolRefused('malformed', `the rates are not 1 … 2^128 − 1: ${rates}`);
  if (limits.some((limit) => limit < 0n || limit > MAX_AMOUNT)) throw new PoolRefused('malformed', `the limits are not 0 … 2^128 − 1: ${limits}`);
  if (limits.every((limit) => limit === 0n)) throw new PoolRefused('not-routable', 'the vault takes neither deposits nor redemptions');
}

export const state: PoolSetStateFacet<VaultState> = {
  pack({ rates, limits }, out) {
    for (const amount of [...rates, ...limits]) out.unsigned(amount, LIMBS);
  },
  unpack(words) {
    return { rates: [words.unsigned(LIMBS), words.unsigned(LIMBS)], limits: [words.unsigned(LIMBS), words.unsigned(LIMBS)] };
  },
  curves(vault) {
    return [...edge(vault, 0, 1), ...edge(vault, 1, 0)];
  },
  fromPoolSet(entry, tokenCount) {
    if (tokenCount !== 2) throw new PoolRefused('malformed', `a vault has an asset and a share, not ${tokenCount} tokens`);
    const [asset = 0n, share = 0n] = readAmounts(entry.rates, 'rates', tokenCount, AMOUNT_BITS);
    const vault: VaultState = { rates: [asset, share], limits: [readLimit(entry.maxDeposit, 'maxDeposit'), readLimit(entry.maxRedeem, 'maxRedeem')] };
    validateState(vault);
    return vault;
  },
};

function readLimit(value: unknown, name: string): bigint {
  if (value === undefined) return MAX_AMOUNT;
  const limit = readUnsigned(value, name, 256);
  return limit < MAX_AMOUNT ? limit : MAX_AMOUNT;
}

/** A ladder of one level, up to where the limit or the largest output ends it. */
function edge({ rates, limits }: VaultState, slotIn: 0 | 1, slotOut: 0 | 1): readonly EdgeCurve[] {
  const largest = (MAX_AMOUNT * rates[slotOut]) / rates[slotIn];
  const most = largest < limits[slotIn] ? largest : limits[slotIn];
  if (most === 0n) return [];
  const size = Number(most) * (1 - Number.EPSILON);
  return [{ slotIn, slotOut, curve: priceLadder([{ price: Number(rates[slotIn]) / Number(rates[slotOut]), size }], VAULT_GAS) }];
}
