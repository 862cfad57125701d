import { type Abi, type ContractFunctionName, type DecodeFunctionResultReturnType, decodeFunctionResult } from 'viem';
import type { ChainAnswer } from '../track.ts';

/** What a view said. null: it reverted, or what it said is no answer to that question. */
export function readAnswer<const Source extends Abi, Name extends ContractFunctionName<Source>>(
  abi: Source,
  functionName: Name,
  answer: ChainAnswer | undefined,
): DecodeFunctionResultReturnType<Source, Name> | null {
  if (answer === undefined || answer === null || answer === '0x') return null;
  try {
    return decodeFunctionResult({ abi, functionName, data: answer } as Parameters<typeof decodeFunctionResult>[0]) as DecodeFunctionResultReturnType<
      Source,
      Name
    >;
  } catch {
    return null;
  }
}
