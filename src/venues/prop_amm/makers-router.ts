import { encodeFunctionData, parseAbi } from 'viem';
import { type Address, asAddress } from '../../units/units.ts';
import type { ChainCall } from '../track.ts';

/** The router that makers stand behind, at the same address wherever it is. */
export const MAKERS_ROUTER = asAddress('0x4ddf368080cd7946db5b459ad591c350158175e1');

const ROUTER_ABI = parseAbi([
  'function quoteVenueV1(address venue, address tokenIn, address tokenOut, uint256 amount) returns (uint256 amountOut)',
  'function paused() view returns (bool)',
]);

/** Asks what a maker gives for an amount. The first word of the answer; it reverts where the maker gives nothing, or is no longer listed. */
export function quoteCall(maker: Address, tokenIn: Address, tokenOut: Address, amountIn: bigint): ChainCall {
  const data = encodeFunctionData({ abi: ROUTER_ABI, functionName: 'quoteVenueV1', args: [maker, tokenIn, tokenOut, amountIn] });
  return { to: MAKERS_ROUTER, data, answerBytes: 64 };
}

/** A paused router still quotes. */
export const PAUSED_CALL: ChainCall = { to: MAKERS_ROUTER, data: encodeFunctionData({ abi: ROUTER_ABI, functionName: 'paused' }), answerBytes: 32 };
