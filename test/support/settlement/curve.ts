import { encodeDeployData, erc20Abi, maxUint256, numberToHex, parseAbi } from 'viem';
import { type Leg, readSettlementContracts } from '../../../src/building/building.ts';
import { type Address, asAddress, asBps, type EpochSeconds } from '../../../src/units/units.ts';
import type { CurveState } from '../../../src/venues/curve/curve-state.ts';
import { encode } from '../../../src/venues/curve/encode.ts';
import { price } from '../../../src/venues/curve/price.ts';
import { track } from '../../../src/venues/curve/track.ts';
import { type DiscoveredPool, momentOf } from '../../../src/venues/venues.ts';
import { coinsOf, recordedPools, SUPPLY_SLOT } from '../../chain/curve/recorded-pools.ts';
import { devnetContracts } from '../devnet-contracts.ts';
import { contractOf, type Ground, ONE } from './ground.ts';
import { headReader } from './read-head.ts';

/** A pool of Curve on a ground, as the indexer knows one. */
export type CurvePool = { readonly name: string; readonly pool: DiscoveredPool };

const NOBODY = asAddress(`0x${'0'.repeat(40)}`);
const DEPTH = 1_000_000n * ONE;
const FEE = 4_000_000n;

/** The ground with a Router that has the leg. */
export async function withCurveLeg(ground: Ground): Promise<Ground> {
  const { chain, accounts, allowanceHolder, wrappedNative } = ground;
  const routerCode = readSettlementContracts().routerFor(['curve', 'uniswap_v2', 'uniswap_v3', 'wrap']);
  chain.know(routerCode.abi);
  const router = await chain.deploy(accounts.deployer, routerCode.creationCode({ allowanceHolder, wrappedNative, feeCollector: accounts.collector }));
  return { ...ground, router };
}

/** Pools of our own port, one of each kind, over a, b and the token that returns nothing. */
export async function layPortedPools(ground: Ground): Promise<readonly CurvePool[]> {
  const { chain, accounts, tokens } = ground;
  const { deployer } = accounts;
  const port = await devnetContracts('curve');
  const list = [tokens.a, tokens.b, tokens.n];
  for (const contract of Object.values(port)) chain.know(contract.abi);
  const make = (name: string, ...args: readonly unknown[]) => chain.deploy(deployer, encodeDeployData({ ...contractOf(port, name), args }));
  const ones = list.map(() => ONE);
  const threePool = await make('StableSwapThree', list, ones, 200n, FEE, 5_000_000_000n);
  const twoPool = await make('StableSwapTwo', [tokens.n, tokens.a], [ONE, ONE], 200n, FEE);
  const ngPool = await make('StableSwapNG', list, ones, 200n, FEE, 50_000_000_000n, [0n, 0n, 0n]);
  await fill(ground, threePool, list, 'function add_liquidity(uint256[3] amounts, uint256 least)');
  await fill(ground, twoPool, [tokens.n, tokens.a], 'function add_liquidity(uint256[2] amounts, uint256 least)');
  await fill(ground, ngPool, list, 'function add_liquidity(uint256[] amounts, uint256 least)');
  return [
    { name: 'a plain pool that pays its caller', pool: discovered(threePool, list, 0) },
    { name: 'a plain pool that pays a receiver', pool: discovered(twoPool, [tokens.n, tokens.a], 1) },
    { name: 'a pool of the new generation', pool: discovered(ngPool, list, 1) },
  ];
}

/** The bytecode of real pools, over a, b and the token that returns nothing. */
export async function layRealPools(ground: Ground): Promise<readonly CurvePool[]> {
  const { chain, accounts, tokens } = ground;
  const pools: CurvePool[] = [];
  for (const recorded of recordedPools()) {
    const list = [tokens.a, tokens.b, tokens.n].slice(0, recorded.decimals.length);
    const state: CurveState = {
      form: recorded.form,
      balances: recorded.decimals.map((places) => DEPTH / 10n ** BigInt(18 - places)),
      scales: recorded.decimals.map((places) => ({ numerator: 10n ** BigInt(18 - places), denominator: 1n })),
      amplification: 20_000n,
      ramp: null,
      fee: FEE,
      adminFee: 5_000_000_000n,
      offpegFeeMultiplier: recorded.form === 'plain' ? 0n : 20_000_000_000n,
    };
    const [override] = recorded.override(state, list, '0x');
    if (override === undefined) throw new Error(`${recorded.name} has no contract`);
    const code = (coinsOf(recorded) ?? []).reduce((text, coin, at) => text.replaceAll(coin.slice(2), (list[at] ?? coin).slice(2)), String(override.code));
    await chain.rpc.request('anvil_setCode', recorded.address, code);
    const supply = { slot: numberToHex(SUPPLY_SLOT, { size: 32 }), value: numberToHex(2n * DEPTH, { size: 32 }) };
    for (const { slot, value } of [...(override.stateDiff ?? []), ...(recorded.form === 'plain' ? [] : [supply])])
      await chain.rpc.request('anvil_setStorageAt', recorded.address, slot, value);
    const trick = contractOf(ground.contracts, 'TrickToken').abi;
    for (const [at, token] of list.entries()) await chain.write(accounts.deployer, token, trick, 'mint', [[recorded.address], state.balances[at] ?? 0n]);
    pools.push({ name: recorded.name, pool: discovered(asAddress(recorded.address), list, recorded.form === 'plain' ? 0 : 1, recorded.decimals) });
  }
  return pools;
}

/** A hop through a pool, as the venue encodes it. */
export function curveHop({ pool }: CurvePool, tokenIn: Address, tokenOut: Address, bps = 10_000): Leg {
  const [slotIn, slotOut] = [pool.tokens.indexOf(tokenIn), pool.tokens.indexOf(tokenOut)];
  const facts = { family: 'curve', poolAddress: pool.address, poolKey: pool.key, hook: null, legFacts: pool.traits, leastOut: 0n, taxedInput: false };
  return { leg: 'curve', bps: asBps(bps), tokenIn, tokenOut, pool: pool.address, data: encode.legData({ ...facts, slotIn, slotOut, tokenIn, tokenOut }) };
}

/** What the venue promises for an amount at the head: the state as the tracker reads it, priced exactly. 0: nothing. */
export async function curveQuote(ground: Ground, { pool }: CurvePool, tokenIn: Address, tokenOut: Address, amountIn: bigint): Promise<bigint> {
  const at = momentOf({ number: 0, timestamp: 0 as EpochSeconds });
  const [state] = await track.load([pool], headReader(ground), at);
  if (state === null || state === undefined) throw new Error('the pool can not be read');
  const quote = price.exactIn(state, pool.tokens.indexOf(tokenIn), pool.tokens.indexOf(tokenOut), amountIn, at);
  return quote.ok ? quote.amountOut : 0n;
}

function discovered(address: Address, tokens: readonly Address[], paysReceiver: number, decimals: readonly number[] = tokens.map(() => 18)): DiscoveredPool {
  const traits = { factory: NOBODY, announcer: 'factory', decimals: decimals.join(), paysReceiver };
  return { key: address, address, hook: null, protocol: 'curve', source: 'curve', tokens, traits };
}

async function fill({ chain, accounts: { deployer }, contracts }: Ground, pool: Address, tokens: readonly Address[], signature: string): Promise<void> {
  const trick = contractOf(contracts, 'TrickToken').abi;
  for (const token of tokens) {
    await chain.write(deployer, token, trick, 'mint', [[deployer], DEPTH]);
    await chain.write(deployer, token, erc20Abi, 'approve', [pool, maxUint256]);
  }
  const [name] = /\w+(?=\()/.exec(signature) ?? [''];
  await chain.write(deployer, pool, parseAbi([signature] as readonly string[]) as never, name, [tokens.map(() => DEPTH), 0n]);
}
