import { asAddress } from '../../../units/units.ts';
import { exactWords } from '../../abi-words.ts';
import type { HookModel } from '../hook-model.ts';

/** Selector of feesOf(bytes32): a fee for each direction, and whether they are imposed. */
const FEES_OF = '0xd71e4dcc';

/** contracts/devnet/hooks/DynamicFeeHook.sol: a fee for each direction, imposed before a swap, or the one that the manager has stored. */
export const hook: HookModel = {
  variant: 'dynamic_fee',
  deployments: [{ chainId: 31_337, address: asAddress('0xa1bcb0171c9d79f408c19a29fd3a7105085ec080') }],
  gas: 5500,
  reading: {
    calls: ({ hook: to, key }) => [{ to, data: `${FEES_OF}${key.slice(2)}`, answerBytes: 96 }],
    parameters: ([answer]) => exactWords(answer, 3),
  },
  lpFeePpm([down = 0n, up = 0n, imposed = 0n], zeroForOne) {
    if (imposed === 0n) return null;
    return Number(zeroForOne ? down : up);
  },
};
