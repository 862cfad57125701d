import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { type Hex, numberToHex, type StateOverride } from 'viem';
import type { CryptoPool } from '../../../src/venues/curve_crypto/crypto-pool.ts';
import { sharedData } from '../../pool-set/shared-data.ts';

/** The pool of USDT, WBTC and WETH of July 2021, whose bytecode a recorded block has, with that of its mathematics. */
export const TRICRYPTO = '0xd51a44d3fae010294c616388b506acda1bfaae46';
/** Of its bytecode, in base units that make 18 decimals. */
export const TRICRYPTO_PRECISIONS: readonly bigint[] = [10n ** 12n, 10n ** 10n, 1n];
export const TRICRYPTO_COINS: readonly Hex[] = [
  '0xdac17f958d2ee523a2206206994597c13d831ec7',
  '0x2260fac5e5542a773aa44fbcfedf7c193bc2c599',
  '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
];
const MATHS = '0x8f68f4810cce3194b6cb6f3d50fa58c2c9bdd1d5';
const SHARE = '0xc4ad29ba4b3c580e6d59105fff484999997675ff';
/** Whom the pool asks for its view of a price. The block does not have it. */
export const TRICRYPTO_VIEWS = '0x40745803c2faa8e8402e2ae935933d07ca8f355c';
export const TRICRYPTO_SHARE = SHARE;
const SUPPLY_SLOT = 4n;
/** Where Vyper 0.2.12 keeps the list that is at the pool's 22nd place. */
const BALANCES = 0xd833147d7dc355ba459fc788f669e58cfaf9dc25ddcd0702e87d69c7b5124289n;

/** What the contracts see when their storage says this. */
export function recordedCryptoPool(tokenCode: Hex): (state: CryptoPool) => StateOverride {
  const { alloc } = JSON.parse(gunzipSync(readFileSync(sharedData('state/eth-17666333.genesis.json.gz'))).toString()) as {
    readonly alloc: Readonly<Record<string, { readonly code?: Hex }>>;
  };
  const codeOf = (address: Hex): Hex => {
    const code = alloc[address]?.code;
    if (code === undefined) throw new Error(`the block has no contract at ${address}`);
    return code;
  };
  const codes = { pool: codeOf(TRICRYPTO), maths: codeOf(MATHS), share: codeOf(SHARE) };
  return (state) => [
    { address: TRICRYPTO, code: codes.pool, stateDiff: [...storageOf(state)] },
    { address: MATHS, code: codes.maths },
    { address: SHARE, code: codes.share, stateDiff: [{ slot: word(SUPPLY_SLOT), value: word(state.shares) }] },
    ...TRICRYPTO_COINS.map((address) => ({ address, code: tokenCode })),
  ];
}

function storageOf(state: CryptoPool): readonly { readonly slot: Hex; readonly value: Hex }[] {
  const values: readonly (readonly [bigint, bigint])[] = [
    [0n, packed(state.priceScale)],
    [1n, packed(state.priceOracle)],
    [2n, packed(state.lastPrices)],
    [3n, state.lastPricesAt],
    [4n, packed([state.from.gamma, state.from.amplification])],
    [5n, packed([state.to.gamma, state.to.amplification])],
    [6n, state.rampStartsAt],
    [7n, state.rampEndsAt],
    [8n, state.allowedExtraProfit],
    [10n, state.feeGamma],
    [12n, state.adjustmentStep],
    [14n, state.averageHalfTime],
    [16n, state.midFee],
    [17n, state.outFee],
    [23n, state.invariant],
    [26n, state.profit],
    [28n, state.virtualPrice],
    [29n, state.adjusting ? 1n : 0n],
    ...state.balances.map((balance, at) => [BALANCES + BigInt(at), balance] as const),
  ];
  return values.map(([slot, value]) => ({ slot: word(slot), value: word(value) }));
}

/** The first in the low half. */
function packed([low = 0n, high = 0n]: readonly bigint[]): bigint {
  return (high << 128n) | low;
}

function word(value: bigint): Hex {
  return numberToHex(value, { size: 32 });
}
