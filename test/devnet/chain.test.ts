import { expect } from 'chai';
import { createPublicClient, createWalletClient, domainSeparator, erc20Abi, getAddress, type Hash, http, parseAbi, parseAbiItem } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { Devnet, DevnetPool, DevnetToken } from '../../src/devnet/devnet.ts';
import { useDevnet } from '../support/devnet.ts';
import { until } from '../support/until.ts';

const GWEI = 10n ** 9n;
const MAX_UINT256 = 2n ** 256n - 1n;
const V2_ABI = parseAbi(['function getReserves() view returns (uint112, uint112, uint32)']);
const V3_ABI = parseAbi([
  'function slot0() view returns (uint160 sqrtPriceX96, int24 tick, uint16, uint16, uint16, uint8, bool)',
  'function tickSpacing() view returns (int24)',
  'function fee() view returns (uint24)',
  'function liquidity() view returns (uint128)',
]);
const V3_MINT = parseAbiItem(
  'event Mint(address sender, address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)',
);
const PAIR_CREATED = parseAbiItem('event PairCreated(address indexed token0, address indexed token1, address pair, uint256 count)');
const POOL_CREATED = parseAbiItem('event PoolCreated(address indexed token0, address indexed token1, uint24 indexed fee, int24 tickSpacing, address pool)');
const SOLIDLY_POOL_CREATED = parseAbiItem(
  'event PoolCreated(address indexed token0, address indexed token1, bool indexed stable, address pool, uint256 count)',
);
const SOLIDLY_ABI = parseAbi(['function stable() view returns (bool)']);
const ROUTER_ABI = parseAbi([
  'function getAmountsOut(uint256 amountIn, address[] path) view returns (uint256[] amounts)',
  'function swapExactETHForTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline) payable returns (uint256[] amounts)',
]);
const QUOTER_ABI = parseAbi([
  'struct Params { address tokenIn; address tokenOut; uint256 amountIn; uint24 fee; uint160 sqrtPriceLimitX96; }',
  'function quoteExactInputSingle(Params params) returns (uint256 amountOut, uint160 sqrtPriceX96After, uint32 ticksCrossed, uint256 gasEstimate)',
]);
const SWAP_ROUTER_ABI = parseAbi([
  'struct Params { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(Params params) payable returns (uint256 amountOut)',
]);

function clients(devnet: Devnet) {
  const transport = http(devnet.rpcUrl);
  const key = devnet.accounts[0]?.privateKey;
  if (key === undefined) throw new Error('no account');
  const account = privateKeyToAccount(key);
  return { reader: createPublicClient({ transport, pollingInterval: 100 }), account, wallet: createWalletClient({ account, transport }) };
}

function tokenNamed(devnet: Devnet, symbol: string): DevnetToken {
  const token = devnet.tokens.find((candidate) => candidate.symbol === symbol);
  if (token === undefined) throw new Error(`no token ${symbol}`);
  return token;
}

/** Families whose pools are read here from outside: what others hold, their venues' own tests say. */
const READ_HERE = ['aerodrome', 'sushiswap_v2', 'uniswap_v2', 'uniswap_v3'];

/** Price of token0 in token1, whole tokens. */
async function priceOf(devnet: Devnet, pool: DevnetPool): Promise<number> {
  const { reader } = clients(devnet);
  const [decimals0, decimals1] = pool.tokens.map((address) => devnet.tokens.find((token) => token.address === address)?.decimals ?? 18);
  const scale = 10 ** ((decimals0 ?? 18) - (decimals1 ?? 18));
  if (pool.family === 'uniswap_v3') {
    const [sqrtPriceX96] = await reader.readContract({ address: pool.address, abi: V3_ABI, functionName: 'slot0' });
    return (Number(sqrtPriceX96) / 2 ** 96) ** 2 * scale;
  }
  // The stable pools of the table start even.
  if (pool.family === 'aerodrome' && (await reader.readContract({ address: pool.address, abi: SOLIDLY_ABI, functionName: 'stable' }))) return 1;
  const [reserve0, reserve1] = await reader.readContract({ address: pool.address, abi: V2_ABI, functionName: 'getReserves' });
  return (Number(reserve1) / Number(reserve0)) * scale;
}

function tablePrice(devnet: Devnet, pool: DevnetPool): number {
  const [usd0, usd1] = pool.tokens.map((address) => devnet.tokens.find((token) => token.address === address)?.usd ?? Number.NaN);
  return (usd0 ?? Number.NaN) / (usd1 ?? Number.NaN);
}

describe('the local chain', () => {
  const steps: string[] = [];
  const handle = useDevnet({ onStep: (text) => steps.push(text) });

  it('tells its steps', () => {
    expect(steps.length).to.be.at.least(4);
  });

  it('has at least 14 tokens that say what the description says', async () => {
    const devnet = handle.current();
    const { reader } = clients(devnet);
    expect(devnet.tokens.length).to.be.at.least(14);
    for (const token of devnet.tokens) {
      if (token.kind !== 'bytes32') expect(await reader.readContract({ address: token.address, abi: erc20Abi, functionName: 'symbol' })).to.equal(token.symbol);
      if (token.decimals === null) continue;
      expect(await reader.readContract({ address: token.address, abi: erc20Abi, functionName: 'decimals' }), token.symbol).to.equal(token.decimals);
    }
    const decimals = new Set(devnet.tokens.map((token) => token.decimals));
    for (const wanted of [0, 2, 6, 8, 18, 24, null]) expect(decimals.has(wanted), `a token of ${wanted} decimals`).to.equal(true);
    expect(tokenNamed(devnet, 'BSC-USD')).to.include({ decimals: 18, usd: 1 });
    expect(tokenNamed(devnet, 'WETH').address).to.equal(devnet.wrappedNative);
  });

  it('has a token with a bytes32 symbol and one whose decimals() reverts', async () => {
    const devnet = handle.current();
    const { reader } = clients(devnet);
    const bytes32 = await reader.call({ to: tokenNamed(devnet, 'MKR').address, data: '0x95d89b41' });
    expect(bytes32.data).to.equal(`0x${Buffer.from('MKR').toString('hex').padEnd(64, '0')}`);
    const silent = devnet.tokens.find((token) => token.kind === 'no-decimals');
    expect(silent?.decimals).to.equal(null);
    const refused = await reader.call({ to: silent?.address ?? null, data: '0x313ce567' }).then(
      () => false,
      () => true,
    );
    expect(refused).to.equal(true);
  });

  it('has a USDT that returns nothing and refuses to change an allowance that is not zero', async () => {
    const devnet = handle.current();
    const { reader, wallet, account } = clients(devnet);
    const usdt = tokenNamed(devnet, 'USDT');
    const approve = parseAbi(['function approve(address spender, uint256 value)', 'function transfer(address to, uint256 value)']);
    const spender = getAddress('0x00000000000000000000000000000000000000aa');
    const first = await reader.getTransactionCount({ address: account.address });
    const send = async (value: bigint, index: number): Promise<string> => {
      const hash = await wallet.writeContract({
        chain: null,
        address: usdt.address,
        abi: approve,
        functionName: 'approve',
        args: [spender, value],
        nonce: first + index,
        gas: 100_000n,
      });
      return (await reader.waitForTransactionReceipt({ hash })).status;
    };
    expect(await Promise.all([5n, 7n, 0n, 7n].map(send))).to.deep.equal(['success', 'reverted', 'success', 'success']);
    const transfer = `0xa9059cbb${spender.slice(2).toLowerCase().padStart(64, '0')}${'1'.padStart(64, '0')}` as const;
    expect((await reader.call({ to: usdt.address, data: transfer, account: account.address })).data).to.equal(undefined);
    const usdc = await reader.call({ to: tokenNamed(devnet, 'USDC').address, data: transfer, account: account.address });
    expect(BigInt(usdc.data ?? '0x0')).to.equal(1n);
  });

  it('funds every account with the native and every token', async () => {
    const devnet = handle.current();
    const { reader } = clients(devnet);
    expect(devnet.accounts.length).to.be.at.least(5);
    for (const { address, privateKey } of devnet.accounts) {
      expect(privateKeyToAccount(privateKey).address.toLowerCase()).to.equal(address);
      expect((await reader.getBalance({ address })) >= 1000n * 10n ** 18n).to.equal(true);
      const balances = await Promise.all(
        devnet.tokens.map((token) => reader.readContract({ address: token.address, abi: erc20Abi, functionName: 'balanceOf', args: [address] })),
      );
      balances.forEach((balance, index) => {
        expect(balance > 0n, devnet.tokens[index]?.symbol).to.equal(true);
      });
    }
  });

  it('has at least 60 pools with liquidity, as the factories announced them', async () => {
    const devnet = handle.current();
    const { reader } = clients(devnet);
    const announced = new Set<string>();
    const ours = devnet.pools.filter(({ family }) => READ_HERE.includes(family));
    for (const { venue, factory, family, fromBlock } of devnet.deployments.filter((deployment) => READ_HERE.includes(deployment.family))) {
      const event = { uniswap_v3: POOL_CREATED, solidly: SOLIDLY_POOL_CREATED }[venue] ?? PAIR_CREATED;
      for (const log of await reader.getLogs({ address: factory, event, fromBlock: BigInt(fromBlock) })) {
        const pool = 'pool' in log.args ? log.args.pool : 'pair' in log.args ? log.args.pair : undefined;
        announced.add(`${family} ${pool?.toLowerCase()}`);
      }
    }
    expect([...announced].sort()).to.deep.equal(ours.map((pool) => `${pool.family} ${pool.address}`).sort());
    const filled = devnet.pools.filter((pool) => pool.liquidityUsd > 0);
    expect(filled.length).to.be.at.least(60);
    expect(new Set(devnet.pools.filter((pool) => pool.family === 'uniswap_v3').map((pool) => pool.feePpm))).to.deep.equal(new Set([100, 500, 3000, 10000]));
    const sizes = filled.map((pool) => pool.liquidityUsd);
    expect(Math.max(...sizes) / Math.min(...sizes)).to.be.above(500);
    for (const pool of filled) {
      if (pool.family === 'uniswap_v3')
        expect((await reader.readContract({ address: pool.address, abi: V3_ABI, functionName: 'liquidity' })) > 0n).to.equal(true);
    }
  });

  it('prices pools near the table, and slightly apart from each other', async () => {
    const devnet = handle.current();
    const byPair = new Map<string, number[]>();
    for (const pool of devnet.pools.filter((candidate) => candidate.liquidityUsd > 0 && READ_HERE.includes(candidate.family))) {
      const offset = (await priceOf(devnet, pool)) / tablePrice(devnet, pool) - 1;
      expect(Math.abs(offset), `${pool.family} ${pool.address}`).to.be.below(0.01);
      byPair.set(pool.tokens.join(), [...(byPair.get(pool.tokens.join()) ?? []), offset]);
    }
    const gaps = [...byPair.values()].filter((offsets) => offsets.length > 1).map((offsets) => Math.max(...offsets) - Math.min(...offsets));
    expect(gaps.length).to.be.at.least(15);
    expect(gaps.filter((gap) => gap > 0.0001).length).to.be.at.least(10);
    expect(Math.max(...gaps)).to.be.below(0.015);
  });

  it('lays concentrated liquidity in several shapes: full range, narrow, and with empty gaps', async () => {
    const devnet = handle.current();
    const { reader } = clients(devnet);
    const shapes = { full: 0, narrow: 0, gap: 0, manyTicks: 0 };
    for (const pool of devnet.pools.filter((candidate) => candidate.family === 'uniswap_v3' && candidate.liquidityUsd > 0)) {
      const logs = await reader.getLogs({ address: pool.address, event: V3_MINT, fromBlock: 0n, strict: true });
      const ranges = logs.map((log) => [log.args.tickLower, log.args.tickUpper] as const).sort((a, b) => a[0] - b[0]);
      const isFull = ranges.some(([lower, upper]) => lower < -880_000 && upper > 880_000);
      if (isFull) shapes.full++;
      if (!isFull && ranges.every(([lower, upper]) => upper - lower < 3000)) shapes.narrow++;
      if (new Set(ranges.flat()).size >= 8) shapes.manyTicks++;
      let reach = Number.NEGATIVE_INFINITY;
      let hasGap = false;
      for (const [lower, upper] of ranges) {
        hasGap ||= reach !== Number.NEGATIVE_INFINITY && lower > reach;
        reach = Math.max(reach, upper);
      }
      if (hasGap) shapes.gap++;
    }
    for (const [shape, count] of Object.entries(shapes)) expect(count, shape).to.be.at.least(3);
  });

  it('has Permit2 at its own address, with the domain of this chain', async () => {
    const devnet = handle.current();
    const { reader } = clients(devnet);
    const abi = parseAbi(['function DOMAIN_SEPARATOR() view returns (bytes32)']);
    const onChain = await reader.readContract({ address: devnet.permit2, abi, functionName: 'DOMAIN_SEPARATOR' });
    const verifyingContract = getAddress('0x000000000022D473030F116dDEE9F6B43aC78BA3');
    expect(getAddress(devnet.permit2)).to.equal(verifyingContract);
    expect(onChain).to.equal(domainSeparator({ domain: { name: 'Permit2', chainId: 31_337, verifyingContract } }));
    expect((await reader.getCode({ address: devnet.permit2 }))?.length).to.equal(2 + 2 * 9152);
  });

  it('has the routers of both V2 venues, and the quoter and swap router of V3: what they quote is what a swap gives', async () => {
    const devnet = handle.current();
    const { reader, wallet, account } = clients(devnet);
    const [usdt, usdc] = [tokenNamed(devnet, 'USDT').address, tokenNamed(devnet, 'USDC').address];
    const balances = async (): Promise<readonly bigint[]> =>
      Promise.all([usdt, usdc].map((address) => reader.readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args: [account.address] })));
    const before = await balances();
    let nonce = await reader.getTransactionCount({ address: account.address });
    const path = [devnet.wrappedNative, usdt];
    const hashes: Hash[] = [];
    let quotedUsdt = 0n;
    for (const address of [devnet.contract('uniswapV2Router'), devnet.contract('sushiswapV2Router')]) {
      const quoted = await reader.readContract({ address, abi: ROUTER_ABI, functionName: 'getAmountsOut', args: [10n ** 18n, path] });
      quotedUsdt += quoted[1] ?? 0n;
      const args = [0n, path, account.address, MAX_UINT256] as const;
      const gas = 300_000n;
      hashes.push(
        await wallet.writeContract({
          chain: null,
          address,
          abi: ROUTER_ABI,
          functionName: 'swapExactETHForTokens',
          args,
          value: 10n ** 18n,
          nonce: nonce++,
          gas,
        }),
      );
    }
    const trade = { tokenIn: devnet.wrappedNative, tokenOut: usdc, amountIn: 40n * 10n ** 18n, fee: 500, sqrtPriceLimitX96: 0n };
    const quotedUsdc = await reader.simulateContract({
      address: devnet.contract('quoterV2'),
      abi: QUOTER_ABI,
      functionName: 'quoteExactInputSingle',
      args: [trade],
    });
    const params = { ...trade, recipient: account.address, deadline: MAX_UINT256, amountOutMinimum: 0n };
    const swap = { address: devnet.contract('swapRouter'), abi: SWAP_ROUTER_ABI, functionName: 'exactInputSingle', args: [params] } as const;
    hashes.push(await wallet.writeContract({ ...swap, chain: null, value: trade.amountIn, nonce, gas: 1_000_000n }));
    const receipts = await Promise.all(hashes.map((hash) => reader.waitForTransactionReceipt({ hash })));
    expect(receipts.map((receipt) => receipt.status)).to.deep.equal(['success', 'success', 'success']);
    const after = await balances();
    expect(after.map((balance, index) => balance - (before[index] ?? 0n))).to.deep.equal([quotedUsdt, quotedUsdc.result[0]]);
  });

  it('mines a block a second, on the wall clock, with a base fee of at least 1 gwei', async () => {
    const { reader } = clients(handle.current());
    // The last block of the set-up is the first with the clock's time; those before it lie an hour back.
    const isLive = (timestamp: bigint): boolean => Date.now() / 1000 - Number(timestamp) < 600;
    const enough = await until(async () => isLive((await reader.getBlock({ blockNumber: (await reader.getBlockNumber()) - 4n })).timestamp), 100_000);
    expect(enough).to.equal(true);
    const last = await reader.getBlock();
    expect(Date.now() / 1000 - Number(last.timestamp)).to.be.within(-1, 25);
    const earlier = await reader.getBlock({ blockNumber: last.number - 3n });
    expect(Number(last.timestamp - earlier.timestamp)).to.be.within(2, 50);
    // All live blocks so far: the base fee has had the time to fall from its start and to be lifted again.
    for (let number = last.number; number > last.number - 8n; number--) {
      const block = await reader.getBlock({ blockNumber: number });
      expect((block.baseFeePerGas ?? 0n) >= GWEI, `base fee of block ${number}`).to.equal(true);
    }
    expect(await reader.getChainId()).to.equal(31_337);
  });
});
