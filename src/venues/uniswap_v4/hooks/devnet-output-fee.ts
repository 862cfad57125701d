import { asAddress } from '../../../units/units.ts';
import type { HookModel } from '../hook-model.ts';

const TAKEN_PPM = 1000n;
const WHOLE_PPM = 1_000_000n;

/** contracts/devnet/hooks/OutputFeeHook.sol: a thousandth of what the swap did not specify, rounded down. */
export const hook: HookModel = {
  variant: 'output_fee',
  deployments: [{ chainId: 31_337, address: asAddress('0x739b98304e087d85a62b4c16675e50231d8a4044') }],
  gas: 45_000,
  takes: (_parameters, amount) => (amount * TAKEN_PPM) / WHOLE_PPM,
  approxKeeps: () => 1 - Number(TAKEN_PPM) / Number(WHOLE_PPM),
};
