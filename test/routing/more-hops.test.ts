// What a search may use beyond a shorter one must not make its answer worse.
import { expect } from 'chai';
import { type BenchSet, openBenchSet, pinned } from '../../bench/solver/bench-set.ts';
import { createSolver, type Plan } from '../../src/routing/routing.ts';
import { asAddress, instantNow } from '../../src/units/units.ts';
import { describeWithSharedData } from '../pool-set/shared-data.ts';
import { job, planOf, venues } from './world.ts';

type Trade = { readonly sell: string; readonly buy: string; readonly amount: bigint; readonly gwei: bigint; readonly deepest: number; readonly same: number };

/** Trades of the real set of an auction that lost to a hop fewer: a round of columns did not come to rest and nothing undid it, or gas and drained pools misled the search. */
const DAI = '0x6b175474e89094c44da98b954eedeac495271d0f';
const OHM = '0x64aa3364f17a4d01c6f1751fd97c2bd3d7e7f1d5';
const QNT = '0x4a220e6096b25eadb88358cb44068a3248254675';
const SILO = '0x6f80310ca7f2c654691d1383149fa1a57d8ab1f8';
/** Less than this, relatively, is the other side of a rounding or of a pool that just pays its gas. */
const SAME = 2e-4;
/** Nine tenths of a trade have no use, and the pool that takes them gives nothing in two swaps: a share of what has use is rounded to a basis point of the whole. */
const SAME_OF_A_TENTH = 1.2e-3;
const LOST: readonly Trade[] = [
  { sell: DAI, buy: OHM, amount: 1_992_914_578_312_973_592_297_472n, gwei: 200n, deepest: 7, same: SAME },
  { sell: DAI, buy: OHM, amount: 1_992_914_578_312_973_592_297_472n, gwei: 0n, deepest: 7, same: SAME },
  { sell: QNT, buy: SILO, amount: 11_906_858_306_216_922_949_500n, gwei: 0n, deepest: 5, same: SAME_OF_A_TENTH },
];

describeWithSharedData('routes of one hop more, on a real set cleared of arbitrage', () => {
  let set: BenchSet;
  before(async function load() {
    this.timeout(300_000);
    set = await openBenchSet({ name: 'cow', seed: 1, outside: 0, clear: true, blocks: false, requests: 0 });
  });

  /** What a plan gives less its gas, in base units of the bought token, by the prices of the set. */
  function netOf({ grossAmount, gas }: Plan, buy: string, gwei: bigint): number {
    const token = set.tokens.find(({ address }) => address === buy);
    const native = set.tokens[set.native];
    if (token === undefined || native === undefined) throw new Error(`no token ${buy}`);
    return Number(grossAmount) - (gas * Number(gwei) * 1e-9 * native.usd * 10 ** token.decimals) / token.usd;
  }

  it('give no less', () => {
    const chain = { chainId: 1, wrappedNative: set.loaded.wrappedNative, minimumGasPriceWei: 0n };
    const solver = createSolver({ chain, venues, now: instantNow, cancelled: () => false });
    for (const { sell, buy, amount, gwei, deepest, same } of LOST) {
      const nets = Array.from({ length: deepest - 1 }, (_, at) => at + 2).map((maxHops) =>
        pinned(set.reader, (view) =>
          netOf(planOf(solver.solve(job(asAddress(sell), asAddress(buy), amount, { chainId: 1, maxHops, gasPriceWei: gwei * 10n ** 9n }), view)), buy, gwei),
        ),
      );
      for (let at = 1; at < nets.length; at++) expect(nets[at], `${sell} to ${buy}: ${nets.join(', ')}`).to.be.above((nets[at - 1] as number) * (1 - same));
    }
  });
});
