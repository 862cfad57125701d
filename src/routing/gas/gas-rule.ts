import type { BlockRef } from '../../snapshot/snapshot.ts';
import type { GasMode, SolveJob } from '../plan.ts';
import { NO_TOLLS, type Tolls } from './tolls.ts';

/** How gas counts while choosing (decisions S9). */
export type GasRule = { readonly mode: GasMode; readonly gasPriceWei: bigint | null; readonly perGas: number };

/** Gas units of a plan beside its venue hops, as measured on the devnet (decision 100): a transaction and the Router with the payment of what was bought; the allowance holder; a change of the native token's form. Unwrapped native token is paid with less gas than a token. */
export const ROUTER_GAS = 55_000;
export const ALLOWANCE_HOLDER_GAS = 13_000;
export const WRAP_GAS = 13_000;
export const UNWRAP_GAS = 8_000;

/** What an extra hop or split has to win where gas can not be valued. */
const GUARDRAIL_SHARE = 2e-4;

/** The gas price: the request's own, else the head's base fee but at least the chain's minimum; null where neither is known. */
export function gasPriceOf(job: SolveJob, block: BlockRef, minimumWei: bigint): bigint | null {
  if (job.gasPriceWei !== null) return job.gasPriceWei;
  if (block.baseFeePerGas === null) return null;
  return block.baseFeePerGas > minimumWei ? block.baseFeePerGas : minimumWei;
}

/** `rate`: base units of the token that worth is measured in for a wei (the buy token for sell, the sell token for buy); null where gas can not be expressed in it. */
export function gasRule(gasPriceWei: bigint | null, rate: number | null): GasRule {
  if (gasPriceWei === null) return { mode: 'blind', gasPriceWei, perGas: 0 };
  const perGas = rate === null ? Number.NaN : Number(gasPriceWei) * rate;
  if (!(perGas >= 0 && perGas < Infinity)) return { mode: 'guardrail', gasPriceWei, perGas: 0 };
  return { mode: 'prune', gasPriceWei, perGas };
}

/** Tolls by the rule; `reference` is the amount of the best route without splits, in base units of the measuring token. */
export function tollsOf(rule: GasRule, reference: number): Tolls {
  switch (rule.mode) {
    case 'blind':
      return NO_TOLLS;
    case 'guardrail':
      return { perGas: 0, perHop: GUARDRAIL_SHARE * reference };
    case 'prune':
      return { perGas: rule.perGas, perHop: 0 };
    default:
      return unknownMode(rule.mode);
  }
}

/** The same toll on exact numbers, in whole base units. */
export function exactToll(tolls: Tolls, gas: number, hops: number): bigint {
  const toll = tolls.perGas * gas + tolls.perHop * hops;
  return BigInt(Math.ceil(Math.min(toll, Number.MAX_VALUE)));
}

function unknownMode(mode: never): never {
  throw new TypeError(`no gas mode ${String(mode)}`);
}
