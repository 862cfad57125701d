import { encodeAbiParameters, type Hex, parseAbi } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { type CompiledContract, compileSolidity } from '../../../scripts/solidity.ts';
import { type Leg, readSettlementContracts } from '../../../src/building/building.ts';
import { signQuote, type UnsignedQuote } from '../../../src/devnet/issuers/attest.ts';
import { type Address, asAddress, asBps } from '../../../src/units/units.ts';
import { type Attestation, attestationFacts } from '../../../src/venues/ondo/attestation.ts';
import { encode } from '../../../src/venues/ondo/encode.ts';
import { contractOf, type Ground, LATE, MAX, ONE } from './ground.ts';
import { mint } from './swaps.ts';

export const DESK_ABI = parseAbi([
  'function issue(address asset, address[] accounts, uint256 amount)',
  'function register(address user, bytes32 userId)',
  'function pause(bool minting, bool redeeming)',
  'function pauseAsset(address asset, bool minting, bool redeeming)',
  'function accept(address asset, bool accepted)',
  'function setSigner(address signer, bool signs)',
  'function close(bool closed)',
  'function setMinimums(uint256 deposit, uint256 redemption)',
  'function postPrice(address asset, uint256 price, uint256 deviationBps, uint256 until)',
  'function limit(bytes32 userId, address asset, bool isSet, uint256 left)',
  'function executedAttestationIds(uint256 attestationId) view returns (bool)',
]);

const KEY: Hex = `0x${'31'.repeat(32)}`;
const USER: Hex = `0x${'47'.repeat(32)}`;
const STOCK = 1_000_000n * ONE;

/** Parts of an attestation, or of what signs it, that a test says otherwise. */
export type AttestationChanges = Partial<Omit<UnsignedQuote, 'chainId' | 'side'>> & {
  readonly side?: 'buy' | 'sell';
  readonly key?: Hex;
  readonly domain?: { readonly chainId?: number; readonly verifyingContract?: Address };
};

/** The devnet's contract of an issuer, a Router with the leg that it knows, and an asset that it mints and redeems for token `a`. */
export type IssuerGround = {
  readonly ground: Ground;
  readonly desk: Address;
  readonly signer: Address;
  readonly userId: Hex;
  readonly asset: Address;
  /** Of one asset, minted for two dollars, with a number of its own where nothing else is said. */
  attest(changes?: AttestationChanges): Promise<Attestation>;
  leg(attestation: Attestation, bps?: number): Leg;
};

export async function layIssuer(plain: Ground): Promise<IssuerGround> {
  const { chain, accounts, allowanceHolder, wrappedNative, tokens } = plain;
  const code = readSettlementContracts().routerFor(['ondo', 'uniswap_v2', 'uniswap_v3', 'wrap']);
  chain.know(code.abi);
  const router = await chain.deploy(accounts.deployer, code.creationCode({ allowanceHolder, wrappedNative, feeCollector: accounts.collector }));
  const compiled = await compileSolidity('contracts/devnet/issuance');
  const signer = asAddress(privateKeyToAccount(KEY).address);
  const create = (contract: CompiledContract, args: readonly unknown[]) => chain.create(accounts.deployer, contract, args);
  const desk = await create(contractOf(compiled, 'GMDesk'), [tokens.a, signer]);
  const asset = await create(contractOf(compiled, 'IssuedAsset'), ['Asset', 'ASSET', desk]);
  const ground = { ...plain, router, tokens: { ...tokens, asset } };
  chain.know(contractOf(compiled, 'GMDesk').abi);
  await chain.write(accounts.deployer, desk, DESK_ABI, 'issue', [asset, [accounts.taker, accounts.victim], STOCK]);
  await chain.write(accounts.deployer, desk, DESK_ABI, 'register', [router, USER]);
  await mint(ground, tokens.a, desk, STOCK);
  const approve = parseAbi(['function approve(address spender, uint256 amount)']);
  await chain.write(accounts.taker, asset, approve, 'approve', [allowanceHolder, MAX]);
  let ids = 0n;
  return {
    ground,
    desk,
    signer,
    userId: USER,
    asset,
    async attest({ side = 'buy', key = KEY, domain = {}, ...changes } = {}) {
      ids++;
      const words = { userId: USER, additionalData: encodeAbiParameters([{ type: 'uint256' }], [0n]) };
      const quote = { attestationId: ids, asset, price: 2n * ONE, quantity: ONE, expiration: BigInt(LATE), ...words, ...changes };
      const typed: UnsignedQuote = { ...quote, chainId: BigInt(domain.chainId ?? 31_337), side: side === 'buy' ? 0 : 1 };
      const signed = await signQuote(key, typed, { chainId: 31_337, verifyingContract: desk, ...domain });
      return { ...quote, side, signature: `0x${Buffer.from(signed, 'base64').toString('hex')}` };
    },
    leg(attestation, bps = 10_000) {
      const mints = attestation.side === 'buy';
      const [tokenIn, tokenOut] = mints ? [tokens.a, attestation.asset] : [attestation.asset, tokens.a];
      const data = encode.legData({ tokenIn, tokenOut, legFacts: attestationFacts(attestation) } as Parameters<typeof encode.legData>[0]);
      return { leg: 'ondo', bps: asBps(bps), tokenIn, tokenOut, pool: desk, data };
    },
  };
}
