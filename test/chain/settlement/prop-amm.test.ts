import { expect } from 'chai';
import { concatHex, encodeFunctionData, erc20Abi, type Hex, numberToHex, parseAbi } from 'viem';
import { type Leg, readSettlementContracts } from '../../../src/building/building.ts';
import { type Address, asAddress, asBps, asWei } from '../../../src/units/units.ts';
import { encode } from '../../../src/venues/prop_amm/encode.ts';
import { devnetContracts } from '../../support/devnet-contracts.ts';
import { SEED, seededRandom } from '../../support/seeded-random.ts';
import { type Ground, hop, ONE, termsOf, useGround } from '../../support/settlement/ground.ts';
import { createPuppet } from '../../support/settlement/puppet.ts';
import { changes, mint, refuse, settle } from '../../support/settlement/swaps.ts';

const MAKER = parseAbi([
  'struct Push { address tokenIn; address tokenOut; uint256 price; uint256 depth; }',
  'function push(Push[] pushes)',
  'function quote(address tokenIn, address tokenOut, uint256 amountIn) view returns (uint256)',
]);
const MAKERS = parseAbi([
  'function addVenue(address venue)',
  'function removeVenue(address venue)',
  'function setPaused(bool paused)',
  'function setFallback(address router, uint24 fee)',
]);
const SWAP = 'swapViaVenueV1(address,address,address,uint256,uint256,address,uint256)';
const NOBODY = asAddress(`0x${'0'.repeat(40)}`);
const UNIT = 10n ** 36n;
const STOCK = 100_000n * ONE;

describe('the leg of proprietary market makers, through a router with the interface of theirs', function () {
  this.timeout(300_000);
  const here = useGround();
  let laid: { readonly ground: Ground; readonly makers: Address; readonly maker: Address };

  before(async () => {
    const plain = here.current();
    const { chain, accounts, allowanceHolder, wrappedNative, tokens, v3SwapRouter } = plain;
    const { PropAMMMaker, PropAMMRouter } = await devnetContracts('fermi');
    if (PropAMMMaker === undefined || PropAMMRouter === undefined) throw new Error('the makers’ contracts are not compiled');
    const routerCode = readSettlementContracts().routerFor(['prop_amm', 'uniswap_v2', 'uniswap_v3', 'wrap']);
    chain.know(routerCode.abi);
    const router = await chain.deploy(accounts.deployer, routerCode.creationCode({ allowanceHolder, wrappedNative, feeCollector: accounts.collector }));
    const ground = { ...plain, router };
    const makers = await chain.create(accounts.deployer, PropAMMRouter, []);
    const maker = await chain.create(accounts.deployer, PropAMMMaker, [accounts.deployer, accounts.deployer, makers]);
    await chain.write(accounts.deployer, makers, MAKERS, 'addVenue', [maker]);
    await chain.write(accounts.deployer, makers, MAKERS, 'setFallback', [v3SwapRouter, 3000]);
    for (const token of [tokens.a, tokens.b, tokens.c]) await mint(ground, token, maker, STOCK);
    await mint(ground, tokens.n, maker, STOCK);
    laid = { ground, makers, maker };
    for (const [tokenIn, tokenOut] of [
      [tokens.a, tokens.b],
      [tokens.b, tokens.a],
      [tokens.b, tokens.c],
      [tokens.n, tokens.b],
    ] as const)
      await push(tokenIn, tokenOut, UNIT);
  });

  async function push(tokenIn: Address, tokenOut: Address, price: bigint): Promise<void> {
    const { ground, maker } = laid;
    await ground.chain.write(ground.accounts.deployer, maker, MAKER, 'push', [[{ tokenIn, tokenOut, price, depth: 20n * STOCK }]]);
  }

  function leg(
    tokenIn: Address,
    tokenOut: Address,
    least = 0n,
    more: { readonly maker?: Address; readonly makers?: Address; readonly bps?: number } = {},
  ): Leg {
    const { maker = laid.maker, makers = laid.makers, bps = 10_000 } = more;
    const amount = least === 0n ? numberToHex(0, { size: 1 }) : concatHex([numberToHex(16, { size: 1 }), numberToHex(least, { size: 16 })]);
    return { leg: 'prop_amm', bps: asBps(bps), tokenIn, tokenOut, pool: maker, data: concatHex([makers, amount]) };
  }

  const quoted = async (tokenIn: Address, tokenOut: Address, amount: bigint) =>
    (await laid.ground.chain.read(laid.maker, MAKER, 'quote', [tokenIn, tokenOut, amount])) as bigint;
  const allowance = (token: Address, spender: Address) => laid.ground.chain.read(token, erc20Abi, 'allowance', [laid.ground.router, spender]);

  it('gives what the maker quoted, to the wei, from the taker and from the router, direct and with custody, and leaves nothing approved', async () => {
    const { ground, makers } = laid;
    const { a, b, c, n } = ground.tokens;
    const { taker, recipient, deployer } = ground.accounts;
    const random = seededRandom('makers leg');
    for (let i = 0; i < 12; i++) {
      const [sellToken, buyToken] = random.pick([
        [a, b],
        [b, a],
        [n, b],
      ] as const);
      const sellAmount = 1n + random.logUniform(500n * ONE);
      await mint(ground, sellToken, taker, sellAmount);
      const given = await quoted(sellToken, buyToken, sellAmount);
      if (given === 0n) continue;
      const before = await ground.balance(buyToken, recipient);
      const amounts = { sellToken, buyToken, sellAmount: asWei(sellAmount), minBuyAmount: asWei(given), buyAmount: asWei(given) };
      await settle(ground, termsOf(ground, { ...amounts, surplus: random.pick(['taker', 'protocol']), legs: [leg(sellToken, buyToken, given)] }));
      expect((await ground.balance(buyToken, recipient)) - before, `BRAID_SEED=${SEED} ${sellAmount}`).to.equal(given);
      for (const token of [sellToken, buyToken]) expect([await ground.balance(token, ground.router), await allowance(token, makers)]).to.deep.equal([0n, 0n]);
    }
    // In the middle of a route, twice, beside a pool.
    const legs = [leg(a, b, 1n, { bps: 6000 }), hop(ground, 'v2', a, b), leg(b, c)];
    const moved = await changes(ground, { taker, recipient, router: ground.router, deployer }, () => settle(ground, termsOf(ground, { buyToken: c, legs })));
    expect(Object.keys(moved)).to.deep.equal(['taker.a', 'recipient.c']);
  });

  it('a maker that gives less than the leg’s least is not taken: Uniswap V3 fills, to what it gives, and where that is less too, all reverts', async () => {
    const { ground } = laid;
    const { a, b } = ground.tokens;
    const { recipient } = ground.accounts;
    await push(a, b, UNIT / 2n);
    const before = await ground.balance(b, recipient);
    await settle(ground, termsOf(ground, { legs: [leg(a, b, (ONE * 9n) / 10n)] }));
    const filled = (await ground.balance(b, recipient)) - before;
    expect(filled > (ONE * 9n) / 10n && filled < ONE, `${filled}`).to.equal(true);
    await refuse(ground, termsOf(ground, { legs: [leg(a, b, ONE)] }), 'VenueReverted');
    // Without a bound of its own the hop takes what the maker gives, and the floor holds.
    await refuse(ground, termsOf(ground, { minBuyAmount: asWei((ONE * 9n) / 10n), legs: [leg(a, b)] }), 'BelowMinimum');
  });

  it('an unlisted maker, a paused router, a pair without an offer: the swap reverts', async () => {
    const { ground, makers, maker } = laid;
    const { a, b, c } = ground.tokens;
    const { deployer, stranger } = ground.accounts;
    await refuse(ground, termsOf(ground, { legs: [leg(a, b, 0n, { maker: stranger })] }), 'VenueReverted');
    await ground.chain.write(deployer, makers, MAKERS, 'setFallback', [NOBODY, 0]);
    await refuse(ground, termsOf(ground, { buyToken: c, legs: [leg(a, c)] }), 'VenueReverted');
    await ground.chain.write(deployer, makers, MAKERS, 'setPaused', [true]);
    await refuse(ground, termsOf(ground, { legs: [leg(a, b)] }), 'VenueReverted');
    await ground.chain.write(deployer, makers, MAKERS, 'setPaused', [false]);
    await ground.chain.write(deployer, makers, MAKERS, 'removeVenue', [maker]);
    await refuse(ground, termsOf(ground, { legs: [leg(a, b)] }), 'VenueReverted');
  });

  it('what stands in the place of the makers’ router gets the hop’s input at most, and what holds allowances never stands there', async () => {
    const { ground } = laid;
    const { a, b } = ground.tokens;
    const { taker, recipient, victim } = ground.accounts;
    for (const none of [NOBODY, ground.allowanceHolder, ground.permit2, ground.router, ground.accounts.stranger])
      await refuse(ground, termsOf(ground, { legs: [leg(a, b, 0n, { makers: none })] }), 'NotAVenue');
    const puppet = await createPuppet(ground);
    const take = (from: Address, amount: bigint): { readonly to: Address; readonly data: Hex } => ({
      to: a,
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'transferFrom', args: [from, puppet.address, amount] }),
    });
    const trick = leg(a, b, 0n, { makers: puppet.address });
    // It takes half, and gives a little: the rest is the taker's again, and nothing stays approved.
    await mint(ground, b, puppet.address, 7n);
    const give = { to: b, data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [recipient, 7n] }) };
    await puppet.teach(SWAP, {
      steps: [
        { ...take(ground.router, ONE / 2n), bubbles: true },
        { ...give, bubbles: true },
      ],
    });
    const moved = await changes(ground, { taker, recipient, router: ground.router }, () => settle(ground, termsOf(ground, { legs: [trick] })));
    expect(moved).to.deep.equal({ 'taker.a': -ONE / 2n, 'recipient.b': 7n });
    expect(await allowance(a, puppet.address)).to.equal(0n);
    // More than the hop's input, the taker's, or somebody else's: not to be had.
    await mint(ground, a, ground.router, ONE);
    for (const [from, amount] of [
      [ground.router, ONE + 1n],
      [taker, 1n],
      [victim, 1n],
    ] as const) {
      await puppet.teach(SWAP, { steps: [{ ...take(from, amount), bubbles: true }] });
      await refuse(ground, termsOf(ground, { legs: [trick] }), 'VenueReverted');
    }
    // Whatever it gives is held to the floor.
    await puppet.teach(SWAP, { steps: [{ ...take(ground.router, ONE), bubbles: true }] });
    await refuse(ground, termsOf(ground, { minBuyAmount: asWei(1n), legs: [trick] }), 'BelowMinimum');
    await refuse(here.current(), termsOf(ground, { legs: [leg(a, b)] }), 'LegUnknown');
  });

  it('the venue’s own encoding is what the leg reads', () => {
    for (const leastOut of [0n, 1n, 255n, 256n, 123_456_789_012_345_678_901n, 2n ** 256n - 1n]) {
      const digits = leastOut === 0n ? '' : leastOut.toString(16);
      const even = digits.length % 2 === 0 ? digits : `0${digits}`;
      const data = encode.legData({ leastOut } as Parameters<typeof encode.legData>[0]);
      expect(data).to.equal(`0x4ddf368080cd7946db5b459ad591c350158175e1${(even.length / 2).toString(16).padStart(2, '0')}${even}`);
    }
  });
});
