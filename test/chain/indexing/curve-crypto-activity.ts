import { encodeFunctionData, type Hex, parseAbi } from 'viem';
import type { Devnet, DevnetPool } from '../../../src/devnet/devnet.ts';
import { type Address, asAddress } from '../../../src/units/units.ts';
import type { CryptoState } from '../../../src/venues/curve_crypto/crypto-state.ts';
import { type Activity, ERC20 } from './activity.ts';
import { cryptoStateOf } from './curve-crypto-state.ts';

const POOL = parseAbi([
  'function balances(uint256 i) view returns (uint256)',
  'function A() view returns (uint256)',
  'function gamma() view returns (uint256)',
  'function initial_A_gamma_time() view returns (uint256)',
  'function future_A_gamma_time() view returns (uint256)',
  'function exchange(uint256 i, uint256 j, uint256 dx, uint256 min_dy)',
  'function remove_liquidity_one_coin(uint256 amount, uint256 i, uint256 least)',
  'function claim_admin_fees()',
  'function ramp_A_gamma(uint256 future_A, uint256 future_gamma, uint256 future_time)',
  'function stop_ramp_A_gamma()',
  'function kill_me()',
  'function unkill_me()',
]);
/** Where pools differ by how many coins they have. */
const OF_THREE = parseAbi([
  'function owner() view returns (address)',
  'function add_liquidity(uint256[3] amounts, uint256 least)',
  'function remove_liquidity(uint256 amount, uint256[3] least)',
  'function apply_new_parameters(uint256[7] next)',
]);
const OF_TWO = parseAbi([
  'function token() view returns (address)',
  'function add_liquidity(uint256[2] amounts, uint256 least)',
  'function remove_liquidity(uint256 amount, uint256[2] least)',
  'function commit_new_parameters(uint256[7] next)',
  'function apply_new_parameters()',
]);
const FACTORY = parseAbi(['function fee_receiver() view returns (address)', 'function set_fee_receiver(address receiver)']);
const REGISTRY = parseAbi(['function remove_pool(address pool)', 'function add_pool(address pool, uint256 count)']);
const TRANSFER = parseAbi(['function transfer(address to, uint256 value)']);
const NOBODY = '0x0000000000000000000000000000000000000000';
const DAY = 86_400;
/** Before parameters of a pool of two coins that were committed may be applied. */
const PARAMETERS_DELAY = 3 * DAY;

/** What can happen to Curve's crypto pools, a block each. */
export type CurveCryptoActivity = {
  readonly pools: readonly DevnetPool[];
  swap(): Promise<void>;
  /** Of one coin, or of all. */
  add(): Promise<void>;
  remove(): Promise<void>;
  removeOne(): Promise<void>;
  /** A gift, which the pool counts when the admin's fees are claimed. */
  donate(): Promise<void>;
  claim(): Promise<void>;
  /** Towards other parameters, over two days, or to where they are now if they are on their way. Lets a day and more pass. */
  ramp(): Promise<void>;
  /** Of a pool of two coins: lets three days pass. */
  setParameters(): Promise<void>;
  /** Of the fees of pools of two coins: nobody, or the owner again. */
  changeReceiver(): Promise<void>;
  setKilled(pool: Address, killed: boolean): Promise<void>;
  setListed(pool: Address, listed: boolean): Promise<void>;
  stateOf(pool: DevnetPool): Promise<CryptoState | null>;
};

export async function openCurveCryptoActivity(devnet: Devnet, { client, request, mine }: Activity, random: () => number): Promise<CurveCryptoActivity> {
  const me = devnet.accounts[0]?.address as Address;
  const pools = devnet.pools.filter(({ family }) => family === 'curve_crypto');
  const [registry, factory] = [devnet.contract('curveCryptoRegistry'), devnet.contract('curveCryptoFactory')];
  const upTo = (count: number): number => Math.floor(random() * count);
  const any = () => pools[upTo(pools.length)] as DevnetPool;
  const ofThree = pools.find(({ tokens }) => tokens.length === 3) as DevnetPool;
  // Of the factory too.
  const owner = await client.readContract({ address: ofThree.address, abi: OF_THREE, functionName: 'owner' });
  await request('anvil_impersonateAccount', owner);
  await mine(
    pools.flatMap(({ address, tokens }) =>
      tokens.map((to) => ({ to, data: encodeFunctionData({ abi: ERC20, functionName: 'approve', args: [address, 2n ** 255n] }) })),
    ),
  );
  const govern = async (to: Address, data: `0x${string}`): Promise<void> => {
    await request('eth_sendTransaction', { from: owner, to, data, gas: '0x300000', gasPrice: '0x2e90edd000' });
    await request('evm_mine');
  };
  const view = (address: Address, functionName: 'A' | 'gamma' | 'initial_A_gamma_time' | 'future_A_gamma_time') =>
    client.readContract({ address, abi: POOL, functionName });
  const balanceOf = (token: Address) => client.readContract({ address: token, abi: ERC20, functionName: 'balanceOf', args: [me] });
  const amountsOf = ({ address, tokens }: DevnetPool, share: number) =>
    Promise.all(
      tokens.map(
        async (_, at) =>
          (await client.readContract({ address, abi: POOL, functionName: 'balances', args: [BigInt(at)] })) / BigInt(share + upTo(20 * share)) + 1n,
      ),
    );
  const addAmounts = async (pool: DevnetPool, amounts: readonly bigint[]): Promise<void> => {
    await mine([{ to: pool.address, data: addLiquidity(amounts) }]);
  };
  const sharesOf = async (pool: DevnetPool): Promise<bigint> => {
    const share = pool.tokens.length === 2 ? asAddress(await client.readContract({ address: pool.address, abi: OF_TWO, functionName: 'token' })) : pool.address;
    if ((await balanceOf(share)) === 0n) await addAmounts(pool, await amountsOf(pool, 100));
    return (await balanceOf(share)) / BigInt(1 + upTo(4));
  };
  return {
    pools,
    async swap() {
      const pool = any();
      const count = pool.tokens.length;
      const slotIn = upTo(count);
      const amount = (await amountsOf(pool, 20))[slotIn] ?? 1n;
      const args = [BigInt(slotIn), BigInt((slotIn + 1 + upTo(count - 1)) % count), amount, 0n] as const;
      await mine([{ to: pool.address, data: encodeFunctionData({ abi: POOL, functionName: 'exchange', args }) }]);
    },
    async add() {
      const pool = any();
      const amounts = await amountsOf(pool, 100);
      const only = upTo(2 * amounts.length);
      await addAmounts(pool, only < amounts.length ? amounts.map((amount, at) => (at === only ? amount : 0n)) : amounts);
    },
    async remove() {
      const pool = any();
      await mine([{ to: pool.address, data: removeLiquidity(await sharesOf(pool), pool.tokens.length) }]);
    },
    async removeOne() {
      const pool = any();
      const args = [await sharesOf(pool), BigInt(upTo(pool.tokens.length)), 0n] as const;
      await mine([{ to: pool.address, data: encodeFunctionData({ abi: POOL, functionName: 'remove_liquidity_one_coin', args }) }]);
    },
    async donate() {
      const pool = any();
      const [amount = 1n] = await amountsOf(pool, 1000);
      await mine([{ to: pool.tokens[0], data: encodeFunctionData({ abi: TRANSFER, args: [pool.address, amount] }) }]);
    },
    claim: () => mine([{ to: any().address, data: encodeFunctionData({ abi: POOL, functionName: 'claim_admin_fees' }) }]).then(() => undefined),
    async ramp() {
      const { address } = any();
      const { timestamp } = await client.getBlock({ blockTag: 'latest' });
      const [endsAt, startedAt] = [await view(address, 'future_A_gamma_time'), await view(address, 'initial_A_gamma_time')];
      if (endsAt > timestamp) await govern(address, encodeFunctionData({ abi: POOL, functionName: 'stop_ramp_A_gamma' }));
      else if (startedAt + BigInt(DAY) < timestamp) {
        const [a, gamma] = [await view(address, 'A'), await view(address, 'gamma')];
        const around = (value: bigint) => (value * BigInt(50 + upTo(150))) / 100n;
        const args = [around(a), around(gamma), timestamp + BigInt(2 * DAY)] as const;
        await govern(address, encodeFunctionData({ abi: POOL, functionName: 'ramp_A_gamma', args }));
      }
      await request('evm_increaseTime', DAY + upTo(2 * DAY));
      await request('evm_mine');
    },
    async setParameters() {
      const mid = BigInt(1 + upTo(50)) * 100_000n;
      const next = [
        mid,
        mid + BigInt(upTo(300)) * 100_000n,
        BigInt(4 + upTo(3)) * 10n ** 9n,
        10n ** 14n * BigInt(1 + upTo(50)),
        10n ** 12n * BigInt(upTo(10)),
      ] as const;
      const args = [[...next, 10n ** 14n * BigInt(upTo(20)), BigInt(60 + upTo(6000))]] as const;
      const { address, tokens } = any();
      if (tokens.length === 3) return govern(address, encodeFunctionData({ abi: OF_THREE, functionName: 'apply_new_parameters', args }));
      await govern(address, encodeFunctionData({ abi: OF_TWO, functionName: 'commit_new_parameters', args }));
      await request('evm_increaseTime', PARAMETERS_DELAY);
      await govern(address, encodeFunctionData({ abi: OF_TWO, functionName: 'apply_new_parameters' }));
    },
    async changeReceiver() {
      const before = await client.readContract({ address: factory, abi: FACTORY, functionName: 'fee_receiver' });
      await govern(factory, encodeFunctionData({ abi: FACTORY, functionName: 'set_fee_receiver', args: [before === NOBODY ? owner : NOBODY] }));
    },
    setKilled: (pool, killed) => govern(pool, encodeFunctionData({ abi: POOL, functionName: killed ? 'kill_me' : 'unkill_me' })),
    setListed(pool, listed) {
      const add = encodeFunctionData({ abi: REGISTRY, functionName: 'add_pool', args: [pool, 3n] });
      return govern(registry, listed ? add : encodeFunctionData({ abi: REGISTRY, functionName: 'remove_pool', args: [pool] }));
    },
    stateOf: (pool) => cryptoStateOf(client, devnet, pool),
  };
}

function addLiquidity([first = 0n, second = 0n, third]: readonly bigint[]): Hex {
  return third === undefined
    ? encodeFunctionData({ abi: OF_TWO, functionName: 'add_liquidity', args: [[first, second], 0n] })
    : encodeFunctionData({ abi: OF_THREE, functionName: 'add_liquidity', args: [[first, second, third], 0n] });
}

function removeLiquidity(amount: bigint, count: number): Hex {
  return count === 2
    ? encodeFunctionData({ abi: OF_TWO, functionName: 'remove_liquidity', args: [amount, [0n, 0n]] })
    : encodeFunctionData({ abi: OF_THREE, functionName: 'remove_liquidity', args: [amount, [0n, 0n, 0n]] });
}
