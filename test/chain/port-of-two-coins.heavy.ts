import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  concatHex,
  createPublicClient,
  createTestClient,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
  type PublicClient,
  parseAbi,
  slice,
  type TestClient,
  toFunctionSelector,
} from 'viem';
import { foundry } from 'viem/chains';
import { compileSolidity } from '../../scripts/solidity.ts';
import { creationCode, WRAPPED_NATIVE_PLACE } from '../../src/devnet/artifacts.ts';
import type { CompiledContract } from '../../src/devnet/solidity.ts';
import { devnetContracts } from '../support/devnet-contracts.ts';
import { type OracleChain, startOracleChain } from '../support/oracle-chain.ts';
import { FULL_SCALE, SEED, type SeededRandom, seededRandom } from '../support/seeded-random.ts';
import { TWO_COIN_NUMBERS } from '../support/settlement/curve-crypto-two.ts';
import { compiledVyper } from './curve/compiled-contract.ts';

/** A folder with pool.json, share.json and factory.json: see record-two-coin-exchanges.ts. */
const FOLDER = process.env.BRAID_CURVE_CONTRACTS ?? '';
const OPERATIONS = FULL_SCALE ? 2_000 : 200;
const DAY = 86_400;
/** The second coin has six decimals. */
const DEPTHS = [10n ** 24n, 5n * 10n ** 11n] as const;
const NAMES = [
  'exchange',
  'exchange',
  'exchange',
  'exchange',
  'add',
  'add',
  'remove',
  'removeOne',
  'gift',
  'claim',
  'ramp',
  'stop',
  'parameters',
  'receiver',
] as const;
const GAS = '0x4c4b40';
/** Addresses are each pool's own, and so is what tells that it was entered. */
const [FIRST_PLACE, LAST_PLACE, FACTORY_PLACE] = [4, 35, 29];
const POOL = parseAbi([
  'function exchange(uint256 i, uint256 j, uint256 dx, uint256 min_dy)',
  'function add_liquidity(uint256[2] amounts, uint256 least)',
  'function remove_liquidity(uint256 amount, uint256[2] least)',
  'function remove_liquidity_one_coin(uint256 amount, uint256 i, uint256 least)',
  'function claim_admin_fees()',
  'function ramp_A_gamma(uint256 future_A, uint256 future_gamma, uint256 future_time)',
  'function stop_ramp_A_gamma()',
  'function commit_new_parameters(uint256[7] next)',
  'function apply_new_parameters()',
  'function token() view returns (address)',
  'function balances(uint256 i) view returns (uint256)',
  'function A() view returns (uint256)',
  'function gamma() view returns (uint256)',
]);
const FACTORY = parseAbi(['function pool_list(uint256 at) view returns (address)', 'function set_fee_receiver(address receiver)']);
const WRAPPED = parseAbi(['function deposit() payable']);
/** The compiled contract takes the seven one by one. */
const COMMIT_OF_COMPILED = toFunctionSelector(`commit_new_parameters(${Array(7).fill('uint256').join()})`);

type Side = { readonly factory: Hex; readonly pool: Hex; readonly share: Hex; readonly coins: readonly [Hex, Hex]; readonly commit: (data: Hex) => Hex };

describe("the devnet's port of a pool of two coins beside the compiled contract", function define() {
  this.timeout(FULL_SCALE ? 3_600_000 : 600_000);
  let oracle: OracleChain;

  before(async function start() {
    if (FOLDER === '' || !existsSync(join(FOLDER, 'factory.json'))) {
      console.log('      no BRAID_CURVE_CONTRACTS: the contracts of the factory are compiled outside the project');
      this.skip();
    }
    oracle = await startOracleChain();
  });
  after(async () => {
    await oracle?.stop();
  });

  it(`has the same in its storage after each of ${OPERATIONS} deposits, withdrawals, exchanges, gifts, claims, ramps and changes of parameters`, async () => {
    const beside = await placeBeside(oracle);
    const random = seededRandom('port-of-two-coins');
    const operations = operationsOf(beside, random);
    await beside.call(encodeFunctionData({ abi: POOL, functionName: 'add_liquidity', args: [[...DEPTHS], 0n] }));
    const done = new Map<string, number>();
    for (let count = 0; count < OPERATIONS; count++) {
      const name = random.pick(NAMES);
      await beside.tester.increaseTime({ seconds: random.integer(1, 900) });
      if (await operations[name]()) done.set(name, (done.get(name) ?? 0) + 1);
      const [ours, theirs] = await Promise.all(beside.sides.map((side) => storageOf(beside.reader, side)));
      expect(ours, `BRAID_SEED=${SEED}, operation ${count}, ${name}`).to.deep.equal(theirs);
    }
    console.log(`      ${JSON.stringify(Object.fromEntries(done))}`);
    for (const name of NAMES) expect(done.get(name) ?? 0, name).to.be.greaterThan(0);
  });
});

/** Both pools on one chain, filled by one account. `both`: in one block, so that both see the same time; whether it went through, which it does in both or in neither. */
type Beside = {
  readonly me: Hex;
  readonly reader: PublicClient;
  readonly tester: TestClient;
  readonly sides: readonly [Side, Side];
  both(call: (side: Side) => readonly [to: Hex, data: Hex]): Promise<boolean>;
  /** Of the pools themselves. */
  call(data: Hex): Promise<boolean>;
};

async function placeBeside(oracle: OracleChain): Promise<Beside> {
  const transport = http(oracle.url, { timeout: 300_000, retryCount: 0 });
  const reader = createPublicClient({ chain: foundry, transport, pollingInterval: 20, cacheTime: 0 });
  const tester = createTestClient({ mode: 'anvil', chain: foundry, transport });
  const [me] = (await reader.request({ method: 'eth_accounts' } as never)) as readonly [Hex];
  await tester.setBalance({ address: me, value: 1n << 120n });
  const send = (to: Hex, data: Hex, value = 0n) =>
    reader.request({ method: 'eth_sendTransaction', params: [{ from: me, to, data, gas: GAS, value: `0x${value.toString(16)}` }] } as never) as Promise<Hex>;
  const wrapped = await oracle.deploy([], creationCode(WRAPPED_NATIVE_PLACE), []);
  const made = [await portedSide(oracle, me, wrapped), await compiledSide(oracle, me, wrapped)];
  await tester.setAutomine(false);
  await send(wrapped, encodeFunctionData({ abi: WRAPPED, functionName: 'deposit' }), 1n << 110n);
  const placed: Side[] = [];
  for (const { factory, deployment, token, commit } of made) {
    await send(factory, deployment);
    await tester.mine({ blocks: 1 });
    const pool = await reader.readContract({ address: factory, abi: FACTORY, functionName: 'pool_list', args: [0n] });
    placed.push({ factory, pool, share: await reader.readContract({ address: pool, abi: POOL, functionName: 'token' }), coins: [wrapped, token], commit });
  }
  const sides = placed as unknown as readonly [Side, Side];
  const both: Beside['both'] = async (call) => {
    const hashes: Hex[] = [];
    for (const side of sides) hashes.push(await send(...call(side)));
    await tester.mine({ blocks: 1 });
    const statuses = await Promise.all(hashes.map(async (hash) => (await reader.getTransactionReceipt({ hash })).status));
    expect(new Set(statuses).size, `BRAID_SEED=${SEED}: one went through and the other did not`).to.equal(1);
    return statuses[0] === 'success';
  };
  for (const at of [0, 1] as const)
    await both(({ pool, coins }) => [coins[at], encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [pool, 1n << 255n] })]);
  return { me, reader, tester, sides, both, call: (data) => both(({ pool }) => [pool, data]) };
}

/** Each gives whether it went through. */
function operationsOf(beside: Beside, random: SeededRandom): Readonly<Record<(typeof NAMES)[number], () => Promise<boolean>>> {
  const { me, reader, both, call } = beside;
  const [port] = beside.sides;
  const partOf = async (at: number, part: bigint): Promise<bigint> =>
    (await reader.readContract({ address: port.pool, abi: POOL, functionName: 'balances', args: [BigInt(at)] })) / (part + random.logUniform(200n * part)) + 1n;
  const sharesOf = async (): Promise<bigint> =>
    (await reader.readContract({ address: port.share, abi: erc20Abi, functionName: 'balanceOf', args: [me] })) / (3n + random.logUniform(1_000n));
  return {
    async exchange() {
      const i = random.integer(0, 1);
      const amount = random.chance(0.1) ? random.logUniform(300_000n) : await partOf(i, 8n);
      return call(encodeFunctionData({ abi: POOL, functionName: 'exchange', args: [BigInt(i), BigInt(1 - i), amount, 0n] }));
    },
    async add() {
      const amounts = [await partOf(0, 20n), await partOf(1, 20n)].map((amount) => (random.chance(0.3) ? 0n : amount)) as [bigint, bigint];
      return call(encodeFunctionData({ abi: POOL, functionName: 'add_liquidity', args: [amounts, 0n] }));
    },
    remove: async () => call(encodeFunctionData({ abi: POOL, functionName: 'remove_liquidity', args: [await sharesOf(), [0n, 0n]] })),
    async removeOne() {
      const args = [await sharesOf(), BigInt(random.integer(0, 1)), 0n] as const;
      return call(encodeFunctionData({ abi: POOL, functionName: 'remove_liquidity_one_coin', args }));
    },
    async gift() {
      const amount = await partOf(1, 1_000n);
      return both(({ pool, coins }) => [coins[1], encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [pool, amount] })]);
    },
    claim: () => call(encodeFunctionData({ abi: POOL, functionName: 'claim_admin_fees' })),
    stop: () => call(encodeFunctionData({ abi: POOL, functionName: 'stop_ramp_A_gamma' })),
    ramp: () => ramp(beside, random),
    parameters: () => changeParameters(beside, random),
    receiver() {
      const receiver = random.chance(0.5) ? me : (`0x${'0'.repeat(40)}` as Hex);
      return both(({ factory }) => [factory, encodeFunctionData({ abi: FACTORY, functionName: 'set_fee_receiver', args: [receiver] })]);
    },
  };
}

/** Over two days, of which one passes at least. */
async function ramp({ reader, tester, sides: [{ pool }], call }: Beside, random: SeededRandom): Promise<boolean> {
  const { timestamp } = await reader.getBlock();
  const around = (value: bigint) => (value * BigInt(random.integer(50, 200))) / 100n;
  const view = (functionName: 'A' | 'gamma') => reader.readContract({ address: pool, abi: POOL, functionName });
  const args = [around(await view('A')), around(await view('gamma')), timestamp + BigInt(2 * DAY)] as const;
  const ramped = await call(encodeFunctionData({ abi: POOL, functionName: 'ramp_A_gamma', args }));
  await tester.increaseTime({ seconds: random.integer(DAY, 3 * DAY) });
  return ramped;
}

async function changeParameters({ tester, both, call }: Beside, random: SeededRandom): Promise<boolean> {
  const mid = BigInt(random.integer(5, 500)) * 100_000n;
  const fees = [mid, mid + BigInt(random.integer(0, 300)) * 100_000n, BigInt(random.integer(4, 6)) * 10n ** 9n] as const;
  const rest = [10n ** 14n * BigInt(random.integer(1, 50)), 10n ** 12n * BigInt(random.integer(0, 9)), 10n ** 14n * BigInt(random.integer(0, 19))] as const;
  const data = encodeFunctionData({ abi: POOL, functionName: 'commit_new_parameters', args: [[...fees, ...rest, BigInt(random.integer(60, 6_000))]] });
  await both(({ pool, commit }) => [pool, commit(data)]);
  await tester.increaseTime({ seconds: 3 * DAY });
  return call(encodeFunctionData({ abi: POOL, functionName: 'apply_new_parameters' }));
}

async function storageOf(reader: PublicClient, { pool, share }: Side): Promise<readonly unknown[]> {
  const places = Array.from({ length: LAST_PLACE - FIRST_PLACE + 1 }, (_, at) => FIRST_PLACE + at).filter((place) => place !== FACTORY_PLACE);
  const words = await Promise.all(places.map((place) => reader.getStorageAt({ address: pool, slot: `0x${place.toString(16)}` })));
  const supply = await reader.readContract({ address: share, abi: erc20Abi, functionName: 'totalSupply' });
  return [...words, supply, await reader.getBalance({ address: pool })];
}

type Makes = { readonly factory: Hex; readonly token: Hex; readonly deployment: Hex; readonly commit: (data: Hex) => Hex };

async function portedSide(oracle: OracleChain, me: Hex, wrapped: Hex): Promise<Makes> {
  const contracts = await devnetContracts('curve_crypto');
  const named = (name: string): CompiledContract => contracts[name] ?? fail(name);
  const deploy = (name: string, args: readonly unknown[]) => oracle.deploy(named(name).abi, named(name).bytecode, args);
  const implementations = [await deploy('CryptoSwapTwo', [wrapped]), await deploy('CryptoShare', [])];
  const factory = await deploy('CryptoFactory', [me, ...implementations]);
  const token = await coin(oracle, me);
  const deployment = encodeFunctionData({ abi: named('CryptoFactory').abi, functionName: 'deploy_pool', args: [[wrapped, token], TWO_COIN_NUMBERS] });
  return { factory, token, deployment, commit: (data) => data };
}

async function compiledSide(oracle: OracleChain, me: Hex, wrapped: Hex): Promise<Makes> {
  const {
    pool,
    share,
    factory: maker,
  } = {
    pool: compiledVyper(join(FOLDER, 'pool.json')),
    share: compiledVyper(join(FOLDER, 'share.json')),
    factory: compiledVyper(join(FOLDER, 'factory.json')),
  };
  const [pools, shares] = [await oracle.deploy(pool.abi, pool.bytecode, [wrapped]), await oracle.deploy(share.abi, share.bytecode, [])];
  const factory = await oracle.deploy(maker.abi, maker.bytecode, [me, pools, shares, shares, wrapped]);
  const token = await coin(oracle, me);
  const deployment = encodeFunctionData({ abi: maker.abi, functionName: 'deploy_pool', args: ['a pool', 'POOL', [wrapped, token], ...TWO_COIN_NUMBERS] });
  return { factory, token, deployment, commit: (data) => concatHex([COMMIT_OF_COMPILED, slice(data, 4)]) };
}

/** Of six decimals, so that precisions count. */
async function coin(oracle: OracleChain, me: Hex): Promise<Hex> {
  const { StandardToken } = await compileSolidity('contracts/devnet/tokens');
  if (StandardToken === undefined) return fail('StandardToken');
  const token = await oracle.deploy(StandardToken.abi, StandardToken.bytecode, ['A token', 'TOKEN', 6]);
  await oracle.send(token, StandardToken.abi, 'mint', [[me], 1n << 120n]);
  return token;
}

function fail(name: string): never {
  throw new Error(`${name} is not among the compiled contracts`);
}
