import { expect } from 'chai';
import type { TransferVerdict } from '../../src/snapshot/snapshot.ts';
import { type Address, asWei } from '../../src/units/units.ts';
import {
  CLUES,
  GATES,
  LIES,
  LITTLE_OF_POOL,
  REFUSES_AT_GENUINE,
  STRANGER_OR_CODE,
  TAXES_LITTLE_GAS_OF_BUYER,
  TAXES_LITTLE_GAS_OF_PLAIN,
  TAXES_OTHER_TIPS,
  TAXES_PLAIN_BETWEEN,
  WARM_BALANCE,
} from '../support/lying-tokens.ts';
import { DEPTH, useMeasuring } from '../support/measuring.ts';
import { contractOf, ONE, termsOf, through, useGround } from '../support/settlement/ground.ts';
import { refuse, settle } from '../support/settlement/swaps.ts';

/** A hundredth of a percent. */
const ONE_BPS = 100;

/** Parts per million: 0.4, 1, 5, 20 and 20.01%. */
const RATES = [4_000, 10_000, 50_000, 200_000, 200_100] as const;

describe('what transfers of a token are found to do, on a chain with real pools', function suite() {
  this.timeout(600_000);
  const here = useGround();
  const measuring = useMeasuring(here);

  const tax = async (token: Address, buyPpm: number, sellPpm: number, walletPpm: number, least = 0n): Promise<void> =>
    measuring.current().write('TaxedToken', token, 'setTaxes', [buyPpm, sellPpm, walletPpm, least]);
  const expectTaxed = (verdict: TransferVerdict, buyPpm: number, sellPpm: number, scope: string): void => {
    if (verdict.kind !== 'taxed') throw new Error(`expected a tax, not ${JSON.stringify(verdict)}`);
    expect(verdict.scope).to.equal(scope);
    expect(verdict.buyPpm - buyPpm, `${verdict.buyPpm} of ${buyPpm}`).to.be.within(0, ONE_BPS);
    expect(verdict.sellPpm - sellPpm, `${verdict.sellPpm} of ${sellPpm}`).to.be.within(0, ONE_BPS);
  };

  for (const rate of RATES) {
    it(`finds a tax of ${rate / 10_000}% to a hundredth of a percent in each scope, at a pair and at a V3 pool (G3)`, async () => {
      const { token, pair, pool } = await measuring.current().token('TaxedToken', ['Taxed', 'TAX']);
      expect(await measuring.current().verdict(token, [pair, pool])).to.deep.equal({ kind: 'clean' });
      for (const [buy, sell, wallet, scope] of [
        [rate, rate, rate, 'universal'],
        [0, 0, rate, 'universal'],
        [rate, rate, 0, 'pool-only'],
        [0, rate, 0, 'sell-only'],
        [rate, 0, 0, 'buy-only'],
      ] as const) {
        await tax(token, buy, sell, wallet);
        for (const holders of [[pair], [pool], [pair, pool]]) {
          expectTaxed(await measuring.current().verdict(token, holders), Math.max(buy, wallet), Math.max(sell, wallet), scope);
        }
      }
    });
  }

  it('finds taxes that differ by side, each on its own', async () => {
    const { token, pair, pool } = await measuring.current().token('TaxedToken', ['Taxed', 'TAX']);
    for (const [at, buy] of RATES.entries()) {
      const sell = RATES[(at + 2) % RATES.length] ?? buy;
      await tax(token, buy, sell, 0);
      expectTaxed(await measuring.current().verdict(token, [pair, pool]), buy, sell, 'pool-only');
      await tax(token, buy, sell, Math.min(buy, sell));
      expectTaxed(await measuring.current().verdict(token, [pair, pool]), buy, sell, 'universal');
    }
  });

  it('holds a tax on large amounts alone, one that some pools are free of, and one that was set a moment ago (G7) against the token', async () => {
    const { token, pair, pool } = await measuring.current().token('TaxedToken', ['Taxed', 'TAX']);
    await tax(token, 30_000, 30_000, 0, DEPTH / 20n);
    expectTaxed(await measuring.current().verdict(token, [pair]), 30_000, 30_000, 'pool-only');
    await measuring.current().write('TaxedToken', token, 'mark', [pair, true, true]);
    expect(await measuring.current().verdict(token, [pair])).to.deep.equal({ kind: 'clean' });
    expectTaxed(await measuring.current().verdict(token, [pair, pool]), 30_000, 30_000, 'pool-only');
    await tax(token, 0, 70_000, 0);
    expectTaxed(await measuring.current().verdict(token, [pool]), 0, 70_000, 'sell-only');
    await tax(token, 0, 0, 0);
    expect(await measuring.current().verdict(token, [pair, pool])).to.deep.equal({ kind: 'clean' });
  });

  it('finds what lets nobody sell, what shuts accounts out, what is at rest and what fails otherwise (G2, G6)', async () => {
    const { token, pair, pool } = await measuring.current().token('GatedToken');
    const cases = [
      [GATES.NoSelling, 'honeypot'],
      [GATES.NoApproving, 'honeypot'],
      [GATES.SaysSold, 'honeypot'],
      [GATES.OneTransfer, 'blacklist'],
      [GATES.Paused, 'paused'],
      [GATES.SaysFalse, 'paused'],
      [GATES.PoolsOnly, 'refused'],
      [GATES.BurnsGas, 'paused'],
      [GATES.Invalid, 'paused'],
      [GATES.RevertsBomb, 'paused'],
      [GATES.Multiplies, 'paused'],
      [GATES.NoContracts, 'blacklist'],
    ] as const;
    for (const [gate, reason] of cases) {
      await measuring.current().write('GatedToken', token, 'setGate', [gate, 0n, []]);
      expect(await measuring.current().verdict(token, [pair]), `gate ${gate}`).to.deep.equal({ kind: 'gated', reason });
    }
    // After it is no longer at rest, the next block's verdict is another one (G6).
    await measuring.current().write('GatedToken', token, 'setGate', [GATES.Open, 0n, []]);
    expect(await measuring.current().verdict(token, [pair, pool])).to.deep.equal({ kind: 'clean' });
    // Whoever buys less than the limit can sell it: nobody is stuck.
    await measuring.current().write('GatedToken', token, 'setGate', [GATES.Limited, DEPTH / 100n, []]);
    expect(await measuring.current().verdict(token, [pair, pool])).to.deep.equal({ kind: 'clean' });
    await measuring.current().write('GatedToken', token, 'setGate', [GATES.ReturnsBomb, 0n, []]);
    expect(await measuring.current().verdict(token, [pair, pool])).to.deep.equal({ kind: 'clean' });
    await measuring.current().write('GatedToken', token, 'setGate', [GATES.Open, 0n, [pool]]);
    expect(await measuring.current().verdict(token, [pair, pool])).to.deep.equal({ kind: 'gated', reason: 'blacklist' });
  });

  it('finds what refuses to be paid to a V3 pool that swaps, as every seller pays it, and nothing of that kind where the pool is paid before', async () => {
    const { token, pair, pool } = await measuring.current().token('GatedToken');
    await measuring.current().write('GatedToken', token, 'setGate', [GATES.NoPaying, 0n, []]);
    expect(await measuring.current().verdict(token, [pool])).to.deep.equal({ kind: 'gated', reason: 'honeypot' });
    expect(await measuring.current().measure(token, [pair, pool], pair)).to.deep.equal({ kind: 'verdict', verdict: { kind: 'clean' }, openAt: [pair] });
  });

  it('finds what shuts out the contracts that swaps are settled by, and nobody else (G6)', async () => {
    const { router, allowanceHolder, permit2 } = here.current();
    for (const [barred, reason] of [
      [router, 'blacklist'],
      [allowanceHolder, 'honeypot'],
      [permit2, 'honeypot'],
    ] as const) {
      const { token, pair, pool } = await measuring.current().token('GatedToken');
      for (const open of [[], [here.current().accounts.stranger]]) {
        await measuring.current().write('GatedToken', token, 'setGate', [GATES.Open, 0n, open]);
        expect(await measuring.current().verdict(token, [pair, pool])).to.deep.equal({ kind: 'clean' });
      }
      await measuring.current().write('GatedToken', token, 'setGate', [GATES.Open, 0n, [barred]]);
      for (const holder of [pair, pool]) expect(await measuring.current().verdict(token, [holder]), barred).to.deep.equal({ kind: 'gated', reason });
    }
  });

  it('a pool that is not the deepest, and at which alone a token is refused or taxed, is left out; what is found at the deepest, or where none is known to be, is the token’s', async () => {
    const { token, pair, pool } = await measuring.current().token('GatedToken');
    const found = async (deepest: Address | null) => await measuring.current().measure(token, [pair, pool], deepest);
    expect(await found(pair)).to.deep.equal({ kind: 'verdict', verdict: { kind: 'clean' }, seenAt: [pair, pool] });
    await measuring.current().write('GatedToken', token, 'setGate', [GATES.Open, 0n, [pool]]);
    expect(await found(pair)).to.deep.equal({ kind: 'verdict', verdict: { kind: 'clean' }, openAt: [pair] });
    for (const deepest of [pool, null]) {
      expect(await found(deepest), String(deepest)).to.deep.equal({ kind: 'verdict', verdict: { kind: 'gated', reason: 'blacklist' } });
    }
    // Whatever is refused everywhere is no matter of a pool.
    await measuring.current().write('GatedToken', token, 'setGate', [GATES.NoSelling, 0n, []]);
    expect(await found(pair)).to.deep.equal({ kind: 'verdict', verdict: { kind: 'gated', reason: 'honeypot' } });
    const taxed = await measuring.current().token('TaxedToken', ['Taxed', 'TAX']);
    await tax(taxed.token, 30_000, 30_000, 0);
    await measuring.current().write('TaxedToken', taxed.token, 'mark', [taxed.pair, true, true]);
    const of = async (deepest: Address) => await measuring.current().measure(taxed.token, [taxed.pair, taxed.pool], deepest);
    expect(await of(taxed.pair)).to.deep.equal({ kind: 'verdict', verdict: { kind: 'clean' }, openAt: [taxed.pair] });
    const worst = await of(taxed.pool);
    if (worst.kind !== 'verdict') throw new Error(worst.message);
    expectTaxed(worst.verdict, 30_000, 30_000, 'pool-only');
    expect([worst.openAt, worst.seenAt]).to.deep.equal([undefined, [taxed.pair, taxed.pool]]);
    // One of everything is every pool's.
    await tax(taxed.token, 30_000, 30_000, 30_000);
    await measuring.current().write('TaxedToken', taxed.token, 'mark', [taxed.pair, true, false]);
    const universal = await of(taxed.pair);
    if (universal.kind !== 'verdict') throw new Error(universal.message);
    expectTaxed(universal.verdict, 30_000, 30_000, 'universal');
    expect([universal.openAt, universal.seenAt]).to.deep.equal([undefined, [taxed.pair, taxed.pool]]);
  });

  it('does not count the gas that a token spends, nor what it says, as an answer of the node: a bounded call, and a verdict', async () => {
    const { token, pair } = await measuring.current().token('GatedToken');
    for (const gate of [GATES.BurnsGas, GATES.Invalid, GATES.RevertsBomb, GATES.ReturnsBomb]) {
      await measuring.current().write('GatedToken', token, 'setGate', [gate, 0n, []]);
      const started = performance.now();
      expect((await measuring.current().measure(token, [pair])).kind).to.equal('verdict');
      expect(performance.now() - started, `gate ${gate}`).to.be.below(5000);
    }
  });

  it('finds rounding, and not a tax, where balances are shares (a wei or two less arrive), and rebases no tax either', async () => {
    const shares = await measuring.current().token('SharesToken', ['Shares', 'SHARE', 18], 'pair-alone');
    expect(await measuring.current().verdict(shares.token, [shares.pair])).to.deep.equal({ kind: 'imprecise' });
    const rebasing = await measuring.current().token('RebasingToken', [], 'pair-alone');
    // The last but one leaves the pair some base units short of what it last saw.
    for (const supply of [10n ** 27n, 777_777_777_777_777_777_777_777_777n, 777_777_777_777_777_777_777_777_777n - 10n ** 8n, 3n * 10n ** 26n]) {
      await measuring.current().write('RebasingToken', rebasing.token, 'rebase', [supply]);
      expect((await measuring.current().verdict(rebasing.token, [rebasing.pair])).kind, String(supply)).to.be.oneOf(['clean', 'imprecise']);
    }
  });

  it('finds tokens of odd manners plain: no return values (G1), none above 96 bits and none of zero (G13)', async () => {
    const ground = here.current();
    const { n, a, weth } = ground.tokens;
    expect(await measuring.current().verdict(n, [ground.pool('v2', n, weth), ground.pool('v3', n, weth)])).to.deep.equal({ kind: 'clean' });
    expect(await measuring.current().verdict(a, [ground.pool('v2', a, weth)])).to.deep.equal({ kind: 'clean' });
    const narrow = await measuring.current().token('NarrowToken');
    expect(await measuring.current().verdict(narrow.token, [narrow.pair, narrow.pool])).to.deep.equal({ kind: 'clean' });
  });

  it('G13: a supply near 2^256 overflows nothing', async () => {
    const { token, pair, pool } = await measuring.current().token('TaxedToken', ['Taxed', 'TAX']);
    await measuring.current().write('TaxedToken', token, 'mint', [[pair, pool], 2n ** 255n - 5n * DEPTH]);
    // The pair counts to 2^112 and can no longer trade: nobody knows what the token would do there.
    expect(await measuring.current().verdict(token, [pair])).to.deep.equal({ kind: 'unmeasurable' });
    expect(await measuring.current().measure(token, [pair, pool])).to.deep.equal({ kind: 'verdict', verdict: { kind: 'clean' }, seenAt: [pool] });
    await tax(token, 1_000, 1_000, 1_000);
    // Of large amounts the token's own arithmetic overflows, and it reverts: nobody gets so many.
    for (const holders of [[pool], [pair, pool]]) expectTaxed(await measuring.current().verdict(token, holders), 1_000, 1_000, 'universal');
  });

  it('G17: a token that is gone is gated, and what stands there afterwards is measured anew', async () => {
    const ground = here.current();
    const { token, pair } = await measuring.current().token('TaxedToken', ['Taxed', 'TAX']);
    const code = await ground.chain.rpc.request('eth_getCode', token, 'latest');
    await ground.chain.rpc.request('anvil_setCode', token, '0x');
    expect(await measuring.current().verdict(token, [pair])).to.deep.equal({ kind: 'gated', reason: 'refused' });
    await ground.chain.rpc.request('anvil_setCode', token, code);
    expect(await measuring.current().verdict(token, [pair])).to.deep.equal({ kind: 'clean' });
  });

  it('takes what a V3 pool does not give, since no price within its reach does, for no tax', async () => {
    const { token, pair, pool } = await measuring.current().token('LyingToken');
    // Fees that nobody collected lie in a pool like any other of its tokens.
    await measuring.current().write('LyingToken', token, 'mint', [[pool], 3n * DEPTH]);
    for (let time = 0; time < 3; time++) expect(await measuring.current().verdict(token, [pair, pool])).to.deep.equal({ kind: 'clean' });
  });

  it('has no verdict of its own where no pool holds anything', async () => {
    const { token, pair } = await measuring.current().token('TaxedToken', ['Taxed', 'TAX']);
    expect(await measuring.current().verdict(token, [])).to.deep.equal({ kind: 'unmeasurable' });
    expect(await measuring.current().verdict(token, [here.current().pool('v2', here.current().tokens.a, here.current().tokens.b)])).to.deep.equal({
      kind: 'unmeasurable',
    });
    expect(await measuring.current().verdict(token, [pair])).to.deep.equal({ kind: 'clean' });
  });

  describe('a token that', () => {
    for (const [words, [lie, ...found]] of Object.entries(LIES)) {
      it(`${words} does not deceive, at a pair and at a V3 pool`, async () => {
        const { weth } = here.current().tokens;
        const { token, pair, pool } = await measuring.current().token('LyingToken');
        expect(await measuring.current().verdict(token, [pair, pool])).to.deep.equal({ kind: 'clean' });
        await measuring.current().write('LyingToken', token, 'setLie', [lie, weth, [pair, pool]]);
        for (const [at, expected] of [
          [pair, found[0]],
          [pool, found[1]],
        ] as const) {
          const verdict = await measuring.current().verdict(token, [at]);
          const where = at === pair ? 'pair' : 'pool';
          if (expected === null) expect(verdict, where).to.deep.equal({ kind: 'clean' });
          else if (typeof expected === 'string') expect(verdict, where).to.deep.equal({ kind: 'gated', reason: expected });
          else if (typeof expected === 'object') expect(verdict.kind === 'gated' && verdict.reason, where).to.be.oneOf([...expected]);
          else expectTaxed(verdict, 0, expected, 'sell-only');
        }
      });
    }
  });

  it('finds what takes a fifth of purchases with as little gas as a wallet leaves, at pools that have their own code', async () => {
    const { weth } = here.current().tokens;
    const { token, pair, pool } = await measuring.current().token('LyingToken');
    await measuring.current().write('LyingToken', token, 'setLie', [TAXES_LITTLE_GAS_OF_BUYER, weth, [pair, pool]]);
    for (const at of [pair, pool]) expectTaxed(await measuring.current().verdict(token, [at]), 200_000, 0, 'buy-only');
  });

  it('finds what shuts sales of what people trade, whatever its maker put into a pool so that each part of that is more', async () => {
    const { weth } = here.current().tokens;
    const { token, pair, pool } = await measuring.current().token('LyingToken');
    for (const [place, much] of [
      [pair, 2n ** 111n],
      [pool, 2n ** 150n],
    ] as const) {
      await measuring.current().write('LyingToken', token, 'setLie', [0, weth, []]);
      await measuring.current().write('LyingToken', token, 'mint', [[place], much]);
      expect(await measuring.current().verdict(token, [place])).to.deep.equal({ kind: 'clean' });
      await measuring.current().write('LyingToken', token, 'setLie', [LITTLE_OF_POOL, weth, []]);
      expect(await measuring.current().verdict(token, [place])).to.deep.equal({ kind: 'gated', reason: 'honeypot' });
    }
    // As much of it for sale next to the price, and nothing else.
    const beside = await measuring.current().dryPool(token, 10n ** 33n);
    await measuring.current().write('LyingToken', token, 'mark', [beside, true, false]);
    expect(await measuring.current().verdict(token, [beside])).to.deep.equal({ kind: 'gated', reason: 'honeypot' });
    await measuring.current().write('LyingToken', token, 'setLie', [0, weth, []]);
    expect(await measuring.current().verdict(token, [beside])).to.deep.equal({ kind: 'clean' });
  });

  it('finds what is taken of whoever pays for gas otherwise than measurements did, of what accounts without code send each other, and of their sales with little gas', async () => {
    const { chain, tokens } = here.current();
    const { token, pair, pool } = await measuring.current().token('LyingToken');
    await measuring.current().write('LyingToken', token, 'setLie', [TAXES_OTHER_TIPS, tokens.weth, []]);
    await chain.rpc.request('anvil_setNextBlockBaseFeePerGas', '0x3b9aca00');
    await chain.rpc.request('evm_mine');
    const taxed = await measuring.current().verdict(token, [pair, pool]);
    await chain.rpc.request('anvil_setNextBlockBaseFeePerGas', '0x0');
    await chain.rpc.request('evm_mine');
    expectTaxed(taxed, 0, 200_000, 'sell-only');
    await measuring.current().write('LyingToken', token, 'setLie', [TAXES_PLAIN_BETWEEN, tokens.weth, []]);
    for (const at of [pair, pool]) expectTaxed(await measuring.current().verdict(token, [at]), 200_000, 200_000, 'universal');
    expect(await measuring.current().verdictByCalls(token, [pair, pool])).to.deep.equal({ kind: 'clean' });
    // Every second sale in blocks to come has little gas, at either pool.
    await measuring.current().write('LyingToken', token, 'setLie', [TAXES_LITTLE_GAS_OF_PLAIN, tokens.weth, []]);
    const found: string[] = [];
    while (found.length < 20 && !found.includes('taxed')) found.push((await measuring.current().verdict(token, [pair, pool])).kind);
    expect(found).to.include('taxed');
  });

  it('takes what other holders’ trades leave in a pair for no sale that fails', async () => {
    const { token, pair } = await measuring.current().token('LyingToken');
    for (let time = 0; time < 2; time++) {
      await measuring.current().write('LyingToken', token, 'mint', [[pair], DEPTH / 1000n]);
      expect(await measuring.current().verdict(token, [pair])).to.deep.equal({ kind: 'clean' });
    }
  });

  it('buys at a V3 pool without liquidity at its price what is for sale beyond, and where there is none says nothing of a token, whatever lies there', async () => {
    const { weth } = here.current().tokens;
    const { token, pair } = await measuring.current().token('LyingToken');
    const [beside, dry] = [await measuring.current().dryPool(token, DEPTH), await measuring.current().dryPool(token, 0n)];
    await measuring.current().write('LyingToken', token, 'mint', [[dry], DEPTH]);
    for (const place of [beside, dry]) await measuring.current().write('LyingToken', token, 'mark', [place, true, false]);
    expect(await measuring.current().verdict(token, [beside])).to.deep.equal({ kind: 'clean' });
    expect(await measuring.current().verdict(token, [dry])).to.deep.equal({ kind: 'unmeasurable' });
    for (const deepest of [pair, dry, null]) {
      expect(await measuring.current().measure(token, [pair, beside, dry], deepest)).to.deep.equal({
        kind: 'verdict',
        verdict: { kind: 'clean' },
        seenAt: [pair, beside],
      });
    }
    await measuring.current().write('LyingToken', token, 'setLie', [REFUSES_AT_GENUINE, weth, [beside, dry]]);
    expect(await measuring.current().verdict(token, [beside])).to.deep.equal({ kind: 'gated', reason: 'honeypot' });
    expect(await measuring.current().verdict(token, [dry])).to.deep.equal({ kind: 'unmeasurable' });
  });

  it('swaps at a pool of other tokens than wrapped native with what a pool of the other lends, and without one finds less', async () => {
    const { pool: poolOf, tokens } = here.current();
    const { token, pair, pool } = await measuring.current().token('LyingToken', [], 'both', tokens.a);
    const lender = poolOf('v2', tokens.a, tokens.weth);
    const [, , refusesAtGenuine, , , , , , sameBlockAlone] = Object.values(LIES);
    for (const at of [pair, pool]) {
      expect(await measuring.current().measure(token, [at], at, [lender])).to.deep.equal({ kind: 'verdict', verdict: { kind: 'clean' }, seenAt: [at] });
      for (const lie of [refusesAtGenuine, sameBlockAlone]) {
        await measuring.current().write('LyingToken', token, 'setLie', [lie?.[0], tokens.weth, [at]]);
        const honeypot = { kind: 'verdict', verdict: { kind: 'gated', reason: 'honeypot' } };
        expect(await measuring.current().measure(token, [at], at, [lender]), `${lie?.[0]}`).to.deep.equal(honeypot);
      }
      // The refusals of a pair that lends may be its lock's.
      await measuring.current().write('LyingToken', token, 'setLie', [refusesAtGenuine?.[0], tokens.weth, [at]]);
      // Nor is anything paid with a token of which nobody knows what it does.
      for (const lenders of [[], null]) {
        const alone = await measuring.current().measure(token, [at], at, lenders);
        expect(alone.kind === 'verdict' && alone.verdict.kind).to.equal(at === pair ? 'clean' : 'gated');
      }
      await measuring.current().write('LyingToken', token, 'setLie', [0, tokens.weth, []]);
    }
  });

  describe('a token that takes 20% of what is sold, unless it believes to be measured', () => {
    for (const [clue, number] of Object.entries(CLUES)) {
      it(`by ${clue}: is not deceived`, async () => {
        const ground = here.current();
        const { token, pair, pool } = await measuring.current().token('WaryToken');
        await measuring.current().write('WaryToken', token, 'setTaxes', [0n, 200_000n, 0n, 0n]);
        await measuring.current().write('WaryToken', token, 'setClue', [number, pair, Object.values(ground.accounts)]);
        if (clue === 'gas that is paid below the base fee') await ground.chain.rpc.request('anvil_setNextBlockBaseFeePerGas', '0x3b9aca00');
        await ground.chain.rpc.request('evm_mine');
        const verdict = await measuring.current().verdict(token, [pair, pool]);
        await ground.chain.rpc.request('anvil_setNextBlockBaseFeePerGas', '0x0');
        await ground.chain.rpc.request('evm_mine');
        expectTaxed(verdict, 0, 200_000, 'sell-only');
      });
    }

    it('by a balance of the pool that somebody looked at before in the same transaction: at a pair a simulated block has none, as a V3 pool always looks', async () => {
      const { token, pair, pool } = await measuring.current().token('WaryToken');
      await measuring.current().write('WaryToken', token, 'setTaxes', [0n, 200_000n, 0n, 0n]);
      await measuring.current().write('WaryToken', token, 'setClue', [WARM_BALANCE, pair, []]);
      expectTaxed(await measuring.current().verdict(token, [pair]), 0, 200_000, 'sell-only');
      expect(await measuring.current().verdict(token, [pool])).to.deep.equal({ kind: 'clean' });
      expect(await measuring.current().verdictByCalls(token, [pair])).to.deep.equal({ kind: 'clean' });
    });

    it('by a trader that sent the transaction and has no code, which no call has: a simulated block has one, and without such a node what is sold is held by the floor', async () => {
      const ground = here.current();
      const { accounts, allowanceHolder, chain, tokens, contracts } = ground;
      const { token, pair, pool } = await measuring.current().token('WaryToken');
      await measuring.current().write('WaryToken', token, 'setTaxes', [0n, 200_000n, 0n, 0n]);
      await measuring.current().write('WaryToken', token, 'setClue', [STRANGER_OR_CODE, pair, []]);
      expectTaxed(await measuring.current().verdict(token, [pair]), 0, 200_000, 'sell-only');
      expectTaxed(await measuring.current().verdict(token, [pool]), 0, 200_000, 'sell-only');
      expect(await measuring.current().verdictByCalls(token, [pair])).to.deep.equal({ kind: 'clean' });
      await measuring.current().write('WaryToken', token, 'mint', [[accounts.taker], 2n * ONE]);
      await chain.write(accounts.taker, token, contractOf(contracts, 'WaryToken').abi, 'approve', [allowanceHolder, 2n * ONE]);
      const legs = [through('v2', pair, token, tokens.weth, 10_000, true)];
      const terms = termsOf(ground, { sellToken: token, buyToken: tokens.weth, legs, sellAmount: asWei(ONE) });
      // What a token without a tax would give, less the slippage that a quote allows by default.
      const untaxed = (ONE * 997n * DEPTH) / (DEPTH * 1000n + ONE * 997n);
      await refuse(ground, { ...terms, buyAmount: asWei(untaxed), minBuyAmount: asWei((untaxed * 995n) / 1000n) }, 'BelowMinimum');
      const taxed = (ONE * 8n * 997n * DEPTH) / (DEPTH * 10_000n + ONE * 8n * 997n);
      const { buyAmount } = await settle(ground, { ...terms, minBuyAmount: asWei((taxed * 999n) / 1000n) });
      expect(Number(buyAmount - taxed)).to.be.within(-1, 1);
    });
  });
});
