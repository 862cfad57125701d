import { expect } from 'chai';
import type { Hex } from 'viem';
import { type CompiledContract, compileSolidity } from '../../scripts/solidity.ts';
import { price } from '../../src/venues/erc4626/price.ts';
import { MAX_AMOUNT, type VaultState } from '../../src/venues/erc4626/state.ts';
import type { Ratio } from '../../src/venues/erc4626/vault-way.ts';
import { MOMENT } from '../support/moment.ts';
import { type OracleChain, startOracleChain } from '../support/oracle-chain.ts';
import { FULL_SCALE, SEED, type SeededRandom, seededRandom } from '../support/seeded-random.ts';

const SWAPS = FULL_SCALE ? 100_000 : 4_000;
const SWAPS_PER_CALL = 200;
/** Decimals of virtual shares that a vault counts beside its real ones, and its fees in ten-thousandths of what is left, of deposits and of redemptions. */
const VAULTS = [
  [0, 0, 0],
  [3, 0, 0],
  [6, 0, 0],
  [0, 0, 100],
  [6, 37, 250],
] as const;
type Vault = (typeof VAULTS)[number];

const KINDS = ['deposit', 'redeem', 'mint', 'withdraw'] as const;
type Case = { readonly assets: bigint; readonly shares: bigint; readonly kind: number; readonly amount: bigint };
type Answer = { readonly ok: boolean; readonly amountIn: bigint; readonly amountOut: bigint; readonly preview: bigint };

describe("ERC-4626 maths against OpenZeppelin's vault", function define() {
  this.timeout(FULL_SCALE ? 3_600_000 : 300_000);
  let chain: OracleChain;
  let oracle: CompiledContract;
  const oracles = new Map<Vault, Hex>();

  before(async () => {
    const { VaultOracle } = await compileSolidity('contracts/devnet/oracle');
    if (VaultOracle === undefined) throw new Error('VaultOracle is not among the compiled contracts');
    oracle = VaultOracle;
    chain = await startOracleChain();
    for (const vault of VAULTS) oracles.set(vault, await chain.deploy(oracle.abi, oracle.bytecode, vault));
  });
  after(async () => {
    await chain?.stop();
  });

  it(`${SWAPS} random deposits, redemptions, mints and withdrawals give the vault's own amounts and previews, reverts included`, async () => {
    const random = seededRandom('venue-maths-erc4626');
    const seen = { filled: 0, refused: 0 };
    for (let done = 0; done < SWAPS; done += SWAPS_PER_CALL) {
      const vault = VAULTS[(done / SWAPS_PER_CALL) % VAULTS.length] ?? VAULTS[0];
      const cases = Array.from({ length: SWAPS_PER_CALL }, () => randomCase(random));
      const answers = (await chain.ask(oracles.get(vault) ?? '0x', oracle.abi, 'answer', [cases])) as readonly Answer[];
      for (const [i, one] of cases.entries()) compare(vault, one, answers[i], seen);
    }
    console.log(`      ${JSON.stringify(seen)}`);
    expect(seen.filled).to.be.greaterThan(SWAPS / 3);
    expect(seen.refused).to.be.greaterThan(SWAPS / 20);
  });
});

function compare(vault: Vault, wanted: Case, answer: Answer | undefined, seen: { filled: number; refused: number }): void {
  const { assets, shares, amount } = wanted;
  const kind = KINDS[wanted.kind];
  const state = stateOf(vault, assets, shares);

  const [slotIn, slotOut] = kind === 'deposit' || kind === 'mint' ? [0, 1] : [1, 0];
  const exactIn = kind === 'deposit' || kind === 'redeem';
  const quote = exactIn ? price.exactIn(state, slotIn, slotOut, amount, MOMENT) : price.exactOut?.(state, slotIn, slotOut, amount, MOMENT);
  const told = `BRAID_SEED=${SEED} vault ${vault} ${kind} ${JSON.stringify({ wanted, answer }, (_, value) => (typeof value === 'bigint' ? String(value) : value))}`;
  // Nothing out is no fill, nothing in a gift, and an amount beyond what any token has is left to the vault.
  const taken = answer?.ok === true && answer.amountIn > 0n && answer.amountOut > 0n && answer.amountIn <= MAX_AMOUNT && answer.amountOut <= MAX_AMOUNT;
  if (!taken) {
    seen.refused++;
    expect(quote?.ok, told).to.equal(false);
    return;
  }
  seen.filled++;
  if (!quote?.ok) throw new Error(`refused where the vault fills: ${told}`);
  expect({ amountIn: quote.amountIn, amountOut: quote.amountOut }, told).to.deep.equal({ amountIn: answer.amountIn, amountOut: answer.amountOut });
  expect(exactIn ? quote.amountOut : quote.amountIn, told).to.equal(answer.preview);
}

/** What the vault multiplies with, virtual shares and the virtual asset included, and no more shares to redeem than there are. */
function stateOf([offset, entryFee, exitFee]: Vault, assets: bigint, shares: bigint): VaultState {
  const [virtualShares, virtualAssets] = [shares + 10n ** BigInt(offset), assets + 1n];
  const kept = (fee: number): Ratio => [10_000n, 10_000n + BigInt(fee)];
  return {
    deposit: { ratios: [kept(entryFee), [virtualShares, virtualAssets]], limit: MAX_AMOUNT },
    redeem: { ratios: [[virtualAssets, virtualShares], kept(exitFee)], limit: shares },
  };
}

function randomCase(random: SeededRandom): Case {
  const shares = random.chance(0.05) ? 0n : random.logUniform(1n << BigInt(random.pick([20, 80, 96, 112])));
  // A share is worth about one asset, or anything.
  const assets = random.chance(0.7) ? (shares * (1000n + random.bits(11))) / 1000n : random.logUniform(1n << 112n);
  const kind = random.integer(0, 3);
  const held = kind === 0 || kind === 3 ? assets : shares;
  if (random.chance(0.05)) return { assets, shares, kind, amount: random.pick([1n, 2n, MAX_AMOUNT, 1n << 130n, (1n << 256n) - 1n]) };
  if (random.chance(0.1)) return { assets, shares, kind, amount: held > 3n ? held + BigInt(random.integer(-2, 2)) : 1n };
  return { assets, shares, kind, amount: random.logUniform(held + 1n) };
}
