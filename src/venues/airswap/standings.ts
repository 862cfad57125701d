import { encodeFunctionData, numberToHex } from 'viem';
import { type Address, asAddress } from '../../units/units.ts';
import type { FirmUpChain } from '../firm-up.ts';
import type { ChainAnswer, ChainCall } from '../track.ts';
import { SWAP_ERC20_ABI } from './typed-order.ts';

/** What a contract takes of each order, basis points, and who signs for a maker. */
export type Standing = { readonly protocolFee: bigint; readonly signatory: Address };

type Known = { readonly block: number; readonly standing: Standing };

/**
 * What contracts say of their makers, asked once in a block: another order of that block waits for nothing. A contract that says another thing by the time of an order finds its signature wrong itself, and so does one of another
 * branch of the chain. As many as the configuration names makers.
 */
export class Standings {
  readonly #known = new Map<string, Known>();

  /** null: the contract did not say. */
  of(maker: Address, contract: Address, chain: FirmUpChain, signal: AbortSignal): Standing | Promise<Standing | null> {
    const block = chain.blockNumber();
    const name = `${maker} ${contract}`;
    const known = this.#known.get(name);
    if (known !== undefined && known.block === block) return known.standing;
    return this.#ask(name, block, [feeCall(contract), authorizedCall(maker, contract)], maker, chain, signal);
  }

  async #ask(
    name: string,
    block: number | null,
    calls: readonly ChainCall[],
    maker: Address,
    chain: FirmUpChain,
    signal: AbortSignal,
  ): Promise<Standing | null> {
    const answers = await chain.read(calls, signal);
    const [protocolFee, authorized] = [wordOf(answers?.[0]), wordOf(answers?.[1])];
    if (protocolFee === null || authorized === null) return null;
    const standing = { protocolFee, signatory: authorized === 0n ? maker : asAddress(numberToHex(authorized, { size: 20 })) };
    if (block !== null) this.#known.set(name, { block, standing });
    return standing;
  }
}

function feeCall(to: Address): ChainCall {
  return { to, data: encodeFunctionData({ abi: SWAP_ERC20_ABI, functionName: 'protocolFee' }) };
}

function authorizedCall(maker: Address, to: Address): ChainCall {
  return { to, data: encodeFunctionData({ abi: SWAP_ERC20_ABI, functionName: 'authorized', args: [maker] }) };
}

function wordOf(answer: ChainAnswer | undefined): bigint | null {
  return answer === null || answer === undefined || answer.length !== 66 ? null : BigInt(answer);
}
