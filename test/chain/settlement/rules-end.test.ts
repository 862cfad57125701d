import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type SurplusPolicy, type SwapTerms, swapTag } from '../../../src/building/building.ts';
import { asAddress, asBps, asWei, NATIVE_TOKEN } from '../../../src/units/units.ts';
import { FULL_SCALE, SEED, seededRandom } from '../../support/seeded-random.ts';
import { contractOf, type Ground, hop, ONE, TAG, takerCall, termsOf, useGround, wrap } from '../../support/settlement/ground.ts';
import { changes, expectError, refuse, setToken, settle, swapEvents } from '../../support/settlement/swaps.ts';
import { ROOT } from '../../support/source-files.ts';

const POLICIES: readonly [SurplusPolicy, ...SurplusPolicy[]] = ['protocol', 'taker', 'shared'];

describe('settlement rules 7 to 11: the end of a swap', function () {
  this.timeout(FULL_SCALE ? 1_800_000 : 300_000);
  const here = useGround();

  /** Native wrapped one to one, so that the gross output is the input to the wei, through a fee and a policy. */
  function wrapping(ground: Ground, gross: bigint, more: Partial<SwapTerms>): SwapTerms {
    const { weth } = ground.tokens;
    return termsOf(ground, { sellToken: NATIVE_TOKEN, buyToken: weth, sellAmount: asWei(gross), legs: [wrap(NATIVE_TOKEN, weth)], ...more });
  }

  function feeOf(ground: Ground, feeBps: number, partnerShareBps: number): SwapTerms['fee'] {
    return { feeBps: asBps(feeBps), partner: ground.accounts.partner, partnerShareBps: asBps(partnerShareBps) };
  }

  /** The integers of decisions S5 and B14 by the definitions alone. */
  function shares(gross: bigint, quoted: bigint, feeBps: number, share: number, policy: SurplusPolicy) {
    const fee = (gross * BigInt(feeBps)) / 10_000n;
    const partner = (fee * BigInt(share)) / 10_000n;
    const net = gross - fee;
    const surplus = net > quoted ? net - quoted : 0n;
    const kept = policy === 'protocol' ? surplus : policy === 'taker' ? 0n : surplus / 2n;
    return { fee, partner, protocol: fee - partner + kept, recipient: net - kept };
  }

  it('7. gross, fee, split of the fee, net, surplus by the policy in calldata: every part to the wei, and they sum (K14)', async () => {
    const ground = here.current();
    const { recipient, partner, collector } = ground.accounts;
    const random = seededRandom('settlement-fees');
    for (let i = 0; i < (FULL_SCALE ? 1_500 : 40); i++) {
      const gross = random.logUniform(ONE);
      const feeBps = random.pick([0, 1, 10, 1500, random.integer(0, 1500)]);
      const share = random.pick([0, 8500, 10_000, random.integer(0, 10_000)]);
      const policy = random.pick(POLICIES);
      const quoted = (gross * BigInt(random.integer(7_000, 10_100))) / 10_000n;
      const expected = shares(gross, quoted, feeBps, share, policy);
      const minimum = random.chance(0.5) ? expected.recipient : 0n;
      const terms = wrapping(ground, gross, { fee: feeOf(ground, feeBps, share), surplus: policy, buyAmount: asWei(quoted), minBuyAmount: asWei(minimum) });
      const label = `BRAID_SEED=${SEED} gross ${gross} quoted ${quoted} fee ${feeBps} share ${share} ${policy}`;
      const moved = await changes(ground, { recipient, partner, collector, router: ground.router, holder: ground.allowanceHolder }, async () => {
        const event = await settle(ground, terms);
        expect([event.sellAmount, event.buyAmount, event.feeAmount], label).to.deep.equal([gross, expected.recipient, expected.fee]);
      });
      const nonZero = Object.entries({ 'recipient.weth': expected.recipient, 'partner.weth': expected.partner, 'collector.weth': expected.protocol });
      expect(moved, label).to.deep.equal(Object.fromEntries(nonZero.filter(([, amount]) => amount > 0n)));
      if (minimum > 0n) await refuse(ground, { ...terms, minBuyAmount: asWei(minimum + 1n) }, 'BelowMinimum');
    }
  });

  it('7. shared surplus: half each, the odd wei to the recipient', async () => {
    const ground = here.current();
    const { recipient, collector } = ground.accounts;
    const terms = wrapping(ground, 1_007n, { surplus: 'shared', buyAmount: asWei(1_000n) });
    expect(await changes(ground, { recipient, collector }, () => settle(ground, terms))).to.deep.equal({ 'recipient.weth': 1_004n, 'collector.weth': 3n });
  });

  it('7. a fee above 15%, a share above the whole, and unknown policies revert (K14)', async () => {
    const ground = here.current();
    await refuse(ground, wrapping(ground, ONE, { fee: feeOf(ground, 1501, 0) }), 'FeeTooHigh');
    await refuse(ground, wrapping(ground, ONE, { fee: feeOf(ground, 10_000, 0) }), 'FeeTooHigh');
    const call = takerCall(ground, wrapping(ground, ONE, { fee: feeOf(ground, 1500, 10_000) }));
    expectError(await ground.chain.attempt(ground.accounts.taker, { ...call, data: withShareTooHigh(call.data ?? '0x') }), 'FeeTooHigh');
    // The first byte of the payload: the third policy, and the unused bit.
    for (const flags of ['36', '3e', 'b8']) {
      const data = (call.data ?? '0x').replace(/^(0x.{136})(..)/, `$1${flags}`) as `0x${string}`;
      expectError(await ground.chain.attempt(ground.accounts.taker, { ...call, data }), 'FlagsUnknown');
    }
  });

  it('7. a partner that is the router, the allowance holder or nobody reverts, unless its part is nothing; one that is the recipient gets both (K14)', async () => {
    const ground = here.current();
    const { recipient } = ground.accounts;
    for (const partner of [ground.router, ground.allowanceHolder, asAddress(`0x${'0'.repeat(40)}`)]) {
      const fee = { feeBps: asBps(100), partner, partnerShareBps: asBps(5000) };
      await refuse(ground, wrapping(ground, ONE, { fee }), 'NotAReceiver');
      await settle(ground, wrapping(ground, ONE, { fee: { ...fee, partnerShareBps: asBps(0) } }));
    }
    const fee = { feeBps: asBps(100), partner: recipient, partnerShareBps: asBps(10_000) };
    expect(await changes(ground, { recipient }, () => settle(ground, wrapping(ground, ONE, { fee })))).to.deep.equal({ 'recipient.weth': ONE });
  });

  it('7. the floor is measured at the recipient for a token that taxes transfers, last, at full width', async () => {
    const ground = here.current();
    const { a, b } = ground.tokens;
    await setToken(ground, b, 0, 300, asAddress(`0x${'0'.repeat(40)}`));
    const terms = termsOf(ground, { legs: [hop(ground, 'v2', a, b)] });
    const { buyAmount } = await ground.chain.apart(() => settle(ground, terms));
    const moved = await changes(ground, { recipient: ground.accounts.recipient }, () => settle(ground, { ...terms, minBuyAmount: asWei(buyAmount) }));
    expect(moved).to.deep.equal({ 'recipient.b': buyAmount });
    await ground.chain.apart(async () => refuse(ground, { ...terms, minBuyAmount: asWei(buyAmount + ONE / 1000n) }, 'BelowMinimum'));
    // A floor that would pass in 128 bits.
    await refuse(ground, { ...terms, minBuyAmount: asWei(2n ** 128n) }, 'BelowMinimum');
    await refuse(ground, { ...terms, minBuyAmount: asWei(2n ** 256n - 1n) }, 'BelowMinimum');
  });

  it('7. a taxed sell token is pulled straight into a pair and taxed once; a leg that does not measure, and V3, revert (G3)', async () => {
    const ground = here.current();
    const { a, b } = ground.tokens;
    await setToken(ground, a, 0, 500, asAddress(`0x${'0'.repeat(40)}`));
    const { taker, recipient } = ground.accounts;
    const moved = await changes(ground, { taker, recipient }, () => settle(ground, termsOf(ground, { legs: [hop(ground, 'v2', a, b, 10_000, true)] })));
    const reached = (ONE * 95n) / 100n;
    const kept = reached * 997n;
    const depth = 1_000_000n * ONE;
    expect(moved).to.deep.equal({ 'taker.a': -ONE, 'recipient.b': (kept * depth) / (depth * 1000n + kept) });
    await refuse(ground, termsOf(ground, { legs: [hop(ground, 'v2', a, b)] }), 'VenueReverted');
    await refuse(ground, termsOf(ground, { legs: [hop(ground, 'v3', a, b)] }), 'VenueReverted');
  });

  it('8. buy: the recipient gets exactly buyAmount, the fee is that of the gross target, the rest goes to the protocol whatever the policy (K20)', async () => {
    const ground = here.current();
    const { recipient, partner, collector } = ground.accounts;
    const random = seededRandom('settlement-buy');
    for (let i = 0; i < (FULL_SCALE ? 10_000 : 40); i++) {
      const target = random.logUniform(ONE);
      const feeBps = random.pick([0, 10, 1500, random.integer(0, 1500)]);
      const share = random.integer(0, 10_000);
      // By the definition: the first g that leaves the target.
      let gross = (target * 10_000n) / BigInt(10_000 - feeBps);
      while (gross - (gross * BigInt(feeBps)) / 10_000n < target) gross++;
      while (gross > 0n && gross - 1n - ((gross - 1n) * BigInt(feeBps)) / 10_000n >= target) gross--;
      const excess = random.chance(0.3) ? 0n : random.logUniform(ONE);
      const fee = gross - target;
      const toPartner = (fee * BigInt(share)) / 10_000n;
      const terms = wrapping(ground, gross + excess, {
        mode: 'buy',
        fee: feeOf(ground, feeBps, share),
        surplus: random.pick(POLICIES),
        buyAmount: asWei(target),
      });
      const label = `BRAID_SEED=${SEED} target ${target} fee ${feeBps} share ${share} excess ${excess}`;
      const moved = await changes(ground, { recipient, partner, collector, router: ground.router }, async () => {
        const event = await settle(ground, terms);
        expect([event.buyAmount, event.feeAmount], label).to.deep.equal([target, fee]);
      });
      const expected = Object.entries({ 'recipient.weth': target, 'partner.weth': toPartner, 'collector.weth': fee - toPartner + excess });
      expect(moved, label).to.deep.equal(Object.fromEntries(expected.filter(([, amount]) => amount > 0n)));
      if (gross > 1n) {
        expect(await refuse(ground, { ...terms, sellAmount: asWei(gross - 1n) }, 'BelowMinimum'), label).to.deep.equal([gross - 1n, gross]);
      }
    }
  });

  it('8. buy: a target whose gross does not fit 256 bits reverts; a taxed token that delivers less than the target reverts', async () => {
    const ground = here.current();
    const { a, b } = ground.tokens;
    const huge = wrapping(ground, ONE, { mode: 'buy', fee: feeOf(ground, 1500, 0), buyAmount: asWei(2n ** 256n - 1n) });
    await refuse(ground, huge, 'TargetTooLarge');
    await refuse(ground, { ...huge, fee: null }, 'BelowMinimum');
    await setToken(ground, b, 0, 1, asAddress(`0x${'0'.repeat(40)}`));
    await refuse(ground, termsOf(ground, { mode: 'buy', buyAmount: asWei(ONE / 2n), legs: [hop(ground, 'v2', a, b)] }), 'NotExact');
  });

  it('8. sell token that a venue does not take goes back to the taker, not to the recipient or the router (K20, complaint 23)', async () => {
    const ground = here.current();
    const { a, b, c, weth } = ground.tokens;
    const { taker, recipient } = ground.accounts;
    const trick = contractOf(ground.contracts, 'TrickToken').abi;
    await ground.chain.write(ground.accounts.deployer, a, trick, 'mint', [[taker], 2_000_000n * ONE]);
    await ground.chain.rpc.request('anvil_setBalance', taker, `0x${(5_000_000n * ONE).toString(16)}`);
    const places = { taker, recipient, router: ground.router, holder: ground.allowanceHolder };
    // The V3 pools end at tick ±6000: about 350,000 fill, whatever is offered.
    for (const mode of ['sell', 'buy'] as const) {
      const amounts = { sellAmount: asWei(900_000n * ONE), mode, ...(mode === 'buy' ? { buyAmount: asWei(100_000n * ONE) } : {}) };
      await ground.chain.apart(async () => {
        const moved = await changes(ground, places, async () => {
          const event = await settle(ground, termsOf(ground, { ...amounts, legs: [hop(ground, 'v3', a, b)] }));
          expect(event.sellAmount > 340_000n * ONE && event.sellAmount < 360_000n * ONE, String(event.sellAmount)).to.equal(true);
        });
        expect(Object.keys(moved).sort()).to.deep.equal(['recipient.b', 'taker.a']);
        expect(-(moved['taker.a'] ?? 0n) < 360_000n * ONE).to.equal(true);
      });
      // An intermediate token that the second venue does not take.
      await ground.chain.apart(async () => {
        const moved = await changes(ground, places, () =>
          settle(ground, termsOf(ground, { ...amounts, legs: [hop(ground, 'v2', a, c), hop(ground, 'v3', c, b)] })),
        );
        expect(Object.keys(moved).sort()).to.deep.equal(['recipient.b', 'taker.a', 'taker.c']);
        expect(moved['taker.a']).to.equal(-900_000n * ONE);
        expect((moved['taker.c'] ?? 0n) > 0n).to.equal(true);
      });
      // Native sold: what is left is wrapped by then.
      await ground.chain.apart(async () => {
        const terms = termsOf(ground, { ...amounts, sellToken: NATIVE_TOKEN, legs: [wrap(NATIVE_TOKEN, weth), hop(ground, 'v3', weth, b)] });
        const moved = await changes(ground, places, () => settle(ground, terms));
        expect(Object.keys(moved).sort()).to.deep.equal(['recipient.b', 'taker.native', 'taker.weth']);
      });
    }
  });

  it('9. after the deadline the call reverts before it moves anything; at the deadline it does not (K13)', async () => {
    const ground = here.current();
    const { a, b } = ground.tokens;
    const head = (await ground.chain.rpc.request('eth_getBlockByNumber', 'latest', false)) as { readonly timestamp: string };
    const time = Number(head.timestamp) + 1_000;
    for (const [late, ok] of [
      [-1, true],
      [0, true],
      [1, false],
    ] as const) {
      await ground.chain.apart(async () => {
        const native = wrapping(ground, ONE, { deadline: BigInt(time) });
        const erc20 = termsOf(ground, { deadline: BigInt(time), legs: [hop(ground, 'v2', a, b)] });
        await ground.chain.rpc.request('evm_setAutomine', false);
        const send = async (terms: SwapTerms): Promise<unknown> => {
          const { to, data = '0x', value = 0n } = takerCall(ground, terms);
          const wire = { from: terms.taker, to, data, value: `0x${value.toString(16)}`, gas: '0xf4240', gasPrice: '0x0' };
          return ground.chain.rpc.request('eth_sendTransaction', wire);
        };
        const hashes = [await send(native), await send(erc20)];
        await ground.chain.rpc.request('evm_setNextBlockTimestamp', time + late);
        await ground.chain.rpc.request('evm_mine');
        await ground.chain.rpc.request('evm_setAutomine', true);
        for (const hash of hashes) {
          const receipt = (await ground.chain.rpc.request('eth_getTransactionReceipt', hash)) as { readonly status: string; readonly logs: readonly unknown[] };
          expect([receipt.status === '0x1', receipt.logs.length > 0], `timestamp − deadline = ${late}`).to.deep.equal([ok, ok]);
        }
      });
    }
    await refuse(ground, wrapping(ground, ONE, { deadline: 1n }), 'Expired');
    await refuse(ground, wrapping(ground, ONE, { deadline: 0n }), 'Expired');
  });

  it('10. one Swap event per settlement, with the tag and what really moved (K21, invariant 15)', async () => {
    const ground = here.current();
    const { a, b, weth } = ground.tokens;
    const { taker, recipient } = ground.accounts;
    const tag = swapTag('0a1b2c3d-4e5f-4a7b-8c9d-0e1f2a3b4c5d', 'partner-7');
    expect(tag.slice(0, 34)).to.equal('0x0a1b2c3d4e5f4a7b8c9d0e1f2a3b4c5d');
    const legs = [hop(ground, 'v2', a, weth, 5000), hop(ground, 'v3', a, weth), hop(ground, 'v3', weth, b)];
    const terms = termsOf(ground, { tag, legs, fee: feeOf(ground, 25, 8500) });
    let event = {};
    const moved = await changes(ground, { taker, recipient, partner: ground.accounts.partner, collector: ground.accounts.collector }, async () => {
      const receipt = await ground.chain.mustSend(taker, takerCall(ground, terms));
      const events = swapEvents(ground, receipt);
      expect(events.length).to.equal(1);
      event = events[0] ?? {};
    });
    expect(event).to.deep.equal({
      tag,
      taker,
      recipient,
      sellToken: a,
      buyToken: b,
      sellAmount: -(moved['taker.a'] ?? 0n),
      buyAmount: moved['recipient.b'],
      feeAmount: (moved['partner.b'] ?? 0n) + (moved['collector.b'] ?? 0n),
    });
    expect((await settle(ground, wrapping(ground, ONE, {}))).tag).to.equal(TAG);
  });

  it('11. a recipient that is nobody, the router or the allowance holder reverts', async () => {
    const ground = here.current();
    const { a, b } = ground.tokens;
    for (const recipient of [asAddress(`0x${'0'.repeat(40)}`), ground.router, ground.allowanceHolder]) {
      await refuse(ground, termsOf(ground, { recipient, legs: [hop(ground, 'v3', a, b)] }), 'NotAReceiver');
      await refuse(ground, wrapping(ground, ONE, { recipient }), 'NotAReceiver');
    }
  });

  it('11. custom errors only: the contracts hold no require and no revert with a text', () => {
    const files = readdirSync(join(ROOT, 'contracts'), { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.sol') && !file.startsWith('devnet'),
    );
    expect(files.length).to.be.greaterThan(10);
    const texts = /\brequire\s*\(|\bassert\s*\(|revert\s*\(\s*["')]/;
    expect(files.filter((file) => texts.test(readFileSync(join(ROOT, 'contracts', file), 'utf8')))).to.deep.equal([]);
  });

  it('terms that sell nothing, or a token for itself, and hops that spend nothing revert: no special amount is a way around a check (Socket 2024)', async () => {
    const ground = here.current();
    const { a, b, c } = ground.tokens;
    await refuse(ground, termsOf(ground, { sellAmount: asWei(0n), legs: [hop(ground, 'v2', a, b)] }), 'NothingSold');
    await refuse(ground, wrapping(ground, 0n, {}), 'NothingSold');
    await refuse(ground, termsOf(ground, { buyToken: a, legs: [] }), 'SameToken');
    await refuse(ground, termsOf(ground, { legs: [hop(ground, 'v2', a, b, 0)] }), 'NothingToSpend');
    await refuse(ground, termsOf(ground, { legs: [hop(ground, 'v2', c, b)] }), 'NothingToSpend');
    await refuse(ground, termsOf(ground, { legs: [hop(ground, 'v2', a, c), hop(ground, 'v2', c, a)] }), 'HopMalformed');
    // Nothing done is nothing delivered.
    await refuse(ground, termsOf(ground, { minBuyAmount: asWei(1n), legs: [] }), 'BelowMinimum');
    const nothing = await changes(ground, { taker: ground.accounts.taker }, () => settle(ground, termsOf(ground, { legs: [] })));
    expect(nothing).to.deep.equal({});
  });

  it('a donation to the router or the allowance holder changes nothing and stays (invariant 6)', async () => {
    const ground = here.current();
    const { a, b, c, weth } = ground.tokens;
    const { deployer, recipient, taker } = ground.accounts;
    const trick = contractOf(ground.contracts, 'TrickToken').abi;
    const terms = termsOf(ground, { legs: [hop(ground, 'v2', a, c, 3333), hop(ground, 'v3', a, weth), hop(ground, 'v3', c, b), hop(ground, 'v2', weth, b)] });
    const plain = await ground.chain.apart(async () => (await settle(ground, terms)).buyAmount);
    for (const token of [a, b, c]) await ground.chain.write(deployer, token, trick, 'mint', [[ground.router, ground.allowanceHolder], 777n * ONE]);
    await ground.chain.rpc.request('anvil_setBalance', ground.router, `0x${(9n * ONE).toString(16)}`);
    const moved = await changes(ground, { recipient, taker, router: ground.router, holder: ground.allowanceHolder }, () => settle(ground, terms));
    expect(moved).to.deep.equal({ 'taker.a': -ONE, 'recipient.b': plain });
    // Nor can a route be written that spends it.
    await refuse(ground, termsOf(ground, { legs: [hop(ground, 'v2', c, b), hop(ground, 'v2', a, c)] }), 'NothingToSpend');
    const greedy = termsOf(ground, {
      sellToken: NATIVE_TOKEN,
      buyToken: weth,
      sellAmount: asWei(1n),
      minBuyAmount: asWei(2n),
      legs: [wrap(NATIVE_TOKEN, weth)],
    });
    await refuse(ground, greedy, 'BelowMinimum');
  });
});

/** The last two bytes of the fee, which precede the count of intermediate tokens and the only hop of a wrap. */
function withShareTooHigh(data: `0x${string}`): `0x${string}` {
  const at = data.indexOf('05dc2710');
  return `${data.slice(0, at)}05dc2711${data.slice(at + 8)}` as `0x${string}`;
}
