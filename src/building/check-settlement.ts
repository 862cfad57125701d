import { createPublicClient, fallback, type Hex, http } from 'viem';
import type { Address } from '../units/units.ts';
import { type RouterSettings, readSettlementContracts } from './settlement-contracts.ts';

/** What of the settlement contracts stands at their addresses: 'unknown' while no node answers. */
export type SettlementCheck =
  | { readonly verdict: 'ok' }
  | { readonly verdict: 'wrong'; readonly message: string }
  | { readonly verdict: 'unknown'; readonly message: string };

const TIMEOUT_MS = 5000;

/**
 * Compares the code at the addresses with the artifacts in git, the Router's immutables (allowance holder, wrapped native, fee collector) included. Calldata for other code could
 * do anything, so a chain whose check has not passed builds no swaps.
 */
export async function checkSettlement(rpcUrls: readonly string[], router: Address, settings: RouterSettings): Promise<SettlementCheck> {
  const client = createPublicClient({ transport: fallback(rpcUrls.map((url) => http(url, { timeout: TIMEOUT_MS, retryCount: 0 }))) });
  const contracts = readSettlementContracts();
  const expected = [
    ['allowance holder', settings.allowanceHolder, contracts.allowanceHolder.runtimeCode],
    ['router', router, contracts.router.runtimeCode(settings)],
  ] as const;
  for (const [name, address, code] of expected) {
    let found: Hex | undefined;
    try {
      found = await client.getCode({ address });
    } catch (error) {
      return {
        verdict: 'unknown',
        message: `the code of the ${name} can not be read: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`,
      };
    }
    if (found !== code)
      return { verdict: 'wrong', message: `the ${name} at ${address} ${found === undefined ? 'has no code' : 'does not carry the code of this version'}` };
  }
  return { verdict: 'ok' };
}
