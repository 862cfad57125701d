import { expect } from 'chai';
import fc from 'fast-check';
import { check } from '../support/property.ts';
import { bestSinglePath, job, openWorld, type PoolEntry, pairPool, planOf, quotePool, replay, token, type World } from './world.ts';

const E18 = 10n ** 18n;
const GRID = 400n;

/** A vault of the asset 1 whose shares are token 2. */
function vault(id: number, share: bigint, limits: Readonly<Record<string, string>> = {}): PoolEntry {
  const address = `0x${(0xe0000 + id).toString(16).padStart(40, '0')}`;
  return { kind: 'erc4626', id: address, venue: 'erc4626', tokens: [token(1), token(2)], rates: [String(E18), String(share)], ...limits };
}

describe('routes over vaults', () => {
  it('take a vault whole, at any size, where nothing is better', () => {
    const open = openWorld({ pools: [vault(0, (E18 * 11n) / 10n)], tokenCount: 3 });
    for (const amount of [10n, 10n ** 6n, 10n ** 18n, 10n ** 27n, 10n ** 36n]) {
      expect(planOf(open.solve(job(token(1), token(2), amount), open.view)).grossAmount).to.equal((amount * 10n) / 11n);
      expect(planOf(open.solve(job(token(2), token(1), amount), open.view)).grossAmount).to.equal((amount * 11n) / 10n);
    }
  });

  it('refuse what the limits refuse, in each direction by its own', () => {
    const open = openWorld({ pools: [vault(0, E18, { maxDeposit: '0', maxRedeem: String(5n * E18) })], tokenCount: 3 });
    expect(open.solve(job(token(1), token(2), E18), open.view).ok).to.equal(false);
    expect(planOf(open.solve(job(token(2), token(1), 4n * E18), open.view)).grossAmount).to.equal(4n * E18);
    expect(open.solve(job(token(2), token(1), 6n * E18), open.view).ok).to.equal(false);
  });

  it('sell to the last unit that a vault may take or give, in both modes, and beyond it nothing or what a pool beside it has', () => {
    for (const cap of [1000n, 10n ** 6n + 1n, 7n * E18 + 3n, 10n ** 27n]) {
      const capped = vault(0, (E18 * 11n) / 10n, { maxDeposit: String(cap), maxRedeem: String(cap) });
      const beside = pairPool(1, [1, 2], [10n ** 28n, 9n * 10n ** 27n], 100);
      const alone = openWorld({ pools: [capped], tokenCount: 3 });
      const withPool = openWorld({ pools: [capped, beside], tokenCount: 3 });
      for (const [from, to, most] of [
        [1, 2, (cap * 10n) / 11n],
        [2, 1, (cap * 11n) / 10n],
      ] as const) {
        for (const wanted of [most - 1n, most, most + 1n]) {
          const buy = job(token(from), token(to), wanted, { mode: 'buy' });
          const only = alone.solve(buy, alone.view);
          expect(only.ok, `${wanted} of ${most}`).to.equal(wanted <= most);
          if (only.ok) expect(only.plan.sellAmount <= cap).to.equal(true);
          const both = planOf(withPool.solve(buy, withPool.view));
          expect(both.grossAmount >= wanted).to.equal(true);
          // At the very cap too, which the model's curve ends just before. A unit is what floats tell apart there.
          if (only.ok) expect(both.sellAmount <= only.plan.sellAmount + 1n, `${both.sellAmount} for ${only.plan.sellAmount}`).to.equal(true);
        }
        for (const sold of [cap - 1n, cap, cap + 1n])
          expect(alone.solve(job(token(from), token(to), sold), alone.view).ok, `${sold} of ${cap}`).to.equal(sold <= cap);
      }
    }
  });

  it('use a pool as far as it is better than the vault beside it, as no grid of shares beats', () => {
    const reserve = fc.integer({ min: 50, max: 5000 }).map((units) => BigInt(units) * E18);
    check(
      fc.property(reserve, fc.integer({ min: 980, max: 1060 }), fc.bigInt(1n, 3000n), fc.boolean(), (depth, permille, units, capped) => {
        const limits = capped ? { maxDeposit: String((units * E18) / 3n) } : {};
        const pools = [vault(0, E18, limits), pairPool(1, [1, 2], [depth, (depth * BigInt(permille)) / 1000n], 5)];
        const open = openWorld({ pools, tokenCount: 3 });
        const amount = units * E18;
        const plan = planOf(open.solve(job(token(1), token(2), amount), open.view));
        expect(replay(open, plan, token(1), amount)).to.deep.equal({ output: plan.grossAmount, stranded: 0n });
        expect(plan.grossAmount >= bestOfTwo(open, amount), `${plan.grossAmount} below ${bestOfTwo(open, amount)}`).to.equal(true);
      }),
      60,
    );
  });

  it('lead through a vault between pools, in both modes', () => {
    const deep = (id: number, pair: readonly [number, number]) => pairPool(id, pair, [10_000n * E18, 10_000n * E18]);
    const pools = [deep(0, [1, 3]), deep(1, [1, 3]), vault(2, (E18 * 12n) / 10n), deep(3, [2, 4]), deep(4, [2, 4])];
    const open = openWorld({ pools, tokenCount: 5 });
    const amount = 100n * E18;
    const sold = planOf(open.solve(job(token(3), token(4), amount), open.view));
    expect(sold.hops).to.have.lengthOf(5);
    expect(sold.grossAmount > bestSinglePath(open, token(3), token(4), amount, 3)).to.equal(true);
    const bought = planOf(open.solve(job(token(3), token(4), sold.grossAmount, { mode: 'buy' }), open.view));
    expect(bought.sellAmount <= amount).to.equal(true);
  });
});

/** The best that a grid of shares between the first and the second pool gives, all of one and all of the other included. */
function bestOfTwo({ pools }: World, amount: bigint): bigint {
  let best = 0n;
  for (let part = 0n; part <= GRID; part++) {
    const shares = [(amount * part) / GRID, amount - (amount * part) / GRID];
    const outputs = shares.map((input, index) => outputOf(pools[index], input));
    const sum = outputs.every((output) => output !== null) ? outputs.reduce<bigint>((total, output) => total + (output ?? 0n), 0n) : 0n;
    if (sum > best) best = sum;
  }
  return best;
}

function outputOf(pool: World['pools'][number] | undefined, input: bigint): bigint | null {
  if (input === 0n) return 0n;
  const quote = pool === undefined ? null : quotePool(pool, 0, 1, input);
  return quote?.ok ? quote.amountOut : null;
}
