import { LIMITS } from '../config/limits.ts';
import { type Address, asBps, asWei, BPS_WHOLE, type Bps, type Wei } from '../units/units.ts';
import type { TradeRequest } from '../validation/validation.ts';

/** A fee that an API key carries instead of any other. 0 bps: no fee. */
export type FeePolicy = { readonly feeBps: number; readonly partner: Address; readonly partnerShareBps: number };

/** The fee that a trade pays: above 0 bps of the gross output, in the buy token. */
export type AppliedFee = { readonly feeBps: Bps; readonly partner: Address; readonly partnerShareBps: Bps };

/** Parts of a fee. They sum to the whole. */
export type SplitFee = { readonly partnerAmount: Wei; readonly protocolAmount: Wei };

/**
 * Which fee applies (decisions R12, R13): the key's policy; else with a registered key the request's fee or none; without a key the request's fee, else
 * the anonymous one, all of which goes to the protocol. null: no fee. `key` is null without a registered key.
 */
export function effectiveFee(request: TradeRequest, key: { readonly feePolicy: FeePolicy | null } | null, feeCollector: Address): AppliedFee | null {
  if (key !== null && key.feePolicy !== null) return applied(key.feePolicy);
  const { requestFee } = request;
  if (requestFee !== null && requestFee.feeBps > 0) {
    return applied({ feeBps: requestFee.feeBps, partner: requestFee.feeRecipient, partnerShareBps: LIMITS.requestFeePartnerShareBps });
  }
  return key === null ? applied({ feeBps: LIMITS.anonymousFeeBps, partner: feeCollector, partnerShareBps: 0 }) : null;
}

function applied(policy: FeePolicy): AppliedFee | null {
  const feeBps = asBps(policy.feeBps);
  return feeBps === 0 ? null : { feeBps, partner: policy.partner, partnerShareBps: asBps(policy.partnerShareBps) };
}

const WHOLE = BigInt(BPS_WHOLE);

/** The fee on a gross output, rounded down, as the contract takes it (decisions S5). */
export function feeOnGrossDown(gross: bigint, feeBps: number): bigint {
  return (gross * BigInt(feeBps)) / WHOLE;
}

/**
 * The smallest gross output g with g − floor(g · feeBps / 10000) = target, for a fee below 100%. What is left of g is ceil(g · keep / 10000), which
 * starts at 0 and grows by 0 or 1 with each g: every target is reached, first where g · keep / 10000 passes target − 1. May exceed 2^256 − 1.
 */
export function grossTarget(target: bigint, feeBps: number): bigint {
  if (feeBps < 0 || feeBps >= BPS_WHOLE) throw new RangeError(`no gross output leaves a part after a fee of ${feeBps} bps`);
  return target === 0n ? 0n : ((target - 1n) * WHOLE) / (WHOLE - BigInt(feeBps)) + 1n;
}

/** The partner's part, rounded down; the protocol gets the rest. */
export function splitFee(feeAmount: bigint, partnerShareBps: number): SplitFee {
  const partnerAmount = (feeAmount * BigInt(partnerShareBps)) / WHOLE;
  return { partnerAmount: asWei(partnerAmount), protocolAmount: asWei(feeAmount - partnerAmount) };
}
