import { expect } from 'chai';
import { erc20Abi } from 'viem';
import { type Address, asWei } from '../../../src/units/units.ts';
import type { DiscoveredPool } from '../../../src/venues/venues.ts';
import { describeWithSharedData } from '../../pool-set/shared-data.ts';
import { FULL_SCALE, SEED, seededRandom } from '../../support/seeded-random.ts';
import { withCurveLeg } from '../../support/settlement/curve.ts';
import { curveCryptoHop, curveCryptoQuotes, layPortedCryptoPool, layRealCryptoPool } from '../../support/settlement/curve-crypto.ts';
import { type Ground, hop, ONE, termsOf, useGround } from '../../support/settlement/ground.ts';
import { changes, settle } from '../../support/settlement/swaps.ts';

const SWAPS = FULL_SCALE ? 400 : 12;

describe('the leg of Curve on crypto pools', function () {
  this.timeout(FULL_SCALE ? 1_800_000 : 300_000);
  const here = useGround();
  let ground: Ground;

  before(async () => {
    ground = await withCurveLeg(here.current());
  });

  it('delivers what is quoted on the port, from the taker and from the Router, direct and with custody, in every pair', async () => {
    await deliversWhatIsQuoted(ground, await layPortedCryptoPool(ground));
  });

  describeWithSharedData('on the bytecode of the real pool', () => {
    it('delivers what is quoted', async () => {
      await deliversWhatIsQuoted(ground, await layRealCryptoPool(ground));
    });
  });

  it('serves two pairs of one route', async () => {
    const { a, b, n, weth } = ground.tokens;
    const { taker, recipient } = ground.accounts;
    const pool = await layPortedCryptoPool(ground);
    const legs = [
      curveCryptoHop(pool, a, b, 4000),
      curveCryptoHop(pool, a, n, 5000),
      hop(ground, 'v3', a, weth),
      hop(ground, 'v2', weth, b),
      hop(ground, 'v2', n, b),
    ];
    const moved = await changes(ground, { taker, recipient, router: ground.router }, () =>
      settle(ground, termsOf(ground, { minBuyAmount: asWei(ONE / 10n), legs })),
    );
    expect(Object.keys(moved)).to.deep.equal(['taker.a', 'recipient.b']);
    expect(moved['taker.a']).to.equal(-ONE);
  });
});

/** Once, and of every third twice, the second time in what the first left: a second hop of the same token is paid by the Router, from what it took in. */
async function deliversWhatIsQuoted(ground: Ground, pool: DiscoveredPool): Promise<void> {
  const { taker, recipient } = ground.accounts;
  const names = new Map<Address, string>(Object.entries(ground.tokens).map(([name, token]) => [token, name] as const));
  const random = seededRandom('curve-crypto-leg');
  let twice = 0;
  for (let done = 0; done < SWAPS; done++) {
    const { tokens } = pool;
    const slotIn = random.integer(0, tokens.length - 1);
    const [sellToken, buyToken] = [tokens[slotIn], tokens[(slotIn + random.integer(1, tokens.length - 1)) % tokens.length]] as [Address, Address];
    const places = Number(String(pool.traits.decimals).split(',')[slotIn]);
    const sellAmount = (10n ** 16n + random.logUniform(800n * ONE)) / 10n ** BigInt(18 - places);
    const half = (sellAmount * 5000n) / 10_000n;
    const behind = done % 3 === 2 ? await curveCryptoQuotes(ground, pool, sellToken, buyToken, [half, sellAmount - half]) : null;
    const quotes = behind ?? (await curveCryptoQuotes(ground, pool, sellToken, buyToken, [sellAmount]));
    if (quotes === null) throw new Error('no amount here is refused');
    if (behind !== null) twice++;
    const given = quotes.reduce((sum, part) => sum + part, 0n);
    const legs =
      quotes.length === 2
        ? [curveCryptoHop(pool, sellToken, buyToken, 5000), curveCryptoHop(pool, sellToken, buyToken)]
        : [curveCryptoHop(pool, sellToken, buyToken)];
    const amounts = { sellAmount: asWei(sellAmount), minBuyAmount: asWei(given), buyAmount: asWei(given + 1n) };
    const terms = termsOf(ground, { sellToken, buyToken, ...amounts, surplus: random.pick(['taker', 'protocol'] as const), legs });
    const moved = await changes(ground, { taker, recipient, router: ground.router }, () => settle(ground, terms));
    const [sold, bought] = [`taker.${names.get(sellToken)}`, `recipient.${names.get(buyToken)}`];
    expect(moved, `BRAID_SEED=${SEED} ${sellAmount} ${sold} for ${bought}`).to.deep.equal({ [sold]: -sellAmount, [bought]: given });
    for (const token of tokens) expect(await ground.chain.read(token, erc20Abi, 'allowance', [ground.router, pool.address])).to.equal(0n);
  }
  expect(twice).to.be.greaterThan(0);
}
