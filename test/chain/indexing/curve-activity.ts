import { type Abi, encodeFunctionData, parseAbi } from 'viem';
import type { Devnet, DevnetPool } from '../../../src/devnet/devnet.ts';
import type { Address } from '../../../src/units/units.ts';
import type { CurveState } from '../../../src/venues/curve/curve-state.ts';
import { type Activity, ERC20 } from './activity.ts';
import { type CurveKind, curveKindOf, curveStateOf } from './curve-state.ts';

const VIEWS = parseAbi([
  'function balances(uint256 i) view returns (uint256)',
  'function initial_A_time() view returns (uint256)',
  'function future_A_time() view returns (uint256)',
]);
const POOL = parseAbi([
  'function exchange(int128 i, int128 j, uint256 dx, uint256 min_dy)',
  'function remove_liquidity_one_coin(uint256 amount, int128 i, uint256 least)',
  'function ramp_A(uint256 future, uint256 time)',
  'function stop_ramp_A()',
  'function kill_me()',
  'function unkill_me()',
  'function donate_admin_fees()',
  'function commit_new_fee(uint256 fee, uint256 admin_fee)',
  'function apply_new_fee()',
  'function set_new_fee(uint256 fee)',
]);
const NEW_GENERATION_FEE = parseAbi(['function set_new_fee(uint256 fee, uint256 multiplier)']);
const RATES = parseAbi(['function owner() view returns (address)', 'function set(uint256 rate, bool silent)']);
const REGISTRY = parseAbi(['function remove_pool(address pool)', 'function add_pool(address pool, uint256 count)']);
const ONE = 10n ** 18n;
const DAY = 86_400;

/** What can happen to Curve's pools, a block each. */
export type CurveActivity = {
  readonly pools: readonly DevnetPool[];
  swap(): Promise<void>;
  /** In amounts that are not the pool's own shares. */
  add(): Promise<void>;
  remove(): Promise<void>;
  removeOne(): Promise<void>;
  removeImbalance(): Promise<void>;
  /** Tokens given to a pool that does not count them, and, of the plain pool of three, the admin's fees to the pool, which no log tells. */
  donate(): Promise<void>;
  /** Towards another amplification, over two days, or to where it is now if it is on its way. Lets a day and more pass. */
  ramp(): Promise<void>;
  setFee(): Promise<void>;
  /** Of the last coin of the new generation's pools. */
  setRate(rate?: bigint): Promise<void>;
  /** The plain pool of three. */
  setKilled(killed: boolean): Promise<void>;
  setListed(listed: boolean): Promise<void>;
  /** What the contract says of a pool; null while it does not trade. Of a new-generation pool the form is not told. */
  stateOf(pool: Address): Promise<CurveState | null>;
};

export async function openCurveActivity(devnet: Devnet, { client, request, mine }: Activity, random: () => number): Promise<CurveActivity> {
  const me = devnet.accounts[0]?.address as Address;
  const pools = devnet.pools.filter(({ family }) => family === 'curve');
  const rates = devnet.contract('curveRateOracle');
  const registry = devnet.contract('curveRegistry');
  const admin = await client.readContract({ address: rates, abi: RATES, functionName: 'owner' });
  await request('anvil_impersonateAccount', admin);
  await mine(
    pools.flatMap(({ address, tokens }) =>
      tokens.map((to) => ({ to, data: encodeFunctionData({ abi: ERC20, functionName: 'approve', args: [address, 2n ** 255n] }) })),
    ),
  );
  const upTo = (count: number): number => Math.floor(random() * count);
  const any = () => pools[upTo(pools.length)] as DevnetPool;
  const three = pools.find((pool) => curveKindOf(pool) === 'three') as DevnetPool;
  const govern = async (to: Address, ...calls: readonly `0x${string}`[]): Promise<void> => {
    for (const data of calls) await request('eth_sendTransaction', { from: admin, to, data, gas: '0x200000', gasPrice: '0x2e90edd000' });
    await request('evm_mine');
  };
  const balance = (token: Address, account: Address) => client.readContract({ address: token, abi: ERC20, functionName: 'balanceOf', args: [account] });
  const amountsOf = ({ address, tokens }: DevnetPool) =>
    Promise.all(
      tokens.map(async (_, at) => {
        const held = await client.readContract({ address, abi: VIEWS, functionName: 'balances', args: [BigInt(at)] });
        return held / BigInt(1000 + upTo(20_000)) + 1n;
      }),
    );
  const sharesOf = async (pool: DevnetPool): Promise<bigint> => {
    const held = await balance(pool.address, me);
    if (held > 0n) return held / BigInt(1 + upTo(4));
    await mine([{ to: pool.address, data: withAmounts(pool, 'add', await amountsOf(pool)) }]);
    return balance(pool.address, me);
  };
  return {
    pools,
    async swap() {
      const pool = any();
      const slotIn = upTo(pool.tokens.length);
      const slotOut = (slotIn + 1 + upTo(pool.tokens.length - 1)) % pool.tokens.length;
      const amount = (await amountsOf(pool))[slotIn] ?? 1n;
      await mine([
        { to: pool.address, data: encodeFunctionData({ abi: POOL, functionName: 'exchange', args: [BigInt(slotIn), BigInt(slotOut), amount, 0n] }) },
      ]);
    },
    async add() {
      const pool = any();
      await mine([{ to: pool.address, data: withAmounts(pool, 'add', await amountsOf(pool)) }]);
    },
    async remove() {
      const pool = any();
      await mine([{ to: pool.address, data: withAmounts(pool, 'remove', [await sharesOf(pool), ...pool.tokens.map(() => 0n)]) }]);
    },
    async removeOne() {
      const pool = any();
      const args = [await sharesOf(pool), BigInt(upTo(pool.tokens.length)), 0n] as const;
      await mine([{ to: pool.address, data: encodeFunctionData({ abi: POOL, functionName: 'remove_liquidity_one_coin', args }) }]);
    },
    async removeImbalance() {
      const pool = any();
      await sharesOf(pool);
      const amounts = (await amountsOf(pool)).map((amount) => amount / 100n + 1n);
      await mine([{ to: pool.address, data: withAmounts(pool, 'removeImbalance', amounts) }]);
    },
    async donate() {
      const pool = any();
      const [amount = 1n] = await amountsOf(pool);
      await mine([
        { to: pool.tokens[0], data: encodeFunctionData({ abi: parseAbi(['function transfer(address to, uint256 value)']), args: [pool.address, amount] }) },
      ]);
      if (pool === three) await govern(three.address, encodeFunctionData({ abi: POOL, functionName: 'donate_admin_fees' }));
    },
    async ramp() {
      const pool = any();
      const { timestamp } = await client.getBlock({ blockTag: 'latest' });
      const [endsAt, started] = await Promise.all(
        (['future_A_time', 'initial_A_time'] as const).map((functionName) => client.readContract({ address: pool.address, abi: VIEWS, functionName })),
      );
      if ((endsAt ?? 0n) > timestamp) await govern(pool.address, encodeFunctionData({ abi: POOL, functionName: 'stop_ramp_A' }));
      else if ((started ?? 0n) + BigInt(DAY) < timestamp) {
        const args = [BigInt(100 + upTo(400)), timestamp + BigInt(2 * DAY)] as const;
        await govern(pool.address, encodeFunctionData({ abi: POOL, functionName: 'ramp_A', args }));
      }
      await request('evm_increaseTime', DAY + upTo(2 * DAY));
      await request('evm_mine');
    },
    async setFee() {
      const pool = any();
      const fee = BigInt(upTo(100) * 100_000);
      const kind = curveKindOf(pool);
      if (kind === 'ng') await govern(pool.address, encodeFunctionData({ abi: NEW_GENERATION_FEE, args: [fee, BigInt(upTo(8)) * 10n ** 10n] }));
      else if (kind === 'two') await govern(pool.address, encodeFunctionData({ abi: POOL, functionName: 'set_new_fee', args: [fee] }));
      else {
        const commit = encodeFunctionData({ abi: POOL, functionName: 'commit_new_fee', args: [fee, BigInt(upTo(11)) * 10n ** 9n] });
        await govern(pool.address, commit, encodeFunctionData({ abi: POOL, functionName: 'apply_new_fee' }));
      }
    },
    setRate: (rate = ONE + BigInt(upTo(1_000_000)) * 10n ** 10n) => govern(rates, encodeFunctionData({ abi: RATES, functionName: 'set', args: [rate, false] })),
    setKilled: (killed) => govern(three.address, encodeFunctionData({ abi: POOL, functionName: killed ? 'kill_me' : 'unkill_me' })),
    setListed(listed) {
      const add = encodeFunctionData({ abi: REGISTRY, functionName: 'add_pool', args: [three.address, 3n] });
      return govern(registry, listed ? add : encodeFunctionData({ abi: REGISTRY, functionName: 'remove_pool', args: [three.address] }));
    },
    stateOf: (address) => curveStateOf(client, pools.find((one) => one.address === address) as DevnetPool),
  };
}

const LISTS: Readonly<Record<CurveKind, string>> = { two: 'uint256[2]', three: 'uint256[3]', ng: 'uint256[]' };

/** A call whose amounts are a list; of a removal the first is the share. */
function withAmounts(pool: DevnetPool, what: 'add' | 'remove' | 'removeImbalance', amounts: readonly bigint[]): `0x${string}` {
  const list = LISTS[curveKindOf(pool)];
  if (what === 'remove') {
    const [share = 0n, ...least] = amounts;
    return encodeFunctionData({
      abi: abiOf(`function remove_liquidity(uint256 amount, ${list} least)`),
      functionName: 'remove_liquidity',
      args: [share, least],
    });
  }
  const name = what === 'add' ? 'add_liquidity' : 'remove_liquidity_imbalance';
  return encodeFunctionData({
    abi: abiOf(`function ${name}(${list} amounts, uint256 bound)`),
    functionName: name,
    args: [amounts, what === 'add' ? 0n : 2n ** 255n],
  });
}

function abiOf(signature: string): Abi {
  return parseAbi([signature]) as Abi;
}
