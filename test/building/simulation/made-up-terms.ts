import type { AppliedFee } from '../../../src/quoting/quoting.ts';
import type { Plan } from '../../../src/routing/routing.ts';
import { asAddress, asBps } from '../../../src/units/units.ts';
import type { SeededRandom } from '../../support/seeded-random.ts';

/** What a request pays, and what its tokens and its gas are worth. */
export type Terms = { readonly fee: AppliedFee | null; readonly prices: Plan['prices']; readonly gasPriceWei: bigint | null };

const PARTNER = asAddress(`0x${'dd'.repeat(20)}`);

/** A fee of none to 1500 bps, its least and its most among them, and prices that may be missing, by which a trade gives up much, little or nothing. */
export function drawTerms(random: SeededRandom): Terms {
  const feeBps = random.pick([0, 0, 1, 10, random.integer(1, 1_500), 1_500] as const);
  const partnerShareBps = asBps(random.pick([0, 8_500, 10_000, random.integer(0, 10_000)] as const));
  const [soldDecimals, boughtDecimals] = [random.pick([6, 8, 18] as const), random.pick([6, 8, 18] as const)];
  const soldUsd = random.unit() * 10 ** random.integer(-6, 5) + 1e-9;
  const boughtUsd = soldUsd * 10 ** (boughtDecimals - soldDecimals) * random.pick([1, 0.95, 0.85, random.between(0.5, 1.5)] as const);
  const priced = <Price>(price: Price): Price | null => (random.chance(0.75) ? price : null);
  return {
    fee: feeBps === 0 ? null : { feeBps: asBps(feeBps), partner: PARTNER, partnerShareBps },
    prices: {
      sell: priced({ usd: soldUsd, decimals: soldDecimals }),
      buy: priced({ usd: boughtUsd, decimals: boughtDecimals }),
      native: priced({ usd: 3_000 * random.unit() + 1, decimals: 18 }),
    },
    // Beyond what a double holds exactly, too.
    gasPriceWei: priced(random.logUniform(10n ** 20n)),
  };
}
