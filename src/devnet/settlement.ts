import { getContractAddress } from 'viem';
import { readSettlementContracts } from '../building/building.ts';
import { type Address, asAddress } from '../units/units.ts';
import { deriveAccounts, type HouseAccounts } from './accounts.ts';
import { DevnetError } from './devnet-error.ts';
import type { TransactionScript } from './transaction-script.ts';

/** Where our settlement contracts are on the local chain, and what the Router was built with. */
export type DevnetSettlement = { readonly allowanceHolder: Address; readonly router: Address; readonly wrappedNative: Address; readonly feeCollector: Address };

/** The deployer's first transactions: so the addresses follow from its key alone, whatever the rest of the chain looks like. */
const NONCES = { allowanceHolder: 0n, router: 1n, wrappedNative: 2n } as const;

/** Where they will be. Pool sets use these addresses where the catalogue knows none (design: three ways to get state). */
export function devnetSettlement(house: HouseAccounts = deriveAccounts().house): DevnetSettlement {
  const at = (nonce: bigint) => asAddress(getContractAddress({ from: house.deployer, nonce }));
  return {
    allowanceHolder: at(NONCES.allowanceHolder),
    router: at(NONCES.router),
    wrappedNative: at(NONCES.wrappedNative),
    feeCollector: house.feeCollector,
  };
}

/** Deploys both, the Router with these legs. Must be the first of the script; the wrapped native token has to be the next. */
export function deploySettlement(script: TransactionScript, house: HouseAccounts, legs: readonly string[]): DevnetSettlement {
  const expected = devnetSettlement(house);
  const contracts = readSettlementContracts();
  const allowanceHolder = script.deploy('AllowanceHolder', contracts.allowanceHolder.creationCode);
  const router = script.deploy('Router', contracts.routerFor(legs).creationCode(expected));
  if (allowanceHolder !== expected.allowanceHolder || router !== expected.router)
    throw new DevnetError('the settlement contracts are not the first on the chain');
  return expected;
}
