import { expect } from 'chai';
import { type Abi, encodeFunctionData, erc20Abi, type Hex, maxUint256, parseAbi } from 'viem';
import type { Leg } from '../../../src/building/building.ts';
import { type Address, asAddress, asBps, asWei } from '../../../src/units/units.ts';
import { encode } from '../../../src/venues/uniswap_v3/encode.ts';
import { pancakeV3Code } from '../../support/pancake.ts';
import { HIGHEST_LIMIT, LOWEST_LIMIT } from '../../support/random-concentrated-pool.ts';
import { FULL_SCALE, SEED, seededRandom } from '../../support/seeded-random.ts';
import { contractOf, type Ground, hop, ONE, termsOf, useGround } from '../../support/settlement/ground.ts';
import { changes, refuse, settle } from '../../support/settlement/swaps.ts';

const FACTORY = parseAbi([
  'function createPool(address, address, uint24) returns (address)',
  'function getPool(address, address, uint24) view returns (address)',
]);
const POOL = parseAbi(['function initialize(uint160 sqrtPriceX96)']);
const FEE = 2500;
const LIQUIDITY = 1_000_000n * ONE;
const RANGE = 6000;

/** PancakeSwap's own pool of a and b, filled at price 1. */
type Pancake = { readonly pool: Address; readonly periphery: Address; readonly peripheryAbi: Abi };

describe("the leg of concentrated pools, against PancakeSwap's V3 pool", function () {
  this.timeout(FULL_SCALE ? 1_800_000 : 300_000);
  const here = useGround();
  let pancake: Pancake;

  before(async () => {
    pancake = await layPancake(here.current());
  });

  it('sells each way, from the taker and from the router, direct and with custody: what is delivered is what the pool gives, to the wei', async () => {
    const ground = here.current();
    const { a, b, c } = ground.tokens;
    const { taker, recipient, deployer } = ground.accounts;
    const random = seededRandom('pancake-v3');
    for (const token of [a, b]) await ground.chain.write(deployer, token, contractOf(ground.contracts, 'TrickToken').abi, 'mint', [[taker], LIQUIDITY]);
    for (let i = 0; i < (FULL_SCALE ? 1_000 : 12); i++) {
      const [sellToken, buyToken, names] = i % 2 === 0 ? ([a, b, 'ab'] as const) : ([b, a, 'ba'] as const);
      const sellAmount = 1n + random.logUniform(10_000n * ONE);
      const { taken, given } = await quote(ground, pancake, sellToken, buyToken, sellAmount);
      if (given === 0n) continue;
      const amounts = { sellToken, buyToken, sellAmount: asWei(sellAmount), minBuyAmount: asWei(given), buyAmount: asWei(given + 1n) };
      const moved = await changes(ground, { taker, recipient, router: ground.router }, () =>
        settle(ground, termsOf(ground, { ...amounts, surplus: random.pick(['taker', 'protocol']), legs: [pancakeHop(pancake, sellToken, buyToken)] })),
      );
      expect(moved, `BRAID_SEED=${SEED} ${names} ${sellAmount}`).to.deep.equal({ [`taker.${names[0]}`]: -taken, [`recipient.${names[1]}`]: given });
    }
    // As the second hop, after Uniswap's own pool: the router pays.
    const terms = termsOf(ground, { sellToken: c, minBuyAmount: asWei((9n * ONE) / 10n), legs: [hop(ground, 'v3', c, a), pancakeHop(pancake, a, b)] });
    const moved = await changes(ground, { taker, recipient, router: ground.router }, () => settle(ground, terms));
    expect(Object.keys(moved)).to.deep.equal(['taker.c', 'recipient.b']);
  });

  it('what the pool does not take stays with the taker', async () => {
    const ground = here.current();
    const { a, b } = ground.tokens;
    const { taker, recipient, deployer } = ground.accounts;
    await ground.chain.write(deployer, a, contractOf(ground.contracts, 'TrickToken').abi, 'mint', [[taker], 5n * LIQUIDITY]);
    const sellAmount = 2n * LIQUIDITY;
    const { taken, given } = await quote(ground, pancake, a, b, sellAmount);
    expect(taken < sellAmount / 2n).to.equal(true);
    const terms = termsOf(ground, { sellAmount: asWei(sellAmount), minBuyAmount: asWei(given), legs: [pancakeHop(pancake, a, b)] });
    const moved = await changes(ground, { taker, recipient, router: ground.router }, () => settle(ground, terms));
    expect(moved).to.deep.equal({ 'taker.a': -taken, 'recipient.b': given });
  });

  it("with Uniswap's name for the call back the pool is not paid, and Uniswap's pool is not by PancakeSwap's", async () => {
    const ground = here.current();
    const { a, b } = ground.tokens;
    await refuse(ground, termsOf(ground, { legs: [{ ...pancakeHop(pancake, a, b), data: '0x00' }] }), 'VenueReverted');
    await refuse(ground, termsOf(ground, { legs: [{ ...hop(ground, 'v3', a, b), data: '0x01' }] }), 'VenueReverted');
  });
});

/** The hop as the venue itself writes it for the label. */
function pancakeHop({ pool }: Pancake, tokenIn: Address, tokenOut: Address): Leg {
  const slots = tokenIn < tokenOut ? { slotIn: 0, slotOut: 1 } : { slotIn: 1, slotOut: 0 };
  const facts = { family: 'pancakeswap_v3', poolAddress: pool, poolKey: pool, hook: null, legFacts: {}, leastOut: 0n, taxedInput: false };
  return { leg: 'uniswap_v3', bps: asBps(10_000), tokenIn, tokenOut, pool, data: encode.legData({ ...facts, ...slots, tokenIn, tokenOut }) };
}

/** What the pool's own function says that a swap takes and gives. Nothing is changed. */
async function quote(ground: Ground, { pool, periphery, peripheryAbi }: Pancake, tokenIn: Address, tokenOut: Address, amountIn: bigint) {
  const zeroForOne = tokenIn < tokenOut;
  const args = [pool, zeroForOne, amountIn, zeroForOne ? LOWEST_LIMIT : HIGHEST_LIMIT];
  const ending = await ground.chain.attempt(ground.accounts.deployer, {
    to: periphery,
    data: encodeFunctionData({ abi: peripheryAbi, functionName: 'swap', args }),
  });
  if (!ending.ok) throw new Error(`the pool reverts with ${ending.error}`);
  const [amount0, amount1] = [ending.data.slice(2, 66), ending.data.slice(66, 130)].map((word) => BigInt.asIntN(256, BigInt(`0x${word}`))) as [bigint, bigint];
  return zeroForOne ? { taken: amount0, given: -amount1 } : { taken: amount1, given: -amount0 };
}

async function layPancake({ chain, accounts, tokens, contracts }: Ground): Promise<Pancake> {
  const { deployer } = accounts;
  const { a, b } = tokens;
  const code = await pancakeV3Code();
  const poolDeployer = await chain.create(deployer, code.deployer, code.deployer.args);
  const factory = await chain.deploy(deployer, code.factoryCode(poolDeployer) as Hex);
  const periphery = await chain.create(deployer, code.periphery);
  await chain.write(deployer, factory, FACTORY, 'createPool', [a, b, FEE]);
  const pool = asAddress((await chain.read(factory, FACTORY, 'getPool', [a, b, FEE])) as string);
  await chain.write(deployer, pool, POOL, 'initialize', [2n ** 96n]);
  for (const token of [a, b]) {
    await chain.write(deployer, token, contractOf(contracts, 'TrickToken').abi, 'mint', [[deployer], 100n * LIQUIDITY]);
    await chain.write(deployer, token, erc20Abi, 'approve', [periphery, maxUint256]);
  }
  await chain.write(deployer, periphery, code.periphery.abi, 'mint', [pool, -RANGE, RANGE, LIQUIDITY]);
  return { pool, periphery, peripheryAbi: code.periphery.abi };
}
