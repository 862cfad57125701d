import { concatHex, encodeAbiParameters, type Hex, keccak256, numberToHex, parseAbi } from 'viem';
import type { DevnetPool } from '../../../src/devnet/devnet.ts';
import { type Address, NATIVE_TOKEN, ZERO_ADDRESS } from '../../../src/units/units.ts';
import type { VenueOracle } from '../venue-oracle.ts';

const QUOTER = parseAbi([
  'struct Key { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }',
  'struct Single { Key poolKey; bool zeroForOne; uint128 exactAmount; bytes hookData; }',
  'function quoteExactInputSingle(Single params) returns (uint256 amountOut, uint256 gasEstimate)',
]);
const FEES = [100, 500, 2500, 3000, 0x800000];
const SPACINGS = [1, 10, 50, 60];
/** Where hooks of the devnet are, written down once more: their addresses follow from mined salts alone. */
const HOOKS = [
  ZERO_ADDRESS,
  '0xa1bcb0171c9d79f408c19a29fd3a7105085ec080',
  '0x739b98304e087d85a62b4c16675e50231d8a4044',
  '0x808e223d9602e3d65d5f63bd464d103e16e24800',
  '0x6c4c42070287b7165ad69b05c1c6ffd0f4e940c4',
] as readonly Address[];

export type OracleKey = {
  readonly currency0: Address;
  readonly currency1: Address;
  readonly fee: number;
  readonly tickSpacing: number;
  readonly hooks: Address;
};

const known = new Map<string, OracleKey>();

/** The key of a pool by its id, which is the hash of it: found by trying what the devnet has. */
export function keyOfPool({ key: id, tokens }: DevnetPool): OracleKey {
  const found = known.get(id);
  if (found !== undefined) return found;
  const [currency0, currency1] = tokens.map(currencyOf).sort() as [Address, Address];
  for (const fee of FEES) {
    for (const tickSpacing of SPACINGS) {
      for (const hooks of HOOKS) {
        const candidate = { currency0, currency1, fee, tickSpacing, hooks };
        if (hashOf(candidate) !== id) continue;
        known.set(id, candidate);
        return candidate;
      }
    }
  }
  throw new Error(`no pool of Uniswap V4 with these tokens has the id ${id}`);
}

function hashOf({ currency0, currency1, fee, tickSpacing, hooks }: OracleKey): Hex {
  const types = ['address', 'address', 'uint24', 'int24', 'address'].map((type) => ({ type }));
  return keccak256(encodeAbiParameters(types, [currency0, currency1, fee, tickSpacing, hooks]));
}

function currencyOf(token: Address): Address {
  return token === NATIVE_TOKEN ? ZERO_ADDRESS : token;
}

export const venueOracle: VenueOracle = {
  families: ['uniswap_v4'],
  // The quoter reverts where the pool would take a part.
  async exactIn(read, devnet, { pool, tokenIn }, amountIn) {
    const poolKey = keyOfPool(pool);
    const params = { poolKey, zeroForOne: currencyOf(tokenIn) === poolKey.currency0, exactAmount: amountIn, hookData: '0x' };
    const answer = (await read(devnet.contract('v4Quoter'), QUOTER, 'quoteExactInputSingle', [params])) as readonly [bigint, bigint];
    return answer[0];
  },
  leg({ pool }) {
    const { fee, tickSpacing, hooks } = keyOfPool(pool);
    return { leg: 'uniswap_v4', data: concatHex([numberToHex(fee, { size: 3 }), numberToHex(tickSpacing, { size: 3 }), hooks]) };
  },
};
