import { expect } from 'chai';
import { erc20Abi, toEventSelector } from 'viem';
import { encodeTakerCall, type Leg, type SurplusPolicy, type SwapTerms } from '../../../src/building/building.ts';
import { type DevnetPool, plainMarket } from '../../../src/devnet/devnet.ts';
import { feeOnGrossDown, grossTarget } from '../../../src/quoting/quoting.ts';
import { type Address, asAddress, asBps, asWei, NATIVE_TOKEN } from '../../../src/units/units.ts';
import { useDevnet } from '../../support/devnet.ts';
import { FULL_SCALE, SEED, type SeededRandom, seededRandom } from '../../support/seeded-random.ts';
import { LATE, TAG, wrap } from '../../support/settlement/ground.ts';
import { type DevnetGround, devnetHop, settleOnDevnet } from '../../support/settlement/on-devnet.ts';
import { type RandomHop, type RandomRoute, randomRoute } from '../../support/settlement/random-route.ts';
import { swapEvents } from '../../support/settlement/swaps.ts';

/** Every run starts from the first state and carries it on for so many swaps. */
const RUNS = FULL_SCALE ? 1_000 : 2;
const DEPTH = FULL_SCALE ? 50 : 25;
const SWAPS = RUNS * DEPTH;
const APPROVAL = toEventSelector('Approval(address,address,uint256)');

type Drawn = { readonly route: RandomRoute; readonly terms: SwapTerms; readonly gross: bigint | null };

describe('random routes on the devnet', function () {
  this.timeout(FULL_SCALE ? 14_400_000 : 300_000);
  const devnet = useDevnet();
  let ground: DevnetGround;
  let pools: readonly [DevnetPool, ...DevnetPool[]];

  before(async () => {
    ground = await settleOnDevnet(devnet.current());
    const [first, ...others] = plainMarket(devnet.current()).pools.filter(({ liquidityUsd }) => liquidityUsd > 0);
    if (first === undefined) throw new Error('the devnet has no pools');
    pools = [first, ...others];
  });

  it(`${RUNS} times ${DEPTH} swaps, state carried on: delivered to the wei what the venues' own contracts quote; nothing stays, nothing is granted, nobody else loses (K4, K-inv)`, async () => {
    const random = seededRandom('settlement-fuzz');
    const seen = { exact: 0, partial: 0, reverted: 0, native: 0, split: 0, buy: 0, floors: 0, unfit: 0 };
    for (let run = 0; run < RUNS; run++) {
      await ground.chain.apart(async () => {
        for (let i = 0; i < DEPTH; i++) await one(random, seen, `BRAID_SEED=${SEED} run ${run} swap ${i}`);
      });
    }
    console.log(`      ${JSON.stringify(seen)}`);
    expect(seen.exact).to.be.greaterThan(SWAPS / 2);
    for (const kind of ['native', 'split', 'buy', 'floors'] as const) expect(seen[kind], kind).to.be.greaterThan(SWAPS / 20);
  });

  async function one(random: SeededRandom, seen: Record<string, number>, label: string): Promise<void> {
    const drawn = await draw(random);
    if (drawn === null) {
      count(seen, 'unfit');
      return;
    }
    const { route, terms, gross } = drawn;
    const { router, allowanceHolder, accounts, chain } = ground;
    const tokens = [...new Set([NATIVE_TOKEN, ground.devnet.wrappedNative, ...route.hops.flatMap(({ tokenIn, tokenOut }) => [tokenIn, tokenOut])])];
    const watched = [router, allowanceHolder, ...Object.values(accounts)];
    const call = encodeTakerCall(terms, ground);
    const ending = await chain.attempt(accounts.taker, call);
    if (!ending.ok) {
      // Amounts that no pool takes; a route that the venues quote goes through.
      expect(gross === null || gross === 0n, `${label}: ${ending.error} ${ending.args.join(' ')}`).to.equal(true);
      count(seen, 'reverted');
      return;
    }
    const before = await ground.balances(watched, tokens);
    const receipt = await chain.send(accounts.taker, call);
    expect(receipt.ok, label).to.equal(true);
    const after = await ground.balances(watched, tokens);
    const change = (account: Address, token: Address): bigint => {
      const cost = account === accounts.taker && token === NATIVE_TOKEN ? receipt.cost : 0n;
      return (after.get(`${account} ${token}`) ?? 0n) - (before.get(`${account} ${token}`) ?? 0n) + cost;
    };
    for (const token of tokens) {
      for (const contract of [router, allowanceHolder]) expect(change(contract, token), `${label}: the contracts keep nothing`).to.equal(0n);
      for (const account of [accounts.victim, accounts.bystander]) expect(change(account, token), `${label}: nobody else's`).to.equal(0n);
      for (const account of [accounts.recipient, accounts.partner, accounts.collector])
        expect(change(account, token) >= 0n, `${label}: receivers`).to.equal(true);
      if (token !== terms.sellToken) expect(change(accounts.taker, token) >= 0n, `${label}: taker loses ${token}`).to.equal(true);
    }
    // What custody grants to a venue is spent or taken back.
    for (const { address, topics } of receipt.logs.filter((log) => log.topics[0] === APPROVAL && BigInt(log.topics[1] ?? 0) === BigInt(router))) {
      const spender = asAddress(`0x${topics[2]?.slice(-40)}`);
      expect(await chain.read(address, erc20Abi, 'allowance', [router, spender]), `${label}: allowance of ${spender}`).to.equal(0n);
    }
    const [event, ...more] = swapEvents(ground, receipt);
    if (event === undefined || more.length > 0) throw new Error(`${label}: not one Swap event`);
    expect(-change(accounts.taker, terms.sellToken), `${label}: sold`).to.equal(event.sellAmount);
    expect(event.sellAmount <= terms.sellAmount, `${label}: at most sellAmount`).to.equal(true);
    expect(change(terms.recipient, terms.buyToken), `${label}: received`).to.equal(event.buyAmount);
    expect(event.buyAmount >= terms.minBuyAmount, `${label}: floor`).to.equal(true);
    expect(change(accounts.partner, terms.buyToken) + change(accounts.collector, terms.buyToken) >= event.feeAmount, `${label}: fee`).to.equal(true);
    tally(seen, drawn);
    if (gross === null) {
      count(seen, 'partial');
      return;
    }
    const expected = deliveredOf(terms, gross);
    expect([event.buyAmount, event.feeAmount], `${label}: ${JSON.stringify(route.hops.map(({ bps, pool }) => [bps, pool?.family]))}`).to.deep.equal(expected);
    count(seen, 'exact');
  }

  /** Terms around what the venues quote; `gross` is null where a pool would fill in part or not at all, and null altogether where that makes no terms. */
  async function draw(random: SeededRandom): Promise<Drawn | null> {
    const route = randomRoute(random, pools, ground.devnet.wrappedNative);
    const sold = ground.devnet.tokens.find(({ address }) => address === (route.sellToken === NATIVE_TOKEN ? ground.devnet.wrappedNative : route.sellToken));
    if (sold === undefined) throw new Error("the token sold is not the devnet's");
    // A few are larger than what the smaller pools hold.
    const dollars = Math.exp(random.unit() * Math.log(random.chance(0.1) ? 3_000_000 : 200_000));
    const sellAmount =
      BigInt(Math.max(1, Math.round((dollars / sold.usd) * 10 ** Math.min(sold.decimals ?? 18, 12)))) * 10n ** BigInt(Math.max(0, (sold.decimals ?? 18) - 12));
    const { taker, recipient, partner } = ground.accounts;
    const funds = (await ground.balances([taker], [route.sellToken])).get(`${taker} ${route.sellToken}`) ?? 0n;
    if (funds < sellAmount) return null;
    const gross = await grossOf(route, sellAmount);
    const buy = gross !== null && gross > 1n && random.chance(0.3);
    const feeBps = random.pick([0, 10, random.integer(0, 1500)]);
    const net = gross === null ? 0n : gross - feeOnGrossDown(gross, feeBps);
    const target = buy ? (net * BigInt(random.integer(5_000, 10_000))) / 10_000n : 0n;
    if (buy && (target === 0n || grossTarget(target, feeBps) > (gross ?? 0n))) return null;
    const quoted = buy ? target : (net * BigInt(random.integer(9_000, 10_000))) / 10_000n;
    const policy: SurplusPolicy = random.pick(['protocol', 'taker', 'shared']);
    const terms: SwapTerms = {
      mode: buy ? 'buy' : 'sell',
      tag: TAG,
      deadline: BigInt(LATE),
      sellToken: route.sellToken,
      buyToken: route.buyToken,
      sellAmount: asWei(sellAmount),
      buyAmount: asWei(quoted),
      minBuyAmount: asWei(buy || random.chance(0.7) ? quoted : 0n),
      taker,
      recipient: random.chance(0.3) ? taker : recipient,
      fee: feeBps === 0 ? null : { feeBps: asBps(feeBps), partner, partnerShareBps: asBps(random.integer(0, 10_000)) },
      surplus: policy,
      legs: await Promise.all(route.hops.map(toLeg)),
    };
    return { route, terms, gross };
  }

  /** Walks the route as decisions S6 says, asking the venues' own contracts for each hop. */
  async function grossOf({ sellToken, buyToken, hops }: RandomRoute, sellAmount: bigint): Promise<bigint | null> {
    const held = new Map<Address, bigint>([[sellToken, sellAmount]]);
    for (const { pool, tokenIn, tokenOut, bps } of hops) {
      const have = held.get(tokenIn) ?? 0n;
      const amountIn = (have * BigInt(bps)) / 10_000n;
      const amountOut = pool === null ? amountIn : await ground.quote({ pool, tokenIn, tokenOut }, amountIn);
      if (amountIn === 0n || amountOut === null || amountOut === 0n) return null;
      held.set(tokenIn, have - amountIn);
      held.set(tokenOut, (held.get(tokenOut) ?? 0n) + amountOut);
    }
    return held.get(buyToken) ?? 0n;
  }

  async function toLeg({ pool, tokenIn, tokenOut, bps }: RandomHop): Promise<Leg> {
    return pool === null ? wrap(tokenIn, tokenOut, bps) : devnetHop({ pool, tokenIn, tokenOut }, bps);
  }

  function deliveredOf(terms: SwapTerms, gross: bigint): readonly [bigint, bigint] {
    const feeBps = terms.fee?.feeBps ?? 0;
    if (terms.mode === 'buy') return [terms.buyAmount, grossTarget(terms.buyAmount, feeBps) - terms.buyAmount];
    const fee = feeOnGrossDown(gross, feeBps);
    const surplus = gross - fee - terms.buyAmount;
    const kept = terms.surplus === 'protocol' ? surplus : terms.surplus === 'taker' ? 0n : surplus / 2n;
    return [gross - fee - kept, fee];
  }

  function tally(seen: Record<string, number>, { route, terms }: Drawn): void {
    if (route.sellToken === NATIVE_TOKEN || route.buyToken === NATIVE_TOKEN) count(seen, 'native');
    if (route.hops.some(({ bps }) => bps < 10_000)) count(seen, 'split');
    if (terms.mode === 'buy') count(seen, 'buy');
    if (terms.minBuyAmount > 0n) count(seen, 'floors');
  }

  function count(seen: Record<string, number>, kind: string): void {
    seen[kind] = (seen[kind] ?? 0) + 1;
  }
});
