import { type Hex, parseAbi } from 'viem';
import { readArtifact } from '../../contract-artifacts.ts';

/** As contracts/probe/IssuanceTrial.sol has it. */
export const TRIAL_ABI = parseAbi([
  'function tryOut(address tokenIn, address tokenOut, uint256 amountIn, bytes legData) returns (bool funded, bool served, bytes4 refusal, uint256 taken, uint256 given)',
]);

export function readTrialCode(): Hex {
  return readArtifact<{ readonly deployedBytecode: Hex }>('IssuanceTrial').deployedBytecode;
}
