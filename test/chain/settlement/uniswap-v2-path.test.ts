import { expect } from 'chai';
import { encodeFunctionData, type Hex, numberToHex, parseAbi } from 'viem';
import { type Leg, readSettlementContracts } from '../../../src/building/building.ts';
import { type Address, asAddress, asBps, asWei, NATIVE_TOKEN, ZERO_ADDRESS } from '../../../src/units/units.ts';
import { FULL_SCALE, SEED, seededRandom } from '../../support/seeded-random.ts';
import { contractOf, type Ground, hop, ONE, pairOutput, pairPath, takerCall, termsOf, useGround, wrap } from '../../support/settlement/ground.ts';
import { approvePermit2, settlePermitted } from '../../support/settlement/permit2.ts';
import { createPuppet } from '../../support/settlement/puppet.ts';
import { changes, execData, executeFromData, mint, refuse, setToken, settle } from '../../support/settlement/swaps.ts';

const QUOTER_ABI = parseAbi(['function getAmountsOut(uint256 amountIn, address[] path) view returns (uint256[])']);
const PAIR_ABI = parseAbi([
  'function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes data)',
  'function skim(address to)',
  'function sync()',
  'function getReserves() view returns (uint112, uint112, uint32)',
]);
/** Bytes of leg data: of the first pair and the count, and of each further pair with the token before it. */
const [FIRST_BYTES, FURTHER_BYTES] = [4, 43];
const TAX_BPS = 100;

describe('the leg of several Uniswap V2 pairs in a row, against real pairs', function () {
  this.timeout(FULL_SCALE ? 1_800_000 : 300_000);
  const here = useGround();

  /** What pairs give one after the other, by the router of their authors. */
  async function quotePath({ chain, v2Router }: Ground, tokens: readonly Address[], amountIn: bigint): Promise<bigint> {
    const amounts = (await chain.read(v2Router, QUOTER_ABI, 'getAmountsOut', [amountIn, tokens])) as readonly bigint[];
    return amounts.at(-1) ?? 0n;
  }

  /** Leg data with the pairs at these places measured. */
  function measured(leg: Leg, ...places: readonly number[]): Leg {
    const at = (place: number) => 2 + 2 * (place === 0 ? 0 : FIRST_BYTES + FURTHER_BYTES * place - 3);
    const data = places.reduce<string>((text, place) => `${text.slice(0, at(place))}8${text.slice(at(place) + 1)}`, leg.data);
    return { ...leg, data: data as Hex };
  }

  /** The name of what a venue reverted with, in words where it gave some. */
  async function refusedBy(ground: Ground, legs: readonly Leg[], more: Parameters<typeof termsOf>[1] | null = null): Promise<readonly [Address, string]> {
    const [venue, reason] = await refuse(ground, termsOf(ground, { buyToken: ground.tokens.c, ...more, legs }), 'VenueReverted');
    const text = Buffer.from((reason as Hex).slice(2), 'hex').toString('latin1');
    return [asAddress(venue as string), /UniswapV2: \w+/.exec(text)?.[0] ?? text];
  }

  it('sells through two to four pairs, native at the ends, direct and with custody: to the wei what the authors’ router says', async () => {
    const ground = here.current();
    const { a, b, c, n, weth } = ground.tokens;
    const { taker, recipient } = ground.accounts;
    const names = new Map<Address, string>([[NATIVE_TOKEN, 'native'], ...Object.entries(ground.tokens).map(([name, token]) => [token, name] as const)]);
    const random = seededRandom('uniswap-v2-path');
    const ways: readonly (readonly Address[])[] = [
      [a, b, c],
      [c, b, a],
      [n, weth, a],
      [a, n, b],
      [a, b, weth],
      [weth, c, b, a],
      [b, n, c, a, weth],
    ];
    for (let i = 0; i < (FULL_SCALE ? 2_000 : 2 * ways.length); i++) {
      const tokens = ways[i % ways.length] ?? [];
      const sellAmount = 1_000n + random.logUniform(1_000n * ONE);
      const [first, last] = [tokens[0] ?? a, tokens.at(-1) ?? b];
      // Wrapped native at an end is sold and bought as native every other time.
      const native = i % 2 === 0;
      const [sellToken, buyToken] = [first, last].map((token) => (native && token === weth ? NATIVE_TOKEN : token)) as [Address, Address];
      const label = `BRAID_SEED=${SEED} ${sellAmount} by ${tokens.map((token) => names.get(token)).join(' ')}`;
      const given = await quotePath(ground, tokens, sellAmount);
      const legs = [
        ...(sellToken === first ? [] : [wrap(NATIVE_TOKEN, weth)]),
        pairPath(ground, tokens),
        ...(buyToken === last ? [] : [wrap(weth, NATIVE_TOKEN)]),
      ];
      const amounts = { sellToken, buyToken, sellAmount: asWei(sellAmount), minBuyAmount: asWei(given), buyAmount: asWei(given + 1n) };
      const terms = termsOf(ground, { ...amounts, surplus: i < ways.length ? 'taker' : 'protocol', legs });
      const moved = await changes(ground, { taker, recipient, router: ground.router }, () => settle(ground, terms));
      expect(moved, label).to.deep.equal({ [`taker.${names.get(sellToken)}`]: -sellAmount, [`recipient.${names.get(buyToken)}`]: given });
    }
  });

  it('is the same as its hops one by one, and a path of one pair as the hop alone', async () => {
    const ground = here.current();
    const { a, b, c, n } = ground.tokens;
    for (const [path, alone] of [
      [[pairPath(ground, [a, b, c])], [hop(ground, 'v2', a, b), hop(ground, 'v2', b, c)]],
      [[pairPath(ground, [a, b, n, c])], [hop(ground, 'v2', a, b), hop(ground, 'v2', b, n), hop(ground, 'v2', n, c)]],
      [[pairPath(ground, [a, c])], [hop(ground, 'v2', a, c)]],
      [
        [pairPath(ground, [a, b, c], 4000), hop(ground, 'v3', a, n), pairPath(ground, [n, b, c])],
        [hop(ground, 'v2', a, b, 4000), hop(ground, 'v3', a, n), hop(ground, 'v2', b, c), hop(ground, 'v2', n, b), hop(ground, 'v2', b, c)],
      ],
    ] as const) {
      const delivered = (legs: readonly Leg[]) => ground.chain.apart(async () => (await settle(ground, termsOf(ground, { buyToken: c, legs }))).buyAmount);
      expect(await delivered(path)).to.equal(await delivered(alone));
    }
  });

  it('buys exactly, with a fee, and is paid by Permit2: straight from the taker where it spends all, and by the router where it shares', async () => {
    const ground = here.current();
    const { a, b, c } = ground.tokens;
    const { taker, recipient, partner, collector } = ground.accounts;
    await approvePermit2(ground, taker);
    const whole = await quotePath(ground, [a, b, c], ONE);
    const fee = { feeBps: asBps(100), partner, partnerShareBps: asBps(5000) };
    const net = (whole * 98n) / 100n;
    const bought = termsOf(ground, { mode: 'buy', buyToken: c, buyAmount: asWei(net), minBuyAmount: asWei(net), fee, legs: [pairPath(ground, [a, b, c])] });
    const moved = await ground.chain.apart(() =>
      changes(ground, { taker, recipient, router: ground.router, partner, collector }, async () => {
        await settle(ground, bought);
      }),
    );
    expect(moved).to.deep.include({ 'taker.a': -ONE, 'recipient.c': net });
    expect((moved['partner.c'] ?? 0n) + (moved['collector.c'] ?? 0n)).to.equal(whole - net);
    expect(Object.keys(moved).sort()).to.deep.equal(['collector.c', 'partner.c', 'recipient.c', 'taker.a']);
    for (const [minimum, legs] of [
      [whole, [pairPath(ground, [a, b, c])]],
      [(9n * ONE) / 10n, [pairPath(ground, [a, b, c], 3000), hop(ground, 'v3', a, c)]],
    ] as const) {
      await ground.chain.apart(async () => {
        const terms = termsOf(ground, { buyToken: c, minBuyAmount: asWei(minimum), legs });
        const permitted = await changes(ground, { taker, recipient, router: ground.router }, () => settlePermitted(ground, terms));
        expect(Object.keys(permitted)).to.deep.equal(['taker.a', 'recipient.c']);
        expect(permitted['taker.a']).to.equal(-ONE);
        if (legs.length === 1) expect(permitted['recipient.c']).to.equal(whole);
      });
    }
  });

  describe('what lies in a pair beside its books is nobody’s input', () => {
    it('what somebody sent to pairs and to the router before changes no amount, measured or not, and stays where it is', async () => {
      const ground = here.current();
      const { a, b, c, n } = ground.tokens;
      const { recipient } = ground.accounts;
      const given = await quotePath(ground, [a, b, n, c], ONE);
      for (const token of [a, b, c]) await mint(ground, token, ground.router, 7n * ONE);
      await mint(ground, a, ground.pool('v2', a, b), 3n * ONE);
      await mint(ground, b, ground.pool('v2', b, n), 5n * ONE);
      await mint(ground, c, ground.pool('v2', n, c), 2n * ONE);
      const path = pairPath(ground, [a, b, n, c]);
      for (const leg of [path, measured(path, 0, 1, 2)]) {
        const moved = await ground.chain.apart(() =>
          changes(ground, { recipient, router: ground.router }, () => settle(ground, termsOf(ground, { buyToken: c, legs: [leg] }))),
        );
        expect(moved).to.deep.equal({ 'recipient.c': given });
      }
    });
  });

  describe('tokens that tax transfers', () => {
    const taxed = (amount: bigint) => amount - (amount * BigInt(TAX_BPS)) / 10_000n;

    it('one that is sold is taxed once, on its way to the first pair, which has to be measured', async () => {
      const ground = here.current();
      const { a, b, c } = ground.tokens;
      await setToken(ground, a, 0, TAX_BPS, ZERO_ADDRESS);
      const path = pairPath(ground, [a, b, c]);
      const { buyAmount } = await ground.chain.apart(() => settle(ground, termsOf(ground, { buyToken: c, legs: [measured(path, 0)] })));
      expect(buyAmount).to.equal(pairOutput(pairOutput(taxed(ONE))));
      expect(await refusedBy(ground, [path])).to.deep.equal([ground.pool('v2', a, b), 'UniswapV2: K']);
    });

    it('one in the middle is refused by the next pair, or taxed once and sold as far as it came where that pair is measured', async () => {
      const ground = here.current();
      const { a, b, c } = ground.tokens;
      await setToken(ground, b, 0, TAX_BPS, ZERO_ADDRESS);
      const path = pairPath(ground, [a, b, c]);
      expect(await refusedBy(ground, [path])).to.deep.equal([ground.pool('v2', b, c), 'UniswapV2: K']);
      const terms = termsOf(ground, { buyToken: c, legs: [measured(path, 1)] });
      const { buyAmount } = await ground.chain.apart(() => settle(ground, terms));
      expect(buyAmount).to.equal(pairOutput(taxed(pairOutput(ONE))));
      expect(await refuse(ground, { ...terms, minBuyAmount: asWei(buyAmount + 1n) }, 'BelowMinimum')).to.deep.equal([buyAmount, buyAmount + 1n]);
      // All of it vanishes.
      await setToken(ground, b, 0, 10_000, ZERO_ADDRESS);
      expect((await refuse(ground, terms, 'PairInputUnfit'))[1]).to.equal(0n);
    });

    it('what lies in a pair makes up for a tax at most', async () => {
      const ground = here.current();
      const { a, b, c } = ground.tokens;
      await setToken(ground, b, 0, TAX_BPS, ZERO_ADDRESS);
      await mint(ground, b, ground.pool('v2', b, c), 9n * ONE);
      const path = pairPath(ground, [a, b, c]);
      const { buyAmount } = await settle(ground, termsOf(ground, { buyToken: c, legs: [measured(path, 1)] }));
      expect(buyAmount).to.equal(pairOutput(pairOutput(ONE)));
    });

    it('one that is bought is taxed on its way to the recipient, and held to the floor there', async () => {
      const ground = here.current();
      const { a, b, c } = ground.tokens;
      await setToken(ground, c, 0, TAX_BPS, ZERO_ADDRESS);
      const terms = termsOf(ground, { buyToken: c, legs: [pairPath(ground, [a, b, c])] });
      const net = taxed(pairOutput(pairOutput(ONE)));
      expect((await ground.chain.apart(() => settle(ground, { ...terms, minBuyAmount: asWei(net) }))).buyAmount).to.equal(net);
      await refuse(ground, { ...terms, minBuyAmount: asWei(net + 1n) }, 'BelowMinimum');
    });
  });

  describe('a hostile pair in the middle', () => {
    /** Holds 10 of b and 10 of c, and says that it holds 1000 of each. */
    async function hostile(ground: Ground, sends: readonly [Address, bigint], then: readonly [Address, Hex] = [ZERO_ADDRESS, '0x']): Promise<Address> {
      const contract = contractOf(ground.contracts, 'TrickPair');
      const pair = await ground.chain.create(ground.accounts.stranger, contract);
      for (const token of [ground.tokens.b, ground.tokens.c]) await mint(ground, token, pair, 10n * ONE);
      await ground.chain.write(ground.accounts.stranger, pair, contract.abi, 'set', [1000n * ONE, 1000n * ONE, ...sends, ...then]);
      return pair;
    }

    /** a to c by way of b, the first pair being the hostile one: what it keeps, the next one does not have. */
    const through = (ground: Ground, pair: Address) => pairPath(ground, [ground.tokens.a, ground.tokens.b, ground.tokens.c], 10_000, [pair]);

    it('that sends nothing, or less than it is told to, stops the swap at the next pair; where that is measured, the floor decides over what came', async () => {
      const ground = here.current();
      const { b, c } = ground.tokens;
      const next = ground.pool('v2', b, c);
      const nothing = await hostile(ground, [b, 0n]);
      expect(await refusedBy(ground, [through(ground, nothing)])).to.deep.equal([next, 'UniswapV2: INSUFFICIENT_INPUT_AMOUNT']);
      expect((await refuse(ground, termsOf(ground, { buyToken: c, legs: [measured(through(ground, nothing), 1)] }), 'PairInputUnfit'))[1]).to.equal(0n);
      const less = await hostile(ground, [b, ONE / 2n]);
      expect(await refusedBy(ground, [through(ground, less)])).to.deep.equal([next, 'UniswapV2: K']);
      const terms = termsOf(ground, { buyToken: c, legs: [measured(through(ground, less), 1)] });
      const given = pairOutput(ONE / 2n);
      expect((await ground.chain.apart(() => settle(ground, { ...terms, minBuyAmount: asWei(given) }))).buyAmount).to.equal(given);
      await refuse(ground, { ...terms, minBuyAmount: asWei(given + 1n) }, 'BelowMinimum');
    });

    it('that sends another token, or more, gains nothing by it: more is the next pair’s', async () => {
      const ground = here.current();
      const { a, b, c } = ground.tokens;
      const { taker, recipient } = ground.accounts;
      expect(await refusedBy(ground, [through(ground, await hostile(ground, [a, ONE]))])).to.deep.equal([
        ground.pool('v2', b, c),
        'UniswapV2: INSUFFICIENT_INPUT_AMOUNT',
      ]);
      const more = through(ground, await hostile(ground, [b, 9n * ONE]));
      const told = (ONE * 997n * 1000n * ONE) / (1000n * ONE * 1000n + ONE * 997n);
      for (const leg of [more, measured(more, 1)]) {
        const moved = await ground.chain.apart(() =>
          changes(ground, { taker, recipient, router: ground.router }, () => settle(ground, termsOf(ground, { buyToken: c, legs: [leg] }))),
        );
        expect(moved).to.deep.equal({ 'taker.a': -ONE, 'recipient.c': pairOutput(told) });
      }
    });

    it('that lies about its books so that more follows than a pair can hold is named; one that claims all there is finds the next pair short', async () => {
      const ground = here.current();
      const { a, b, c } = ground.tokens;
      const pair = await hostile(ground, [b, ONE]);
      const { abi } = contractOf(ground.contracts, 'TrickPair');
      const most = 2n ** 112n - 1n;
      const books = (of: readonly [bigint, bigint]) => (a < b ? of : [of[1], of[0]]);
      await ground.chain.write(ground.accounts.stranger, pair, abi, 'set', [...books([1n, most]), b, ONE, ZERO_ADDRESS, '0x']);
      expect(await refusedBy(ground, [through(ground, pair)])).to.deep.equal([ground.pool('v2', b, c), 'UniswapV2: K']);
      const leg = measured(through(ground, pair), 1);
      expect((await settle(ground, termsOf(ground, { buyToken: c, legs: [leg] }))).buyAmount).to.equal(pairOutput(ONE));
    });

    it('that enters the router, the allowance holder or the next pair meanwhile gets nothing: the doors are locked, and what is taken from the next pair is missing there', async () => {
      const ground = here.current();
      const { a, b, c } = ground.tokens;
      const { taker, victim, stranger, recipient } = ground.accounts;
      const next = ground.pool('v2', b, c);
      const contract = contractOf(ground.contracts, 'TrickPair');
      ground.chain.know(readSettlementContracts().allowanceHolder.abi);
      const payload = takerCall(ground, termsOf(ground, { legs: [hop(ground, 'v2', a, b)] })).data ?? '0x';
      const told = (ONE * 997n * 1000n * ONE) / (1000n * ONE * 1000n + ONE * 997n);
      for (const then of [
        [ground.allowanceHolder, payload],
        [ground.allowanceHolder, execData(ground.router, a, ONE, '0x')],
        [ground.router, executeFromData(victim, '0x')],
      ] as const) {
        const pair = await hostile(ground, [b, told], then);
        const terms = termsOf(ground, { buyToken: c, legs: [through(ground, pair)] });
        const moved = await ground.chain.apart(() =>
          changes(ground, { taker, recipient, victim, stranger, router: ground.router }, async () => {
            await settle(ground, terms);
            expect(await ground.chain.read(pair, contract.abi, 'called')).to.equal(false);
          }),
        );
        expect(moved).to.deep.equal({ 'taker.a': -ONE, 'recipient.c': pairOutput(told) });
      }
      for (const data of [
        encodeFunctionData({ abi: PAIR_ABI, functionName: 'skim', args: [stranger] }),
        encodeFunctionData({ abi: PAIR_ABI, functionName: 'sync' }),
      ]) {
        const pair = await hostile(ground, [b, told], [next, data]);
        expect(await refusedBy(ground, [through(ground, pair)])).to.deep.equal([next, 'UniswapV2: INSUFFICIENT_INPUT_AMOUNT']);
        expect((await refuse(ground, termsOf(ground, { buyToken: c, legs: [measured(through(ground, pair), 1)] }), 'PairInputUnfit'))[1]).to.equal(0n);
      }
    });
  });

  describe('a token between whose hook calls while it moves', () => {
    /** b with a hook that makes this call before and after each move. */
    async function hooked(ground: Ground, to: Address, data: Hex) {
      const puppet = await createPuppet(ground);
      await puppet.teach('onTransfer(address,address,uint256)', { steps: [{ to, data }] });
      await setToken(ground, ground.tokens.b, 0, 0, puppet.address);
      return puppet;
    }

    it('takes what came to the next pair, or books it: that pair refuses, and nothing has moved', async () => {
      const ground = here.current();
      const { a, b, c } = ground.tokens;
      const next = ground.pool('v2', b, c);
      const { stranger } = ground.accounts;
      const half = ONE / 2n;
      const outputs = (b < c ? [0n, half] : [half, 0n]) as [bigint, bigint];
      const path = pairPath(ground, [a, b, c]);
      for (const data of [
        encodeFunctionData({ abi: PAIR_ABI, functionName: 'skim', args: [stranger] }),
        encodeFunctionData({ abi: PAIR_ABI, functionName: 'sync' }),
        // Sells it for itself.
        encodeFunctionData({ abi: PAIR_ABI, functionName: 'swap', args: [...outputs, stranger, '0x'] }),
      ]) {
        await hooked(ground, next, data);
        expect(await refusedBy(ground, [path])).to.deep.equal([next, 'UniswapV2: INSUFFICIENT_INPUT_AMOUNT']);
        expect((await refuse(ground, termsOf(ground, { buyToken: c, legs: [measured(path, 1)] }), 'PairInputUnfit'))[1]).to.equal(0n);
      }
    });

    it('moves the next pair’s price before that is asked for it: what comes is what the pair then gives, and the floor decides', async () => {
      const ground = here.current();
      const { a, b, c } = ground.tokens;
      const next = ground.pool('v2', b, c);
      const { recipient } = ground.accounts;
      const sold = 1000n * ONE;
      const earlier = pairOutput(sold);
      const outputs = (b < c ? [0n, earlier] : [earlier, 0n]) as [bigint, bigint];
      // What it sells lies in the pair already, and it is sold by the first call of the hook: the second finds nothing.
      await mint(ground, b, next, sold);
      const puppet = await hooked(
        ground,
        next,
        encodeFunctionData({ abi: PAIR_ABI, functionName: 'swap', args: [...outputs, ground.accounts.stranger, '0x'] }),
      );
      const terms = termsOf(ground, { buyToken: c, legs: [pairPath(ground, [a, b, c])] });
      const given = pairOutput(pairOutput(ONE), { taken: sold, given: earlier });
      const moved = await ground.chain.apart(() =>
        changes(ground, { recipient, router: ground.router }, async () => {
          await settle(ground, { ...terms, minBuyAmount: asWei(given) });
          expect(await puppet.outcomes()).to.have.property('0', 'ok');
        }),
      );
      expect(moved).to.deep.equal({ 'recipient.c': given });
      expect(await refuse(ground, { ...terms, minBuyAmount: asWei(given + 1n) }, 'BelowMinimum')).to.deep.equal([given, given + 1n]);
    });
  });

  describe('the payload', () => {
    it('cut at every byte of the leg’s data, or naming more pairs than there are, reverts', async () => {
      const ground = here.current();
      const { a, b, c } = ground.tokens;
      const whole = pairPath(ground, [a, b, c]);
      expect(whole.data.length).to.equal(2 + 2 * (FIRST_BYTES + FURTHER_BYTES));
      for (let bytes = 0; bytes < FIRST_BYTES + FURTHER_BYTES; bytes++) {
        await refuse(ground, termsOf(ground, { buyToken: c, legs: [{ ...whole, data: whole.data.slice(0, 2 + 2 * bytes) as Hex }] }), 'PayloadMalformed');
      }
      const counted = (between: number): Leg => ({
        ...whole,
        data: `${whole.data.slice(0, 8)}${numberToHex(between, { size: 1 }).slice(2)}${whole.data.slice(10)}` as Hex,
      });
      for (const between of [2, 255]) await refuse(ground, termsOf(ground, { buyToken: c, legs: [counted(between)] }), 'PayloadMalformed');
      // Fewer than there are: the rest is read as a hop, and is none.
      expect((await ground.chain.attempt(ground.accounts.taker, takerCall(ground, termsOf(ground, { buyToken: c, legs: [counted(0)] })))).ok).to.equal(false);
    });

    it('can not point any place of it at what holds allowances, a precompile, an account without code or the router itself (K1, K23)', async () => {
      const ground = here.current();
      const { a, b, c } = ground.tokens;
      const precompile = asAddress(`0x${'9'.padStart(40, '0')}`);
      for (const pair of [ground.allowanceHolder, ground.permit2, ground.router, precompile, ground.accounts.stranger]) {
        for (const pairs of [[pair], [undefined, pair]]) {
          await refuse(ground, termsOf(ground, { buyToken: c, legs: [pairPath(ground, [a, b, c], 10_000, pairs)] }), 'NotAVenue');
        }
      }
    });

    it('that names a token, or wrapped native, for a pair, a token between that the pairs do not have, a pair twice, or a fee of all of it, reverts', async () => {
      const ground = here.current();
      const { a, b, c, n, weth } = ground.tokens;
      for (const token of [a, b, n, weth]) {
        for (const pairs of [[token], [undefined, token]]) await refusedBy(ground, [pairPath(ground, [a, b, c], 10_000, pairs)]);
      }
      const [first, second] = [ground.pool('v2', a, b), ground.pool('v2', b, c)];
      await refusedBy(ground, [pairPath(ground, [a, n, c], 10_000, [first, second])]);
      await refusedBy(ground, [pairPath(ground, [a, b, a, c], 10_000, [first, first, ground.pool('v2', a, c)])]);
      await refusedBy(ground, [pairPath(ground, [a, b, c], 10_000, [first, first])]);
      const path = pairPath(ground, [a, b, c]);
      for (const ppm of [1_000_000, 2 ** 23 - 1]) {
        const fee = numberToHex(ppm, { size: 3 }).slice(2);
        for (const data of [`0x${fee}${path.data.slice(8)}`, `${path.data.slice(0, -6)}${fee}`]) {
          expect(await refuse(ground, termsOf(ground, { buyToken: c, legs: [{ ...path, data: data as Hex }] }), 'PairFeeUnfit')).to.deep.equal([BigInt(ppm)]);
        }
      }
    });
  });
});
