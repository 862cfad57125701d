import { createPublicClient, encodeFunctionData, http, type PublicClient, parseAbi } from 'viem';
import { type Devnet, plainMarket } from '../../../src/devnet/devnet.ts';
import type { Address } from '../../../src/units/units.ts';

export const ERC20 = parseAbi(['function approve(address, uint256)', 'function balanceOf(address) view returns (uint256)']);
const TICKS = parseAbi(['function ticks(int24) view returns (uint128 liquidityGross, int128 liquidityNet, uint256, uint256, int56, uint160, uint32, bool)']);
export const POOL = parseAbi([
  'function slot0() view returns (uint160 sqrtPriceX96, int24 tick, uint16, uint16, uint16, uint8, bool)',
  'function liquidity() view returns (uint128)',
  'function tickSpacing() view returns (int24)',
  'function fee() view returns (uint24)',
  'function getReserves() view returns (uint112, uint112, uint32)',
]);
const V2_ROUTER = parseAbi([
  'function addLiquidity(address, address, uint256, uint256, uint256, uint256, address, uint256)',
  'function swapExactTokensForTokens(uint256, uint256, address[], address, uint256)',
]);
const V3_ROUTER = parseAbi([
  'struct Params { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; uint160 limit; }',
  'function exactInputSingle(Params params)',
]);
const POSITIONS = parseAbi([
  'struct Mint { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; }',
  'function mint(Mint params)',
  'struct Decrease { uint256 tokenId; uint128 liquidity; uint256 amount0Min; uint256 amount1Min; uint256 deadline; }',
  'function decreaseLiquidity(Decrease params)',
  'struct Collect { uint256 tokenId; address recipient; uint128 amount0Max; uint128 amount1Max; }',
  'function collect(Collect params)',
  'function balanceOf(address) view returns (uint256)',
  'function tokenOfOwnerByIndex(address, uint256) view returns (uint256)',
  'function positions(uint256) view returns (uint96, address, address, address, uint24, int24, int24, uint128 liquidity, uint256, uint256, uint128, uint128)',
  'function createAndInitializePoolIfNecessary(address, address, uint24, uint160)',
]);
const NEVER = 2n ** 64n;

/** `value`: wei sent along; none where it is absent. */
export type Transaction = { readonly to?: Address; readonly data: `0x${string}`; readonly value?: bigint };

/** Drives a devnet whose clock stands still: blocks come when a test says so, and hold what it asks for. */
export type Activity = {
  readonly client: PublicClient;
  request(method: string, ...params: readonly unknown[]): Promise<unknown>;
  /** Mines one block with these transactions in this order; those that revert are part of it. */
  mine(transactions?: readonly Transaction[]): Promise<void>;
  /** Sends without mining, from nonces that follow the chain. */
  send(transactions: readonly Transaction[]): Promise<void>;
  /** Random swaps, mints, burns, pokes, donations of liquidity. */
  trades(count: number): Promise<readonly Transaction[]>;
  /** One swap in a random V3 pool. */
  swap(): Promise<Transaction>;
  /** Mines two positions of equal liquidity that meet at the current tick of a pool of spacing 1: an initialised tick whose net is 0. Returns that pool. */
  meetingPositions(): Promise<{ readonly pool: Address; readonly tick: number }>;
  /** A V3 pool of a pair and fee that had none, with a price and one position. */
  newV3Pool(): Promise<readonly Transaction[]>;
  /** A V2 pair that did not exist, with liquidity. */
  newV2Pair(family: 'uniswap' | 'sushiswap'): Promise<readonly Transaction[]>;
};

/** Approves what the activity spends, once a chain. */
export async function openActivity(devnet: Devnet, random: () => number): Promise<Activity> {
  const client = createPublicClient({ transport: http(devnet.rpcUrl, { batch: true }), cacheTime: 0 });
  const activity = activityOf(devnet, client, random);
  const spenders = ['uniswapV2Router', 'sushiswapV2Router', 'swapRouter', 'positionManager'].map((name) => devnet.contract(name));
  const approvals = plainMarket(devnet).tokens.flatMap(({ address }) =>
    spenders.map((spender) => ({ to: address, data: encodeFunctionData({ abi: ERC20, functionName: 'approve', args: [spender, 2n ** 256n - 1n] }) })),
  );
  await activity.mine(approvals);
  return activity;
}

/** A further activity of a chain on which one was opened, which draws from a random source of its own. */
export function activityOf(devnet: Devnet, client: PublicClient, random: () => number): Activity {
  const request = (method: string, ...params: readonly unknown[]): Promise<unknown> => client.transport.request({ method, params });
  const me = devnet.accounts[0]?.address as Address;
  const [positionManager, swapRouter] = [devnet.contract('positionManager'), devnet.contract('swapRouter')];
  const [uniswapV2Router, sushiswapV2Router] = [devnet.contract('uniswapV2Router'), devnet.contract('sushiswapV2Router')];
  const plain = plainMarket(devnet);
  const upTo = (count: number): number => Math.floor(random() * count);
  const any = <Item>(items: readonly Item[]): Item => items[upTo(items.length)] as Item;
  const share = async (token: Address, divisor: number): Promise<bigint> => {
    const balance = await client.readContract({ address: token, abi: ERC20, functionName: 'balanceOf', args: [me] });
    return balance / BigInt(divisor) + 1n;
  };

  const send = async (transactions: readonly Transaction[]): Promise<void> => {
    let nonce = Number(await request('eth_getTransactionCount', me, 'latest'));
    const sent = transactions.map(({ to, data, value = 0n }) => ({
      from: me,
      ...(to === undefined ? {} : { to }),
      data,
      value: `0x${value.toString(16)}`,
      nonce: hex(nonce++),
      gas: hex(6_000_000),
      gasPrice: hex(200e9),
    }));
    // Together: their nonces keep their order.
    await Promise.all(sent.map((transaction) => request('eth_sendTransaction', transaction)));
  };
  const mine = async (transactions: readonly Transaction[] = []): Promise<void> => {
    await request('anvil_dropAllTransactions');
    await send(transactions);
    await request('evm_mine');
  };

  const v2Swap = async (): Promise<Transaction> => {
    const pool = any(plain.pools.filter(({ family, liquidityUsd }) => ['uniswap_v2', 'sushiswap_v2'].includes(family) && liquidityUsd > 0));
    const [tokenIn, tokenOut] = random() < 0.5 ? pool.tokens : [pool.tokens[1], pool.tokens[0]];
    const amount = await share(tokenIn, 1000 + upTo(100_000));
    const args = [amount, 0n, [tokenIn, tokenOut], me, NEVER] as const;
    const to = pool.family === 'uniswap_v2' ? uniswapV2Router : sushiswapV2Router;
    return { to, data: encodeFunctionData({ abi: V2_ROUTER, functionName: 'swapExactTokensForTokens', args }) };
  };
  const v3Pools = devnet.pools.filter(({ family, liquidityUsd }) => family === 'uniswap_v3' && liquidityUsd > 0);
  const v3Swap = async (): Promise<Transaction> => {
    const pool = any(v3Pools);
    const [tokenIn, tokenOut] = random() < 0.5 ? pool.tokens : [pool.tokens[1], pool.tokens[0]];
    const amountIn = await share(tokenIn, 20 + upTo(10_000));
    const params = { tokenIn, tokenOut, fee: pool.feePpm, recipient: me, deadline: NEVER, amountIn, amountOutMinimum: 0n, limit: 0n };
    return { to: swapRouter, data: encodeFunctionData({ abi: V3_ROUTER, functionName: 'exactInputSingle', args: [params] }) };
  };
  const v3Mint = async (): Promise<Transaction> => {
    const pool = any(v3Pools);
    const [[, tick], spacing] = await Promise.all([
      client.readContract({ address: pool.address, abi: POOL, functionName: 'slot0' }),
      client.readContract({ address: pool.address, abi: POOL, functionName: 'tickSpacing' }),
    ]);
    // Ranges touch often, so that one tick ends a position and starts another: its net is then 0 while it is initialised.
    const start = Math.floor(tick / spacing) + upTo(8) - 5;
    return mintOf(pool.tokens, pool.feePpm, start * spacing, (start + 1 + upTo(4)) * spacing);
  };
  const mintOf = async (tokens: readonly [Address, Address, ...Address[]], fee: number, tickLower: number, tickUpper: number): Promise<Transaction> => {
    const [amount0Desired, amount1Desired] = await Promise.all([share(tokens[0], 10_000), share(tokens[1], 10_000)]);
    const rest = { amount0Desired, amount1Desired, amount0Min: 0n, amount1Min: 0n, recipient: me, deadline: NEVER };
    const params = { token0: tokens[0], token1: tokens[1], fee, tickLower, tickUpper, ...rest };
    return { to: positionManager, data: encodeFunctionData({ abi: POSITIONS, functionName: 'mint', args: [params] }) };
  };
  /** Takes a position out in part or whole, or only collects its fees (a burn of nothing). */
  const v3Burn = async (): Promise<Transaction> => {
    const owned = Number(await client.readContract({ address: positionManager, abi: POSITIONS, functionName: 'balanceOf', args: [me] }));
    if (owned === 0) return v3Mint();
    const index = BigInt(upTo(owned));
    const tokenId = await client.readContract({ address: positionManager, abi: POSITIONS, functionName: 'tokenOfOwnerByIndex', args: [me, index] });
    const position = await client.readContract({ address: positionManager, abi: POSITIONS, functionName: 'positions', args: [tokenId] });
    const liquidity = any([position[7], position[7] / 3n, 0n]);
    if (liquidity === 0n) {
      const max = 2n ** 128n - 1n;
      const params = { tokenId, recipient: me, amount0Max: max, amount1Max: max };
      return { to: positionManager, data: encodeFunctionData({ abi: POSITIONS, functionName: 'collect', args: [params] }) };
    }
    const params = { tokenId, liquidity, amount0Min: 0n, amount1Min: 0n, deadline: NEVER };
    return { to: positionManager, data: encodeFunctionData({ abi: POSITIONS, functionName: 'decreaseLiquidity', args: [params] }) };
  };
  const liquidityOf = async (tokenId: bigint): Promise<bigint> =>
    (await client.readContract({ address: positionManager, abi: POSITIONS, functionName: 'positions', args: [tokenId] }))[7];
  const meetingPositions = async (): Promise<{ readonly pool: Address; readonly tick: number }> => {
    const pool = any(v3Pools.filter(({ feePpm }) => feePpm === 100));
    const [, start] = await client.readContract({ address: pool.address, abi: POOL, functionName: 'slot0' });
    // A tick that no other position refers to: theirs would add to the net.
    let tick = start;
    while ((await client.readContract({ address: pool.address, abi: TICKS, functionName: 'ticks', args: [tick] }))[0] !== 0n) tick--;
    await mine([await mintOf(pool.tokens, 100, tick - 5, tick), await mintOf(pool.tokens, 100, tick, tick + 5)]);
    const owned = await client.readContract({ address: positionManager, abi: POSITIONS, functionName: 'balanceOf', args: [me] });
    const newest = await Promise.all(
      [owned - 2n, owned - 1n].map((index) =>
        client.readContract({ address: positionManager, abi: POSITIONS, functionName: 'tokenOfOwnerByIndex', args: [me, index] }),
      ),
    );
    const held = await Promise.all(newest.map(async (tokenId) => ({ tokenId, liquidity: await liquidityOf(tokenId) })));
    const [less, more] = held.sort((a, b) => (a.liquidity < b.liquidity ? -1 : 1));
    if (less === undefined || more === undefined) throw new Error('the positions were not minted');
    const params = { tokenId: more.tokenId, liquidity: more.liquidity - less.liquidity, amount0Min: 0n, amount1Min: 0n, deadline: NEVER };
    await mine([{ to: positionManager, data: encodeFunctionData({ abi: POSITIONS, functionName: 'decreaseLiquidity', args: [params] }) }]);
    return { pool: pool.address, tick };
  };
  const addLiquidity = async (to: Address, tokens: readonly [Address, Address]): Promise<Transaction> => {
    const amounts = [await share(tokens[0], 5000), await share(tokens[1], 5000)] as const;
    const args = [tokens[0], tokens[1], amounts[0], amounts[1], 0n, 0n, me, NEVER] as const;
    return { to, data: encodeFunctionData({ abi: V2_ROUTER, functionName: 'addLiquidity', args }) };
  };

  const taken = new Set(devnet.pools.map(({ family, tokens, feePpm }) => `${family} ${tokens.join()} ${feePpm}`));
  const freePair = (family: string, fee: number): readonly [Address, Address] => {
    for (;;) {
      const pair = [any(plain.tokens).address, any(plain.tokens).address].sort() as [Address, Address];
      if (pair[0] === pair[1] || taken.has(`${family} ${pair.join()} ${fee}`)) continue;
      taken.add(`${family} ${pair.join()} ${fee}`);
      return pair;
    }
  };
  return {
    client,
    request,
    mine,
    send,
    async trades(count) {
      const made: Transaction[] = [];
      for (let i = 0; i < count; i++) made.push(await any([v2Swap, v3Swap, v3Swap, v3Mint, v3Burn, v3Burn])());
      return made;
    },
    swap: v3Swap,
    meetingPositions,
    async newV3Pool() {
      const tokens = freePair('uniswap_v3', 10_000);
      const args = [tokens[0], tokens[1], 10_000, 2n ** 96n] as const;
      const create = { to: positionManager, data: encodeFunctionData({ abi: POSITIONS, functionName: 'createAndInitializePoolIfNecessary', args }) };
      return [create, await mintOf(tokens, 10_000, -2000, 2000)];
    },
    async newV2Pair(family) {
      const tokens = freePair(`${family}_v2`, 3000);
      return [await addLiquidity(family === 'uniswap' ? uniswapV2Router : sushiswapV2Router, tokens)];
    },
  };
}

function hex(value: number): `0x${string}` {
  return `0x${Math.round(value).toString(16)}`;
}
