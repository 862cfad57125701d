import { expect } from 'chai';
import { encodeFunctionData, erc20Abi, parseAbi } from 'viem';
import type { SwapTerms } from '../../../src/building/building.ts';
import { type Address, asBps, asWei, ZERO_ADDRESS } from '../../../src/units/units.ts';
import { contractOf, type Ground, hop, MAX, ONE, pairOutput, takerCall, termsOf, through, useGround } from '../../support/settlement/ground.ts';
import { createPuppet } from '../../support/settlement/puppet.ts';
import { callbackData, changes, expectError, refuse, setToken, settle } from '../../support/settlement/swaps.ts';

const PAIR_ABI = parseAbi(['function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes data)']);
const V3_SWAP = 'swap(address,bool,int256,uint160,bytes)';
const PLAIN = 0;
const REVERTS = 5;
/** Code that answers every call with a word of zero: false. */
const SAYS_FALSE = '0x5f5f5260205ff3';

/** What becomes of a swap whose token is not, when it is executed, what it was when it was quoted. What is served of such tokens is the service's matter. */
describe('faults of tokens, at the contracts (faults G)', function () {
  this.timeout(600_000);
  const here = useGround();

  /** The terms as they are quoted now, with the floor at the quote. */
  async function quoted(ground: Ground, terms: SwapTerms): Promise<SwapTerms> {
    const { buyAmount } = await ground.chain.apart(() => settle(ground, terms));
    return { ...terms, buyAmount: asWei(buyAmount), minBuyAmount: asWei(buyAmount) };
  }

  async function untouched(ground: Ground, run: () => Promise<unknown>): Promise<void> {
    const { router, allowanceHolder, accounts } = ground;
    expect(await changes(ground, { taker: accounts.taker, recipient: accounts.recipient, router, allowanceHolder }, run)).to.deep.equal({});
  }

  it('G4: what is bought is taxed by 20.01%, or on sells alone, in buy: the exact amount is not reached, and nothing moves', async () => {
    const ground = here.current();
    const { a, b } = ground.tokens;
    const terms = await quoted(ground, termsOf(ground, { legs: [hop(ground, 'v2', a, b)] }));
    await setToken(ground, b, PLAIN, 2_001, ZERO_ADDRESS);
    await untouched(ground, () => refuse(ground, { ...terms, mode: 'buy', buyAmount: asWei(terms.buyAmount / 2n) }, 'NotExact'));
  });

  it('buy: of a token that loses a wei on its way (stETH) the exact amount may not arrive: NotExact names both amounts, and nothing moves; a sell is held to what arrives', async () => {
    const ground = here.current();
    const { a } = ground.tokens;
    const { deployer, taker, recipient } = ground.accounts;
    const contract = contractOf(ground.contracts, 'SharesToken');
    const token = await ground.chain.create(deployer, contract, ['Shares', 'SHARE', 18]);
    const worth = (await ground.chain.read(token, contract.abi, 'WORTH')) as bigint;
    const pool = await createPuppet(ground);
    await ground.chain.write(deployer, token, contract.abi, 'mint', [[pool.address], 100n * ONE]);
    // What the recipient has already is no whole number of wei, so that some amounts arrive in full.
    await ground.chain.write(deployer, token, contract.abi, 'mint', [[recipient], 3n]);
    const shares = (await ground.chain.read(token, contract.abi, 'shares', [recipient])) as bigint;
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [ground.router, 3n * ONE] });
    const paid = { to: ground.router, data: callbackData('uniswapV3SwapCallback', 5n, 0n) };
    await pool.teach(V3_SWAP, { steps: [{ to: token, data, bubbles: true }, paid] });
    const legs = [through('v3', pool.address, a, token)];
    const seen = { exact: 0, lost: 0 };
    for (let target = ONE; target < ONE + 12n; target++) {
      const arrives = ((shares + (target * ONE) / worth) * worth) / ONE - (shares * worth) / ONE;
      const terms = termsOf(ground, { mode: 'buy', buyToken: token, buyAmount: asWei(target), legs });
      if (arrives === target) {
        seen.exact++;
        await ground.chain.apart(() => settle(ground, terms));
        continue;
      }
      seen.lost++;
      await untouched(ground, async () => expect(await refuse(ground, terms, 'NotExact')).to.deep.equal([arrives, target]));
    }
    expect(seen.exact > 0 && seen.lost > 0, JSON.stringify(seen)).to.equal(true);
    const sell = termsOf(ground, { buyToken: token, surplus: 'protocol', buyAmount: asWei(3n * ONE), legs });
    const { buyAmount } = await ground.chain.apart(() => settle(ground, sell));
    expect(buyAmount < 3n * ONE).to.equal(true);
    await refuse(ground, { ...sell, minBuyAmount: asWei(buyAmount + 1n) }, 'BelowMinimum');
    const [had, held] = [await ground.balance(token, recipient), await ground.balance(a, taker)];
    await settle(ground, { ...sell, minBuyAmount: asWei(buyAmount) });
    expect([(await ground.balance(token, recipient)) - had, held - (await ground.balance(a, taker))]).to.deep.equal([buyAmount, 5n]);
    // Part of a share, which no amount in wei moves.
    expect((await ground.balance(token, ground.router)) <= 1n).to.equal(true);
  });

  it('G3: taxed in the middle of a route, once on each of its moves: every hop spends what came, by the balance, and nothing stays', async () => {
    const ground = here.current();
    const { a, b, c } = ground.tokens;
    const { taker, recipient } = ground.accounts;
    const watched = { taker, recipient, router: ground.router, holder: ground.allowanceHolder };
    await setToken(ground, c, PLAIN, 500, ZERO_ADDRESS);
    const afterTax = (amount: bigint) => amount - (amount * 500n) / 10_000n;
    const came = afterTax(pairOutput(ONE));
    const terms = termsOf(ground, { legs: [hop(ground, 'v2', a, c), hop(ground, 'v2', c, b, 10_000, true)] });
    const moved = await ground.chain.apart(() => changes(ground, watched, () => settle(ground, terms)));
    expect(moved).to.deep.equal({ 'taker.a': -ONE, 'recipient.b': pairOutput(afterTax(came)) });
    // Half of what came is left over, and is the taker's: less one tax more.
    const half = termsOf(ground, { legs: [hop(ground, 'v2', a, c), hop(ground, 'v2', c, b, 5_000, true)] });
    const spent = came / 2n;
    expect(await changes(ground, watched, () => settle(ground, half))).to.deep.equal({
      'taker.a': -ONE,
      'recipient.b': pairOutput(afterTax(spent)),
      'taker.c': afterTax(came - spent),
    });
  });

  it('G6: a honeypot, or a token that is paused: no transfer out, no swap; the same calldata goes through when it moves again', async () => {
    const ground = here.current();
    const { a, b } = ground.tokens;
    for (const venue of ['v2', 'v3'] as const) {
      const terms = await quoted(ground, termsOf(ground, { legs: [hop(ground, venue, a, b)] }));
      for (const paused of [a, b]) {
        await setToken(ground, paused, REVERTS, 0, ZERO_ADDRESS);
        await untouched(ground, () => refuse(ground, terms, paused === a && venue === 'v2' ? 'TransferFailed' : 'VenueReverted'));
        await setToken(ground, paused, PLAIN, 0, ZERO_ADDRESS);
      }
      await ground.chain.apart(() => settle(ground, terms));
    }
  });

  it('G6: a token that bars the pool or the recipient: reverts, and the taker keeps what is sold', async () => {
    const ground = here.current();
    const { deployer, taker, recipient } = ground.accounts;
    const contract = contractOf(ground.contracts, 'BarringToken');
    const pool = await createPuppet(ground);
    const sold = await ground.chain.create(deployer, contract, [pool.address, false]);
    await ground.chain.write(deployer, sold, contract.abi, 'mint', [[taker], ONE]);
    await ground.chain.write(taker, sold, contract.abi, 'approve', [ground.allowanceHolder, MAX]);
    await pool.teach(V3_SWAP, { steps: [{ to: ground.router, data: callbackData('uniswapV3SwapCallback', ONE, 0n), bubbles: true }] });
    const terms = termsOf(ground, { sellToken: sold, legs: [through('v3', pool.address, sold, ground.tokens.b)] });
    expectError(await ground.chain.attempt(taker, takerCall(ground, terms)), 'VenueReverted');
    expect(await ground.balance(sold, taker)).to.equal(ONE);
    expect(await ground.balance(sold, recipient)).to.equal(0n);
  });

  it('G7: the tax is switched on between quote and execution: the floor at the quote refuses, sold or bought', async () => {
    const ground = here.current();
    const { a, b } = ground.tokens;
    const terms = await quoted(ground, termsOf(ground, { legs: [hop(ground, 'v2', a, b, 10_000, true)] }));
    for (const taxed of [a, b]) {
      await setToken(ground, taxed, PLAIN, 1, ZERO_ADDRESS);
      await untouched(ground, () => refuse(ground, terms, 'BelowMinimum'));
      await setToken(ground, taxed, PLAIN, 0, ZERO_ADDRESS);
    }
    await settle(ground, terms);
  });

  it('G13: a token that moves neither nothing nor more than 96 bits hold: no part of nothing is sent, and what does not fit reverts by its name', async () => {
    const ground = here.current();
    const { a } = ground.tokens;
    const { deployer, partner, recipient } = ground.accounts;
    const contract = contractOf(ground.contracts, 'NarrowToken');
    const token = await ground.chain.create(deployer, contract, []);
    const pool = await createPuppet(ground);
    await ground.chain.write(deployer, token, contract.abi, 'mint', [[pool.address], 2n ** 100n]);
    const giving = async (amount: bigint): Promise<SwapTerms> => {
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [ground.router, amount] });
      await pool.teach(V3_SWAP, {
        steps: [
          { to: token, data, bubbles: true },
          { to: ground.router, data: callbackData('uniswapV3SwapCallback', 5n, 0n) },
        ],
      });
      return termsOf(ground, { buyToken: token, surplus: 'protocol', buyAmount: asWei(amount), legs: [through('v3', pool.address, a, token)] });
    };
    const terms = await giving(99n);
    for (const partnerShareBps of [0, 5_000, 10_000]) {
      // One hundredth of 99 is nothing.
      const fee = { feeBps: asBps(100), partner, partnerShareBps: asBps(partnerShareBps) };
      expect((await ground.chain.apart(() => settle(ground, { ...terms, fee }))).buyAmount).to.equal(99n);
    }
    await refuse(ground, await giving(2n ** 96n), 'VenueReverted');
    expect(await ground.balance(token, recipient)).to.equal(0n);
  });

  it('G13: an output of nearly 2^256: fee and shares are of the whole width, and sum', async () => {
    const ground = here.current();
    const { a, c } = ground.tokens;
    const { deployer, partner, recipient, collector } = ground.accounts;
    const pool = await createPuppet(ground);
    const gross = 2n ** 255n + 12_345n;
    await ground.chain.write(deployer, c, contractOf(ground.contracts, 'TrickToken').abi, 'mint', [[pool.address], gross]);
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [ground.router, gross] });
    await pool.teach(V3_SWAP, {
      steps: [
        { to: c, data, bubbles: true },
        { to: ground.router, data: callbackData('uniswapV3SwapCallback', 5n, 0n) },
      ],
    });
    const fee = { feeBps: asBps(1_500), partner, partnerShareBps: asBps(8_500) };
    const terms = termsOf(ground, { buyToken: c, fee, legs: [through('v3', pool.address, a, c)] });
    const moved = await changes(ground, { recipient, partner, collector }, () => settle(ground, terms));
    const whole = (gross * 1_500n) / 10_000n;
    const theirs = (whole * 8_500n) / 10_000n;
    expect(moved).to.deep.equal({ 'recipient.c': gross - whole, 'partner.c': theirs, 'collector.c': whole - theirs });
  });

  it('G17: the code of a token is gone, or is another, between quote and execution: reverts', async () => {
    const ground = here.current();
    const { a, b } = ground.tokens;
    const terms = await quoted(ground, termsOf(ground, { legs: [hop(ground, 'v3', a, b)] }));
    const held = await ground.balance(a, ground.accounts.taker);
    for (const [token, code] of [
      [a, '0x'],
      [b, '0x'],
      [a, SAYS_FALSE],
      [b, SAYS_FALSE],
    ] as const satisfies readonly (readonly [Address, string])[]) {
      await ground.chain.apart(async () => {
        await ground.chain.rpc.request('anvil_setCode', token, code);
        const ending = await ground.chain.attempt(ground.accounts.taker, takerCall(ground, terms));
        expect(ending.ok, `${token} ${code}`).to.equal(false);
      });
    }
    expect(await ground.balance(a, ground.accounts.taker)).to.equal(held);
  });

  it('read-only reentrancy: the hook of a token trades with the pool between the reading of its reserves and the swap: reverts, and nothing moves', async () => {
    const ground = here.current();
    const { a, b } = ground.tokens;
    const terms = await quoted(ground, termsOf(ground, { legs: [hop(ground, 'v2', a, b)] }));
    const trader = await createPuppet(ground);
    const pair = ground.pool('v2', a, b);
    const amount = 1_000n * ONE;
    await ground.chain.write(ground.accounts.deployer, a, contractOf(ground.contracts, 'TrickToken').abi, 'mint', [[trader.address], 2n * amount]);
    const out = (amount * 9n) / 10n;
    const trade = encodeFunctionData({ abi: PAIR_ABI, functionName: 'swap', args: [a < b ? 0n : out, a < b ? out : 0n, trader.address, '0x'] });
    await trader.teach('onTransfer(address,address,uint256)', {
      steps: [
        { to: a, data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [pair, amount] }), bubbles: true },
        { to: pair, data: trade, bubbles: true },
      ],
    });
    await setToken(ground, a, PLAIN, 0, trader.address);
    // The hook is called before and after the move, and its trades go through: it is the swap that does not.
    await untouched(ground, () => refuse(ground, terms, 'VenueReverted'));
    await untouched(ground, () => refuse(ground, { ...terms, minBuyAmount: asWei(0n) }, 'VenueReverted'));
  });
});
