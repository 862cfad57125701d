import { expect } from 'chai';
import { encodeFunctionData, erc20Abi } from 'viem';
import { type Address, asAddress, asBps, asWei } from '../../../src/units/units.ts';
import { describeWithSharedData } from '../../pool-set/shared-data.ts';
import { FULL_SCALE, SEED, seededRandom } from '../../support/seeded-random.ts';
import { type CurvePool, curveHop, curveQuote, layPortedPools, layRealPools, withCurveLeg } from '../../support/settlement/curve.ts';
import { curveCryptoHop, deliverCryptoQuotes, layPortedCryptoPool, layRealCryptoPool } from '../../support/settlement/curve-crypto.ts';
import { layPortedTwoCoinPool } from '../../support/settlement/curve-crypto-two.ts';
import { contractOf, type Ground, hop, ONE, takerCall, termsOf, useGround } from '../../support/settlement/ground.ts';
import { createPuppet, type PuppetStep } from '../../support/settlement/puppet.ts';
import { changes, refuse, settle } from '../../support/settlement/swaps.ts';

const EXCHANGE = 'exchange(int128,int128,uint256,uint256)';
/** Where a fake pool keeps what it took. */
const PULLED_TO = asAddress(`0x${'00'.repeat(18)}beef`);
const SWAPS = FULL_SCALE ? 400 : 12;

describe('the leg of Curve', function () {
  this.timeout(FULL_SCALE ? 1_800_000 : 300_000);
  const here = useGround();
  let ground: Ground;
  let ported: readonly CurvePool[];

  before(async () => {
    ground = await withCurveLeg(here.current());
    ported = await layPortedPools(ground);
  });

  it('delivers what is quoted, from the taker and from the Router, direct and with custody, in every pair of every kind of pool', () =>
    deliversWhatIsQuoted(ground, ported));

  describeWithSharedData('on the bytecode of real pools', () => {
    it('delivers what is quoted', async () => {
      await deliversWhatIsQuoted(ground, await layRealPools(ground));
    });

    it('delivers what is quoted on the crypto pool of USDT, WBTC and WETH, once and twice in a route', async () => {
      await deliverCryptoQuotes(ground, await layRealCryptoPool(ground), SWAPS);
    });
  });

  it('is one of four venues of a route, where its pool is used over two pairs', async () => {
    const { a, b, n, weth } = ground.tokens;
    const { taker, recipient } = ground.accounts;
    const pool = ported[2] as CurvePool;
    const legs = [curveHop(pool, a, b, 4000), curveHop(pool, a, n, 5000), hop(ground, 'v3', a, weth), hop(ground, 'v2', weth, b), hop(ground, 'v2', n, b)];
    const terms = termsOf(ground, { minBuyAmount: asWei((95n * ONE) / 100n), legs });
    const moved = await changes(ground, { taker, recipient, router: ground.router }, () => settle(ground, terms));
    expect(Object.keys(moved)).to.deep.equal(['taker.a', 'recipient.b']);
    expect(moved['taker.a']).to.equal(-ONE);
  });

  it('delivers what is quoted on the port of crypto pools, once and twice in a route, in every pair', async () => {
    await deliverCryptoQuotes(ground, await layPortedCryptoPool(ground), SWAPS);
  });

  it('delivers what is quoted on the port of crypto pools of two coins, both ways, once and twice in a route, though it keeps the wrapped native token unwrapped', async () => {
    const { n, weth } = ground.tokens;
    await deliverCryptoQuotes(ground, await layPortedTwoCoinPool(ground, [weth, n]), SWAPS);
  });

  it('goes through a crypto pool over two pairs of one route', async () => {
    const { a, b, n, weth } = ground.tokens;
    const { taker, recipient } = ground.accounts;
    const pool = await layPortedCryptoPool(ground);
    const pairs = [curveCryptoHop(pool, a, b, 4000), curveCryptoHop(pool, a, n, 5000)];
    const legs = [...pairs, hop(ground, 'v3', a, weth), hop(ground, 'v2', weth, b), hop(ground, 'v2', n, b)];
    const terms = termsOf(ground, { minBuyAmount: asWei(ONE / 10n), legs });
    const moved = await changes(ground, { taker, recipient, router: ground.router }, () => settle(ground, terms));
    expect(Object.keys(moved)).to.deep.equal(['taker.a', 'recipient.b']);
    expect(moved['taker.a']).to.equal(-ONE);
  });

  it('gives back what a pool does not take, to the taker or to the route, and leaves it no allowance', async () => {
    const { a, b } = ground.tokens;
    const { taker, recipient } = ground.accounts;
    const pool = await fakePool(ground, [pull(ground, a, ONE / 4n), give(ground, b, ONE)]);
    const moved = await changes(ground, { taker, recipient, keep: PULLED_TO, router: ground.router }, () =>
      settle(ground, termsOf(ground, { minBuyAmount: asWei(ONE), legs: [fakeHop(pool.address, a, b)] })),
    );
    expect(moved).to.deep.equal({ 'taker.a': -ONE / 4n, 'recipient.b': ONE, 'keep.a': ONE / 4n });
    expect(await ground.chain.read(a, erc20Abi, 'allowance', [ground.router, pool.address])).to.equal(0n);
    await pool.play([{ ...pull(ground, a, 1n), bubbles: false }]);
    expect((await pool.outcomes()).at(-1)).to.not.equal('ok');
  });

  it('holds a pool that gives less than it promised to the floor, and one that gives nothing', async () => {
    const { a, b } = ground.tokens;
    const short = await fakePool(ground, [pull(ground, a, ONE), give(ground, b, ONE - 1n)]);
    await refuse(ground, termsOf(ground, { minBuyAmount: asWei(ONE), legs: [fakeHop(short.address, a, b)] }), 'BelowMinimum');
    const nothing = await fakePool(ground, [pull(ground, a, ONE)]);
    await refuse(ground, termsOf(ground, { minBuyAmount: asWei(1n), legs: [fakeHop(nothing.address, a, b)] }), 'BelowMinimum');
  });

  it('lets a pool neither reenter nor take more than its input', async () => {
    const { a, b } = ground.tokens;
    const { taker, recipient } = ground.accounts;
    const again = takerCall(ground, termsOf(ground, { legs: [curveHop(ported[0] as CurvePool, a, b)] }));
    const pool = await fakePool(ground, [again, { ...pull(ground, a, ONE + 1n), bubbles: false }, pull(ground, a, ONE), give(ground, b, ONE)]);
    const moved = await changes(ground, { taker, recipient, router: ground.router }, () =>
      settle(ground, termsOf(ground, { minBuyAmount: asWei(ONE), legs: [fakeHop(pool.address, a, b)] })),
    );
    expect(moved).to.deep.equal({ 'taker.a': -ONE, 'recipient.b': ONE });
    const [reentered, tooMuch, ...others] = await pool.outcomes();
    expect([reentered, ...others]).to.deep.equal(['Reentered', 'ok', 'ok']);
    expect(tooMuch).to.not.equal('ok');
  });

  it('passes on what a pool pays its caller, and nothing of what lay in the Router before', async () => {
    const { a, b } = ground.tokens;
    const { taker, recipient, deployer } = ground.accounts;
    for (const token of [a, b])
      await ground.chain.write(deployer, token, contractOf(ground.contracts, 'TrickToken').abi, 'mint', [[ground.router], 777n * ONE]);
    for (const given of [0n, 1n, ONE]) {
      const pool = await fakePool(
        ground,
        [pull(ground, a, ONE), ...(given === 0n ? [] : [give(ground, b, given, ground.router)])],
        'exchange(int128,int128,uint256,uint256)',
      );
      const terms = termsOf(ground, { legs: [{ ...fakeHop(pool.address, a, b), data: '0x000001' }] });
      for (const surplus of ['taker', 'protocol'] as const) {
        const quoted = { ...terms, surplus, buyAmount: asWei(given), minBuyAmount: asWei(given) };
        const moved = await ground.chain.apart(() => changes(ground, { taker, recipient, router: ground.router }, () => settle(ground, quoted)));
        expect(moved, `${given} ${surplus}`).to.deep.equal({ 'taker.a': -ONE, ...(given === 0n ? {} : { 'recipient.b': given }) });
        await refuse(ground, { ...quoted, minBuyAmount: asWei(given + 1n) }, 'BelowMinimum');
      }
    }
  });

  it('refuses flags that mean nothing, and a Router without the leg does not know it', async () => {
    const { a, b } = ground.tokens;
    const leg = curveHop(ported[0] as CurvePool, a, b);
    await refuse(ground, termsOf(ground, { legs: [{ ...leg, data: '0x040001' }] }), 'PoolFlagsUnfit');
    await refuse(here.current(), termsOf(ground, { legs: [leg] }), 'LegUnknown');
  });

  it('calls pools whose places are wider numbers by their own names, with a receiver and without', async () => {
    const { a, b } = ground.tokens;
    const { taker, recipient } = ground.accounts;
    for (const [data, name] of [
      ['0x020001', 'exchange(uint256,uint256,uint256,uint256)'],
      ['0x030001', 'exchange(uint256,uint256,uint256,uint256,address)'],
    ] as const) {
      const to = data === '0x020001' ? ground.router : recipient;
      const pool = await fakePool(ground, [pull(ground, a, ONE), give(ground, b, ONE, to)], name);
      const terms = termsOf(ground, { minBuyAmount: asWei(ONE), legs: [{ ...fakeHop(pool.address, a, b), data }] });
      const moved = await changes(ground, { taker, recipient, router: ground.router }, () => settle(ground, terms));
      expect(moved, name).to.deep.equal({ 'taker.a': -ONE, 'recipient.b': ONE });
    }
  });
});

async function deliversWhatIsQuoted(ground: Ground, pools: readonly CurvePool[]): Promise<void> {
  const { taker, recipient } = ground.accounts;
  const names = new Map<Address, string>(Object.entries(ground.tokens).map(([name, token]) => [token, name] as const));
  const random = seededRandom('curve-leg');
  for (const one of pools) {
    for (let done = 0; done < SWAPS; done++) {
      const { tokens } = one.pool;
      const slotIn = random.integer(0, tokens.length - 1);
      const [sellToken, buyToken] = [tokens[slotIn], tokens[(slotIn + random.integer(1, tokens.length - 1)) % tokens.length]] as [Address, Address];
      const places = Number(String(one.pool.traits.decimals).split(',')[slotIn]);
      const sellAmount = (10n ** 15n + random.logUniform(800n * ONE)) / 10n ** BigInt(18 - places);
      // A second hop of the same token is paid by the Router, from what it took in.
      const behind = random.chance(0.3);
      const given = await curveQuote(ground, one, sellToken, buyToken, sellAmount);
      if (given === 0n) throw new Error('no pool here gives nothing');
      const legs = behind ? [curveHop(one, sellToken, buyToken, 5000), curveHop(one, sellToken, buyToken)] : [curveHop(one, sellToken, buyToken)];
      const surplus = random.pick(['taker', 'protocol'] as const);
      const floor = behind ? (given * 99n) / 100n : given;
      const terms = termsOf(ground, {
        sellToken,
        buyToken,
        sellAmount: asWei(sellAmount),
        minBuyAmount: asWei(floor),
        buyAmount: asWei(given + 1n),
        surplus,
        legs,
      });
      const moved = await changes(ground, { taker, recipient, router: ground.router }, () => settle(ground, terms));
      const [sold, bought] = [`taker.${names.get(sellToken)}`, `recipient.${names.get(buyToken)}`];
      const label = `BRAID_SEED=${SEED} ${one.name}: ${sellAmount} ${sold} for ${bought}`;
      if (!behind) expect(moved, label).to.deep.equal({ [sold]: -sellAmount, [bought]: given });
      else expect(Object.keys(moved).sort(), label).to.deep.equal([bought, sold].sort());
      expect(moved[sold], label).to.equal(-sellAmount);
      for (const token of tokens) expect(await ground.chain.read(token, erc20Abi, 'allowance', [ground.router, one.pool.address]), label).to.equal(0n);
    }
  }
}

/** A pool that holds 10 b and plays `steps` when it is asked for an exchange. */
async function fakePool(ground: Ground, steps: readonly PuppetStep[], name = EXCHANGE) {
  const pool = await createPuppet(ground);
  await ground.chain.write(ground.accounts.deployer, ground.tokens.b, contractOf(ground.contracts, 'TrickToken').abi, 'mint', [[pool.address], 10n * ONE]);
  await pool.teach(name, { steps });
  return pool;
}

function fakeHop(pool: Address, tokenIn: Address, tokenOut: Address) {
  return { leg: 'curve', bps: asBps(10_000), tokenIn, tokenOut, pool, data: '0x000001' } as const;
}

function pull(ground: Ground, token: Address, amount: bigint): PuppetStep {
  return { to: token, data: encodeFunctionData({ abi: erc20Abi, functionName: 'transferFrom', args: [ground.router, PULLED_TO, amount] }), bubbles: true };
}

function give(ground: Ground, token: Address, amount: bigint, to: Address = ground.router): PuppetStep {
  return { to: token, data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }), bubbles: true };
}
