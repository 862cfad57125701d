import { LIMITS } from '../config/limits.ts';
import type { Address } from '../units/units.ts';
import type { Holders } from './find-holders.ts';
import { type JudgedPools, judgePools, type PoolReading } from './judge-transfers.ts';
import type { ProbeCode } from './probe-code.ts';
import type { NodeAnswer, ProbedBlock, ProbeNode } from './probe-node.ts';
import { type ProbeRequest, probeRequests } from './probe-request.ts';
import { type ProbeReading, readProbe } from './read-probe.ts';
import { suppositionsHeld } from './suppositions.ts';

/** What came of measuring. 'no-answer': the node could not be asked, which says nothing about the token. */
export type Measured = ({ readonly kind: 'verdict' } & JudgedPools) | { readonly kind: 'no-answer'; readonly message: string };

/** Measures what transfers of tokens do, by calls of the node that are never mined. */
export type TransferMeter = {
  /** `holders`: pools with enough of the token, at least one for anything to be found. Never throws. */
  measure(token: Address, holders: Holders, block: ProbedBlock): Promise<Measured>;
};

type MeterParts = { readonly node: ProbeNode; readonly code: ProbeCode; readonly random: (bytes: number) => Uint8Array };

const UNMEASURABLE: Measured = { kind: 'verdict', verdict: { kind: 'unmeasurable' } };

export function createTransferMeter(parts: MeterParts): TransferMeter {
  const codeOf = rememberedCodes(parts.node);
  return {
    async measure(token, { pools, deepest }, block) {
      if (pools.length === 0) return UNMEASURABLE;
      const readings: PoolReading[] = [];
      for (let first = 0; first < pools.length; first += LIMITS.measuring.pools.atOnce) {
        const some = pools.slice(first, first + LIMITS.measuring.pools.atOnce);
        const outcomes = await Promise.all(some.map(async (pool) => ({ pool, outcome: await probeAt(token, pool, block, parts, codeOf) })));
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

async function probeAt(token: Address, holder: Address, block: ProbedBlock, { node, code, random }: MeterParts, codeOf: CodeOf): Promise<Outcome> {
  const found = await codeOf(holder, block);
  if (found.kind !== 'answer') return { kind: 'no-answer', message: found.message };
  const { probe, borrow } = probeRequests({ token, holder, holderCode: found.data, baseFeePerGas: block.baseFeePerGas }, code, random);
  const seen = await readingOf(probe, block, node, random);
  if (seen.kind !== 'reading' || !seen.reading.complete || seen.reading.trials.length === 0) return seen;
  const lent = await readingOf(borrow, block, node, random);
  if (lent.kind !== 'reading') return lent;
  const { complete, held, trials } = seen.reading;
  return { kind: 'reading', reading: { complete, held, trials: [...trials, ...lent.reading.trials] } };
}

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
