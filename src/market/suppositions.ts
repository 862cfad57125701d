import { LIMITS } from '../config/limits.ts';
import { asAddress } from '../units/units.ts';
import type { ProbedBlock, ProbeNode } from './probe-node.ts';

/** PUSH1 42, PUSH1 0, MSTORE, PUSH1 32, PUSH1 0, RETURN: answers 42 whatever it is asked. */
const SAYS_42 = '0x602a60005260206000f3';
const FORTY_TWO = `0x${(42).toString(16).padStart(64, '0')}`;

/**
 * Whether a node answers eth_call as if an account had the code that it is told to suppose, in a call of that account with as much gas as a probe has. 'no': it refuses, or answers by
 * the chain as it is; 'unknown': it could not be asked.
 */
export async function suppositionsHeld(node: ProbeNode, block: ProbedBlock, random: (bytes: number) => Uint8Array): Promise<'yes' | 'no' | 'unknown'> {
  const account = asAddress(`0x${Buffer.from(random(20)).toString('hex')}`);
  const call = { from: account, to: account, data: '0x', gas: `0x${LIMITS.measuring.probe.gas.toString(16)}` } as const;
  const answer = await node.call(call, block.hash, { [account]: { code: SAYS_42 } });
  if (answer.kind === 'unreachable') return 'unknown';
  return answer.kind === 'answer' && answer.data === FORTY_TWO ? 'yes' : 'no';
}
