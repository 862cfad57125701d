import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem';
import { LIMITS } from '../config/limits.ts';
import { diceOf } from './dice.ts';
import type { ProbeCode } from './probe-code.ts';
import type { Simulated, SimulatedBlock } from './probe-node.ts';
import { drawOwned, NOBODY, type Paying, PROBE_ABI, type ProbeSubject, quantity } from './probe-request.ts';
import { moveOf, type Trial } from './read-probe.ts';

const ERC20 = parseAbi(['function approve(address spender, uint256 amount) returns (bool)']);
const BOUNDS = LIMITS.measuring.probe;
/** As close has parts of what was bought. */
const HALF = 1n << 15n;

/** Two blocks to come, in which an account buys and sells, and what it asks for. */
export type LaterSale = { readonly blocks: readonly SimulatedBlock[]; readonly amount: bigint };

/**
 * A purchase and an approval in the next block, and the sale in the one after it, by an account without code that sends all three transactions itself, at a pool that has its own code: what one call can not show a token. The token's part of the gas is bounded as in the others. `held`: what the pool has; `baseFeePerGas`: of the block that is measured at, null where its chain has none.
 */
export function laterSale(
  subject: ProbeSubject & { readonly baseFeePerGas: bigint | null },
  held: bigint,
  amount: bigint,
  { with: paid, lender }: Paying,
  code: ProbeCode,
  random: (bytes: number) => Uint8Array,
): LaterSale {
  const { token, holder, settlement } = subject;
  const dice = diceOf(random);
  const [taker, bank, original, operator] = [dice.address(), dice.address(), dice.address(), settlement.allowanceHolder ?? dice.address()];
  const lends = { at: lender?.at ?? NOBODY, secret: dice.word(), token: paid ?? NOBODY };
  const gas = dice.between(BOUNDS.gasOfCall.least, BOUNDS.gasOfCall.most);
  const [owned, price] = [drawOwned(dice), subject.gasPriceWei];
  const { noting, opening, approving, closing } = BOUNDS.laterSale;
  const transaction = (to: typeof token, data: `0x${string}`, most: bigint) => ({
    ...{ from: taker, to, data, gas: quantity(most), gasPrice: quantity(price) },
  });
  const opens = encodeFunctionData({ abi: PROBE_ABI, functionName: 'open', args: [token, holder, amount, gas, lends] });
  // More than is bought, and no more than there is.
  const approves = encodeFunctionData({ abi: ERC20, functionName: 'approve', args: [operator, held] });
  const closes = encodeFunctionData({ abi: PROBE_ABI, functionName: 'close', args: [token, holder, bank, dice.between(HALF, 2n * HALF), gas] });
  const notes = encodeFunctionData({ abi: PROBE_ABI, functionName: 'note', args: [token, holder] });
  // What a simulated block has none of by itself.
  const unlikeNone = () => ({
    ...{ prevRandao: dice.word(), feeRecipient: dice.address() },
    ...(subject.baseFeePerGas === null ? {} : { baseFeePerGas: quantity(subject.baseFeePerGas) }),
  });
  const overrides = {
    [taker]: { balance: quantity(owned + BOUNDS.gas * price) },
    [bank]: { code: code.probe, balance: quantity(BOUNDS.wrappedWei) },
    [operator]: { code: code.probe },
    ...(lender === null ? {} : { [original]: { code: lender.code }, [lender.at]: { code: code.puppet(lends.secret, original) } }),
  };
  return {
    amount,
    blocks: [
      {
        blockOverrides: unlikeNone(),
        stateOverrides: overrides,
        calls: [transaction(bank, notes, noting), transaction(bank, opens, opening), transaction(token, approves, approving)],
      },
      { blockOverrides: unlikeNone(), stateOverrides: {}, calls: [transaction(operator, notes, noting), transaction(operator, closes, closing)] },
    ],
  };
}

/** What came of it; null where nothing was bought since there is nothing to pay with, or nothing to tell from. */
export function readLaterSale({ amount }: LaterSale, outcomes: Simulated): Trial | null {
  const [[noted, opened, approved] = [], [notedAgain, closed] = []] = outcomes;
  if (opened === undefined || approved === undefined || closed === undefined) return null;
  // It has gas for all that a token and a pair may take of it: where it failed the node is to blame, and nothing is known.
  if (noted?.ok !== true || notedAgain?.ok !== true) return null;
  const bought = moveIn('open', opened);
  const none = { ending: 'not-tried', asked: 0n, debited: 0n, credited: 0n, lost: 0n } as const;
  if (bought?.ending === 'not-tried') return null;
  const trial = { manner: 'later', amount } as const;
  if (bought === null) return { ...trial, told: false, moves: [none, none, none, none] };
  const sold = approved.ok && (approved.data === '0x' || BigInt(approved.data) === 1n) ? moveIn('close', closed) : { ...none, ending: 'refused' as const };
  return { ...trial, told: sold !== null, moves: [bought, none, none, sold ?? none] };
}

/** null: it did not end as it always does. */
function moveIn(functionName: 'open' | 'close', { ok, data }: Simulated[number][number]) {
  if (!ok) return null;
  try {
    return moveOf(decodeFunctionResult({ abi: PROBE_ABI, functionName, data }));
  } catch {
    return null;
  }
}
