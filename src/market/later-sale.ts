import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem';
import { LIMITS } from '../config/limits.ts';
import type { Address } from '../units/units.ts';
import { diceOf } from './dice.ts';
import type { ProbeCode } from './probe-code.ts';
import type { RecentBlocks, Simulated, SimulatedBlock } from './probe-node.ts';
import { drawOwned, NOBODY, type Paying, PROBE_ABI, type ProbeSubject, quantity } from './probe-request.ts';
import { type Move, moveOf, type Trial } from './read-probe.ts';

const ERC20 = parseAbi([
  'function approve(address spender, uint256 amount) returns (bool)',
  'function transfer(address to, uint256 amount) returns (bool)',
  'function balanceOf(address account) view returns (uint256)',
]);
const BOUNDS = LIMITS.measuring.probe;
const { roundingUnits } = LIMITS.measuring;
/** Base units of which one is a millionth. */
const WHOLE = 1_000_000n;
/** As close has parts of what was bought. */
const HALF = 1n << 15n;

/** Blocks to come, in which an account buys, sells, and sends to another, what it asks for, and what it sends. */
export type LaterSale = { readonly blocks: readonly SimulatedBlock[]; readonly amount: bigint; readonly sent: bigint };

/**
 * A purchase and an approval in the next block, the sale of a part in the one after it, and a transfer of what is left to a new account in the third, by an account without code that sends all transactions itself, at a pool that has its own code: what one call can not show a token. The token's part of the gas is bounded as in the others. `held`: what the pool has; `baseFeePerGas`: of the block that is measured at, null where its chain has none.
 * The blocks are as the chain's are, by `recent`: with the same fee recipient, as long after each other, and a random number where the chain's are random. `isThrifty`: with as little gas as wallets leave.
 */
export function laterSale(
  subject: ProbeSubject & { readonly baseFeePerGas: bigint | null },
  held: bigint,
  amount: bigint,
  { with: paid, lender }: Paying,
  recent: RecentBlocks | null,
  code: ProbeCode,
  random: (bytes: number) => Uint8Array,
  isThrifty: boolean,
): LaterSale {
  const { token, holder, settlement } = subject;
  const dice = diceOf(random);
  const [taker, bank, original, fresh] = [dice.address(), dice.address(), dice.address(), dice.address()];
  const operator = settlement.allowanceHolder ?? dice.address();
  const lends = { at: lender?.at ?? NOBODY, secret: dice.word(), token: paid ?? NOBODY };
  const bounds = isThrifty ? BOUNDS.thriftyGasOfCall : BOUNDS.gasOfCall;
  const gas = dice.between(bounds.least, bounds.most);
  const [owned, price] = [drawOwned(dice), subject.gasPriceWei];
  const { noting, opening, approving, closing, reading, sending } = BOUNDS.laterSale;
  const transaction = (to: typeof token, data: `0x${string}`, most: bigint) => ({
    ...{ from: taker, to, data, gas: quantity(most), gasPrice: quantity(price) },
  });
  const opens = encodeFunctionData({ abi: PROBE_ABI, functionName: 'open', args: [token, holder, amount, gas, lends] });
  // More than is bought, and no more than there is.
  const approves = encodeFunctionData({ abi: ERC20, functionName: 'approve', args: [operator, held] });
  const closes = encodeFunctionData({ abi: PROBE_ABI, functionName: 'close', args: [token, holder, bank, dice.between(HALF, HALF + HALF / 2n), gas] });
  // Less than is left, whatever was taken on the way.
  const sent = dice.between(amount / 16n, amount / 8n);
  const sends = encodeFunctionData({ abi: ERC20, functionName: 'transfer', args: [fresh, sent] });
  const looks = (account: Address) => transaction(token, encodeFunctionData({ abi: ERC20, functionName: 'balanceOf', args: [account] }), reading);
  const notes = encodeFunctionData({ abi: PROBE_ABI, functionName: 'note', args: [token, holder] });
  // What a simulated block has none of by itself.
  const likeOthers = (blocksOn: number) => ({
    ...{ prevRandao: recent?.prevRandao ?? dice.word(), feeRecipient: recent?.feeRecipient ?? dice.address() },
    ...(recent === null ? {} : { number: quantity(BigInt(recent.number + blocksOn)), time: quantity(BigInt(recent.timestamp + blocksOn * recent.step)) }),
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
    sent,
    blocks: [
      {
        blockOverrides: likeOthers(1),
        stateOverrides: overrides,
        calls: [transaction(bank, notes, noting), transaction(bank, opens, opening), transaction(token, approves, approving)],
      },
      { blockOverrides: likeOthers(2), stateOverrides: {}, calls: [transaction(operator, notes, noting), transaction(operator, closes, closing)] },
      {
        blockOverrides: likeOthers(3),
        stateOverrides: {},
        calls: [looks(taker), looks(fresh), transaction(token, sends, sending), looks(taker), looks(fresh)],
      },
    ],
  };
}

/** What came of it; null where nothing was bought since there is nothing to pay with, or nothing to tell from. */
export function readLaterSale({ amount, sent }: LaterSale, outcomes: Simulated): Trial | null {
  const [[noted, opened, approved] = [], [notedAgain, closed] = [], last = []] = outcomes;
  if (opened === undefined || approved === undefined || closed === undefined) return null;
  // It has gas for all that a token and a pair may take of it: where it failed the node is to blame, and nothing is known.
  if (noted?.ok !== true || notedAgain?.ok !== true) return null;
  const bought = moveIn('open', opened);
  const none = { ending: 'not-tried', asked: 0n, debited: 0n, credited: 0n, lost: 0n } as const;
  if (bought?.ending === 'not-tried') return null;
  const trial = { manner: 'later', place: null, amount } as const;
  if (bought === null) return { ...trial, told: false, moves: [none, none, none, none] };
  const sold = wentThrough(approved) ? moveIn('close', closed) : { ...none, ending: 'refused' as const };
  // Who bought nothing, or can not sell, has something else to send.
  const between = bought.ending === 'moved' && sold?.ending === 'moved' ? movedBetween(sent, last) : null;
  return { ...trial, told: sold !== null, moves: [bought, between ?? none, none, sold ?? none] };
}

/** As the settlement contracts ask it. */
function wentThrough({ ok, data }: Simulated[number][number]): boolean {
  return ok && (data === '0x' || (data.length >= 66 && BigInt(data.slice(0, 66)) === 1n));
}

/** By what the token says of both accounts before and after; null: it does not say, or refuses. Tokens that sell what they collected while others send fail of their own accord there, so that is no finding: a call's transfers, which have to go, show what is shut out. */
function movedBetween(asked: bigint, [had, held, transfer, has, holds]: Simulated[number]): Move | null {
  if (had === undefined || held === undefined || transfer === undefined || has === undefined || holds === undefined) return null;
  const [before, received, after, receives] = [had, held, has, holds].map(({ ok, data }) => (ok && data.length >= 66 ? BigInt(data.slice(0, 66)) : null));
  if (typeof before !== 'bigint' || typeof received !== 'bigint' || typeof after !== 'bigint' || typeof receives !== 'bigint') return null;
  if (!wentThrough(transfer)) return null;
  const above = (one: bigint, other: bigint): bigint => (one > other ? one - other : 0n);
  const loss = larger(asked, above(before, after)) - above(receives, received);
  // Of so little a unit is more than a tax that could be told from rounding.
  if (asked < WHOLE / 2n && loss >= 0n && loss <= roundingUnits) return null;
  return { ending: 'moved', asked, debited: above(before, after), credited: above(receives, received), lost: above(received, receives) };
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

function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
