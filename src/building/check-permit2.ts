import { domainSeparator, type Hex, toFunctionSelector } from 'viem';
import type { Address } from '../units/units.ts';
import { nodeClient } from './node-client.ts';

const DOMAIN_SEPARATOR = toFunctionSelector('DOMAIN_SEPARATOR()');

/** Whether Permit2 stands at its address, with the domain by which this service writes typed data; 'unknown' while no node answers. */
export async function checkPermit2(rpcUrls: readonly string[], permit2: Address, chainId: number, signal: AbortSignal): Promise<'ok' | 'absent' | 'unknown'> {
  const client = nodeClient(rpcUrls, signal);
  const expected = domainSeparator({ domain: { name: 'Permit2', chainId, verifyingContract: permit2 } });
  try {
    // Where there is other code, the call may revert: what is there then is asked first.
    if (((await client.getCode({ address: permit2 })) ?? '0x') === '0x') return 'absent';
  } catch {
    return 'unknown';
  }
  const answer: Hex | null = await client.request({ method: 'eth_call', params: [{ to: permit2, data: DOMAIN_SEPARATOR }, 'latest'] }).catch(() => null);
  return answer === expected ? 'ok' : 'absent';
}
