import { type Abi, encodeAbiParameters, encodeFunctionData, parseAbi, toFunctionSelector } from 'viem';
import { deriveAccounts } from '../../../src/devnet/accounts.ts';
import { type Devnet, type DevnetPool, plainMarket } from '../../../src/devnet/devnet.ts';
import { type Address, asAddress, ZERO_ADDRESS } from '../../../src/units/units.ts';
import { type Activity, ERC20 } from './activity.ts';

const VAULT = parseAbi([
  'struct Request { address[] assets; uint256[] limits; bytes userData; bool internalBalance; }',
  'function joinPool(bytes32 poolId, address sender, address recipient, Request request)',
  'function exitPool(bytes32 poolId, address sender, address recipient, Request request)',
  'struct SingleSwap { bytes32 poolId; uint8 kind; address assetIn; address assetOut; uint256 amount; bytes userData; }',
  'struct Funds { address sender; bool fromInternalBalance; address recipient; bool toInternalBalance; }',
  'function swap(SingleSwap singleSwap, Funds funds, uint256 limit, uint256 deadline)',
  'struct Step { bytes32 poolId; uint256 assetInIndex; uint256 assetOutIndex; uint256 amount; bytes userData; }',
  'function queryBatchSwap(uint8 kind, Step[] swaps, address[] assets, Funds funds) returns (int256[] assetDeltas)',
  'function getPoolTokens(bytes32 poolId) view returns (address[] tokens, uint256[] balances, uint256 lastChangeBlock)',
  'function setPaused(bool paused)',
]);
const POOL = parseAbi([
  'function setSwapFeePercentage(uint256 fee)',
  'function startAmplificationParameterUpdate(uint256 end, uint256 endTime)',
  'function stopAmplificationParameterUpdate()',
  'function updateTokenRateCache(address token)',
  'function pause()',
  'function unpause()',
]);
const ACTIONS = parseAbi(['function getActionId(bytes4 selector) view returns (bytes32)']);
const AUTHORIZER = parseAbi(['function grantRole(bytes32 role, address account)']);
const RATE = parseAbi(['function set(uint256 rate, bool silent)']);
const WEIGHTED_FACTORY = parseAbi([
  'function create(string name, string symbol, address[] tokens, uint256[] weights, address[] rateProviders, uint256 swapFee, address owner)',
]);
const TRANSFER = parseAbi(['function transfer(address to, uint256 value)']);
const NEVER = 2n ** 64n;
const MAX = 2n ** 256n - 1n;
const ONE = 10n ** 18n;

/** What can happen to pools of Balancer's vault. Those of the first group mine one block by the activity. */
export type BalancerActivity = {
  readonly pools: readonly DevnetPool[];
  readonly stable: readonly DevnetPool[];
  swap(): Promise<void>;
  add(): Promise<void>;
  remove(): Promise<void>;
  /** A composable pool's own token for one of the others: liquidity that goes in or out by a swap. */
  swapPoolToken(): Promise<void>;
  /** Tokens given to the vault, which are no pool's. */
  donate(): Promise<void>;
  setFee(pool: DevnetPool, fee: bigint): Promise<void>;
  /** Lets the amplification move for two days from now. */
  startRamp(pool: DevnetPool, end: bigint): Promise<void>;
  stopRamp(pool: DevnetPool): Promise<void>;
  setRate(rate: bigint, silent: boolean): Promise<void>;
  /** Anybody may have a pool ask for a token's rate. */
  updateRate(pool: DevnetPool): Promise<void>;
  setPoolPaused(pool: DevnetPool, paused: boolean): Promise<void>;
  setVaultPaused(paused: boolean): Promise<void>;
  /** A weighted pool of two tokens by the devnet's factory, empty. */
  createPool(tokens: readonly Address[]): Promise<void>;
  joinFirst(poolId: `0x${string}`, tokens: readonly Address[]): Promise<void>;
  /** What the vault itself says at a block that a swap gives; null where it reverts. */
  quote(pool: DevnetPool, tokenIn: Address, tokenOut: Address, amountIn: bigint, blockNumber: bigint): Promise<bigint | null>;
};

/** The contract of a pool: the first bytes of its id. */
export function contractOf({ key }: Pick<DevnetPool, 'key'>): Address {
  return asAddress(key.slice(0, 42));
}

export async function openBalancerActivity(devnet: Devnet, { client, request, mine }: Activity, random: () => number): Promise<BalancerActivity> {
  const me = devnet.accounts[0]?.address as Address;
  const { deployer } = deriveAccounts().house;
  const [vault, authorizer, rate] = [devnet.contract('balancerVault'), devnet.contract('balancerAuthorizer'), devnet.contract('savingsRate')];
  const pools = devnet.pools.filter(({ family }) => family === 'balancer_v2');
  const stable = pools.filter(({ key }) => key.slice(42, 46) === '0000');
  const any = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const idOf = ({ key }: DevnetPool) => key as `0x${string}`;
  const balanceOf = (token: Address) => client.readContract({ address: token, abi: ERC20, functionName: 'balanceOf', args: [me] });
  const share = async (token: Address): Promise<bigint> => (await balanceOf(token)) / BigInt(200 + Math.floor(random() * 50_000)) + 1n;
  await request('anvil_impersonateAccount', deployer);
  const govern = async (to: Address, abi: Abi, functionName: string, args: readonly unknown[] = []): Promise<void> => {
    const data = encodeFunctionData({ abi, functionName, args });
    await request('eth_sendTransaction', { from: deployer, to, data, gas: '0x200000', gasPrice: '0x2e90edd000' });
    await request('evm_mine');
  };
  const permit = async (contract: Address, signature: string): Promise<void> => {
    const role = await client.readContract({ address: contract, abi: ACTIONS, functionName: 'getActionId', args: [toFunctionSelector(signature)] });
    await govern(authorizer, AUTHORIZER, 'grantRole', [role, deployer]);
  };
  const toVault = (functionName: 'joinPool' | 'exitPool', poolId: `0x${string}`, assets: readonly Address[], limit: bigint, userData: `0x${string}`) => ({
    to: vault,
    data: encodeFunctionData({
      abi: VAULT,
      functionName,
      args: [poolId, me, me, { assets, limits: assets.map(() => limit), userData, internalBalance: false }],
    }),
  });
  const swapOf = async (pool: DevnetPool, assetIn: Address, assetOut: Address) => {
    const order = { poolId: idOf(pool), kind: 0, assetIn, assetOut, amount: await share(assetIn), userData: '0x' } as const;
    const funds = { sender: me, fromInternalBalance: false, recipient: me, toInternalBalance: false };
    return { to: vault, data: encodeFunctionData({ abi: VAULT, functionName: 'swap', args: [order, funds, 0n, NEVER] }) };
  };
  const registered = async (pool: DevnetPool): Promise<readonly Address[]> =>
    (await client.readContract({ address: vault, abi: VAULT, functionName: 'getPoolTokens', args: [idOf(pool)] }))[0].map(asAddress);
  const approvals = plainMarket(devnet).tokens.map(({ address }) => ({
    to: address,
    data: encodeFunctionData({ abi: ERC20, functionName: 'approve', args: [vault, MAX] }),
  }));
  await mine(approvals);

  return {
    pools,
    stable,
    async swap() {
      const pool = any(pools);
      const tokenIn = any(pool.tokens);
      await mine([await swapOf(pool, tokenIn, any(pool.tokens.filter((token) => token !== tokenIn)))]);
    },
    async add() {
      const pool = any(pools);
      const amounts = await Promise.all(pool.tokens.map((token, slot) => (slot === 0 || random() < 0.7 ? share(token) : 0n)));
      const userData = encodeAbiParameters([{ type: 'uint256' }, { type: 'uint256[]' }, { type: 'uint256' }], [1n, amounts, 0n]);
      await mine([toVault('joinPool', idOf(pool), await registered(pool), MAX, userData)]);
    },
    async remove() {
      const pool = any(pools);
      const held = await balanceOf(contractOf(pool));
      // In proportion; of a token alone in one case out of three.
      const alone = random() < 0.3;
      const kind = alone ? 0n : stable.includes(pool) ? 2n : 1n;
      const types = [{ type: 'uint256' }, { type: 'uint256' }, ...(alone ? [{ type: 'uint256' }] : [])];
      const userData = encodeAbiParameters(types, [kind, held / 3n, ...(alone ? [0n] : [])]);
      await mine([toVault('exitPool', idOf(pool), await registered(pool), 0n, userData)]);
    },
    async swapPoolToken() {
      const pool = any(stable);
      const [own, other] = [contractOf(pool), any(pool.tokens)];
      const out = random() < 0.5 && (await balanceOf(own)) > 0n;
      await mine([await (out ? swapOf(pool, own, other) : swapOf(pool, other, own))]);
    },
    async donate() {
      const token = any(any(pools).tokens);
      await mine([{ to: token, data: encodeFunctionData({ abi: TRANSFER, args: [vault, await share(token)] }) }]);
    },
    setFee: (pool, fee) => govern(contractOf(pool), POOL, 'setSwapFeePercentage', [fee]),
    async startRamp(pool, end) {
      const { timestamp } = await client.getBlock({ blockTag: 'latest' });
      await govern(contractOf(pool), POOL, 'startAmplificationParameterUpdate', [end, timestamp + 2n * 86_400n]);
    },
    stopRamp: (pool) => govern(contractOf(pool), POOL, 'stopAmplificationParameterUpdate'),
    setRate: (value, silent) => govern(rate, RATE, 'set', [value, silent]),
    async updateRate(pool) {
      const savings = devnet.tokens.find(({ symbol }) => symbol === 'SDAI')?.address as Address;
      await mine([{ to: contractOf(pool), data: encodeFunctionData({ abi: POOL, functionName: 'updateTokenRateCache', args: [savings] }) }]);
    },
    async setPoolPaused(pool, paused) {
      await permit(contractOf(pool), paused ? 'pause()' : 'unpause()');
      await govern(contractOf(pool), POOL, paused ? 'pause' : 'unpause');
    },
    async setVaultPaused(paused) {
      await permit(vault, 'setPaused(bool)');
      await govern(vault, VAULT, 'setPaused', [paused]);
    },
    async createPool(tokens) {
      const args = ['new', 'NEW', tokens, [(8n * ONE) / 10n, (2n * ONE) / 10n], tokens.map(() => ZERO_ADDRESS), 10n ** 15n, me] as const;
      await mine([{ to: devnet.contract('balancerWeightedFactory'), data: encodeFunctionData({ abi: WEIGHTED_FACTORY, args }) }]);
    },
    async joinFirst(poolId, tokens) {
      const userData = encodeAbiParameters([{ type: 'uint256' }, { type: 'uint256[]' }], [0n, await Promise.all(tokens.map(share))]);
      await mine([toVault('joinPool', poolId, tokens, MAX, userData)]);
    },
    async quote(pool, tokenIn, tokenOut, amountIn, blockNumber) {
      const steps = [{ poolId: idOf(pool), assetInIndex: 0n, assetOutIndex: 1n, amount: amountIn, userData: '0x' }] as const;
      const funds = { sender: me, fromInternalBalance: false, recipient: me, toInternalBalance: false };
      const data = encodeFunctionData({ abi: VAULT, functionName: 'queryBatchSwap', args: [0, steps, [tokenIn, tokenOut], funds] });
      const answer = await client.call({ to: vault, data, blockNumber }).catch(() => null);
      // The second of two differences, after offset and length: what goes out is negative.
      return answer?.data === undefined ? null : -BigInt.asIntN(256, BigInt(`0x${answer.data.slice(2 + 3 * 64, 2 + 4 * 64)}`));
    },
  };
}
