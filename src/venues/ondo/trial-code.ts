import { readFileSync } from 'node:fs';
import { type Hex, parseAbi } from 'viem';
import { projectFile } from '../../project-file.ts';

/** As contracts/probe/IssuanceTrial.sol has it. */
export const TRIAL_ABI = parseAbi([
  'function tryOut(address tokenIn, address tokenOut, uint256 amountIn, bytes legData) returns (bool funded, bool served, bytes4 refusal, uint256 taken, uint256 given)',
]);

/** Reads the artifact in git: nothing is compiled at run time. */
export function readTrialCode(): Hex {
  const { deployedBytecode } = JSON.parse(readFileSync(projectFile('contracts/artifacts/IssuanceTrial.gen.json'), 'utf8')) as {
    readonly deployedBytecode: Hex;
  };
  return deployedBytecode;
}
