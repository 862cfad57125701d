import type { Check, LoadClient, Scenario } from './scenario.ts';

const ordinary: LoadClient = { name: 'ordinary', share: 1, budgetsMs: [5000], maxHops: null };
/** For rates so high that what a request costs besides its solve would be all of it. */
const heavy: LoadClient = { name: 'ordinary', share: 1, budgetsMs: [5000], maxHops: 7 };
const ANSWERED_OR_SHED: Check = { kind: 'only-endings', endings: ['answered', 'shed'] };

const killed: readonly Check[] = [
  { kind: 'only-endings', endings: ['answered', 'shed', 'failed'] },
  { kind: 'failed-per-death' },
  { kind: 'refilled-p99', ms: 250 },
  { kind: 'served', client: 'ordinary', atLeast: 0.9 },
];

/** The scenarios of the operations design. Rates are in capacities, which the harness finds first. */
export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'steady',
    title: '0.7 of the capacity',
    clients: [ordinary],
    steps: [{ seconds: 60, from: 0.7, to: 0.7 }],
    faults: [],
    checks: [ANSWERED_OR_SHED, { kind: 'admitted-p99', ms: 500 }, { kind: 'failed', atMost: 0 }, { kind: 'served', client: 'ordinary', atLeast: 0.98 }],
  },
  {
    name: 'ramp',
    title: 'up to 3 capacities and back',
    clients: [ordinary],
    steps: [
      { seconds: 20, from: 0.3, to: 1 },
      { seconds: 20, from: 1, to: 3, overload: true },
      { seconds: 20, from: 3, to: 1, overload: true },
      { seconds: 20, from: 0.5, to: 0.3 },
    ],
    faults: [],
    checks: [
      ANSWERED_OR_SHED,
      { kind: 'goodput', atLeast: 0.6 },
      { kind: 'admitted-p99', ms: 1000 },
      { kind: 'refusals-p99', ms: 100 },
      { kind: 'recovered-after', seconds: 2 },
    ],
  },
  {
    name: 'burst',
    title: '10 capacities for one second',
    clients: [heavy],
    steps: [
      { seconds: 10, from: 0.5, to: 0.5 },
      { seconds: 1, from: 10, to: 10, overload: true },
      { seconds: 10, from: 0.5, to: 0.5 },
    ],
    faults: [],
    checks: [
      ANSWERED_OR_SHED,
      { kind: 'admitted-p99', ms: 1000 },
      { kind: 'refusals-p99', ms: 250 },
      { kind: 'recovered-after', seconds: 2 },
      { kind: 'shed-costs-nothing' },
    ],
  },
  {
    name: 'flood',
    title: '10 capacities for a minute',
    clients: [heavy],
    steps: [
      { seconds: 10, from: 0.5, to: 0.5 },
      { seconds: 60, from: 10, to: 10, overload: true },
      { seconds: 15, from: 0.5, to: 0.5 },
    ],
    faults: [],
    checks: [
      ANSWERED_OR_SHED,
      { kind: 'goodput', atLeast: 0.6 },
      { kind: 'admitted-p99', ms: 1000 },
      { kind: 'beyond-budget-p99', ms: 250 },
      { kind: 'refusals-p99', ms: 100 },
      { kind: 'recovered-after', seconds: 2 },
      { kind: 'shed-costs-nothing' },
      { kind: 'probes-p99', ms: 250 },
    ],
  },
  {
    name: 'hot-identity',
    title: 'one client asks for 3 capacities beside three quiet ones',
    clients: [
      { ...ordinary, name: 'hot', share: 0.91 },
      { ...ordinary, name: 'quiet-1', share: 0.03 },
      { ...ordinary, name: 'quiet-2', share: 0.03 },
      { ...ordinary, name: 'quiet-3', share: 0.03 },
    ],
    steps: [{ seconds: 30, from: 3.3, to: 3.3, overload: true }],
    faults: [],
    checks: [ANSWERED_OR_SHED, ...[1, 2, 3].map((n): Check => ({ kind: 'served', client: `quiet-${n}`, atLeast: 0.95 })), { kind: 'goodput', atLeast: 0.6 }],
  },
  {
    name: 'mixed-budgets',
    title: 'budgets of 50, 300 and 5000 ms at 1.5 capacities',
    clients: [{ ...ordinary, budgetsMs: [50, 300, 5000] }],
    steps: [{ seconds: 30, from: 1.5, to: 1.5, overload: true }],
    faults: [],
    checks: [ANSWERED_OR_SHED, { kind: 'goodput', atLeast: 0.6 }, { kind: 'beyond-budget-p99', ms: 250 }, { kind: 'refusals-p99', ms: 100 }],
  },
  {
    name: 'cheap-beside-heavy',
    title: 'of 3 capacities 80% may take 5 s and 7 hops, 20% have 50 ms and one hop',
    clients: [
      { name: 'heavy', share: 0.8, budgetsMs: [5000], maxHops: 7 },
      { name: 'cheap', share: 0.2, budgetsMs: [50], maxHops: 1 },
    ],
    steps: [{ seconds: 30, from: 3, to: 3, overload: true }],
    faults: [],
    checks: [ANSWERED_OR_SHED, { kind: 'served', client: 'cheap', atLeast: 0.5 }],
  },
  {
    name: 'block-storm',
    title: 'half a capacity while blocks come ten times a second, full of trades',
    clients: [ordinary],
    steps: [{ seconds: 40, from: 0.5, to: 0.5 }],
    faults: [{ kind: 'block-storm', atSecond: 10, seconds: 20 }],
    checks: [ANSWERED_OR_SHED, { kind: 'admitted-p99', ms: 1000 }, { kind: 'failed', atMost: 0 }],
  },
  {
    name: 'thread-kills',
    title: 'half a capacity while 100 threads are killed, one every two seconds',
    clients: [ordinary],
    steps: [{ seconds: 210, from: 0.5, to: 0.5 }],
    faults: [{ kind: 'kill-thread', atSecond: 5, everySeconds: 2, count: 100 }],
    checks: killed,
  },
  {
    name: 'thread-storm',
    title: 'half a capacity while 100 threads are killed within a minute',
    clients: [ordinary],
    steps: [{ seconds: 70, from: 0.5, to: 0.5 }],
    faults: [{ kind: 'kill-thread', atSecond: 5, everySeconds: 0.6, count: 100 }],
    checks: killed,
  },
  {
    name: 'poison',
    title: 'ten requests a second that kill their thread, for five seconds, beside half a capacity',
    clients: [
      { name: 'neighbour', share: 1, budgetsMs: [5000], maxHops: null },
      { name: 'poisoner', share: 0, perSecond: 10, budgetsMs: [5000], maxHops: null, poison: 'exit' },
    ],
    steps: [{ seconds: 5, from: 0.5, to: 0.5 }],
    faults: [],
    checks: [{ kind: 'served', client: 'neighbour', atLeast: 0.99 }],
  },
  {
    name: 'full-heaps',
    title: 'half a capacity beside requests that fill the heap of their thread',
    clients: [
      { name: 'neighbour', share: 1, budgetsMs: [5000], maxHops: null },
      { name: 'filler', share: 0, perSecond: 5, within: [15, 16], budgetsMs: [5000], maxHops: null, poison: 'full-heap' },
    ],
    steps: [{ seconds: 40, from: 0.5, to: 0.5 }],
    faults: [],
    checks: [
      { kind: 'only-endings', endings: ['answered', 'shed', 'failed'] },
      { kind: 'served', client: 'neighbour', atLeast: 0.8 },
      { kind: 'memory-back', share: 0.1, seconds: 5 },
    ],
  },
  {
    name: 'hang-ups',
    title: '500 clients within a second that hang up 20 ms after they asked, beside a tenth of a capacity',
    clients: [
      { ...heavy, name: 'patient' },
      { ...heavy, name: 'impatient', share: 0, perSecond: 500, within: [4, 5], hangsUpAfterMs: 20 },
    ],
    steps: [{ seconds: 12, from: 0.1, to: 0.1 }],
    faults: [],
    checks: [
      { kind: 'only-endings', endings: ['answered', 'shed', 'left'] },
      { kind: 'queue-empty', ms: 1000 },
      { kind: 'served', client: 'patient', atLeast: 0.9 },
    ],
  },
  {
    name: 'node-stall',
    title: 'half a capacity while the node answers nothing for ten seconds',
    clients: [ordinary],
    steps: [{ seconds: 40, from: 0.5, to: 0.5 }],
    faults: [{ kind: 'node-stall', atSecond: 10, seconds: 10 }],
    checks: [
      { kind: 'only-endings', endings: ['answered', 'shed', 'stale'] },
      { kind: 'admitted-p99', ms: 1000 },
      { kind: 'failed', atMost: 0 },
      { kind: 'served', client: 'ordinary', atLeast: 0.95 },
    ],
  },
];
