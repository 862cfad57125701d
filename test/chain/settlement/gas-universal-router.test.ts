import { expect } from 'chai';
import type { Leg, SwapTerms } from '../../../src/building/building.ts';
import { type Address, asBps, asWei, NATIVE_TOKEN, ZERO_ADDRESS } from '../../../src/units/units.ts';
import { holdSnapshot, type Measured, measureGas, waitTenSeconds } from '../../support/settlement/gas-snapshot.ts';
import { type Ground, hop, ONE, pairPath, TAG, takerCall, termsOf, useGround, wrap } from '../../support/settlement/ground.ts';
import { approvePermit2, permittedCall, useNonceWord } from '../../support/settlement/permit2.ts';
import type { Call } from '../../support/settlement/test-chain.ts';
import {
  ALL_IT_HAS,
  allowUniversalRouter,
  type Command,
  execute,
  ITSELF,
  layUniversalRouter,
  payPortion,
  signedPermit,
  sweep,
  unwrapNative,
  v2Swap,
  v3Swap,
  v4Swap,
  wrapNative,
} from '../../support/settlement/universal-router.ts';
import { layV4 } from '../../support/settlement/v4.ts';

const HALF = ONE / 2n;
const FLOOR = (8n * ONE) / 10n;
const FEE_BPS = 10;
const MOST_OVER_BY_V3 = 1.05;

type Laid = { readonly ground: Ground; readonly universal: Address };

/**
 * The same route through the same pools, the recipient getting the same to the wei. Universal Router is funded as it is in life: by Permit2's standing
 * allowance, signed for and stored before, or within the transaction where ours is signed for as well. Held: at most its gas for a split and for three hops
 * (design/goals) of V2, and of V3, V2 and V3. Three hops of V3 alone are dearer, which this holds to what was reached: Universal Router takes a V3 pool's word for
 * what it brought, and logs nothing.
 */
describe("gas beside Uniswap's Universal Router on the same pools", function () {
  this.timeout(300_000);
  const here = useGround();
  const found: Record<string, { ours: Measured; theirs: Measured }> = {};

  /** Both routers may take what the taker has, and the V2 and V3 pools of these tokens in a row have traded before. */
  async function lay(row: readonly Address[], manager?: Address): Promise<Laid> {
    const ground = here.current();
    const { chain, accounts } = ground;
    const universal = await layUniversalRouter(ground, manager);
    await approvePermit2(ground, accounts.taker);
    for (const token of row) await allowUniversalRouter(ground, accounts.taker, universal, token);
    for (const venue of ['v2', 'v3'] as const) {
      for (const way of [row, [...row].reverse()]) {
        await waitTenSeconds(chain);
        const [sellToken = ZERO_ADDRESS, buyToken = ZERO_ADDRESS] = [way[0], way.at(-1)];
        await chain.mustSend(accounts.taker, takerCall(ground, termsOf(ground, { sellToken, buyToken, legs: hops(ground, venue, way) })));
      }
    }
    return { ground, universal };
  }

  /** As the service writes them: pairs in a row are one leg. */
  function hops(ground: Ground, venue: 'v2' | 'v3', tokens: readonly Address[]): readonly Leg[] {
    if (venue === 'v2' && tokens.length > 2) return [pairPath(ground, tokens)];
    return tokens.slice(1).map((token, index) => hop(ground, venue, tokens[index] ?? ZERO_ADDRESS, token));
  }

  /** Terms of a sell by these legs. What nothing can be kept of goes to the recipient straight from the last pool. */
  function terms(ground: Ground, legs: readonly Leg[], more: Partial<SwapTerms> = {}): SwapTerms {
    const { n, weth } = ground.tokens;
    return termsOf(ground, { sellToken: n, buyToken: weth, buyAmount: asWei(ONE), minBuyAmount: asWei(FLOOR), surplus: 'taker', legs, ...more });
  }

  async function gain(ground: Ground, token: Address, call: Call): Promise<bigint> {
    const { recipient, taker } = ground.accounts;
    return ground.chain.apart(async () => {
      await waitTenSeconds(ground.chain);
      const before = await ground.balance(token, recipient);
      await ground.chain.mustSend(taker, call);
      return (await ground.balance(token, recipient)) - before;
    });
  }

  /** Measures and keeps both, and gives how much of Universal Router's gas ours is. */
  async function beside(ground: Ground, name: string, token: Address, ours: Call, theirs: Call): Promise<number> {
    expect(await gain(ground, token, ours), name).to.equal(await gain(ground, token, theirs));
    const both = { ours: await measureGas(ground, ours), theirs: await measureGas(ground, theirs) };
    found[name] = both;
    const ratio = both.ours.gas / both.theirs.gas;
    const [more, bytes] = [(100 * ratio - 100).toFixed(1), `${both.ours.calldataBytes} against ${both.theirs.calldataBytes} bytes of calldata`];
    console.log(`      ${name}: ${both.ours.gas} against ${both.theirs.gas}, ${more}% more; ${bytes}`);
    return ratio;
  }

  /** Commands that bring the output to Universal Router, which holds it to the floor as a whole. */
  const swept = (token: Address, recipient: Address, commands: readonly Command[]): readonly Command[] => [...commands, sweep(token, recipient, FLOOR)];

  it('one hop of Uniswap V4, of ERC-20s and with native at either end', async () => {
    const v4 = await layV4(here.current());
    const { a, b } = here.current().tokens;
    const laid = await lay([a, b], v4.manager);
    const ground = { ...laid.ground, router: v4.router };
    const { recipient, taker } = ground.accounts;
    for (const token of [a, NATIVE_TOKEN]) {
      await v4.makePool(token, b);
      for (const [sellToken, buyToken] of [
        [token, b],
        [b, token],
      ] as const) {
        await ground.chain.mustSend(taker, takerCall(ground, termsOf(ground, { sellToken, buyToken, legs: [v4.hop(sellToken, buyToken)] })));
      }
    }
    for (const [name, sellToken, buyToken, value] of [
      ['V4', a, b, 0n],
      ['V4, native sold', NATIVE_TOKEN, b, ONE],
      ['V4, native bought', b, NATIVE_TOKEN, 0n],
    ] as const) {
      const ours = takerCall(ground, terms(ground, [v4.hop(sellToken, buyToken)], { sellToken, buyToken }));
      const [tokenIn = ZERO_ADDRESS, tokenOut = ZERO_ADDRESS] = [sellToken, buyToken].map((token) => (token === NATIVE_TOKEN ? ZERO_ADDRESS : token));
      await beside(ground, name, buyToken, ours, execute(laid.universal, [v4Swap(tokenIn, tokenOut, ONE, FLOOR, recipient)], value));
    }
  });

  it('one hop of V2 and of V3, of ERC-20s and with native at either end', async () => {
    const { n, weth } = here.current().tokens;
    const { ground, universal } = await lay([n, weth]);
    const { recipient } = ground.accounts;
    const order = { recipient, amountIn: ONE, floor: FLOOR, path: [n, weth] };
    for (const [name, venue, swap] of [
      ['V3', 'v3', v3Swap],
      ['V2', 'v2', v2Swap],
    ] as const) {
      await beside(ground, name, weth, takerCall(ground, terms(ground, [hop(ground, venue, n, weth)])), execute(universal, [swap(order)]));
      const sold = takerCall(ground, terms(ground, [wrap(NATIVE_TOKEN, weth), hop(ground, venue, weth, n)], { sellToken: NATIVE_TOKEN, buyToken: n }));
      const wrapped = [wrapNative(ITSELF, ONE), swap({ ...order, path: [weth, n], ownFunds: true })];
      await beside(ground, `${name}, native sold`, n, sold, execute(universal, wrapped, ONE));
      const bought = takerCall(ground, terms(ground, [hop(ground, venue, n, weth), wrap(weth, NATIVE_TOKEN)], { buyToken: NATIVE_TOKEN }));
      const unwrapped = [swap({ ...order, recipient: ITSELF, floor: 0n }), unwrapNative(recipient, FLOOR)];
      await beside(ground, `${name}, native bought`, NATIVE_TOKEN, bought, execute(universal, unwrapped));
    }
  });

  it('a split over V3 and V2 is no dearer than by Universal Router, of an ERC-20 and of native', async () => {
    const { n, weth } = here.current().tokens;
    const { ground, universal } = await lay([n, weth]);
    const { recipient } = ground.accounts;
    const order = { recipient: ITSELF, amountIn: HALF, floor: 0n, path: [n, weth] };
    const legs = [hop(ground, 'v3', n, weth, 5000), hop(ground, 'v2', n, weth)];
    const toItself = execute(universal, swept(weth, recipient, [v3Swap(order), v2Swap(order)]));
    const ratios = [
      await beside(ground, 'split, the whole held to the floor', weth, takerCall(ground, terms(ground, legs)), toItself),
      await beside(ground, 'split, with custody', weth, takerCall(ground, terms(ground, legs, { surplus: 'protocol' })), toItself),
    ];
    const each = { ...order, recipient, floor: FLOOR / 2n };
    // Universal Router's cheapest way: nothing but each pool alone is held to a floor.
    await beside(ground, 'split, each pool held to a floor', weth, takerCall(ground, terms(ground, legs)), execute(universal, [v3Swap(each), v2Swap(each)]));
    const nativeLegs = [wrap(NATIVE_TOKEN, weth), hop(ground, 'v3', weth, n, 5000), hop(ground, 'v2', weth, n)];
    const native = takerCall(ground, terms(ground, nativeLegs, { sellToken: NATIVE_TOKEN, buyToken: n }));
    const back = { ...order, path: [weth, n], ownFunds: true };
    const commands = [wrapNative(ITSELF, ONE), ...swept(n, recipient, [v3Swap(back), v2Swap(back)])];
    ratios.push(await beside(ground, 'split, native sold', n, native, execute(universal, commands, ONE)));
    const toNative = takerCall(ground, terms(ground, [...legs, wrap(weth, NATIVE_TOKEN)], { buyToken: NATIVE_TOKEN }));
    const unwrapped = execute(universal, [v3Swap(order), v2Swap(order), unwrapNative(recipient, FLOOR)]);
    ratios.push(await beside(ground, 'split, native bought', NATIVE_TOKEN, toNative, unwrapped));
    for (const ratio of ratios) expect(ratio).to.be.at.most(1);
  });

  it('three hops of V2, and of V3, V2 and V3, are no dearer than by Universal Router; of V3 alone at most 5% dearer', async () => {
    const { n, a, b, weth } = here.current().tokens;
    const path = [n, a, b, weth];
    const back = [...path].reverse();
    const { ground, universal } = await lay(path);
    const { recipient } = ground.accounts;
    for (const [name, venue, swap, most] of [
      ['three V3 hops', 'v3', v3Swap, MOST_OVER_BY_V3],
      ['three V2 hops', 'v2', v2Swap, 1],
    ] as const) {
      const ratios: number[] = [];
      const order = { recipient, amountIn: ONE, floor: FLOOR, path };
      ratios.push(await beside(ground, name, weth, takerCall(ground, terms(ground, hops(ground, venue, path))), execute(universal, [swap(order)])));
      const native = terms(ground, [wrap(NATIVE_TOKEN, weth), ...hops(ground, venue, back)], { sellToken: NATIVE_TOKEN, buyToken: n });
      const wrapped = [wrapNative(ITSELF, ONE), swap({ ...order, path: back, ownFunds: true })];
      ratios.push(await beside(ground, `${name}, native sold`, n, takerCall(ground, native), execute(universal, wrapped, ONE)));
      const toNative = terms(ground, [...hops(ground, venue, path), wrap(weth, NATIVE_TOKEN)], { buyToken: NATIVE_TOKEN });
      const unwrapped = [swap({ ...order, recipient: ITSELF, floor: 0n }), unwrapNative(recipient, FLOOR)];
      ratios.push(await beside(ground, `${name}, native bought`, NATIVE_TOKEN, takerCall(ground, toNative), execute(universal, unwrapped)));
      for (const ratio of ratios) expect(ratio).to.be.at.most(most);
    }
    const mixed = [hop(ground, 'v3', n, a), hop(ground, 'v2', a, b), hop(ground, 'v3', b, weth)];
    const first = { recipient: ITSELF, amountIn: ONE, floor: 0n, path: [n, a] };
    const then = { ...first, amountIn: ALL_IT_HAS, path: [a, b], ownFunds: true };
    const commands = [v3Swap(first), v2Swap(then), v3Swap({ ...then, recipient, floor: FLOOR, path: [b, weth] })];
    const ratio = await beside(ground, 'hops of V3, V2 and V3', weth, takerCall(ground, terms(ground, mixed)), execute(universal, commands));
    expect(ratio).to.be.at.most(1);
  });

  it('one V3 hop that a signature of Permit2 funds, with a fee, and with captured surplus', async () => {
    const { n, weth } = here.current().tokens;
    const { ground, universal } = await lay([n, weth]);
    const { taker, recipient, partner } = ground.accounts;
    const legs = [hop(ground, 'v3', n, weth)];
    const order = { recipient, amountIn: ONE, floor: FLOOR, path: [n, weth] };
    await ground.chain.apart(async () => {
      // A nonce of Permit2's standing allowance is used in order, so its word was written before, as ours was here.
      await useNonceWord(ground, taker, TAG);
      const signed = await signedPermit(ground, taker, universal, n, ONE);
      for (const surplus of ['taker', 'protocol'] as const) {
        const ours = await permittedCall(ground, terms(ground, legs, { surplus }));
        const name = surplus === 'taker' ? 'V3, by a signature' : 'V3, by a signature, with custody';
        await beside(ground, name, weth, ours, execute(universal, [signed, v3Swap(order)]));
      }
    });
    const fee = { feeBps: asBps(FEE_BPS), partner, partnerShareBps: asBps(10_000) };
    const portion = [v3Swap({ ...order, recipient: ITSELF, floor: 0n }), payPortion(weth, partner, BigInt(FEE_BPS)), sweep(weth, recipient, FLOOR)];
    await beside(ground, 'V3, a fee to a partner', weth, takerCall(ground, terms(ground, legs, { fee })), execute(universal, portion));
    const quoted = asWei((await gain(ground, weth, takerCall(ground, terms(ground, legs)))) - 1n);
    const captured = takerCall(ground, terms(ground, legs, { buyAmount: quoted, surplus: 'protocol' }));
    found['V3, surplus captured'] = { ours: await measureGas(ground, captured), theirs: await measureGas(ground, execute(universal, [v3Swap(order)])) };
  });

  it('everything is as in contracts/gas-snapshot.json', () => {
    holdSnapshot({ universalRouter: found });
  });
});
