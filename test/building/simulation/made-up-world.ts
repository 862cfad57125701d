import { expect } from 'chai';
import type { SwapBuild } from '../../../src/building/building.ts';
import type { CertifyJob, Plan, PlanHop, SolveJob } from '../../../src/routing/routing.ts';
import { asAddress, asWei, NATIVE_TOKEN } from '../../../src/units/units.ts';
import type { Decimal } from '../../../src/validation/validation.ts';
import type { FirmHopBy, FirmHops, HopToFirm } from '../../../src/venues/venues.ts';
import type { SeededRandom } from '../../support/seeded-random.ts';
import { feeOn, grossFor, lessPercent } from './figures.ts';
import { BOUGHT, drawRoute, executed, isSigning, type MadeUpHop, type Rates, SIGNING, type Signing, SOLD } from './made-up-route.ts';
import { answerOf, type Behaviour, type Call, expiryOf, FAULTS } from './made-up-signer.ts';
import { drawTerms } from './made-up-terms.ts';
import type { VirtualTime } from './virtual-time.ts';

/** What the build asked of the solver, in order. */
export type Asked =
  | { readonly kind: 'solve'; readonly startedAt: number; readonly onChain: boolean; readonly round: number; endedAt: number; hops: readonly PlanHop[] }
  /** `signed`: hops that somebody signed, attested ones among them. `stale`: a block came since the plan was found, and there the route gives less than its transaction would enforce. */
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

const [TAKER, ROUTER, HOLDER] = [asAddress(`0x${'aa'.repeat(20)}`), `0x${'bb'.repeat(20)}`, `0x${'cc'.repeat(20)}`];
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

/** What a route is held against is what was signed for its hops, and for the others no more than they gave on the block that it was found on: `gross` is of that block. */
function expectPlanned(hops: readonly PlanHop[], planned: bigint, signed: CertifyJob['signed'], gross: bigint): void {
  for (const [place, { amountIn, amountOut }] of signed ?? []) expect(hops[place], 'what was signed').to.deep.include({ amountIn, amountOut });
  expect(signed === undefined ? planned === gross : planned <= gross, `${planned} is expected of what gave ${gross}`).to.equal(true);
}

/** A request, a chain that may move whenever it is looked at, and people who may sign. */
export function drawWorld(random: SeededRandom, time: VirtualTime) {
  const mode = random.pick(['sell', 'sell', 'buy'] as const);
  const native = random.chance(0.2);
  const sellToken = native ? NATIVE_TOKEN : SOLD;
  const slippage = random.pick(SLIPPAGES);
  const timeLimitMs = random.pick([300, 400, 1_000, 3_000, 5_000] as const);
  // To its last unit, so that every rounding takes something.
  const amount = 10n ** BigInt(random.integer(18, 27)) * BigInt(random.integer(1, 9)) + random.bits(59);
  const terms = drawTerms(random);
  const feeBps = terms.fee?.feeBps ?? 0;
  const target = mode === 'buy' ? grossFor(amount, feeBps) : null;
  const deadline = BigInt(expiryOf(0)) + BigInt(random.pick([-1_000, 2, 1_000] as const));
  const moving = random.pick([0, 0, 0.2, 0.6] as const);
  const leavesAt = random.chance(0.05) ? random.unit() * timeLimitMs : null;
  const leaver = new AbortController();
  if (leavesAt !== null) void time.sleep(leavesAt).then(() => leaver.abort());

  const rates: Rates = new Map();
  /** Those of the block that the last route was found on. */
  let foundRates: Rates = new Map();
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
    while (target !== null && run !== null && run.gross < target) {
      sold = (sold * target) / run.gross + 10n;
      run = executed(hops, sold, rates);
    }
    if (run === null) throw new Error('a made-up route takes any amount');
    const amounts = { hops: run.hops, sellAmount: asWei(sold), grossAmount: asWei(run.gross) };
    const { prices, gasPriceWei } = terms;
    return { ...amounts, gas: 200_000, gasMode: 'blind', gasPriceWei, maxHops: 3, block: blockNow(), prices, facts: {} } as unknown as Plan;
  };
  /** Whether so much gross output is enough for what the transaction of a plan enforces. */
  const isEnough = (gross: bigint, planned: bigint): boolean => {
    const netOf = (some: bigint) => some - feeOn(some, feeBps);
    return target === null ? netOf(gross) >= lessPercent(netOf(planned), slippage) : gross >= target;
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
    foundRates = new Map(rates);
    entry.hops = plan.hops;
    return timed({ ok: true, plan });
  };

  const certify = async ({ hops, sellAmount, signed, deadline: until, ...job }: CertifyJob) => {
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
    const isAwaited = asked.at(-1) === entry;
    if (isAwaited) move();
    const { isWithdrawn } = entry;
    entry.endedAt = time.now();
    expect(job.target ?? null, 'what has to be reached').to.equal(target);
    expect([...(signed?.keys() ?? [])].sort(), 'what is priced as signed').to.deep.equal(fixedPlaces(hops));
    const block = blockNow();
    const route = hops.map(({ poolKey: key, venue, tokenIn, tokenOut, bps }) => ({ key, venue, tokenIn, tokenOut, bps }));
    const run = executed(route, sellAmount, rates, signed);
    const planned = hops.reduce((sum, { tokenOut, amountOut }) => (tokenOut === BOUGHT ? sum + amountOut : sum), 0n);
    if (isAwaited) expectPlanned(hops, planned, signed, executed(route, sellAmount, foundRates, signed)?.gross ?? 0n);
    entry.stale = counts.block !== counts.foundAt && !isWithdrawn && (run === null || !isEnough(run.gross, planned));
    if (isWithdrawn) return timed({ ok: false, reason: 'withdrawn', block });
    if (run === null) return timed({ ok: false, reason: 'refused', block });
    const restated = { sellAmount, grossAmount: asWei(run.gross), hops: run.hops.map((hop, at) => ({ ...hop, legFacts: hops[at]?.legFacts ?? {} })), block };
    return timed({ ok: true, grossAmount: restated.grossAmount, block, ...(target !== null && run.gross < target ? {} : { restated }) });
  };

  // Of each maker, issuer and attester: two of one venue are two people.
  const behaviours = new Map<string, Behaviour>();
  const reliable = random.pick([0.9, 0.6, 0.6, 0.2] as const);
  const behaviourOf = ({ poolKey }: HopToFirm): Behaviour => {
    const known = behaviours.get(poolKey) ?? (random.chance(reliable) ? random.pick(['signs', 'signs', 'better'] as const) : random.pick(FAULTS));
    behaviours.set(poolKey, known);
    return known;
  };
  const firmHops: FirmHops = new Map(
    Object.entries(SIGNING).map(([name, signs]) => [
      name,
      {
        signs,
        firm(hop: HopToFirm, signal: AbortSignal, onOffered?: Parameters<FirmHopBy>[2]) {
          const behaviour = behaviourOf(hop);
          const call: Call = { round: counts.round, startedAt: time.now(), venue: name as Signing, behaviour, hop, signal, ended: null, toldToEndAt: null };
          const told = () => Object.assign(call, { toldToEndAt: time.now() });
          signal.addEventListener('abort', told, { once: true });
          calls.push(call);
          return answerOf(call, calls.length - 1, { random, time, slippage }, onOffered);
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
    fee: terms.fee,
    job: { chainId: 31_337, mode, sellToken, buyToken: BOUGHT, amount: target ?? amount, maxHops: null, gasPriceWei: null, filter, deadline: timeLimitMs },
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
  return { build, mode, amount, slippage, terms, taker: TAKER, deadline, timeLimitMs, leavesAt, rates, calls, asked, handed, counts, signers };
}
