import type { Hex } from 'viem';
import type { Address } from '../../units/units.ts';
import { nodeAccounts } from '../accounts.ts';
import type { NodeRpc } from '../node-rpc.ts';
import { type AttesterServer, startAttesterServer } from './attester-server.ts';

/** An attester that answers, as the service is told of it. */
export type RunningAttester = AttesterServer & { readonly name: string; readonly contract: Address; readonly signer: Address; readonly apiKey: string };

export const ATTESTER = { name: 'lighthouse', apiKey: 'local-attester-key' } as const;

/** Starts the server of the local chain's attester, on a free port. */
export async function runAttester(
  hook: Address,
  { rpc, chainId, host }: { readonly rpc: NodeRpc; readonly chainId: number; readonly host: string },
): Promise<RunningAttester> {
  const blockNumber = async (): Promise<number> => Number((await rpc.request('eth_blockNumber')) as Hex);
  const { name, apiKey } = ATTESTER;
  const server = await startAttesterServer({ nodes: nodeAccounts(), chainId, hook, apiKey, blockNumber }, host);
  return { ...server, name, apiKey, contract: hook, signer: hook };
}
