import { seededRandom } from '../../test/support/seeded-random.ts';

export const FAULT_KINDS = [
  'block-storm',
  'reorg',
  'thread-kill',
  'node-silent',
  'node-refuses',
  'node-garbage',
  'node-limits',
  'node-slow',
  'chain-stale',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** `size`: blocks of a reorg, threads of a kill; 0 for others. */
export type PlannedFault = { readonly kind: FaultKind; readonly from: number; readonly to: number; readonly size: number };

/** Nothing fails before: what is measured first is the comparison for what comes last. */
const CALM_START = 40;
const CALM_END = 30;
/** Longer than the freshness bound of the target. */
const STALE_SECONDS = 16;

/** Faults one after the other in random order, each kind as often as the others, with calm in between. The same for the same seed. */
export function planFaults(seconds: number, seed: number): readonly PlannedFault[] {
  const random = seededRandom('faults', seed);
  const plan: PlannedFault[] = [];
  let bag: FaultKind[] = [];
  for (let from = CALM_START; ; ) {
    if (bag.length === 0) bag = [...FAULT_KINDS];
    const [kind = 'reorg'] = bag.splice(random.integer(0, bag.length - 1), 1);
    const lasts = kind === 'chain-stale' ? STALE_SECONDS : kind === 'reorg' || kind === 'thread-kill' ? 1 : random.integer(3, 7);
    const size = kind === 'reorg' ? random.pick([1, 2, 3, 7]) : kind === 'thread-kill' ? random.integer(1, 3) : 0;
    const to = from + lasts;
    if (to > seconds - CALM_END) return plan;
    plan.push({ kind, from, to, size });
    from = to + random.integer(6, 10);
  }
}
