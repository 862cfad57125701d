import { decodeFunctionResult, encodeFunctionData, type Hex } from 'viem';
import type { Address } from '../../units/units.ts';
import { TOKEN_ABI } from '../abi.ts';
import type { NodeRpc } from '../node-rpc.ts';

/** An account's balance at the head: of a token in base units, of positions their number. */
export async function balanceOf(rpc: NodeRpc, token: Address, account: Address): Promise<bigint> {
  const data = encodeFunctionData({ abi: TOKEN_ABI, functionName: 'balanceOf', args: [account] });
  const answer = (await rpc.request('eth_call', { to: token, data }, 'latest')) as Hex;
  return decodeFunctionResult({ abi: TOKEN_ABI, functionName: 'balanceOf', data: answer });
}
