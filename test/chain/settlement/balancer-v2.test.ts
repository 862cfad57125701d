import { expect } from 'chai';
import { encodeFunctionData, erc20Abi, numberToHex } from 'viem';
import { encodeTakerCall, type Leg, readSettlementContracts, type SwapTerms } from '../../../src/building/building.ts';
import type { DevnetPool } from '../../../src/devnet/devnet.ts';
import { type Address, asAddress, asBps, asWei } from '../../../src/units/units.ts';
import { useDevnet } from '../../support/devnet.ts';
import { FULL_SCALE, SEED, seededRandom } from '../../support/seeded-random.ts';
import { contractOf, type Ground, LATE, ONE, TAG, termsOf, useGround } from '../../support/settlement/ground.ts';
import { type DevnetGround, devnetHop, settleOnDevnet } from '../../support/settlement/on-devnet.ts';
import { createPuppet, type PuppetStep } from '../../support/settlement/puppet.ts';
import { changes, expectError, refuse, settle } from '../../support/settlement/swaps.ts';

const SWAPS = FULL_SCALE ? 1_000 : 16;
const SWAP = 'swap((bytes32,uint8,address,address,uint256,bytes),(address,bool,address,bool),uint256,uint256)';
const POOL_ID = numberToHex(0xba1n, { size: 32 });

describe('the leg of Balancer V2, against the real vault', function () {
  this.timeout(FULL_SCALE ? 1_800_000 : 300_000);
  const devnet = useDevnet({ blockTimeSeconds: 3600, bots: false });
  let ground: DevnetGround;
  let pools: readonly DevnetPool[];

  before(async () => {
    ground = await settleOnDevnet(devnet.current());
    pools = devnet.current().pools.filter(({ family }) => family === 'balancer_v2');
  });

  it('pools of two, three and eight tokens, weighted and stable: from the taker and from the Router, direct and with custody, what is delivered is what the vault gives, and nothing stays', async () => {
    const random = seededRandom('balancer-leg');
    const { chain, accounts, router } = ground;
    const vault = devnet.current().contract('balancerVault');
    expect([...new Set(pools.map(({ tokens }) => tokens.length))].sort()).to.deep.equal([2, 3, 4, 8]);
    for (let i = 0; i < SWAPS; i++) {
      const pool = pools[i % pools.length] as DevnetPool;
      const from = random.integer(0, pool.tokens.length - 1);
      const to = (from + random.integer(1, pool.tokens.length - 1)) % pool.tokens.length;
      const [tokenIn, tokenOut] = [pool.tokens[from], pool.tokens[to]] as [Address, Address];
      // A second hop is paid by the Router: through another pool of the same vault.
      const second =
        i % 2 === 0
          ? undefined
          : pools.find((other) => other !== pool && other.tokens.includes(tokenOut) && other.tokens.some((token) => token !== tokenIn && token !== tokenOut));
      const last = second?.tokens.find((token) => token !== tokenIn && token !== tokenOut);
      const held = await chain.read(tokenIn, erc20Abi, 'balanceOf', [accounts.taker]);
      const sellAmount = 1n + random.logUniform((held as bigint) / 400n);
      const middle = await ground.quote({ pool, tokenIn, tokenOut }, sellAmount);
      const given =
        second === undefined || last === undefined || middle === null
          ? middle
          : await ground.quote({ pool: second, tokenIn: tokenOut, tokenOut: last }, middle);
      if (given === null || given === 0n || middle === 0n) continue;
      const legs = [await devnetHop({ pool, tokenIn, tokenOut }, 10_000)];
      if (second !== undefined && last !== undefined) legs.push(await devnetHop({ pool: second, tokenIn: tokenOut, tokenOut: last }, 10_000));
      const buyToken = last ?? tokenOut;
      const label = `BRAID_SEED=${SEED} ${pool.key} ${tokenIn} ${sellAmount} ${buyToken}`;
      const call = encodeTakerCall(terms({ sellToken: tokenIn, buyToken, sellAmount, given, surplus: i % 4 < 2 ? 'taker' : 'protocol', legs }), ground);
      const all = [accounts.taker, accounts.recipient, router];
      const tokens = [...new Set([tokenIn, tokenOut, buyToken])];
      const before = await ground.balances(all, tokens);
      await chain.mustSend(accounts.taker, call);
      const after = await ground.balances(all, tokens);
      const moved = (account: Address, token: Address) => (after.get(`${account} ${token}`) ?? 0n) - (before.get(`${account} ${token}`) ?? 0n);
      expect([moved(accounts.taker, tokenIn), moved(accounts.recipient, buyToken)], label).to.deep.equal([-sellAmount, given]);
      for (const token of tokens) {
        expect(moved(router, token), label).to.equal(0n);
        expect(await chain.read(token, erc20Abi, 'allowance', [router, vault]), label).to.equal(0n);
      }
    }
  });

  function terms(wanted: Pick<SwapTerms, 'sellToken' | 'buyToken' | 'surplus' | 'legs'> & { readonly sellAmount: bigint; readonly given: bigint }): SwapTerms {
    const { sellAmount, given, ...rest } = wanted;
    const { taker, recipient } = ground.accounts;
    const amounts = { sellAmount: asWei(sellAmount), minBuyAmount: asWei(given), buyAmount: asWei(given + 1n) };
    return { ...amounts, ...rest, taker, recipient, fee: null, mode: 'sell', deadline: BigInt(LATE), tag: TAG };
  }
});

describe('the leg of Balancer V2, with a vault that is not what it says', function () {
  this.timeout(300_000);
  const here = useGround();
  let ground: Ground;

  before(async () => {
    const plain = here.current();
    const code = readSettlementContracts().routerFor(['balancer_v2', 'wrap']);
    plain.chain.know(code.abi);
    const { allowanceHolder, wrappedNative, accounts } = plain;
    const router = await plain.chain.deploy(accounts.deployer, code.creationCode({ allowanceHolder, wrappedNative, feeCollector: accounts.collector }));
    ground = { ...plain, router };
  });

  const hop = (vault: Address): Leg => ({
    leg: 'balancer_v2',
    bps: asBps(10_000),
    tokenIn: ground.tokens.a,
    tokenOut: ground.tokens.b,
    pool: vault,
    data: POOL_ID,
  });
  const taking = (amount: bigint, to: Address): PuppetStep => ({
    to: ground.tokens.a,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'transferFrom', args: [ground.router, to, amount] }),
  });

  async function vaultThat(takes: readonly bigint[]) {
    const { tokens, accounts, chain, contracts } = ground;
    const vault = await createPuppet(ground);
    await chain.write(accounts.deployer, tokens.b, contractOf(contracts, 'TrickToken').abi, 'mint', [[vault.address], 10n * ONE]);
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [accounts.recipient, ONE] });
    await vault.teach(SWAP, { steps: [...takes.map((amount) => taking(amount, vault.address)), { to: tokens.b, data, bubbles: true }] });
    return vault;
  }

  it('one that takes less than the input leaves nothing behind, and one that asks for more gets no more, then or later', async () => {
    const { taker, recipient, stranger } = ground.accounts;
    for (const [takes, taken] of [
      [[ONE / 2n], ONE / 2n],
      [[], 0n],
      [[ONE + 1n, ONE, 1n], ONE],
    ] as const) {
      const vault = await vaultThat(takes);
      const moved = await changes(ground, { taker, recipient, router: ground.router }, () => settle(ground, termsOf(ground, { legs: [hop(vault.address)] })));
      expect(moved).to.deep.equal(taken === 0n ? { 'recipient.b': ONE } : { 'taker.a': -taken, 'recipient.b': ONE });
      expect(await ground.chain.read(ground.tokens.a, erc20Abi, 'allowance', [ground.router, vault.address])).to.equal(0n);
      expect((await ground.chain.attempt(stranger, { to: ground.router, data: '0x12345678' })).ok).to.equal(false);
    }
  });

  it('one that reverts, gives nothing, or is none takes nothing', async () => {
    const { taker } = ground.accounts;
    const empty = await createPuppet(ground);
    await empty.teach(SWAP, { steps: [taking(ONE, empty.address)] });
    const none = asAddress(`0x${'5'.repeat(40)}`);
    const moved = await changes(ground, { taker }, async () => {
      await refuse(ground, termsOf(ground, { minBuyAmount: asWei(1n), legs: [hop(empty.address)] }), 'BelowMinimum');
      for (const target of [none, ground.allowanceHolder, ground.router]) await refuse(ground, termsOf(ground, { legs: [hop(target)] }), 'NotAVenue');
      await refuse(ground, termsOf(ground, { legs: [hop(ground.tokens.b)] }), 'VenueReverted');
      const cut = { ...hop(empty.address), data: POOL_ID.slice(0, 40) as `0x${string}` };
      expectError(await ground.chain.attempt(taker, encodeTakerCall(termsOf(ground, { legs: [cut] }), ground)), 'PayloadMalformed');
    });
    expect(moved).to.deep.equal({});
  });
});
