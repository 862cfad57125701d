import { erc20Abi, type Hex, parseAbi, parseSignature } from 'viem';
import { type Leg, readSettlementContracts } from '../../../src/building/building.ts';
import { type Address, asAddress, asBps } from '../../../src/units/units.ts';
import { encode } from '../../../src/venues/airswap/encode.ts';
import { orderFacts, type SignedOrder } from '../../../src/venues/airswap/signed-order.ts';
import { npmArtifact } from '../artifacts.ts';
import { type Ground, LATE, MAX, ONE } from './ground.ts';
import { mint } from './swaps.ts';

export const SWAP_ERC20 = npmArtifact('@airswap/swap-erc20/build/contracts/SwapERC20.sol/SwapERC20.json');
export const SWAP_ERC20_ABI = parseAbi([
  'function cancel(uint256[] nonces)',
  'function authorize(address signatory)',
  'function setProtocolFee(uint256 fee)',
  'function nonceUsed(address signer, uint256 nonce) view returns (bool)',
]);

/** Of what a maker gives, beside it, to AirSwap. */
const PROTOCOL_FEE_BPS = 5n;
const STOCK = 1_000_000n * ONE;

/** Parts of an order, or of what is signed over it, that a test says otherwise. */
export type OrderChanges = Partial<Omit<SignedOrder, 'v' | 'r' | 's'>> & {
  readonly signer?: Address;
  readonly senderWallet?: Address;
  readonly protocolFee?: bigint;
  readonly domain?: Readonly<Record<string, string | number>>;
};

/** SwapERC20 as AirSwap compiled it, a Router with the leg, and a maker who has all tokens and lets SwapERC20 take them. */
export type AirSwapGround = {
  readonly ground: Ground;
  readonly settlement: Address;
  readonly maker: Address;
  readonly feeWallet: Address;
  /** Signed by the node for the maker, of `b` for `a` where nothing else is said, with a nonce of its own. */
  sign(changes?: OrderChanges): Promise<SignedOrder>;
  leg(order: SignedOrder, bps?: number, settlement?: Address): Leg;
};

export async function layAirSwap(plain: Ground): Promise<AirSwapGround> {
  const { chain, accounts, allowanceHolder, wrappedNative, tokens } = plain;
  const [maker, feeWallet] = ((await chain.rpc.request('eth_accounts')) as readonly string[]).slice(7).map(asAddress);
  if (maker === undefined || feeWallet === undefined) throw new Error('too few accounts');
  const code = readSettlementContracts().routerFor(['airswap', 'uniswap_v2', 'uniswap_v3', 'wrap']);
  chain.know(code.abi);
  const router = await chain.deploy(accounts.deployer, code.creationCode({ allowanceHolder, wrappedNative, feeCollector: accounts.collector }));
  const ground = { ...plain, router };
  const settlement = await chain.create(accounts.deployer, SWAP_ERC20, [PROTOCOL_FEE_BPS, PROTOCOL_FEE_BPS, feeWallet, 10n, 10n]);
  for (const token of [tokens.a, tokens.b, tokens.c, tokens.n]) {
    await mint(ground, token, maker, STOCK);
    await chain.write(maker, token, erc20Abi, 'approve', [settlement, MAX]);
  }
  let nonces = 0n;
  return {
    ground,
    settlement,
    maker,
    feeWallet,
    async sign({ signer = maker, senderWallet = router, protocolFee = PROTOCOL_FEE_BPS, domain = {}, ...changes } = {}) {
      nonces++;
      const order = {
        nonce: nonces,
        expiry: BigInt(LATE),
        ...{ signerWallet: maker, signerToken: tokens.b, signerAmount: (98n * ONE) / 100n, senderToken: tokens.a, senderAmount: ONE },
        ...changes,
      };
      const typed = typedOrder({ ...order, protocolFee, senderWallet }, { chainId: 31_337, verifyingContract: settlement, ...domain });
      const signature = (await chain.rpc.request('eth_signTypedData_v4', signer, typed)) as Hex;
      const { r, s, v } = parseSignature(signature);
      return { ...order, r, s, v: Number(v) };
    },
    leg(order, bps = 10_000, at = settlement) {
      const { senderToken: tokenIn, signerToken: tokenOut } = order;
      const data = encode.legData({ tokenIn, tokenOut, legFacts: orderFacts(order) } as Parameters<typeof encode.legData>[0]);
      return { leg: 'airswap', bps: asBps(bps), tokenIn, tokenOut, pool: at, data };
    },
  };
}

function typedOrder(order: Readonly<Record<string, bigint | string>>, domain: Readonly<Record<string, string | number>>) {
  return {
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'version', type: 'string' },
        { name: 'chainId', type: 'uint256' },
        { name: 'verifyingContract', type: 'address' },
      ],
      OrderERC20: [
        { name: 'nonce', type: 'uint256' },
        { name: 'expiry', type: 'uint256' },
        { name: 'signerWallet', type: 'address' },
        { name: 'signerToken', type: 'address' },
        { name: 'signerAmount', type: 'uint256' },
        { name: 'protocolFee', type: 'uint256' },
        { name: 'senderWallet', type: 'address' },
        { name: 'senderToken', type: 'address' },
        { name: 'senderAmount', type: 'uint256' },
      ],
    },
    primaryType: 'OrderERC20',
    domain: { name: 'SWAP_ERC20', version: '4.3', ...domain },
    message: Object.fromEntries(Object.entries(order).map(([name, value]) => [name, String(value)])),
  };
}
