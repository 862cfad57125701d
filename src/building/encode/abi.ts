import { parseAbi } from 'viem';

/** What the service calls and reads of the settlement contracts; a test holds it against the compiled ones. */
export const ROUTER_ABI = parseAbi([
  'function swap(bytes payload) payable',
  'function swapPermit2(bytes payload)',
  'function allowanceHolder() view returns (address)',
  'function wrappedNative() view returns (address)',
  'function feeCollector() view returns (address)',
  'event Swap(bytes32 indexed tag, address indexed taker, address recipient, address sellToken, address buyToken, uint256 sellAmount, uint256 buyAmount, uint256 feeAmount)',
]);

export const ALLOWANCE_HOLDER_ABI = parseAbi(['function exec(address target, address token, uint256 amount, bytes payload)']);
