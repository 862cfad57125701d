import { createPublicClient, decodeFunctionResult, encodeFunctionData, http } from 'viem';
import { foundry } from 'viem/chains';
import type { Devnet } from '../../src/devnet/devnet.ts';
import { asAddress } from '../../src/units/units.ts';
import { type ReadChain, venueOracle } from '../support/venue-oracle.ts';
import type { PriceHop } from './replay.ts';

/** Prices hops at one block through the venues' own contracts: the oracle of every quote. */
export function chainPrices(devnet: Devnet, blockNumber: number): PriceHop {
  const client = createPublicClient({ chain: foundry, transport: http(devnet.rpcUrl, { batch: false }) });
  const read: ReadChain = async (to, abi, functionName, args) => {
    const { data } = await client.call({ to, data: encodeFunctionData({ abi, functionName, args }), blockNumber: BigInt(blockNumber) });
    return decodeFunctionResult({ abi, functionName, data: data ?? '0x' });
  };
  return async (hop, amountIn) => {
    const [tokenIn, tokenOut] = [asAddress(hop.tokenIn.toLowerCase()), asAddress(hop.tokenOut.toLowerCase())];
    const oracle = await venueOracle(hop.protocol);
    // What is listed names of a singleton's pools the singleton alone: there it may be any of them that trade these tokens.
    const pools = devnet.pools.filter(
      ({ family, address, tokens }) =>
        family === hop.protocol && address === hop.poolAddress.toLowerCase() && tokens.includes(tokenIn) && tokens.includes(tokenOut),
    );
    if (pools.length === 0) throw new Error(`no pool of ${hop.protocol} on the devnet at ${hop.poolAddress}`);
    const asked = await Promise.allSettled(pools.map((pool) => oracle.exactIn(read, devnet, { pool, tokenIn, tokenOut }, amountIn)));
    // Others of a singleton may refuse what is too much for them; the one that serves may not.
    const prices = asked.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    const price = prices.find((amount) => amount === BigInt(hop.amountOut)) ?? prices[0];
    if (price === undefined) throw new Error(`no pool of ${hop.protocol} takes ${amountIn}`, { cause: asked });
    return price;
  };
}
