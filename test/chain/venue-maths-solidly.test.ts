import { expect } from 'chai';
import { parseAbi } from 'viem';
import { type CompiledContract, compileSolidity } from '../../scripts/solidity.ts';
import type { CompiledContracts } from '../../src/devnet/solidity.ts';
import { price } from '../../src/venues/solidly/price.ts';
import type { SolidlyState } from '../../src/venues/solidly/solidly-pool.ts';
import { devnetContracts } from '../support/devnet-contracts.ts';
import { MOMENT } from '../support/moment.ts';
import { type OracleChain, startOracleChain } from '../support/oracle-chain.ts';
import { FULL_SCALE, SEED, type SeededRandom, seededRandom } from '../support/seeded-random.ts';

const SWAPS = FULL_SCALE ? 100_000 : 5000;
const SWAPS_PER_CALL = 250;
/** Of token 0 and token 1 in each run. */
const DECIMALS = [
  [18, 18],
  [6, 18],
  [18, 6],
  [6, 6],
  [8, 18],
  [0, 24],
] as const;

type Case = {
  readonly stable: boolean;
  readonly reserve0: bigint;
  readonly reserve1: bigint;
  readonly fee: bigint;
  readonly zeroForOne: boolean;
  readonly amountIn: bigint;
};
type Answer = { readonly ok: boolean; readonly amountOut: bigint; readonly reserve0: bigint; readonly reserve1: bigint };

const FACTORY = parseAbi(['constructor(address implementation)', 'function setFeeManager(address manager)']);

describe("Solidly maths against Aerodrome's own pool", function () {
  this.timeout(FULL_SCALE ? 1_800_000 : 300_000);
  let chain: OracleChain;
  let oracle: CompiledContract;
  let contracts: CompiledContracts;

  before(async () => {
    const { SolidlyOracle } = await compileSolidity('contracts/devnet/oracle');
    if (SolidlyOracle === undefined) throw new Error('SolidlyOracle is not among the compiled contracts');
    oracle = SolidlyOracle;
    contracts = await devnetContracts('aerodrome');
    chain = await startOracleChain();
  });
  after(async () => {
    await chain?.stop();
  });

  for (const decimals of DECIMALS) {
    const swaps = Math.ceil(SWAPS / DECIMALS.length);
    it(`${swaps} random swaps of tokens with ${decimals.join(' and ')} decimals give the pool's own amounts and reserves, reverts included`, async () => {
      const address = await deployOracle(decimals);
      const random = seededRandom(`venue-maths-solidly-${decimals.join('-')}`);
      const seen = { filled: 0, refused: 0 };
      for (let done = 0; done < swaps; done += SWAPS_PER_CALL) {
        const cases = Array.from({ length: Math.min(SWAPS_PER_CALL, swaps - done) }, () => randomCase(random, decimals));
        const answers = (await chain.ask(address, oracle.abi, 'answer', [cases])) as readonly Answer[];
        for (const [at, answer] of answers.entries()) compare(cases[at], decimals, answer, seen);
      }
      console.log(`      ${JSON.stringify(seen)}`);
      expect(seen.filled).to.be.greaterThan(swaps / 4);
      expect(seen.refused).to.be.greaterThan(swaps / 50);
    });
  }

  async function deployOracle(decimals: readonly [number, number]): Promise<`0x${string}`> {
    const { Pool, PoolFactory } = contracts;
    if (Pool === undefined || PoolFactory === undefined) throw new Error('the pool or its factory is not among the compiled contracts');
    const implementation = await chain.deploy([], Pool.bytecode, []);
    const factory = await chain.deploy(FACTORY, PoolFactory.bytecode, [implementation]);
    const address = await chain.deploy(oracle.abi, oracle.bytecode, [factory, ...decimals]);
    await chain.send(factory, FACTORY, 'setFeeManager', [address]);
    return address;
  }
});

/** Balanced pools mostly, as the stable curve has them, and all others. */
function randomCase(random: SeededRandom, decimals: readonly [number, number]): Case {
  const worth = random.logUniform(10n ** 15n) + 1n;
  const [unit0, unit1] = decimals.map((digits) => 10n ** BigInt(digits)) as [bigint, bigint];
  const wild = random.chance(0.15);
  const reserve0 = wild
    ? random.logUniform(1n << 120n)
    : random.chance(0.1)
      ? random.logUniform(unit0)
      : (worth * unit0) / (random.logUniform(1000n) + 1n) + 1n;
  const reserve1 = wild
    ? random.logUniform(1n << 120n)
    : (worth * unit1 * (random.logUniform(1n << 20n) + 1n)) / (1n << 19n) / (random.logUniform(1000n) + 1n) + 1n;
  const zeroForOne = random.chance(0.5);
  const reserveIn = zeroForOne ? reserve0 : reserve1;
  const amountIn = random.chance(0.05)
    ? random.pick([0n, 1n, 2n, 1n << 128n, 1n << 255n, (1n << 256n) - 1n])
    : random.chance(0.2)
      ? random.logUniform(1n << 128n)
      : random.logUniform(4n * reserveIn + 1n);
  const fee = random.chance(0.3) ? BigInt(random.pick([0, 1, 300])) : BigInt(random.integer(1, 100));
  return { stable: random.chance(0.7), reserve0, reserve1, fee, zeroForOne, amountIn };
}

function compare(wanted: Case | undefined, decimals: readonly [number, number], answer: Answer, seen: { filled: number; refused: number }): void {
  if (wanted === undefined) throw new Error('more answers than cases');
  const { stable, reserve0, reserve1, fee, zeroForOne, amountIn } = wanted;
  const state: SolidlyState = Object.freeze({ stable, reserves: [reserve0, reserve1] as const, decimals, feeBps: Number(fee) });
  const quote = price.exactIn(state, zeroForOne ? 0 : 1, zeroForOne ? 1 : 0, amountIn, MOMENT);
  const described = `BRAID_SEED=${SEED}: ${JSON.stringify({ ...wanted, decimals }, (_, value) => (typeof value === 'bigint' ? String(value) : value))}`;
  if (!answer.ok) {
    seen.refused++;
    expect(quote.ok, `filled where the pool refuses: ${described}`).to.equal(false);
    return;
  }
  seen.filled++;
  if (!quote.ok) throw new Error(`refused where the pool fills: ${described}`);
  const { amountOut, next } = quote;
  expect({ amountOut, reserves: next.reserves }, described).to.deep.equal({ amountOut: answer.amountOut, reserves: [answer.reserve0, answer.reserve1] });
}
