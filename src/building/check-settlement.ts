import type { Hex, PublicClient } from 'viem';
import type { Address } from '../units/units.ts';
import { type ChainNodes, nodeClient } from './node-client.ts';
import { type RouterSettings, readSettlementContracts } from './settlement-contracts.ts';
import { hasTransientStorage } from './transient-storage.ts';

/** What of the settlement contracts stands at their addresses: 'unknown' while no node answers. */
export type SettlementCheck =
  | { readonly verdict: 'ok' }
  | { readonly verdict: 'wrong'; readonly message: string }
  | { readonly verdict: 'unknown'; readonly message: string };

const NEVER = new AbortController().signal;

/**
 * Compares the code at the addresses with the artifacts in git, the Router's immutables (allowance holder, wrapped native, fee collector) included. Calldata for other code could
 * do anything, so a chain whose check has not passed builds no swaps. `legs`: those of the chain's venues (contracts/legs/), which the Router has to have; it may have more. `signal` gives the
 * check up: what is not known by then is 'unknown'.
 */
export async function checkSettlement(
  nodes: ChainNodes,
  router: Address,
  settings: RouterSettings,
  legs: readonly string[],
  signal: AbortSignal = NEVER,
): Promise<SettlementCheck> {
  return await checkCode(nodeClient(nodes, signal), router, settings, legs);
}

async function checkCode(client: PublicClient, router: Address, settings: RouterSettings, legs: readonly string[]): Promise<SettlementCheck> {
  const contracts = readSettlementContracts();
  const codes: Hex[] = [];
  for (const [name, address] of [
    ['allowance holder', settings.allowanceHolder],
    ['router', router],
  ] as const) {
    try {
      codes.push((await client.getCode({ address })) ?? '0x');
    } catch (error) {
      const message = error instanceof Error ? error.message.split('\n')[0] : String(error);
      return { verdict: 'unknown', message: `the code of the ${name} can not be read: ${message}` };
    }
  }
  const [holderCode, routerCode] = codes;
  if (holderCode !== contracts.allowanceHolder.runtimeCode) return otherCode('allowance holder', settings.allowanceHolder, holderCode);
  const deployed = contracts.routers.find((candidate) => candidate.runtimeCode(settings) === routerCode);
  if (deployed === undefined) return otherCode('router', router, routerCode);
  const missing = legs.filter((leg) => !deployed.legs.includes(leg));
  if (missing.length === 0) return checkTransientStorage(client);
  const has = `is that of the leg set ${deployed.legSet} (${deployed.legs.join(', ')})`;
  return { verdict: 'wrong', message: `the router at ${router} ${has}; venues of this chain need ${missing.join(', ')}` };
}

function otherCode(name: string, address: Address, code: Hex | undefined): SettlementCheck {
  return { verdict: 'wrong', message: `the ${name} at ${address} ${code === '0x' ? 'has no code' : 'does not carry the code of this version'}` };
}

async function checkTransientStorage(client: PublicClient): Promise<SettlementCheck> {
  const has = await hasTransientStorage(client);
  if (has === 'yes') return { verdict: 'ok' };
  if (has === 'no') return { verdict: 'wrong', message: 'the chain has no transient storage (EIP-1153), without which the settlement contracts revert' };
  return { verdict: 'unknown', message: 'the node does not run code, so whether the chain has transient storage is not known' };
}
