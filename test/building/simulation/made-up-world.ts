import { expect } from 'chai';
import type { SwapBuild } from '../../../src/building/building.ts';
import type { CertifyJob, Plan, PlanHop, SolveJob } from '../../../src/routing/routing.ts';
import { asWei, NATIVE_TOKEN } from '../../../src/units/units.ts';
import type { Decimal } from '../../../src/validation/validation.ts';
import type { FirmHopBy, FirmHops, HopToFirm } from '../../../src/venues/venues.ts';
import type { SeededRandom } from '../../support/seeded-random.ts';
import { BOUGHT, drawRoute, executed, isSigning, type MadeUpHop, type Rates, SIGNING, type Signing, SOLD } from './made-up-route.ts';
import { answerOf, type Behaviour, type Call, expiryOf, FAULTS } from './made-up-signer.ts';
import type { VirtualTime } from './virtual-time.ts';

/** What the build asked of the solver, in order. */
export type Asked =
  | { readonly kind: 'solve'; readonly startedAt: number; readonly onChain: boolean; readonly round: number; endedAt: number; hops: readonly PlanHop[] }
  /** `signed`: hops that somebody signed, attested ones among them. `stale`: a block came since the plan was found, and nothing but that can leave it under what it delivers. */
  | {
      readonly kind: 'certify';
      readonly startedAt: number;
      readonly round: number;
      readonly signed: number;
      endedAt: number;
      stale: boolean;
      isWithdrawn: boolean;
    };

export type World = ReturnType<typeof drawWorld>;

const E24 = 10n ** 24n;
const [TAKER, ROUTER, HOLDER] = [`0x${'aa'.repeat(20)}`, `0x${'bb'.repeat(20)}`, `0x${'cc'.repeat(20)}`];
const SLIPPAGES: readonly [Decimal, ...Decimal[]] = [
  { numerator: 1n, scale: 2 },
  { numerator: 5n, scale: 1 },
  { numerator: 1n, scale: 0 },
  { numerator: 3n, scale: 0 },
];

/** Places of the hops whose amounts somebody signs: what is attested the chain prices. */
export function fixedPlaces(hops: readonly PlanHop[]): readonly number[] {
  return hops.flatMap(({ venue }, place) => (isSigning(venue) && SIGNING[venue] !== 'attestation' ? [place] : []));
}

/** A request, a chain that may move whenever it is looked at, and people who may sign. */
export function drawWorld(random: SeededRandom, time: VirtualTime) {
  const mode = random.pick(['sell', 'sell', 'buy'] as const);
  const native = random.chance(0.2);
  const sellToken = native ? NATIVE_TOKEN : SOLD;
  const slippage = random.pick(SLIPPAGES);
  const timeLimitMs = random.pick([300, 400, 1_000, 3_000, 5_000] as const);
  const amount = E24 * BigInt(random.integer(1, 1_000));
  const deadline = BigInt(expiryOf(0)) + BigInt(random.pick([-1_000, 2, 1_000] as const));
  const moving = random.pick([0, 0, 0.2, 0.6] as const);
  const leavesAt = random.chance(0.05) ? random.unit() * timeLimitMs : null;
  const leaver = new AbortController();
  if (leavesAt !== null) void time.sleep(leavesAt).then(() => leaver.abort());

  const rates: Rates = new Map();
  const calls: Call[] = [];
  const asked: Asked[] = [];
  const handed: { hops: readonly PlanHop[] } = { hops: [] };
  const counts = { block: 1, foundAt: 1, round: 0, noRoutes: 0 };
  const blockNow = () => ({ number: counts.block, hash: `0x${counts.block.toString(16).padStart(64, '0')}`, timestamp: 1_800_000_000 });

  const move = (): boolean => {
    if (!random.chance(moving)) return false;
    counts.block++;
    for (const [key, rate] of rates) rates.set(key, (rate * BigInt(random.integer(960, 1_040))) / 1_000n);
    return true;
  };
  const work = (until: number, usual: number) => time.sleep(Math.min(Math.max(0, until - time.now()), random.unit() * (random.chance(0.05) ? 6_000 : usual)));
  const timed = <Result>(result: Result) => ({ result: leaver.signal.aborted ? { ok: false, reason: 'cancelled' } : result, queueMs: 0, runMs: 1 });

  const planOf = (hops: readonly MadeUpHop[]): Plan => {
    let sold = amount;
    let run = executed(hops, sold, rates);
    while (mode === 'buy' && run !== null && run.gross < amount) {
      sold = (sold * amount) / run.gross + 10n;
      run = executed(hops, sold, rates);
    }
    if (run === null) throw new Error('a made-up route takes any amount');
    const amounts = { hops: run.hops, sellAmount: asWei(sold), grossAmount: asWei(run.gross) };
    const gas = { gas: 200_000, gasMode: 'blind', gasPriceWei: null, maxHops: 3 };
    return { ...amounts, ...gas, block: blockNow(), prices: { sell: null, buy: null, native: null }, facts: {} } as unknown as Plan;
  };

  const solve = async ({ filter, deadline: until }: SolveJob) => {
    const entry: Asked = { kind: 'solve', startedAt: time.now(), onChain: filter.excludeRfq && filter.excludeRwa, round: ++counts.round, endedAt: 0, hops: [] };
    asked.push(entry);
    await work(until, 60);
    move();
    entry.endedAt = time.now();
    if (random.chance(0.02)) {
      counts.noRoutes++;
      return timed({ ok: false, reason: 'no-route', maxHops: 3, block: blockNow() });
    }
    const route = drawRoute(random, native, !entry.onChain);
    for (const { key } of route) if (key !== '' && !rates.has(key)) rates.set(key, BigInt(random.integer(900_000, 1_100_000)));
    const plan = planOf(route);
    counts.foundAt = counts.block;
    entry.hops = plan.hops;
    return timed({ ok: true, plan });
  };

  const certify = async ({ hops, sellAmount, signed, target, deadline: until }: CertifyJob) => {
    const signedHops = hops.filter(({ venue }) => isSigning(venue)).length;
    const entry: Asked = {
      kind: 'certify',
      startedAt: time.now(),
      round: counts.round,
      signed: signedHops,
      endedAt: 0,
      stale: false,
      isWithdrawn: random.chance(0.03),
    };
    asked.push(entry);
    await work(until, 20);
    // One that nobody waits for any more changes nothing.
    if (asked.at(-1) === entry) move();
    const { isWithdrawn } = entry;
    entry.endedAt = time.now();
    entry.stale = counts.block !== counts.foundAt && !isWithdrawn;
    expect([...(signed?.keys() ?? [])].sort(), 'what is priced as signed').to.deep.equal(fixedPlaces(hops));
    const block = blockNow();
    if (isWithdrawn) return timed({ ok: false, reason: 'withdrawn', block });
    const run = executed(
      hops.map(({ poolKey: key, venue, tokenIn, tokenOut, bps }) => ({ key, venue, tokenIn, tokenOut, bps })),
      sellAmount,
      rates,
      signed,
    );
    if (run === null) return timed({ ok: false, reason: 'refused', block });
    const restated = { sellAmount, grossAmount: asWei(run.gross), hops: run.hops.map((hop, at) => ({ ...hop, legFacts: hops[at]?.legFacts ?? {} })), block };
    return timed({ ok: true, grossAmount: restated.grossAmount, block, ...(run.gross < (target ?? 0n) ? {} : { restated }) });
  };

  const behaviours = new Map<Signing, Behaviour>();
  const behaviourOf = (venue: Signing): Behaviour => {
    const known = behaviours.get(venue) ?? (random.chance(0.6) ? random.pick(['signs', 'signs', 'better'] as const) : random.pick(FAULTS));
    behaviours.set(venue, known);
    return known;
  };
  const firmHops: FirmHops = new Map(
    Object.entries(SIGNING).map(([name, signs]) => [
      name,
      {
        signs,
        firm(hop: HopToFirm, signal: AbortSignal, onOffered?: Parameters<FirmHopBy>[2]) {
          const venue = name as Signing;
          const call: Call = { round: counts.round, startedAt: time.now(), venue, hop, signal, ended: null };
          calls.push(call);
          return answerOf(behaviourOf(venue), call, calls.length - 1, random, time, onOffered);
        },
      },
    ]),
  );

  const parties = { taker: TAKER, recipient: null, userAddress: null, funding: 'allowanceHolder', overrides: { router: null, allowanceHolder: null } };
  const echo = { sellToken, buyToken: BOUGHT, taker: TAKER, recipient: null };
  const filter = { include: null, exclude: [], excludeRfq: false, excludeRwa: false };
  const build = {
    request: { mode, sellToken, buyToken: BOUGHT, amount, slippage, timeLimitMs, ...parties, echo },
    hosted: { chain: { chainId: 31_337 }, contracts: { router: ROUTER, allowanceHolder: HOLDER, permit2: null } },
    fee: null,
    job: { chainId: 31_337, mode, sellToken, buyToken: BOUGHT, amount, maxHops: null, gasPriceWei: null, filter, deadline: timeLimitMs },
    ...{ quoteId: '00000000-0000-4000-8000-000000000000', partnerId: null, surplus: 'protocol', deadline },
    solving: { solve, solveAgain: solve, certify },
    legs: {
      toLegs(hops: readonly PlanHop[]) {
        handed.hops = hops;
        return [];
      },
    },
    ...{ firmHops, clock: time, caller: { client: 'somebody', signal: leaver.signal }, onSolved: () => undefined, onFirmed: () => undefined },
  } as unknown as SwapBuild;
  const signers = (hops: readonly PlanHop[]) => hops.filter(({ venue }) => isSigning(venue));
  return { build, mode, amount, deadline, timeLimitMs, leavesAt, rates, calls, asked, handed, counts, signers };
}
