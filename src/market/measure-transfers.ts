import { LIMITS } from '../config/limits.ts';
import type { Address } from '../units/units.ts';
import { diceOf } from './dice.ts';
import type { Holders } from './find-holders.ts';
import { drawGasPrices } from './gas-prices.ts';
import { gateOf, type JudgedPools, judgePools, least, type PoolReading, wasBought } from './judge-transfers.ts';
import { laterSale, readLaterSale } from './later-sale.ts';
import type { ProbeCode } from './probe-code.ts';
import type { NodeAnswer, ProbedBlock, ProbeNode } from './probe-node.ts';
import { type Lender, type ProbeRequest, type ProbeSubject, probeRequest, type SettlementAccounts, swapRequest } from './probe-request.ts';
import { type ProbeReading, readProbe, type Trial } from './read-probe.ts';
import { suppositionsHeld } from './suppositions.ts';

/** What came of measuring. 'no-answer': the node could not be asked, which says nothing about the token. */
export type Measured = ({ readonly kind: 'verdict' } & JudgedPools) | { readonly kind: 'no-answer'; readonly message: string };

/** Measures what transfers of tokens do, by calls of the node that are never mined. */
export type TransferMeter = {
  /** `holders`: pools with enough of the token, at least one for anything to be found. `lendersOf`: contracts that have much of another token, and do not trade this one. `reach`: ProbeSubject. Never throws, but where `lendersOf` does. */
  measure(token: Address, holders: Holders, block: ProbedBlock, lendersOf: LendersOf, reach: bigint | null): Promise<Measured>;
};

/** Contracts that have much of a token, as Holders has them. null: nobody knows what that token does, so nothing is paid with it. */
export type LendersOf = (token: Address) => Promise<readonly Address[] | null>;

type MeterParts = {
  readonly node: ProbeNode;
  readonly code: ProbeCode;
  readonly random: (bytes: number) => Uint8Array;
  readonly settlement: SettlementAccounts;
  /** Wei per gas below which the chain takes no transaction. */
  readonly minimumGasPriceWei: bigint;
};

const UNMEASURABLE: Measured = { kind: 'verdict', verdict: { kind: 'unmeasurable' } };

export function createTransferMeter(parts: MeterParts): TransferMeter {
  const codeOf = rememberedCodes(parts.node);
  return {
    async measure(token, { pools, deepest }, block, lendersOf, reach) {
      if (pools.length === 0) return UNMEASURABLE;
      const readings: PoolReading[] = [];
      for (let first = 0; first < pools.length; first += LIMITS.measuring.pools.atOnce) {
        const some = pools.slice(first, first + LIMITS.measuring.pools.atOnce);
        const outcomes = await Promise.all(
          some.map(async (pool) => ({ pool, outcome: await probeAt({ token, holder: pool, reach }, block, parts, codeOf, lendersOf) })),
        );
        for (const { pool, outcome } of outcomes) {
          if (outcome.kind === 'no-overrides') return UNMEASURABLE;
          if (outcome.kind === 'no-answer') return outcome;
          readings.push({ pool, isDeepest: pool === deepest, reading: outcome.reading });
        }
      }
      return { kind: 'verdict', ...judgePools(readings) };
    },
  };
}

type Outcome = { readonly kind: 'reading'; readonly reading: ProbeReading } | { readonly kind: 'no-overrides' } | (Measured & { readonly kind: 'no-answer' });

type Place = Pick<ProbeSubject, 'token' | 'holder' | 'reach'>;

async function probeAt(place: Place, block: ProbedBlock, parts: MeterParts, codeOf: CodeOf, lendersOf: LendersOf): Promise<Outcome> {
  const { node, code, random, settlement, minimumGasPriceWei } = parts;
  const { holder } = place;
  const found = await codeOf(holder, block);
  if (found.kind !== 'answer') return { kind: 'no-answer', message: found.message };
  const { baseFeePerGas } = block;
  const prices = drawGasPrices(baseFeePerGas, minimumGasPriceWei, diceOf(random));
  const subject = { ...place, holderCode: found.data, settlement };
  const seen = await readingOf(probeRequest({ ...subject, gasPriceWei: prices[0] }, code, random), block, node, random);
  if (seen.kind !== 'reading' || !seen.reading.complete || seen.reading.trials.length === 0) return seen;
  // What is found now is not found away by a second look.
  if (gateOf(seen.reading) !== null) return seen;
  const { held, other, trials } = seen.reading;
  const lenders = other === null ? null : await lendersOf(other);
  const lender = await lenderOf(lenders ?? [], random, (account) => codeOf(account, block));
  if (lender !== null && 'kind' in lender) return lender;
  const paying = { with: lenders === null ? null : other, lender };
  const swapped = await readingOf(swapRequest({ ...subject, gasPriceWei: prices[1] }, paying, code, random), block, node, random);
  if (swapped.kind !== 'reading') return swapped;
  const bought = swapped.reading.trials.filter(wasBought).map(({ amount }) => amount);
  const later = await laterTrials(bought, random, async (amount, isThrifty) => {
    const its = { ...subject, gasPriceWei: prices[2], baseFeePerGas };
    const sale = laterSale(its, held, amount, paying, await node.recent(block.hash), code, random, isThrifty);
    const outcomes = await node.simulate(sale.blocks, block.hash);
    return outcomes === null ? null : readLaterSale(sale, outcomes);
  });
  const again = swapped.reading.trials.filter(({ manner, told }) => told || manner !== 'borrowing');
  const others = isLockedWhenPaid(found.data) ? again.map((trial) => (trial.manner === 'borrowing' ? { ...trial, manner: 'paying' as const } : trial)) : again;
  const { complete, funded } = swapped.reading;
  return { kind: 'reading', reading: { complete, held, other, funded, trials: [...trials, ...others, ...later] } };
}

type SellLater = (amount: bigint, isThrifty: boolean) => Promise<Trial | null>;

/**
 * A sale in blocks to come of one of the sizes that could be bought a moment before; and where that can not be bought there, of the smallest of them, which no limit of the token's explains. Every second one with little gas, of which what is found counts; what fails is tried again with more.
 */
async function laterTrials(bought: readonly bigint[], random: MeterParts['random'], sell: SellLater): Promise<readonly Trial[]> {
  const amount = bought[(random(1)[0] ?? 0) % Math.max(1, bought.length)];
  if (amount === undefined) return [];
  const thrifty = (random(1)[0] ?? 0) % 2 === 0 ? await sell(amount, true) : null;
  const first = thrifty === null || fails(thrifty) ? await sell(amount, false) : thrifty;
  if (first === null) return [];
  if (!first.told || first.moves[0].ending !== 'refused') return [first];
  const second = await sell(least(bought), false);
  return second === null ? [first] : [first, second];
}

function fails({ told, moves }: Trial): boolean {
  return !told || moves.some(({ ending }) => ending === 'refused' || ending === 'unreadable');
}

/** One of them at random, so that a token does not know whose code it would have to look at. */
async function lenderOf(
  lenders: readonly Address[],
  random: MeterParts['random'],
  codeOf: (account: Address) => Promise<NodeAnswer>,
): Promise<Lender | null | (Measured & { readonly kind: 'no-answer' })> {
  const at = lenders[(random(1)[0] ?? 0) % Math.max(1, lenders.length)];
  if (at === undefined) return null;
  const found = await codeOf(at);
  return found.kind === 'answer' ? { at, code: found.data } : { kind: 'no-answer', message: found.message };
}

/** Whether a pool is of the kind of Uniswap V3, by a selector that its code looks for: it sends what is bought, and is paid in its callback. A pair is paid first: tokens that sell through their own on the way can be sold to it, though not while it lends. */
function isLockedWhenPaid(code: string): boolean {
  return code.includes(FLASH_SELECTOR);
}

/** PUSH4, and the selector of flash(address,uint256,uint256,bytes). */
const FLASH_SELECTOR = '63490e6cbc';

async function readingOf({ call, overrides }: ProbeRequest, block: ProbedBlock, node: ProbeNode, random: MeterParts['random']): Promise<Outcome> {
  const answer = await node.call(call, block.hash, overrides);
  if (answer.kind === 'unreachable') return { kind: 'no-answer', message: answer.message };
  const reading = answer.kind === 'answer' ? readProbe(answer.data) : null;
  if (reading !== null) return { kind: 'reading', reading };
  // A probe always answers, so it did not run as it should: either the node supposes nothing, of anything, or it would not do this one.
  const held = await suppositionsHeld(node, block, random);
  if (held === 'no') return { kind: 'no-overrides' };
  const message = answer.kind === 'refused' ? answer.message : 'the node did not run the probe';
  return { kind: 'no-answer', message: held === 'unknown' ? 'the node does not say whether it supposes what it is told to' : message };
}

type CodeOf = (holder: Address, block: ProbedBlock) => Promise<NodeAnswer>;

/** A pool's code hardly ever changes: it is asked for again after a while all the same, since some can. */
function rememberedCodes(node: ProbeNode): CodeOf {
  const { remembered, blocks } = LIMITS.measuring.codes;
  const known = new Map<Address, { readonly answer: NodeAnswer; readonly block: number }>();
  return async (holder, block) => {
    const before = known.get(holder);
    if (before !== undefined && block.number >= before.block && block.number - before.block < blocks) return before.answer;
    const answer = await node.code(holder, block.hash);
    if (answer.kind !== 'answer') return answer;
    known.delete(holder);
    known.set(holder, { answer, block: block.number });
    for (const [oldest] of known) {
      if (known.size <= remembered) break;
      known.delete(oldest);
    }
    return answer;
  };
}
