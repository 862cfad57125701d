import { BaseError, domainSeparator, type Hex, type PublicClient, toFunctionSelector } from 'viem';
import type { Address } from '../units/units.ts';
import { type ChainNodes, nodeClient } from './node-client.ts';

const DOMAIN_SEPARATOR = toFunctionSelector('DOMAIN_SEPARATOR()');

/** Whether Permit2 stands at its address, with the domain by which this service writes typed data; 'unknown' while no node answers. */
export async function checkPermit2(nodes: ChainNodes, permit2: Address, signal: AbortSignal): Promise<'ok' | 'absent' | 'unknown'> {
  const expected = domainSeparator({ domain: { name: 'Permit2', chainId: nodes.chainId, verifyingContract: permit2 } });
  return await check(nodeClient(nodes, signal), permit2, expected);
}

async function check(client: PublicClient, permit2: Address, expected: Hex): Promise<'ok' | 'absent' | 'unknown'> {
  try {
    // Where there is other code, the call may revert: what is there then is asked first.
    if (((await client.getCode({ address: permit2 })) ?? '0x') === '0x') return 'absent';
  } catch {
    return 'unknown';
  }
  try {
    const answer: Hex = await client.request({ method: 'eth_call', params: [{ to: permit2, data: DOMAIN_SEPARATOR }, 'latest'] });
    return answer === expected ? 'ok' : 'absent';
  } catch (error) {
    // What is absent is not looked at again: a node that failed to run the code says nothing of it.
    return error instanceof BaseError && ENDED_BY_CODE.test(error.details) ? 'absent' : 'unknown';
  }
}

/** How nodes say that it was the code that ended a call. */
const ENDED_BY_CODE = /revert|opcode|out of gas|stack|jump/i;
