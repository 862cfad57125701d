import { concatHex, encodeFunctionData, getContractAddress, type Hex, numberToHex, parseAbi, parseAbiItem } from 'viem';
import type { Devnet, DevnetPool } from '../../../src/devnet/devnet.ts';
import { type Address, asAddress, NATIVE_TOKEN, ZERO_ADDRESS } from '../../../src/units/units.ts';
import { foundryArtifact } from '../../support/artifacts.ts';
import { keyOfPool, type OracleKey } from '../../support/venue-oracles/uniswap_v4.ts';
import { type Activity, ERC20 } from './activity.ts';

const KEY = '(address currency0, address currency1, uint24 fee, int24 tickSpacing, address hooks)';
const ROUTERS = parseAbi([
  `function modifyLiquidity(${KEY} key, (int24 tickLower, int24 tickUpper, int256 liquidityDelta, bytes32 salt) params, bytes hookData) payable returns (int256)`,
  `function swap(${KEY} key, (bool zeroForOne, int256 amountSpecified, uint160 sqrtPriceLimitX96) params, (bool takeClaims, bool settleUsingBurn) settings, bytes hookData) payable returns (int256)`,
]);
const DONOR = parseAbi([`function donate(${KEY} key, uint256 amount0, uint256 amount1, bytes hookData) payable returns (int256)`]);
const MANAGER = parseAbi([
  'function owner() view returns (address)',
  `function setProtocolFee(${KEY} key, uint24 fee)`,
  'function extsload(bytes32 slot) view returns (bytes32)',
  `function initialize(${KEY} key, uint160 sqrtPriceX96) returns (int24)`,
]);
const HOOK = parseAbi([
  'function impose(bytes32 id, uint24 zeroForOne, uint24 oneForZero)',
  'function leave(bytes32 id)',
  `function store(address manager, ${KEY} key, uint24 fee)`,
  'function feesOf(bytes32 id) view returns (uint24, uint24, bool)',
]);
/** v4-periphery StateView: reads the manager by its own code, apart from ours. */
const STATE_VIEW = parseAbi([
  'function getSlot0(bytes32 id) view returns (uint160 sqrtPriceX96, int24 tick, uint24 protocolFee, uint24 lpFee)',
  'function getLiquidity(bytes32 id) view returns (uint128)',
  'function getTickLiquidity(bytes32 id, int24 tick) view returns (uint128 gross, int128 net)',
]);
const MODIFY_LIQUIDITY = parseAbiItem(
  'event ModifyLiquidity(bytes32 indexed id, address indexed sender, int24 tickLower, int24 tickUpper, int256 liquidityDelta, bytes32 salt)',
);
const LOWEST_LIMIT = 4_295_128_740n;
const HIGHEST_LIMIT = 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_341n;

/** What a pool is at the head, as StateView tells it. */
export type V4Reading = {
  readonly sqrtPriceX96: bigint;
  readonly tick: number;
  readonly protocolFee: number;
  readonly lpFee: number;
  readonly liquidity: bigint;
  /** All that positions refer to: those that the manager's logs ever named, as they are now. */
  readonly ticks: readonly { readonly tick: number; readonly gross: bigint; readonly net: bigint }[];
  /** The hook's own, of pools whose fee is dynamic. */
  readonly imposed: readonly bigint[];
};

/** What can happen to pools of Uniswap V4, a block each. */
export type UniswapV4Activity = {
  readonly pools: readonly DevnetPool[];
  swap(): Promise<void>;
  /** Liquidity that comes, shrinks or goes, around the price. */
  changeLiquidity(): Promise<void>;
  donate(): Promise<void>;
  setProtocolFee(): Promise<void>;
  /** No log tells of these: what the hook imposes, that it imposes nothing, what it has the manager store. */
  setDynamicFee(): Promise<void>;
  newPool(): Promise<void>;
  stateOf(pool: DevnetPool): Promise<V4Reading>;
};

export async function openUniswapV4Activity(devnet: Devnet, activity: Activity, random: () => number): Promise<UniswapV4Activity> {
  const { client, request, mine } = activity;
  const me = devnet.accounts[0]?.address as Address;
  const manager = devnet.contract('poolManager');
  const hook = devnet.contract('dynamicFeeHook');
  // Nobody trades in a block that was not attested: test/e2e/attested-swaps.heavy.ts is about that pool.
  const pools = devnet.pools.filter((pool) => pool.family === 'uniswap_v4' && keyOfPool(pool).hooks !== devnet.contract('attestedHook'));
  const governor = await client.readContract({ address: manager, abi: MANAGER, functionName: 'owner' });
  await request('anvil_impersonateAccount', governor);
  const deploy = async (place: string): Promise<Address> => {
    const nonce = await client.getTransactionCount({ address: me });
    await mine([{ data: concatHex([foundryArtifact(place), `0x${manager.slice(2).padStart(64, '0')}`]) }]);
    return asAddress(getContractAddress({ from: me, nonce: BigInt(nonce) }));
  };
  const view = await deploy('StateView.sol/StateView.json');
  const donor = await deploy('PoolDonateTest.sol/PoolDonateTest.json');
  const [liquidityRouter, swapRouter] = [devnet.contract('v4Liquidity'), devnet.contract('v4Swaps')];
  await mine(
    [...new Set(pools.flatMap(({ tokens }) => tokens))]
      .filter((token) => token !== NATIVE_TOKEN)
      .flatMap((to) =>
        [donor, liquidityRouter, swapRouter].map((spender) => ({
          to,
          data: encodeFunctionData({ abi: ERC20, functionName: 'approve', args: [spender, 2n ** 256n - 1n] }),
        })),
      ),
  );

  const upTo = (count: number): number => Math.floor(random() * count);
  const anyPool = () => pools[upTo(pools.length)] as DevnetPool;
  const part = async (token: Address, divisor: number): Promise<bigint> => {
    const held =
      token === NATIVE_TOKEN ? 100_000n * 10n ** 18n : await client.readContract({ address: token, abi: ERC20, functionName: 'balanceOf', args: [me] });
    return held / BigInt(divisor) + 1n;
  };
  const slot0 = (id: Hex) => client.readContract({ address: view, abi: STATE_VIEW, functionName: 'getSlot0', args: [id] });
  /** What a transaction of native pools may need; what is left comes back. */
  const valueFor = ({ currency0 }: OracleKey): bigint => (currency0 === ZERO_ADDRESS ? 50_000n * 10n ** 18n : 0n);
  const held = new Map<string, { key: OracleKey; tickLower: number; tickUpper: number; salt: Hex; liquidity: bigint }[]>();
  const modify = (key: OracleKey, position: { tickLower: number; tickUpper: number; salt: Hex }, liquidityDelta: bigint) => ({
    to: liquidityRouter,
    data: encodeFunctionData({ abi: ROUTERS, functionName: 'modifyLiquidity', args: [key, { ...position, liquidityDelta }, '0x'] }),
    value: liquidityDelta > 0n ? valueFor(key) : 0n,
  });
  let salts = 0;

  return {
    pools,
    async swap() {
      const pool = anyPool();
      const key = keyOfPool(pool);
      const zeroForOne = random() < 0.5;
      const tokenIn =
        (pool.tokens.find((token) => (token === NATIVE_TOKEN ? ZERO_ADDRESS : token) === key.currency0) === pool.tokens[0]) === zeroForOne
          ? pool.tokens[0]
          : pool.tokens[1];
      const amount = await part(tokenIn, 20 + upTo(100_000));
      const params = { zeroForOne, amountSpecified: random() < 0.8 ? -amount : 1000n, sqrtPriceLimitX96: zeroForOne ? LOWEST_LIMIT : HIGHEST_LIMIT };
      const args = [key, params, { takeClaims: false, settleUsingBurn: false }, '0x'] as const;
      const data = encodeFunctionData({ abi: ROUTERS, functionName: 'swap', args });
      await mine([{ to: swapRouter, data, value: zeroForOne ? valueFor(key) : 0n }]);
    },
    async changeLiquidity() {
      const pool = anyPool();
      const key = keyOfPool(pool);
      const own = held.get(pool.key) ?? [];
      const position = own[upTo(own.length)];
      if (position !== undefined && random() < 0.6) {
        const gone = random() < 0.5 ? position.liquidity : position.liquidity / 3n;
        position.liquidity -= gone;
        if (position.liquidity === 0n) own.splice(own.indexOf(position), 1);
        await mine([modify(key, position, -gone)]);
        return;
      }
      const [, tick] = await slot0(pool.key as Hex);
      const inRange = await client.readContract({ address: view, abi: STATE_VIEW, functionName: 'getLiquidity', args: [pool.key as Hex] });
      const start = Math.floor(tick / key.tickSpacing) + upTo(8) - 5;
      const made = {
        key,
        tickLower: start * key.tickSpacing,
        tickUpper: (start + 1 + upTo(4)) * key.tickSpacing,
        salt: numberToHex(++salts, { size: 32 }),
        liquidity: inRange / BigInt(50 + upTo(1000)) + 1n,
      };
      held.set(pool.key, [...own, made]);
      await mine([modify(key, made, made.liquidity)]);
    },
    async donate() {
      const pool = anyPool();
      const key = keyOfPool(pool);
      const data = encodeFunctionData({ abi: DONOR, functionName: 'donate', args: [key, BigInt(1 + upTo(1000)), BigInt(upTo(1000)), '0x'] });
      await mine([{ to: donor, data, value: valueFor(key) }]);
    },
    async setProtocolFee() {
      const part12 = () => [0, 1, 250, 1000][upTo(4)] ?? 0;
      const data = encodeFunctionData({ abi: MANAGER, functionName: 'setProtocolFee', args: [keyOfPool(anyPool()), part12() + part12() * 4096] });
      await request('eth_sendTransaction', { from: governor, to: manager, data, gas: '0x100000', gasPrice: '0x2e90edd000' });
      await request('evm_mine');
    },
    async setDynamicFee() {
      const pool = pools.find((candidate) => keyOfPool(candidate).hooks === hook);
      if (pool === undefined) throw new Error('the devnet has no pool with a dynamic fee');
      const id = pool.key as Hex;
      const choices: readonly Hex[] = [
        encodeFunctionData({ abi: HOOK, functionName: 'impose', args: [id, upTo(50_000), upTo(50_000)] }),
        encodeFunctionData({ abi: HOOK, functionName: 'leave', args: [id] }),
        encodeFunctionData({ abi: HOOK, functionName: 'store', args: [manager, keyOfPool(pool), upTo(50_000)] }),
      ];
      await mine([{ to: hook, data: choices[upTo(choices.length)] ?? '0x' }]);
    },
    async newPool() {
      const { currency0, currency1 } = keyOfPool(anyPool());
      const key = { currency0, currency1, fee: 1 + upTo(900_000), tickSpacing: 1 + upTo(300), hooks: ZERO_ADDRESS };
      const start = { to: manager, data: encodeFunctionData({ abi: MANAGER, functionName: 'initialize', args: [key, 2n ** 96n] }) };
      const range = { tickLower: -7 * key.tickSpacing, tickUpper: 5 * key.tickSpacing, salt: numberToHex(0, { size: 32 }) };
      await mine([start, modify(key, range, 10n ** 6n)]);
    },
    async stateOf(pool) {
      const id = pool.key as Hex;
      const key = keyOfPool(pool);
      const read = { address: view, abi: STATE_VIEW } as const;
      const [[sqrtPriceX96, tick, protocolFee, lpFee], liquidity] = await Promise.all([
        slot0(id),
        client.readContract({ ...read, functionName: 'getLiquidity', args: [id] }),
      ]);
      const logs = await client.getLogs({ address: manager, event: MODIFY_LIQUIDITY, args: { id }, fromBlock: 0n, strict: true });
      const mentioned = [...new Set(logs.flatMap(({ args }) => [args.tickLower, args.tickUpper]))].sort((one, other) => one - other);
      const ticks = await Promise.all(
        mentioned.map(async (index) => {
          const [gross, net] = await client.readContract({ ...read, functionName: 'getTickLiquidity', args: [id, index] });
          return { tick: index, gross, net };
        }),
      );
      const fees = key.hooks === hook ? await client.readContract({ address: hook, abi: HOOK, functionName: 'feesOf', args: [id] }) : null;
      const imposed = fees === null ? [] : [BigInt(fees[0]), BigInt(fees[1]), fees[2] ? 1n : 0n];
      return { sqrtPriceX96, tick, protocolFee, lpFee, liquidity, ticks: ticks.filter(({ gross }) => gross > 0n), imposed };
    },
  };
}
