import { expect } from 'chai';
import { concatHex, encodeAbiParameters, encodeFunctionData, erc20Abi, type Hex, parseAbi } from 'viem';
import { readSettlementContracts } from '../../../src/building/building.ts';
import { type Address, asAddress, asWei, ZERO_ADDRESS } from '../../../src/units/units.ts';
import { devnetContracts } from '../../support/devnet-contracts.ts';
import { contractOf, type Ground, MAX, ONE, termsOf, through, useGround } from '../../support/settlement/ground.ts';
import { approvePermit2, permittedCall, settlePermitted } from '../../support/settlement/permit2.ts';
import { changes, expectError, refuse, setToken, settle } from '../../support/settlement/swaps.ts';

const FACTORY_ABI = parseAbi(['function createPool(address tokenA, address tokenB, bool stable) returns (address)']);
const POOLS_ABI = parseAbi(['function getPool(address tokenA, address tokenB, bool stable) view returns (address)']);
const POOL_ABI = parseAbi(['function mint(address to) returns (uint256)', 'function getAmountOut(uint256 amountIn, address tokenIn) view returns (uint256)']);
const DEPTH = 100_000n * ONE;
const PLAIN = 0;

describe("the leg of Solidly, against Aerodrome's own pools", function () {
  this.timeout(300_000);
  const here = useGround();
  /** The ground with a Router that has the leg, and pools of a and b on both curves. */
  let laid: { readonly ground: Ground; readonly pools: readonly Address[] };

  before(async () => {
    const ground = here.current();
    const { chain, accounts, tokens, allowanceHolder, wrappedNative } = ground;
    const { deployer, taker, collector } = accounts;
    const { Pool, PoolFactory } = await devnetContracts('aerodrome');
    if (Pool === undefined || PoolFactory === undefined) throw new Error('the pool or its factory is not among the compiled contracts');
    const implementation = await chain.deploy(deployer, Pool.bytecode);
    const factory = await chain.deploy(deployer, concatHex([PoolFactory.bytecode, encodeAbiParameters([{ type: 'address' }], [implementation])]));
    const pools: Address[] = [];
    // Pools ask their tokens for a name and for decimals when they are made.
    const { deployedBytecode } = contractOf(ground.contracts, 'NamedTrickToken');
    for (const token of [tokens.a, tokens.b]) await chain.rpc.request('anvil_setCode', token, deployedBytecode);
    for (const stable of [false, true]) {
      await chain.write(deployer, factory, FACTORY_ABI, 'createPool', [tokens.a, tokens.b, stable]);
      const pool = asAddress((await chain.read(factory, POOLS_ABI, 'getPool', [tokens.a, tokens.b, stable])) as string);
      for (const token of [tokens.a, tokens.b]) await chain.write(deployer, token, contractOf(ground.contracts, 'TrickToken').abi, 'mint', [[pool], DEPTH]);
      await chain.write(deployer, pool, POOL_ABI, 'mint', [deployer]);
      pools.push(pool);
    }
    const code = readSettlementContracts().routerFor(['solidly', 'uniswap_v2', 'wrap']);
    chain.know(code.abi);
    const router = await chain.deploy(deployer, code.creationCode({ allowanceHolder, wrappedNative, feeCollector: collector }));
    laid = { ground: { ...ground, router }, pools };
    await approvePermit2(laid.ground, taker);
  });

  const leg = (pool: Address, tokenIn: Address, tokenOut: Address) => ({ ...through('v2', pool, tokenIn, tokenOut), leg: 'solidly', data: '0x' as Hex });
  const promised = (ground: Ground, pool: Address, tokenIn: Address, amountIn = ONE) =>
    ground.chain.read(pool, POOL_ABI, 'getAmountOut', [amountIn, tokenIn]) as Promise<bigint>;
  const watched = ({ accounts, router, allowanceHolder }: Ground) => ({ taker: accounts.taker, recipient: accounts.recipient, router, allowanceHolder });

  it('sells each way on both curves, by the allowance holder and by Permit2, direct and with custody: what is delivered is what the pool promises, to the wei', async () => {
    const { ground, pools } = laid;
    const { a, b } = ground.tokens;
    const names = new Map([
      [a, 'a'],
      [b, 'b'],
    ]);
    for (const pool of pools) {
      for (const [sellToken, buyToken] of [
        [a, b],
        [b, a],
      ] as const) {
        const given = await promised(ground, pool, sellToken);
        for (const run of [settle, settlePermitted]) {
          for (const surplus of ['taker', 'protocol'] as const) {
            const amounts = { buyAmount: asWei(given), minBuyAmount: asWei(given) };
            const terms = termsOf(ground, { sellToken, buyToken, surplus, ...amounts, legs: [leg(pool, sellToken, buyToken)] });
            const moved = await ground.chain.apart(() => changes(ground, watched(ground), () => run(ground, terms)));
            expect(moved).to.deep.equal({ [`taker.${names.get(sellToken)}`]: -ONE, [`recipient.${names.get(buyToken)}`]: given });
          }
        }
      }
    }
  });

  it('a taxed input is less than the pool was asked to price: its invariant refuses, by the allowance holder, by Permit2 and from the Router, and nothing moves (G3)', async () => {
    const { ground, pools } = laid;
    const { a, b, c } = ground.tokens;
    // Also where a tax is less than the fee of the pool.
    for (const taxBps of [1, 500]) {
      await setToken(ground, a, PLAIN, taxBps, ZERO_ADDRESS);
      for (const pool of pools) {
        const terms = termsOf(ground, { legs: [leg(pool, a, b)] });
        const behind = termsOf(ground, { sellToken: c, legs: [through('v2', ground.pool('v2', c, a), c, a), leg(pool, a, b)] });
        const moved = await changes(ground, watched(ground), async () => {
          await refuse(ground, terms, 'VenueReverted');
          await refuse(ground, behind, 'VenueReverted');
          expectError(await ground.chain.attempt(terms.taker, await permittedCall(ground, terms)), 'VenueReverted');
        });
        expect(moved).to.deep.equal({});
      }
    }
  });

  it('a taxed output is measured at the recipient: the floor at what is left passes, and a wei above it does not', async () => {
    const { ground, pools } = laid;
    const { a, b } = ground.tokens;
    for (const pool of pools) {
      await setToken(ground, b, PLAIN, 300, ZERO_ADDRESS);
      const given = await promised(ground, pool, a);
      const left = given - (given * 300n) / 10_000n;
      const terms = termsOf(ground, { minBuyAmount: asWei(left), legs: [leg(pool, a, b)] });
      await refuse(ground, { ...terms, minBuyAmount: asWei(left + 1n) }, 'BelowMinimum');
      expect(await ground.chain.apart(() => changes(ground, watched(ground), () => settle(ground, terms)))).to.deep.equal({
        'taker.a': -ONE,
        'recipient.b': left,
      });
    }
  });

  it('what was left in the pool before is not the swap’s: whoever skims it takes nothing of the taker’s', async () => {
    const { ground, pools } = laid;
    const { a, b } = ground.tokens;
    const [pool = ZERO_ADDRESS] = pools;
    const given = await promised(ground, pool, a);
    const gift = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [pool, 7n * ONE] });
    await ground.chain.mustSend(ground.accounts.victim, { to: a, data: gift });
    const terms = termsOf(ground, { sellAmount: asWei(ONE), minBuyAmount: asWei(given), legs: [leg(pool, a, b)] });
    expect(await changes(ground, watched(ground), () => settle(ground, terms))).to.deep.equal({ 'taker.a': -ONE, 'recipient.b': given });
    await refuse(ground, { ...terms, sellAmount: asWei(MAX) }, 'TransferFailed');
  });
});
