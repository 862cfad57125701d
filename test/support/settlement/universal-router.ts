import { concatHex, encodeAbiParameters, encodeFunctionData, type Hex, keccak256, numberToHex, parseAbi, parseAbiParameters } from 'viem';
import { creationCode } from '../../../src/devnet/artifacts.ts';
import { type Address, asAddress, ZERO_ADDRESS } from '../../../src/units/units.ts';
import { type Ground, LATE } from './ground.ts';
import type { Call } from './test-chain.ts';

const PLACES = {
  router: '@uniswap/universal-router/artifacts/contracts/UniversalRouter.sol/UniversalRouter.json',
  pair: '@uniswap/v2-core/build/UniswapV2Pair.json',
  pool: '@uniswap/v3-core/artifacts/contracts/UniswapV3Pool.sol/UniswapV3Pool.json',
} as const;
const PARAMETERS = parseAbiParameters(
  '(address permit2, address weth9, address v2Factory, address v3Factory, bytes32 pairInitCodeHash, bytes32 poolInitCodeHash, address v4PoolManager, address v3NFTPositionManager, address v4PositionManager, address spokePool)',
);
const FACTORY_ABI = parseAbi(['function factory() view returns (address)']);
const ROUTER_ABI = parseAbi(['function execute(bytes commands, bytes[] inputs, uint256 deadline) payable']);
const PERMIT2_ABI = parseAbi(['function approve(address token, address spender, uint160 amount, uint48 expiration)']);

const PAIR_OF_WORDS = parseAbiParameters('address, uint256');
const TOKEN_RECIPIENT_WORD = parseAbiParameters('address, address, uint256');
const V3_SWAP = parseAbiParameters('address recipient, uint256 amountIn, uint256 amountOutMin, bytes path, bool payerIsUser');
const V2_SWAP = parseAbiParameters('address recipient, uint256 amountIn, uint256 amountOutMin, address[] path, bool payerIsUser');
const PERMIT = parseAbiParameters(
  '((address token, uint160 amount, uint48 expiration, uint48 nonce) details, address spender, uint256 sigDeadline) permitSingle, bytes signature',
);
const V4_INPUT = parseAbiParameters('bytes actions, bytes[] params');
const V4_SINGLE = parseAbiParameters(
  '((address currency0, address currency1, uint24 fee, int24 tickSpacing, address hooks) poolKey, bool zeroForOne, uint128 amountIn, uint128 amountOutMinimum, bytes hookData) swap',
);

const V4_SETTLE = parseAbiParameters('address currency, uint256 amount, bool payerIsUser');
const CHAIN_ID = 31_337;
const PERMIT_TYPES = {
  EIP712Domain: [
    { name: 'name', type: 'string' },
    { name: 'chainId', type: 'uint256' },
    { name: 'verifyingContract', type: 'address' },
  ],
  PermitSingle: [
    { name: 'details', type: 'PermitDetails' },
    { name: 'spender', type: 'address' },
    { name: 'sigDeadline', type: 'uint256' },
  ],
  PermitDetails: [
    { name: 'token', type: 'address' },
    { name: 'amount', type: 'uint160' },
    { name: 'expiration', type: 'uint48' },
    { name: 'nonce', type: 'uint48' },
  ],
};

/** In commands: the Universal Router itself. */
export const ITSELF = asAddress(`0x${'2'.padStart(40, '0')}`);
/** The amount that stands for all that the Universal Router has. */
export const ALL_IT_HAS = 2n ** 255n;
const FEE_3000 = numberToHex(3000, { size: 3 });

/** One of its commands with its input. */
export type Command = { readonly code: number; readonly input: Hex };

/** Uniswap's Universal Router as its authors compiled it, on the pools of a ground; `manager`: that of Uniswap V4. */
export async function layUniversalRouter(ground: Ground, manager: Address = ZERO_ADDRESS): Promise<Address> {
  const { chain, tokens, permit2, wrappedNative, accounts } = ground;
  const factoryOf = async (pool: Address) => asAddress((await chain.read(pool, FACTORY_ABI, 'factory')) as string);
  const parameters = {
    permit2,
    weth9: wrappedNative,
    v2Factory: await factoryOf(ground.pool('v2', tokens.a, tokens.b)),
    v3Factory: await factoryOf(ground.pool('v3', tokens.a, tokens.b)),
    pairInitCodeHash: keccak256(creationCode(PLACES.pair)),
    poolInitCodeHash: keccak256(creationCode(PLACES.pool)),
    v4PoolManager: manager,
    v3NFTPositionManager: ZERO_ADDRESS,
    v4PositionManager: ZERO_ADDRESS,
    spokePool: ZERO_ADDRESS,
  };
  return chain.deploy(accounts.deployer, concatHex([creationCode(PLACES.router), encodeAbiParameters(PARAMETERS, [parameters])]));
}

/** Permit2 lets the Universal Router take a token of an account for good, which is how its users fund it once they have signed. */
export async function allowUniversalRouter({ chain, permit2 }: Ground, account: Address, router: Address, token: Address): Promise<void> {
  await chain.write(account, permit2, PERMIT2_ABI, 'approve', [token, router, 2n ** 160n - 1n, 2 ** 48 - 1]);
}

export function execute(router: Address, commands: readonly Command[], value = 0n): Call {
  const codes = concatHex(commands.map(({ code }) => numberToHex(code, { size: 1 })));
  const data = encodeFunctionData({ abi: ROUTER_ABI, functionName: 'execute', args: [codes, commands.map(({ input }) => input), BigInt(LATE)] });
  return { to: router, data, value };
}

export type Order = {
  readonly recipient: Address;
  readonly amountIn: bigint;
  readonly floor: bigint;
  readonly path: readonly Address[];
  readonly ownFunds?: boolean;
};

/** Pools of 0.3% in a row. */
export function v3Swap({ recipient, amountIn, floor, path, ownFunds = false }: Order): Command {
  const packed = concatHex(path.flatMap((token, index) => (index === 0 ? [token] : [FEE_3000, token])));
  return { code: 0x00, input: encodeAbiParameters(V3_SWAP, [recipient, amountIn, floor, packed, !ownFunds]) };
}

export function v2Swap({ recipient, amountIn, floor, path, ownFunds = false }: Order): Command {
  return { code: 0x08, input: encodeAbiParameters(V2_SWAP, [recipient, amountIn, floor, path, !ownFunds]) };
}

/** All that it has of a token. The native token by the zero address, here and below. */
export function sweep(token: Address, recipient: Address, floor: bigint): Command {
  return { code: 0x04, input: encodeAbiParameters(TOKEN_RECIPIENT_WORD, [token, recipient, floor]) };
}

/** A part of all that it has of a token, as its fees are paid. */
export function payPortion(token: Address, recipient: Address, bps: bigint): Command {
  return { code: 0x06, input: encodeAbiParameters(TOKEN_RECIPIENT_WORD, [token, recipient, bps]) };
}

export function wrapNative(recipient: Address, amount: bigint): Command {
  return { code: 0x0b, input: encodeAbiParameters(PAIR_OF_WORDS, [recipient, amount]) };
}

export function unwrapNative(recipient: Address, floor: bigint): Command {
  return { code: 0x0c, input: encodeAbiParameters(PAIR_OF_WORDS, [recipient, floor]) };
}

/** A pool of Uniswap V4 of 0.3% without hooks: paid by the user, all of its output to the recipient. */
export function v4Swap(tokenIn: Address, tokenOut: Address, amountIn: bigint, floor: bigint, recipient: Address): Command {
  const zeroForOne = tokenIn < tokenOut;
  const [currency0, currency1] = zeroForOne ? [tokenIn, tokenOut] : [tokenOut, tokenIn];
  const poolKey = { currency0, currency1, fee: 3000, tickSpacing: 60, hooks: ZERO_ADDRESS };
  const swap = encodeAbiParameters(V4_SINGLE, [{ poolKey, zeroForOne, amountIn, amountOutMinimum: floor, hookData: '0x' }]);
  const settle = encodeAbiParameters(V4_SETTLE, [tokenIn, 0n, true]);
  const take = encodeAbiParameters(TOKEN_RECIPIENT_WORD, [tokenOut, recipient, 0n]);
  return { code: 0x10, input: encodeAbiParameters(V4_INPUT, ['0x060b0e', [swap, settle, take]]) };
}

/** A signature that lets it take `amount` of the token, in the transaction itself. */
export async function signedPermit(ground: Ground, account: Address, router: Address, token: Address, amount: bigint): Promise<Command> {
  const details = { token, amount, expiration: LATE, nonce: 0 };
  const permit = { details, spender: router, sigDeadline: BigInt(LATE) };
  const typedData = {
    domain: { name: 'Permit2', chainId: CHAIN_ID, verifyingContract: ground.permit2 },
    primaryType: 'PermitSingle',
    types: PERMIT_TYPES,
    message: { ...permit, details: { ...details, amount: amount.toString() }, sigDeadline: permit.sigDeadline.toString() },
  };
  const signature = (await ground.chain.rpc.request('eth_signTypedData_v4', account, typedData)) as Hex;
  return { code: 0x0a, input: encodeAbiParameters(PERMIT, [permit, signature]) };
}
