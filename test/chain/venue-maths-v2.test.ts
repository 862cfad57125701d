import { expect } from 'chai';
import { type CompiledContract, compileSolidity } from '../../scripts/solidity.ts';
import { price } from '../../src/venues/uniswap_v2/price.ts';
import type { UniswapV2State } from '../../src/venues/uniswap_v2/state.ts';
import { npmArtifact } from '../support/artifacts.ts';
import { devnetContracts } from '../support/devnet-contracts.ts';
import { MOMENT } from '../support/moment.ts';
import { type OracleChain, startOracleChain } from '../support/oracle-chain.ts';
import { FULL_SCALE, SEED, type SeededRandom, seededRandom } from '../support/seeded-random.ts';

const SWAPS = FULL_SCALE ? 100_000 : 5000;
const SWAPS_PER_CALL = 500;
const FORK_SWAPS = FULL_SCALE ? 20_000 : 500;
const NOBODY = '0x0000000000000000000000000000000000000001';
const MAX_RESERVE = (1n << 112n) - 1n;

type Case = { readonly reserve0: bigint; readonly reserve1: bigint; readonly zeroForOne: boolean; readonly exactIn: boolean; readonly amount: bigint };
type Answer = {
  readonly ok: boolean;
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  readonly reserve0: bigint;
  readonly reserve1: bigint;
  readonly onePossible: boolean;
};

/** Factory and router of each family, and the fee that their code has. */
const FAMILIES = {
  'Uniswap V2': {
    feePpm: 3000,
    async lay(chain: OracleChain) {
      const factory = npmArtifact('@uniswap/v2-core/build/UniswapV2Factory.json');
      const factoryAddress = await chain.deploy(factory.abi, factory.bytecode, [NOBODY]);
      const router = npmArtifact('@uniswap/v2-periphery/build/UniswapV2Router02.json');
      return [factoryAddress, await chain.deploy(router.abi, router.bytecode, [factoryAddress, NOBODY])];
    },
  },
  // Contracts of our own, by the published formula: theirs are not published compiled.
  'PancakeSwap V2': {
    feePpm: 2500,
    async lay(chain: OracleChain) {
      const { PancakeV2Factory, PancakeV2Router } = await devnetContracts('pancakeswap_v2');
      if (PancakeV2Factory === undefined || PancakeV2Router === undefined) throw new Error('the contracts in contracts/devnet/pancake are not compiled');
      const factory = await chain.deploy(PancakeV2Factory.abi, PancakeV2Factory.bytecode, []);
      return [factory, await chain.deploy(PancakeV2Router.abi, PancakeV2Router.bytecode, [factory])];
    },
  },
} as const;

for (const [family, { feePpm: ownFee, lay }] of Object.entries(FAMILIES))
  describe(`${family} maths against the router library and the pair`, function () {
    this.timeout(FULL_SCALE ? 1_800_000 : 300_000);
    let chain: OracleChain;
    let oracle: CompiledContract;
    let address: `0x${string}`;

    before(async () => {
      const compiled = (await compileSolidity('contracts/devnet/oracle')).UniswapV2Oracle;
      if (compiled === undefined) throw new Error('UniswapV2Oracle is not among the compiled contracts');
      oracle = compiled;
      chain = await startOracleChain();
      address = await chain.deploy(oracle.abi, oracle.bytecode, await lay(chain));
    });
    after(async () => {
      await chain?.stop();
    });

    it(`${SWAPS} random swaps give the contracts' own amounts and reserves, reverts included`, async () => {
      const random = seededRandom(`venue-maths-v2 ${family}`);
      const seen = { filled: 0, refused: 0 };
      for (let done = 0; done < SWAPS; done += SWAPS_PER_CALL) {
        const cases = Array.from({ length: SWAPS_PER_CALL }, () => randomCase(random));
        const answers = (await chain.ask(address, oracle.abi, 'answer', [cases])) as readonly Answer[];
        for (const [i, answer] of answers.entries()) {
          compare(cases[i], answer, ownFee, seen);
          // The answer is the best that the pair allows: one unit more breaks its invariant.
          expect(answer.onePossible, describeCase(cases[i], ownFee)).to.equal(false);
        }
      }
      console.log(`      ${JSON.stringify(seen)}`);
      expect(seen.filled).to.be.greaterThan(SWAPS / 4);
      expect(seen.refused).to.be.greaterThan(SWAPS / 20);
    });

    if (family !== 'Uniswap V2') return;
    for (const [feePpm, keep, base] of [
      [0, 1n, 1n],
      [10_000, 99n, 100n],
      [999_900, 1n, 10_000n],
    ] as const) {
      it(`${FORK_SWAPS} random swaps of a fork with a fee of ${feePpm} ppm give the amounts of its own base ${base}`, async () => {
        const random = seededRandom(`venue-maths-v2-${feePpm}`);
        const seen = { filled: 0, refused: 0 };
        for (let done = 0; done < FORK_SWAPS; done += SWAPS_PER_CALL) {
          const cases = Array.from({ length: SWAPS_PER_CALL }, () => randomCase(random));
          const answers = (await chain.ask(address, oracle.abi, 'answerFork', [cases, keep, base])) as readonly Answer[];
          for (const [i, answer] of answers.entries()) compare(cases[i], answer, feePpm, seen);
        }
        expect(seen.filled).to.be.greaterThan(FORK_SWAPS / 10);
        expect(seen.refused).to.be.greaterThan(FORK_SWAPS / 20);
      });
    }
  });

function randomCase(random: SeededRandom): Case {
  const reserve0 = randomReserve(random);
  const reserve1 = random.chance(0.3) ? randomReserve(random) : near(random, reserve0);
  const zeroForOne = random.chance(0.5);
  const exactIn = random.chance(0.5);
  return { reserve0, reserve1, zeroForOne, exactIn, amount: randomAmount(random, zeroForOne ? reserve0 : reserve1, zeroForOne ? reserve1 : reserve0, exactIn) };
}

function randomReserve(random: SeededRandom): bigint {
  if (random.chance(0.05)) return BigInt(random.integer(0, 2));
  if (random.chance(0.05)) return MAX_RESERVE - BigInt(random.integer(0, 2));
  return random.logUniform(MAX_RESERVE);
}

/** Real pools are not 10^30 to 1. */
function near(random: SeededRandom, reserve: bigint): bigint {
  const value = (reserve * random.logUniform(1n << 40n)) / random.logUniform(1n << 40n);
  return value > MAX_RESERVE ? MAX_RESERVE : value;
}

function randomAmount(random: SeededRandom, reserveIn: bigint, reserveOut: bigint, exactIn: boolean): bigint {
  if (random.chance(0.05)) return random.pick([0n, 1n, 1n << 112n, 1n << 255n, (1n << 256n) - 1n, ((1n << 256n) - 1n) / 997n]);
  if (random.chance(0.1)) {
    const edge = exactIn ? MAX_RESERVE - reserveIn : reserveOut;
    const amount = edge + BigInt(random.integer(-2, 1));
    return amount > 0n ? amount : 1n;
  }
  if (random.chance(0.4)) return random.logUniform(1n << 128n);
  return random.logUniform((exactIn ? reserveIn : reserveOut) + 1n);
}

function compare(wanted: Case | undefined, answer: Answer, feePpm: number, seen: { filled: number; refused: number }): void {
  if (wanted === undefined) throw new Error('more answers than cases');
  const state: UniswapV2State = Object.freeze({ reserve0: wanted.reserve0, reserve1: wanted.reserve1, feePpm });
  const [slotIn, slotOut] = wanted.zeroForOne ? [0, 1] : [1, 0];
  const quote = wanted.exactIn ? price.exactIn(state, slotIn, slotOut, wanted.amount, MOMENT) : price.exactOut?.(state, slotIn, slotOut, wanted.amount, MOMENT);
  if (!answer.ok) {
    seen.refused++;
    expect(quote?.ok, describeCase(wanted, feePpm)).to.equal(false);
    return;
  }
  seen.filled++;
  if (!quote?.ok) throw new Error(`refused where the pair fills: ${describeCase(wanted, feePpm)}`);
  const { amountIn, amountOut, next } = quote;
  const expected = { amountIn: answer.amountIn, amountOut: answer.amountOut, next: { reserve0: answer.reserve0, reserve1: answer.reserve1, feePpm } };
  expect({ amountIn, amountOut, next }, describeCase(wanted, feePpm)).to.deep.equal(expected);
}

function describeCase(wanted: Case | undefined, feePpm: number): string {
  return `BRAID_SEED=${SEED} fee ${feePpm}: ${JSON.stringify(wanted, (_, value) => (typeof value === 'bigint' ? String(value) : value))}`;
}
