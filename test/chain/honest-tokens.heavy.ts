import { expect } from 'chai';
import { concatHex, encodeAbiParameters, encodeFunctionData, padHex, parseAbi } from 'viem';
import { creationCode, WRAPPED_NATIVE_PLACE } from '../../src/devnet/artifacts.ts';
import { UNISWAP_V2_PLACES, UNISWAP_V3_PLACES } from '../../src/devnet/kinds/uniswap-places.ts';
import { type Address, asAddress } from '../../src/units/units.ts';
import { devnetContracts } from '../support/devnet-contracts.ts';
import { useMeasuring } from '../support/measuring.ts';
import { FULL_SCALE, SEED, seededRandom } from '../support/seeded-random.ts';
import { contractOf, type Ground, useGround } from '../support/settlement/ground.ts';

/** A token that takes nothing of anybody, and how many base units a movement may lose. */
type Honest = { readonly contract: string; readonly args: readonly unknown[]; readonly decimals: number; readonly loses: bigint };

const standard = (decimals: number): Honest => ({ contract: 'StandardToken', args: ['Plain', 'PLAIN', decimals], decimals, loses: 0n });
const shares = (decimals: number): Honest => ({ contract: 'SharesToken', args: ['Shares', 'SHARE', decimals], decimals, loses: 2n });

const TOKENS: Readonly<Record<string, Honest>> = {
  'of no decimals': standard(0),
  'of 2 decimals': standard(2),
  'of 6 decimals': standard(6),
  'of 18 decimals': standard(18),
  'of 24 decimals': standard(24),
  'that returns nothing, of 6 decimals': { contract: 'NoReturnToken', args: ['No Return', 'NONE', 6], decimals: 6, loses: 0n },
  'behind a proxy, of 6 decimals': { contract: 'ProxiedToken', args: ['Dollar', 'USD', 6, 0n], decimals: 6, loses: 0n },
  'that takes much gas': { contract: 'ProxiedToken', args: ['Thirsty', 'GAS', 18, 9n], decimals: 18, loses: 0n },
  'of shares, of 2 decimals': shares(2),
  'of shares, of 6 decimals': shares(6),
  'of shares, of 8 decimals': shares(8),
  'of shares, of 18 decimals': shares(18),
  'that rebases': { contract: 'RebasingToken', args: [], decimals: 18, loses: 2n },
  'that takes no more than 96 bits': { contract: 'NarrowToken', args: [], decimals: 18, loses: 0n },
  'that native money is wrapped in': { contract: 'wrapped', args: [], decimals: 18, loses: 0n },
};

/** A pool of a token. Amounts in whole tokens; `root`: of the price of a whole token in whole native money. */
type Shape =
  | { readonly kind: 'pair'; readonly token: number; readonly native: number; readonly more?: number }
  | {
      readonly kind: 'pool';
      readonly fee: number;
      readonly spacing: number;
      readonly worth: number;
      readonly lies: number;
      readonly position: Position | null;
    };
/** From a tick beside the price to another, by spacings, and how much of the token it would take to move the price twofold, in whole tokens. */
type Position = { readonly from: number; readonly to: number; readonly depth: number };

const SPACINGS = [
  [100, 1],
  [500, 10],
  [3000, 60],
  [10_000, 200],
] as const;

const SHAPES: Readonly<Record<string, Shape>> = {
  'a pair': { kind: 'pair', token: 100_000, native: 1000 },
  'a pair with little native money': { kind: 'pair', token: 10_000_000, native: 0.001 },
  'a pair with little of it': { kind: 'pair', token: 100, native: 5000 },
  'a pair that was sent some': { kind: 'pair', token: 100_000, native: 1000, more: 90 },
  'a pair that was sent most of what it has': { kind: 'pair', token: 100_000, native: 1000, more: 5_000_000 },
  ...Object.fromEntries(
    SPACINGS.flatMap(([fee, spacing]) => {
      const pool = (position: Position | null, lies = 0, worth = 0.01) => ({ kind: 'pool', fee, spacing, worth, lies, position }) as const;
      const name = `a V3 pool of spacing ${spacing}`;
      const far = Math.floor(20_000 / spacing);
      return [
        [name, pool({ from: -far, to: far, depth: 50_000 })],
        [`${name} in a narrow range`, pool({ from: -2, to: 3, depth: 50_000 })],
        [`${name} where fees lie`, pool({ from: -far, to: far, depth: 50_000 }, 500_000)],
        [`${name} without liquidity`, pool(null)],
        [`${name} without liquidity, where some lies`, pool(null, 100_000)],
        [`${name} with dust`, pool({ from: -far, to: far, depth: 0.000_1 }, 100_000)],
        [`${name} with little more than dust`, pool({ from: -far, to: far, depth: 10 }, 100_000)],
        [`${name} for sale above the price alone`, pool({ from: 2, to: far, depth: 50_000 })],
        [`${name} for sale far above the price`, pool({ from: Math.floor(200_000 / spacing), to: Math.floor(240_000 / spacing), depth: 50_000 })],
        [`${name} with native money alone`, pool({ from: -far, to: -2, depth: 50_000 }, 100_000)],
        [`${name} of tokens that are worth next to nothing`, pool({ from: -far, to: far, depth: 50_000_000 }, 0, 1e-9)],
        [`${name} of tokens that are worth much`, pool({ from: -far, to: far, depth: 100 }, 0, 20)],
      ] as const;
    }),
  ),
};

const PAIR = 'a pair';
/** Pools of one token that are measured together. */
const TOGETHER = 3;

describe('tokens that take nothing of anybody, at pools of any shape', function suite() {
  this.timeout(600_000);
  const here = useGround();
  const measuring = useMeasuring(here);

  for (const [words, names] of cases()) {
    it(`${words}, at ${names.join(', ')}: are neither gated nor taxed, nor left out where they can be bought (seed ${SEED})`, async () => {
      const its = TOKENS[words];
      if (its === undefined) throw new RangeError(words);
      const [token, ...pools] = await make(here.current(), its, names.map((name) => SHAPES[name]) as readonly Shape[]);
      if (token === undefined) throw new RangeError('nothing was made');
      const pair = pools[names.indexOf(PAIR)];
      for (const deepest of pair === undefined ? [null] : [null, pair]) {
        const measured = await measuring.current().measure(token, pools, deepest);
        if (measured.kind !== 'verdict') throw new Error(measured.message);
        const said = JSON.stringify(measured);
        expect(measured.verdict.kind, said).to.be.oneOf(its.loses > 0n ? ['clean', 'imprecise', 'unmeasurable'] : ['clean', 'unmeasurable']);
        // Nothing is held against the token at any of them.
        expect(measured.openAt, said).to.equal(undefined);
        if (pair === undefined || its.decimals < 2) continue;
        expect(measured.verdict.kind, said).to.not.equal('unmeasurable');
        expect(measured.seenAt, said).to.include(pair);
      }
    });
  }

  it('are bought and sold at pairs that count further than Uniswap’s, however many base units these have, on both curves', async () => {
    const ground = here.current();
    const { chain, accounts, contracts, tokens } = ground;
    const owner = accounts.deployer;
    const { Pool, PoolFactory } = await devnetContracts('aerodrome');
    if (Pool === undefined || PoolFactory === undefined) throw new Error('the pool or its factory is not among the compiled contracts');
    const factory = await chain.deploy(
      owner,
      concatHex([PoolFactory.bytecode, encodeAbiParameters([{ type: 'address' }], [await chain.deploy(owner, Pool.bytecode)])]),
    );
    const wide = 6n * 10n ** 33n;
    expect(wide > 2n ** 112n).to.equal(true);
    const other = await chain.create(owner, contractOf(contracts, 'StandardToken'), ['Other', 'OTHER', 24]);
    for (const [isStable, { contract, args }, amount] of [
      [false, standard(24), wide],
      [true, standard(24), wide],
      [false, standard(6), 10n ** 12n],
      [false, shares(6), 10n ** 12n],
    ] as const) {
      const token = await chain.create(owner, contractOf(contracts, contract), args);
      const at = [token, isStable ? other : tokens.weth, isStable] as const;
      await chain.write(owner, factory, SOLIDLY_ABI, 'createPool', at);
      const pool = asAddress((await chain.read(factory, SOLIDLY_ABI, 'getPool', at)) as string);
      await chain.write(owner, token, contractOf(contracts, 'TrickToken').abi, 'mint', [[pool], amount]);
      if (isStable) await chain.write(owner, other, contractOf(contracts, 'TrickToken').abi, 'mint', [[pool, factory], amount]);
      else await chain.write(accounts.victim, tokens.weth, contractOf(contracts, 'TrickToken').abi, 'transfer', [pool, 1000n * 10n ** 18n]);
      await chain.write(owner, pool, SOLIDLY_ABI, 'mint', [owner]);
      const measured = await measuring.current().measure(token, [pool], pool, isStable ? [factory] : []);
      expect(measured, contract).to.deep.equal({ kind: 'verdict', verdict: { kind: contract === 'SharesToken' ? 'imprecise' : 'clean' }, seenAt: [pool] });
    }
  });
});

function cases(): readonly (readonly [string, readonly string[]])[] {
  const [tokens, shapes] = [Object.keys(TOKENS), Object.keys(SHAPES)];
  if (FULL_SCALE) return tokens.flatMap((token) => shapes.flatMap((shape) => [[token, [shape]] as const, [token, [shape, PAIR]] as const]));
  const groups = Math.ceil(shapes.length / TOGETHER);
  const first = seededRandom('honest tokens').integer(0, tokens.length - 1);
  return Array.from({ length: groups }, (_, group) => {
    const some = shapes.filter((_name, at) => at % groups === group);
    const token = tokens[(first + group) % tokens.length] as string;
    return [token, group % 2 === 0 || some.includes(PAIR) ? some : [...some, PAIR]] as const;
  });
}

/** The token, and its pools against wrapped native. */
async function make(ground: Ground, { contract, args, decimals, loses }: Honest, shapes: readonly Shape[]): Promise<readonly Address[]> {
  const { chain, accounts, contracts, tokens } = ground;
  const owner = accounts.deployer;
  await chain.rpc.request('anvil_setBalance', owner, `0x${(10n ** 30n).toString(16)}`);
  const seeding = contractOf(contracts, 'PoolSeeder');
  const seeder = await chain.create(owner, seeding);
  const isWrapped = contract === 'wrapped';
  const token = isWrapped ? await chain.deploy(owner, creationCode(WRAPPED_NATIVE_PLACE)) : await chain.create(owner, contractOf(contracts, contract), args);
  const abi = contractOf(contracts, 'TrickToken').abi;
  const unit = 10n ** BigInt(decimals);
  const give = async (to: Address, amount: bigint): Promise<void> => {
    if (contract === 'RebasingToken')
      await chain.mustSend(owner, { to: token, data: encodeFunctionData({ abi, functionName: 'transfer', args: [to, amount] }) });
    else if (isWrapped) {
      await chain.mustSend(owner, { to: token, value: amount });
      await chain.write(owner, token, abi, 'transfer', [to, amount]);
    } else await chain.write(owner, token, abi, 'mint', [[to], amount]);
  };
  await give(seeder, 300_000_000n * unit);
  const native = 200_000n * 10n ** 18n;
  await chain.mustSend(owner, { to: tokens.weth, value: native });
  await chain.write(owner, tokens.weth, abi, 'transfer', [seeder, native]);
  await chain.write(owner, seeder, seeding.abi, 'setLostOnTheWay', [loses]);
  const placed: Address[] = [];
  for (const shape of shapes) {
    placed.push(await place(ground, shape, { token, seeder, unit, decimals }));
    const more = shape.kind === 'pair' ? (shape.more ?? 0) : shape.lies;
    if (more > 0) await give(placed.at(-1) as Address, BigInt(more) * unit);
  }
  return [token, ...placed];
}

type Made = { readonly token: Address; readonly seeder: Address; readonly unit: bigint; readonly decimals: number };

async function place({ chain, accounts, contracts, tokens }: Ground, shape: Shape, { token, seeder, unit, decimals }: Made): Promise<Address> {
  const owner = accounts.deployer;
  const { abi } = contractOf(contracts, 'PoolSeeder');
  if (shape.kind === 'pair') {
    const factory = await chain.deploy(owner, concatHex([creationCode(UNISWAP_V2_PLACES.factory), padHex(owner, { size: 32 })]));
    const amounts = [BigInt(shape.token) * unit, BigInt(Math.round(shape.native * 1e6)) * 10n ** 12n];
    await chain.write(owner, seeder, abi, 'placePair', [factory, token, tokens.weth, ...amounts]);
  } else {
    const factory = await chain.deploy(owner, creationCode(UNISWAP_V3_PLACES.factory));
    if (shape.spacing === 1) await chain.write(owner, factory, FACTORY_ABI, 'enableFeeAmount', [shape.fee, shape.spacing]);
    // Base units of native money for one of the token.
    const price = shape.worth * 10 ** (18 - decimals);
    const here = Math.floor(Math.log(price) / Math.log(1.0001) / shape.spacing);
    const root = BigInt(Math.floor(Math.sqrt(price) * 2 ** 40)) << 56n;
    const { from, to, depth } = shape.position ?? { from: 0, to: 1, depth: 0 };
    const liquidity = BigInt(Math.floor(depth * Math.sqrt(shape.worth) * 10 ** (9 + decimals / 2)));
    await chain.write(owner, seeder, abi, 'placePool', [
      ...[factory, token, tokens.weth, shape.fee, root],
      ...[(here + from) * shape.spacing, (here + to) * shape.spacing, liquidity],
    ]);
  }
  return (await chain.read(seeder, abi, 'placed')) as Address;
}

const SOLIDLY_ABI = parseAbi([
  'function createPool(address tokenA, address tokenB, bool stable) returns (address)',
  'function getPool(address tokenA, address tokenB, bool stable) view returns (address)',
  'function mint(address to) returns (uint256)',
]);
const FACTORY_ABI = parseAbi(['function enableFeeAmount(uint24 fee, int24 tickSpacing)']);
