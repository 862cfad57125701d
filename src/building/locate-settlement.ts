import type { Address } from '../units/units.ts';
import { deterministicAddress } from './deterministic-address.ts';
import { type RouterSettings, readSettlementContracts } from './settlement-contracts.ts';

/** Where the settlement contracts of a chain are. */
export type LocatedSettlement = { readonly router: Address; readonly allowanceHolder: Address };

/**
 * The addresses that a configuration names, and for those that it leaves out the ones to which `npm run deploy` deploys. The allowance holder's follows from its code alone: it is one on every chain. The
 * Router's follows from its settings and from the set of legs that these venues need.
 */
export function locateSettlement(
  configured: { readonly router: Address | null; readonly allowanceHolder: Address | null },
  settings: Omit<RouterSettings, 'allowanceHolder'>,
  legs: readonly string[],
): LocatedSettlement {
  const contracts = readSettlementContracts();
  const allowanceHolder = configured.allowanceHolder ?? deterministicAddress(contracts.allowanceHolder.creationCode);
  const router = configured.router ?? deterministicAddress(contracts.routerFor(legs).creationCode({ ...settings, allowanceHolder }));
  return { router, allowanceHolder };
}
