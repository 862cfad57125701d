import { concatHex, encodeDeployData, encodeFunctionData, type Hex, numberToHex, padHex } from 'viem';
import { type CompiledContract, compileSolidity } from '../../../scripts/solidity.ts';
import { encodeTakerCall, type Leg, readSettlementContracts, type SwapTerms } from '../../../src/building/building.ts';
import { creationCode, permit2RuntimeCode, WRAPPED_NATIVE_PLACE } from '../../../src/devnet/artifacts.ts';
import { UNISWAP_V2_PLACES, UNISWAP_V3_PLACES } from '../../../src/devnet/kinds/uniswap-places.ts';
import { createTransactionScript, sendBatch } from '../../../src/devnet/transaction-script.ts';
import { type Address, asAddress, asBps, asWei, type EpochSeconds, NATIVE_TOKEN } from '../../../src/units/units.ts';
import { startOracleChain } from '../oracle-chain.ts';
import { type Call, connectTestChain, type TestChain } from './test-chain.ts';

/** Far in the future, and without a zero byte, so that calldata costs the same on every run. */
export const LATE = 0x7fff_ffff as EpochSeconds;
export const TAG: Hex = `0x${'a7'.repeat(16)}${'b3'.repeat(16)}`;
export const ONE = 10n ** 18n;
export const MAX = 2n ** 256n - 1n;

/** Liquidity of each pool at the start, in base units of either token. */
const DEPTH = 1_000_000n * ONE;
/** Of Uniswap's own pairs. */
const PAIR_FEE_PPM = 3000;
const TAKER_FUNDS = 10_000n * ONE;
const PERMIT2 = asAddress('0x000000000022D473030F116dDEE9F6B43aC78BA3');

/** The settlement contracts on a chain with real pools: tokens a, b, c (TrickToken, plain), n (returns nothing, as USDT), wrapped native. */
export type Ground = {
  readonly chain: TestChain;
  readonly router: Address;
  readonly allowanceHolder: Address;
  readonly permit2: Address;
  readonly wrappedNative: Address;
  readonly accounts: Readonly<Record<'deployer' | 'taker' | 'recipient' | 'partner' | 'collector' | 'stranger' | 'victim', Address>>;
  readonly tokens: Readonly<Record<'a' | 'b' | 'c' | 'n' | 'weth', Address>>;
  /** By venue and tokens: 'v2:ab', 'v3:ab', … for every two of a, b, c, n, weth. */
  pool(venue: 'v2' | 'v3', one: Address, other: Address): Address;
  readonly contracts: Readonly<Record<string, CompiledContract>>;
  readonly v2Router: Address;
  readonly v3SwapRouter: Address;
  balance(token: Address, account: Address): Promise<bigint>;
  stop(): Promise<void>;
};

export async function layGround(): Promise<Ground> {
  // Prague, for accounts with delegated code.
  const oracle = await startOracleChain('prague');
  try {
    const chain = connectTestChain(oracle.url);
    return await build(chain, () => oracle.stop());
  } catch (error) {
    await oracle.stop();
    throw error;
  }
}

async function build(chain: TestChain, stop: () => Promise<void>): Promise<Ground> {
  const [deployer, taker, recipient, partner, collector, stranger, victim] = ((await chain.rpc.request('eth_accounts')) as readonly string[]).map(asAddress);
  if (!deployer || !taker || !recipient || !partner || !collector || !stranger || !victim) throw new Error('too few accounts');
  const contracts = { ...(await compileSolidity('contracts/devnet/adversaries')), ...(await compileSolidity('contracts/devnet/tokens')) };
  const settlement = readSettlementContracts();
  const routerCode = settlement.routerFor(['uniswap_v2', 'uniswap_v2_path', 'uniswap_v3', 'wrap']);
  chain.know(routerCode.abi);
  chain.know(settlement.allowanceHolder.abi);

  // The scripts mine when all is sent: a node that mines meanwhile can lose some of a batch.
  await chain.rpc.request('evm_setAutomine', false);
  const nonce = Number(await chain.rpc.request('eth_getTransactionCount', deployer, 'latest'));
  const script = createTransactionScript(deployer, nonce);
  const trick = contractOf(contracts, 'TrickToken');
  const noReturn = contractOf(contracts, 'NoReturnToken');
  const seeder = contractOf(contracts, 'PoolSeeder');
  const weth = script.deploy('weth', creationCode(WRAPPED_NATIVE_PLACE));
  const allowanceHolder = script.deploy('allowance holder', settlement.allowanceHolder.creationCode);
  const router = script.deploy('router', routerCode.creationCode({ allowanceHolder, wrappedNative: weth, feeCollector: collector }));
  const [a, b, c] = [script.deploy('a', trick.bytecode), script.deploy('b', trick.bytecode), script.deploy('c', trick.bytecode)];
  const n = script.deploy('n', encodeDeployData({ ...noReturn, args: ['No Return', 'N', 18] }));
  const v2Factory = script.deploy('v2 factory', concatHex([creationCode(UNISWAP_V2_PLACES.factory), padHex(deployer, { size: 32 })]));
  const v3Factory = script.deploy('v3 factory', creationCode(UNISWAP_V3_PLACES.factory));
  const v3SwapRouter = script.deploy(
    'v3 router',
    concatHex([creationCode(UNISWAP_V3_PLACES.swapRouter), padHex(v3Factory, { size: 32 }), padHex(weth, { size: 32 })]),
  );
  const v2Router = script.deploy('v2 router', concatHex([creationCode(UNISWAP_V2_PLACES.router), padHex(v2Factory, { size: 32 }), padHex(weth, { size: 32 })]));
  const seeding = script.deploy('seeder', seeder.bytecode);

  const tokens = { a, b, c, n, weth };
  // Scripts mine by themselves: a node that mines each transaction as it comes gets between them.
  await chain.rpc.request('evm_setAutomine', false);
  await chain.rpc.request('anvil_setBalance', deployer, `0x${(100n * DEPTH).toString(16)}`);
  await chain.rpc.request('anvil_setCode', PERMIT2, permit2RuntimeCode());
  script.call('wrap', weth, '0x', 20n * DEPTH);
  for (const token of Object.values(tokens)) {
    const fund = (accounts: readonly Address[], amount: bigint): void => {
      if (token !== weth) script.call('fund', token, encodeFunctionData({ abi: trick.abi, functionName: 'mint', args: [accounts, amount] }));
      else for (const to of accounts) script.call('fund', weth, encodeFunctionData({ abi: trick.abi, functionName: 'transfer', args: [to, amount] }));
    };
    fund([seeding], 12n * DEPTH);
    fund([taker, victim], TAKER_FUNDS);
    // Balances that are not zero before a swap cost what they cost in life.
    fund([recipient, partner, collector], ONE);
  }
  for (const [one, other] of pairsOf(Object.values(tokens))) {
    script.call('seed', seeding, encodeFunctionData({ abi: seeder.abi, functionName: 'seedPair', args: [v2Factory, one, other, DEPTH] }));
    script.call('seed', seeding, encodeFunctionData({ abi: seeder.abi, functionName: 'seedPool', args: [v3Factory, one, other, DEPTH] }));
  }
  await sendBatch(chain.rpc, script.take());
  for (const account of [taker, victim]) {
    const approvals = createTransactionScript(account);
    for (const token of Object.values(tokens)) {
      approvals.call('approve', token, encodeFunctionData({ abi: trick.abi, functionName: 'approve', args: [allowanceHolder, MAX] }));
    }
    await sendBatch(chain.rpc, approvals.take());
  }
  await chain.rpc.request('evm_setAutomine', true);
  const pools = new Map<string, Address>();
  for (const [one, other] of pairsOf(Object.values(tokens))) {
    pools.set(poolName('v2', one, other), asAddress((await chain.read(seeding, seeder.abi, 'pairOf', [one, other])) as string));
    pools.set(poolName('v3', one, other), asAddress((await chain.read(seeding, seeder.abi, 'poolOf', [one, other])) as string));
  }
  return {
    chain,
    router,
    allowanceHolder,
    permit2: PERMIT2,
    wrappedNative: weth,
    accounts: { deployer, taker, recipient, partner, collector, stranger, victim },
    tokens,
    pool: (venue, one, other) => pools.get(poolName(venue, one, other)) ?? fail(`no pool ${venue} of ${one} and ${other}`),
    contracts,
    v2Router,
    v3SwapRouter,
    async balance(token, account) {
      if (token === NATIVE_TOKEN) return BigInt((await chain.rpc.request('eth_getBalance', account, 'latest')) as string);
      return (await chain.read(token, trick.abi, 'balanceOf', [account])) as bigint;
    },
    stop,
  };
}

function pairsOf<T>(items: readonly T[]): readonly (readonly [T, T])[] {
  return items.flatMap((one, index) => items.slice(index + 1).map((other) => [one, other] as const));
}

function poolName(venue: string, one: Address, other: Address): string {
  return [venue, ...[one, other].sort()].join(':');
}

export function contractOf<Contract>(contracts: Readonly<Record<string, Contract>>, name: string): Contract {
  return contracts[name] ?? fail(`${name} is not compiled`);
}

function fail(message: string): never {
  throw new Error(message);
}

/** Where a suite finds its ground: `current()` throws outside of the suite's tests. Every test starts from the same state. */
export function useGround(): { current(): Ground } {
  let ground: Ground | undefined;
  let snapshot: unknown;
  before(async function start() {
    this.timeout(600_000);
    ground = await layGround();
  });
  beforeEach(async () => {
    snapshot = await ground?.chain.rpc.request('evm_snapshot');
  });
  afterEach(async () => {
    await ground?.chain.takeBack(snapshot);
  });
  after(async () => {
    await ground?.stop();
  });
  return { current: () => ground ?? fail('the ground is laid for tests only') };
}

/** A hop through a real pool of the ground. */
export function hop(ground: Ground, venue: 'v2' | 'v3', tokenIn: Address, tokenOut: Address, bps = 10_000, taxed = false): Leg {
  const pool = ground.pool(venue, tokenIn, tokenOut);
  return through(venue, pool, tokenIn, tokenOut, bps, taxed);
}

/** What a V2 pair of the ground gives for an input that arrived there, by the formula alone. `before`: what it took of that token and gave since it was filled. */
export function pairOutput(amountIn: bigint, before: { readonly taken: bigint; readonly given: bigint } = { taken: 0n, given: 0n }): bigint {
  const kept = amountIn * 997n;
  return (kept * (DEPTH - before.given)) / ((DEPTH + before.taken) * 1000n + kept);
}

/** A hop through any address that is said to be a pool. */
export function through(venue: 'v2' | 'v3', pool: Address, tokenIn: Address, tokenOut: Address, bps = 10_000, taxed = false): Leg {
  return venue === 'v2'
    ? { leg: 'uniswap_v2', bps: asBps(bps), tokenIn, tokenOut, pool, data: taxed ? '0x800bb8' : '0x000bb8' }
    : { leg: 'uniswap_v3', bps: asBps(bps), tokenIn, tokenOut, pool, data: '0x00' };
}

/** V2 pairs in a row as one leg. `tokens`: from the first to the last; `pairs`: other addresses that are said to be pairs, by place. */
export function pairPath(ground: Ground, tokens: readonly Address[], bps = 10_000, pairs: readonly (Address | undefined)[] = []): Leg {
  const hops = tokens.slice(1).map((tokenOut, index) => {
    const tokenIn = tokens[index] ?? fail('a path has a first token');
    return { tokenIn, tokenOut, pair: pairs[index] ?? ground.pool('v2', tokenIn, tokenOut) };
  });
  const [first = fail('a path has a pair'), ...further] = hops;
  const fee = numberToHex(PAIR_FEE_PPM, { size: 3 });
  const data = concatHex([fee, numberToHex(further.length, { size: 1 }), ...further.flatMap(({ tokenIn, pair }) => [tokenIn, pair, fee])]);
  return { leg: 'uniswap_v2_path', bps: asBps(bps), tokenIn: first.tokenIn, tokenOut: hops.at(-1)?.tokenOut ?? first.tokenOut, pool: first.pair, data };
}

export function wrap(tokenIn: Address, tokenOut: Address, bps = 10_000): Leg {
  return { leg: 'wrap', bps: asBps(bps), tokenIn, tokenOut, pool: null, data: '0x' };
}

/** Terms of a sell of 1 a for b without a fee or a floor, changed as told. */
export function termsOf(ground: Ground, changes: Partial<SwapTerms> & Pick<SwapTerms, 'legs'>): SwapTerms {
  const { taker, recipient } = ground.accounts;
  return {
    mode: 'sell',
    tag: TAG,
    deadline: BigInt(LATE),
    sellToken: ground.tokens.a,
    buyToken: ground.tokens.b,
    sellAmount: asWei(ONE),
    buyAmount: asWei(0n),
    minBuyAmount: asWei(0n),
    taker,
    recipient,
    fee: null,
    surplus: 'taker',
    ...changes,
  };
}

/** The transaction of a taker. */
export function takerCall(ground: Ground, terms: SwapTerms): Call {
  return encodeTakerCall(terms, ground);
}
