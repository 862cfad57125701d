import { encodeFunctionData, type Hex } from 'viem';
import type { Address } from '../../units/units.ts';
import { TOKEN_ABI } from '../abi.ts';
import type { NodeRpc } from '../node-rpc.ts';
import { approxTablePrice } from '../placed-pool.ts';
import type { Maker } from './answer-call.ts';
import type { MakerPair } from './levels.ts';
import { type MakerServer, startMakerServer } from './maker-server.ts';
import { type PlannedMaker, type PlannedMakers, PROTOCOL_FEE_BPS } from './plan-makers.ts';

/** A maker that answers, as the service is told of it. */
export type RunningMaker = MakerServer & { readonly name: string; readonly contract: Address; readonly signer: Address; readonly screens: boolean };

export type RunMakersParts = {
  readonly rpc: NodeRpc;
  readonly chainId: number;
  readonly host: string;
  /** Where the market wants a token's price now, over the table's. */
  readonly wanted: (token: Address) => number;
};

/** Starts a server for each maker, on a free port. */
export async function runMakers({ makers, contract }: PlannedMakers, parts: RunMakersParts): Promise<readonly RunningMaker[]> {
  return await Promise.all(
    makers.map(async (planned) => {
      const server = await startMakerServer(makerOf(planned, contract, parts), parts.host);
      return { ...server, name: planned.name, contract, signer: planned.account.address, screens: planned.screens };
    }),
  );
}

function makerOf({ name, account, spread, pairs }: PlannedMaker, contract: Address, { rpc, chainId, wanted }: RunMakersParts): Maker {
  const mid = ({ base, quote }: MakerPair): number => {
    const inBaseUnits = (approxTablePrice(base, quote) * wanted(base.address)) / wanted(quote.address);
    return inBaseUnits * 10 ** (base.decimals - quote.decimals);
  };
  const balanceOf = async (token: Address): Promise<bigint> => {
    const data = encodeFunctionData({ abi: TOKEN_ABI, functionName: 'balanceOf', args: [account.address] });
    return BigInt((await rpc.request('eth_call', { to: token, data }, 'latest')) as Hex);
  };
  return { name, wallet: account.address, key: account.privateKey, chainId, contract, protocolFee: PROTOCOL_FEE_BPS, pairs, spread, mid, balanceOf };
}
