import { expect } from 'chai';
import { encodeDeployData, erc20Abi, type Hex, maxUint256, parseAbi } from 'viem';
import { compileSolidity } from '../../../scripts/solidity.ts';
import type { Leg } from '../../../src/building/building.ts';
import { type Address, asAddress, asBps, asWei, type EpochSeconds } from '../../../src/units/units.ts';
import type { CryptoState } from '../../../src/venues/curve_crypto/crypto-state.ts';
import { encode } from '../../../src/venues/curve_crypto/encode.ts';
import { price } from '../../../src/venues/curve_crypto/price.ts';
import { track } from '../../../src/venues/curve_crypto/track.ts';
import { type DiscoveredPool, momentOf } from '../../../src/venues/venues.ts';
import { realCryptoState } from '../../chain/curve/real-crypto-state.ts';
import {
  recordedCryptoPool,
  TRICRYPTO,
  TRICRYPTO_COINS,
  TRICRYPTO_PRECISIONS,
  TRICRYPTO_SHARE,
  TRICRYPTO_VIEWS,
} from '../../chain/curve/recorded-crypto-pool.ts';
import { devnetContracts } from '../devnet-contracts.ts';
import { SEED, seededRandom } from '../seeded-random.ts';
import { contractOf, type Ground, ONE, termsOf } from './ground.ts';
import { headReader } from './read-head.ts';
import { changes, settle } from './swaps.ts';

const DEPTH = 1_000_000n * ONE;

/** The devnet's port over a, b and the token that returns nothing, listed by a registry. */
export async function layPortedCryptoPool(ground: Ground): Promise<DiscoveredPool> {
  const { chain, accounts, tokens, contracts } = ground;
  const { deployer } = accounts;
  const port = await devnetContracts('curve_crypto');
  for (const contract of Object.values(port)) chain.know(contract.abi);
  const list = [tokens.a, tokens.b, tokens.n];
  const args = [list, [1n, 1n, 1n], 1_707_629n, 11_809_167_828_997n, [3_000_000n, 30_000_000n, 5_000_000_000n], [2n * ONE, 5n * ONE]];
  const pool = await chain.deploy(deployer, encodeDeployData({ ...contractOf(port, 'CryptoSwapThree'), args }));
  const registry = await chain.deploy(deployer, contractOf(port, 'CryptoRegistry').bytecode);
  await chain.write(deployer, registry, contractOf(port, 'CryptoRegistry').abi, 'add_pool', [pool, 3n]);
  for (const token of list) {
    await chain.write(deployer, token, contractOf(contracts, 'TrickToken').abi, 'mint', [[deployer], DEPTH]);
    await chain.write(deployer, token, erc20Abi, 'approve', [pool, maxUint256]);
  }
  const amounts = [DEPTH, DEPTH / 2n, DEPTH / 5n];
  await chain.write(deployer, pool, parseAbi(['function add_liquidity(uint256[3] amounts, uint256 least)']), 'add_liquidity', [amounts, 0n]);
  return discovered(pool, list, registry, pool, '18,18,18');
}

/** The bytecode of the recorded pool, over a, b and the token that returns nothing. The contract that it asks for its view is not in the block, and is one of ours. */
export async function layRealCryptoPool(ground: Ground): Promise<DiscoveredPool> {
  const { chain, accounts, tokens, contracts } = ground;
  const list = [tokens.a, tokens.b, tokens.n];
  const [{ CurveCryptoViews }, port] = await Promise.all([compileSolidity('contracts/devnet/oracle'), devnetContracts('curve_crypto')]);
  const state = realCryptoState(TRICRYPTO_PRECISIONS, DEPTH, 1n, [2n * ONE, 5n * ONE]);
  const [pool, ...others] = recordedCryptoPool('0x')(state);
  const code = TRICRYPTO_COINS.reduce((text, coin, at) => text.replaceAll(coin.slice(2), (list[at] ?? coin).slice(2)), String(pool?.code));
  const set = [
    { ...pool, address: TRICRYPTO as Hex, code: code as Hex },
    ...others.filter(({ code: own }) => own !== '0x'),
    { address: TRICRYPTO_VIEWS as Hex, code: CurveCryptoViews?.deployedBytecode },
  ];
  for (const { address, code: own, stateDiff = [] } of set) {
    await chain.rpc.request('anvil_setCode', address, own);
    for (const { slot, value } of stateDiff) await chain.rpc.request('anvil_setStorageAt', address, slot, value);
  }
  const mint = contractOf(contracts, 'TrickToken').abi;
  for (const [at, token] of list.entries()) await chain.write(accounts.deployer, token, mint, 'mint', [[TRICRYPTO], state.balances[at] ?? 0n]);
  const registry = await chain.deploy(accounts.deployer, contractOf(port, 'CryptoRegistry').bytecode);
  await chain.write(accounts.deployer, registry, contractOf(port, 'CryptoRegistry').abi, 'add_pool', [TRICRYPTO, 3n]);
  return discovered(asAddress(TRICRYPTO), list, registry, asAddress(TRICRYPTO_SHARE), '6,8,18');
}

/** A hop through a pool, as the venue encodes it. */
export function curveCryptoHop(pool: DiscoveredPool, tokenIn: Address, tokenOut: Address, bps = 10_000): Leg {
  const [slotIn, slotOut] = [pool.tokens.indexOf(tokenIn), pool.tokens.indexOf(tokenOut)];
  const facts = { family: 'curve_crypto', poolAddress: pool.address, poolKey: pool.key, hook: null, legFacts: pool.traits, leastOut: 0n, taxedInput: false };
  return { leg: encode.leg, bps: asBps(bps), tokenIn, tokenOut, pool: pool.address, data: encode.legData({ ...facts, slotIn, slotOut, tokenIn, tokenOut }) };
}

/** What the venue promises for the amounts one after the other at the head: the state as the tracker reads it, priced exactly, and each next one in what the one before left. Null: it promises nothing. */
export async function curveCryptoQuotes(
  ground: Ground,
  pool: DiscoveredPool,
  tokenIn: Address,
  tokenOut: Address,
  amounts: readonly bigint[],
): Promise<readonly bigint[] | null> {
  const { timestamp } = (await ground.chain.rpc.request('eth_getBlockByNumber', 'latest', false)) as { readonly timestamp: Hex };
  const at = momentOf({ number: 0, timestamp: Number(timestamp) as EpochSeconds });
  const [loaded] = await track.load([pool], headReader(ground), at);
  if (loaded === null || loaded === undefined) throw new Error('the pool can not be read');
  let state: CryptoState = loaded;
  const given: bigint[] = [];
  for (const amount of amounts) {
    const quote = price.exactIn(state, pool.tokens.indexOf(tokenIn), pool.tokens.indexOf(tokenOut), amount, at);
    if (!quote.ok) return null;
    given.push(quote.amountOut);
    state = quote.next;
  }
  return given;
}

/** Once, and of every third twice, the second time in what the first left: a second hop of the same token is paid by the Router, from what it took in. */
export async function deliverCryptoQuotes(ground: Ground, pool: DiscoveredPool, swaps: number): Promise<void> {
  const { taker, recipient } = ground.accounts;
  const names = new Map<Address, string>(Object.entries(ground.tokens).map(([name, token]) => [token, name] as const));
  const random = seededRandom('curve-crypto-leg');
  let twice = 0;
  for (let done = 0; done < swaps; done++) {
    const { tokens } = pool;
    const slotIn = random.integer(0, tokens.length - 1);
    const [sellToken, buyToken] = [tokens[slotIn], tokens[(slotIn + random.integer(1, tokens.length - 1)) % tokens.length]] as [Address, Address];
    const places = Number(String(pool.traits.decimals).split(',')[slotIn]);
    const sellAmount = (10n ** 16n + random.logUniform(800n * ONE)) / 10n ** BigInt(18 - places);
    const half = (sellAmount * 5000n) / 10_000n;
    const behind = done % 3 === 2 ? await curveCryptoQuotes(ground, pool, sellToken, buyToken, [half, sellAmount - half]) : null;
    const quotes = behind ?? (await curveCryptoQuotes(ground, pool, sellToken, buyToken, [sellAmount]));
    if (quotes === null) throw new Error('no amount here is refused');
    if (behind !== null) twice++;
    const given = quotes.reduce((sum, part) => sum + part, 0n);
    const legs =
      quotes.length === 2
        ? [curveCryptoHop(pool, sellToken, buyToken, 5000), curveCryptoHop(pool, sellToken, buyToken)]
        : [curveCryptoHop(pool, sellToken, buyToken)];
    const amounts = { sellAmount: asWei(sellAmount), minBuyAmount: asWei(given), buyAmount: asWei(given + 1n) };
    const terms = termsOf(ground, { sellToken, buyToken, ...amounts, surplus: random.pick(['taker', 'protocol'] as const), legs });
    const moved = await changes(ground, { taker, recipient, router: ground.router }, () => settle(ground, terms));
    const [sold, bought] = [`taker.${names.get(sellToken)}`, `recipient.${names.get(buyToken)}`];
    expect(moved, `BRAID_SEED=${SEED} ${sellAmount} ${sold} for ${bought}`).to.deep.equal({ [sold]: -sellAmount, [bought]: given });
    for (const token of tokens) expect(await ground.chain.read(token, erc20Abi, 'allowance', [ground.router, pool.address])).to.equal(0n);
  }
  expect(twice).to.be.greaterThan(0);
}

function discovered(address: Address, tokens: readonly Address[], factory: Address, token: Address, decimals: string): DiscoveredPool {
  return { key: address, address, hook: null, protocol: 'curve_crypto', source: 'curve_crypto', tokens, traits: { factory, token, decimals } };
}
