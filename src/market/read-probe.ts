import { decodeFunctionResult } from 'viem';
import { LIMITS } from '../config/limits.ts';
import { type Address, asAddress } from '../units/units.ts';
import { PROBE_ABI } from './probe-request.ts';

type Hex = `0x${string}`;

/** How a movement of a token ended, in the order of contracts/probe/Moves.sol. */
const ENDINGS = ['not-tried', 'moved', 'refused', 'unreadable'] as const;
/** Who traded, and how, in the order of contracts/probe/Trials.sol. */
const MANNERS = ['direct', 'round', 'as-sender', 'thrifty', 'as-contract', 'borrowing', 'swapping'] as const;

/** One movement, in base units, by differences of balances. */
export type Move = {
  readonly ending: (typeof ENDINGS)[number];
  readonly asked: bigint;
  /** What the sender has less. */
  readonly debited: bigint;
  /** What the receiver has more. */
  readonly credited: bigint;
  /** What the receiver has less instead. */
  readonly lost: bigint;
};

/** A trader's way from the pool back to it: bought, sent to a new account, sent back, sold. What a manner leaves out is not tried. */
export type Trial = {
  /** 'paying': as 'borrowing', of a pool that is locked also when it is paid for a swap. 'later': by true swaps too, the sale in a later block than the purchase, by an account that sends the transactions itself. */
  readonly manner: (typeof MANNERS)[number] | 'paying' | 'later';
  readonly told: boolean;
  /** Of its size among those that were to be tried, from small to large; null in blocks to come. */
  readonly place: number | null;
  readonly amount: bigint;
  readonly moves: readonly [Move, Move, Move, Move];
};

/** What a probe saw at one pool. */
export type ProbeReading = {
  /** Whether all that should be tried was: the token did not spend the gas of it all, and says what the pool has. */
  readonly complete: boolean;
  /** What the pool has. */
  readonly held: bigint;
  /** What the token is traded against there, where the pool swaps as a pair or a V3 pool does. */
  readonly other: Address | null;
  /** Whether true swaps could be paid for. */
  readonly funded: boolean;
  /** Those that were begun: none where the pool has too little. */
  readonly trials: readonly Trial[];
};

/** keccak256("braid transfer probe 3"). */
const MARK = '0xec62944e9800631d4cacc336207702d74987ac8741070c35bc97023ece862663';

/** null: not the answer of a probe, or of one that got less gas than it was to have, so the node did not do what it was asked. */
export function readProbe(data: Hex): ProbeReading | null {
  if (!data.startsWith(MARK)) return null;
  try {
    const [, gasGiven, complete, held, trials, other, funded] = decodeFunctionResult({ abi: PROBE_ABI, functionName: 'probe', data });
    // The transaction's own gas is paid before the probe looks, some 21,000 and its data.
    if (gasGiven < LIMITS.measuring.probe.gas - 2_000_000n) return null;
    return { complete, held, other: BigInt(other) === 0n ? null : asAddress(other), funded, trials: trials.filter(({ amount }) => amount > 0n).map(trialOf) };
  } catch {
    return null;
  }
}

type RawTrial = ReturnType<typeof decodeFunctionResult<typeof PROBE_ABI, 'probe'>>[4][number];

function trialOf({ manner, place, told, amount, moves }: RawTrial): Trial {
  const [bought, sent, back, sold] = moves.map(moveOf);
  if (bought === undefined || sent === undefined || back === undefined || sold === undefined) throw new RangeError('a trial has four moves');
  return { manner: MANNERS[manner] ?? 'direct', told, place, amount, moves: [bought, sent, back, sold] };
}

export function moveOf(move: RawTrial['moves'][number]): Move {
  return { ...move, ending: ENDINGS[Number(move.ending)] ?? 'unreadable' };
}
