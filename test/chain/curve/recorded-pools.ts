import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { type Hex, numberToHex, pad, type StateOverride } from 'viem';
import type { CurveState } from '../../../src/venues/curve/curve-state.ts';
import { sharedData } from '../../pool-set/shared-data.ts';

/** A real pool whose bytecode a recorded block has. */
export type RecordedPool = {
  readonly name: string;
  readonly address: Hex;
  readonly form: CurveState['form'];
  /** What it takes for its balances: what its storage says, or what it has of its coins. */
  readonly counts: 'storage' | 'coins';
  /** Of its coins: the compiler made them constants of the bytecode. */
  readonly decimals: readonly number[];
  /** One of the contract's own units of the amplification, in ours. */
  readonly unit: bigint;
  /** What the pool's contract sees when its storage, and what its bytecode has as constants, say this. `coins` stand for its coins. */
  override(state: CurveState, coins: readonly Hex[], tokenCode: Hex): StateOverride;
};

const THREE_POOL = '0xbebc44782c7db0a1a60cb6fe97d0b483032ff1c7';
/** USDe and USDC. */
const NG_POOL = '0x02950460e2b9529d0e00284a5fa2d7bdf3fa4d72';
const NG_COINS = ['0x4c9edd5852cd905f086c759e8383e09bff1e68b3', '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'] as const;

/** Where Vyper 0.2.4 keeps what the maths read: single values by number, lists at the hash of their number. */
const PLAIN_SLOT = {
  fee: 2n,
  adminFee: 3n,
  initialA: 6n,
  futureA: 7n,
  initialATime: 8n,
  futureATime: 9n,
  coins: 0x290decd9548b62a8d60345a988386fc84ba6bc95484008f6362f93160ef3e563n,
  balances: 0xb10e2d527612073b26eecdfd717e6a320cf44b4afac2b0732d9fcbe2b7fa0cf6n,
};
/** Where Vyper 0.3.10 does: lists with their length before them. */
const NG_SLOT = {
  balances: 2n,
  fee: 10n,
  offpegFeeMultiplier: 11n,
  initialA: 12n,
  futureA: 13n,
  initialATime: 14n,
  futureATime: 15n,
  adminBalances: 17n,
};

/** Where the new generation keeps how many shares there are: after its averages. */
export const SUPPLY_SLOT = 49n;

export function recordedPools(): readonly RecordedPool[] {
  const plain = contractIn('state/eth-17666333.genesis.json.gz', THREE_POOL);
  const ng = contractIn('state/eth-19932148.genesis.json.gz', NG_POOL);
  // The averages of prices, which a swap moves on and does not trade by, are as the block left them.
  const oracle = Object.entries(ng.storage)
    .filter(([slot]) => BigInt(slot) > NG_SLOT.adminBalances + 1n)
    .map(([slot, value]) => ({ slot: pad(slot as Hex), value: pad(value) }));
  return [
    {
      name: '3pool',
      address: THREE_POOL,
      form: 'plain',
      counts: 'storage',
      decimals: [18, 6, 6],
      unit: 100n,
      override: (state, coins) => [
        {
          address: THREE_POOL,
          code: plain.code,
          stateDiff: [
            ...stored(PLAIN_SLOT, state, 100n),
            { slot: word(PLAIN_SLOT.adminFee), value: word(state.adminFee) },
            ...coins.map((coin, index) => ({ slot: word(PLAIN_SLOT.coins + BigInt(index)), value: pad(coin) })),
          ],
        },
      ],
    },
    {
      name: 'the new-generation pool of USDe and USDC',
      address: NG_POOL,
      form: 'early-ng',
      counts: 'coins',
      decimals: [18, 6],
      unit: 1n,
      override: (state, _, tokenCode) => [
        {
          address: NG_POOL,
          code: withRates(ng.code, state),
          stateDiff: [
            ...oracle,
            ...stored(NG_SLOT, state, 1n),
            { slot: word(NG_SLOT.balances - 1n), value: word(2n) },
            { slot: word(NG_SLOT.adminBalances - 1n), value: word(2n) },
            ...[0n, 1n].map((coin) => ({ slot: word(NG_SLOT.adminBalances + coin), value: word(0n) })),
            { slot: word(NG_SLOT.offpegFeeMultiplier), value: word(state.offpegFeeMultiplier) },
          ],
        },
        ...NG_COINS.map((address) => ({ address, code: tokenCode })),
      ],
    },
  ];
}

/** The pool's coins where its bytecode names them. */
export function coinsOf({ form }: RecordedPool): readonly Hex[] | null {
  return form === 'early-ng' ? NG_COINS : null;
}

type Slots = Pick<typeof PLAIN_SLOT, 'fee' | 'initialA' | 'futureA' | 'initialATime' | 'futureATime' | 'balances'>;

function stored(slots: Slots, { fee, amplification, ramp, balances }: CurveState, unit: bigint): readonly { readonly slot: Hex; readonly value: Hex }[] {
  return [
    { slot: word(slots.fee), value: word(fee) },
    { slot: word(slots.initialA), value: word((ramp?.from ?? amplification) / unit) },
    { slot: word(slots.futureA), value: word(amplification / unit) },
    { slot: word(slots.initialATime), value: word(ramp?.startsAt ?? 0n) },
    { slot: word(slots.futureATime), value: word(ramp?.endsAt ?? 0n) },
    ...balances.map((balance, index) => ({ slot: word(slots.balances + BigInt(index)), value: word(balance) })),
  ];
}

/** The list of rates is a constant of the bytecode: its length, a rate of a coin with 18 decimals, one of a coin with 6. */
function withRates(code: Hex, { scales }: CurveState): Hex {
  const list = (rates: readonly bigint[]) => [BigInt(rates.length), ...rates].map((value) => word(value).slice(2)).join('');
  const parts = code.split(list([10n ** 18n, 10n ** 30n]));
  if (parts.length !== 2) throw new Error('the bytecode has not one list of rates');
  return parts.join(list(scales.map(({ numerator, denominator }) => (numerator * 10n ** 18n) / denominator))) as Hex;
}

type Contract = { readonly code: Hex; readonly storage: Readonly<Record<string, Hex>> };

function contractIn(file: string, address: Hex): Contract {
  const { alloc } = JSON.parse(gunzipSync(readFileSync(sharedData(file))).toString()) as { readonly alloc: Readonly<Record<string, Partial<Contract>>> };
  const account = Object.entries(alloc).find(([holder]) => holder.toLowerCase() === address)?.[1];
  if (account?.code === undefined) throw new Error(`${file} has no contract at ${address}`);
  return { code: account.code, storage: account.storage ?? {} };
}

function word(value: bigint): Hex {
  return numberToHex(value, { size: 32 });
}
