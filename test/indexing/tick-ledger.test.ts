import { expect } from 'chai';
import fc from 'fast-check';
import { tickTable } from '../../src/venues/concentrated/concentrated-state.ts';
import { changePosition, type LedgerState } from '../../src/venues/concentrated/tick-ledger.ts';
import { SEED } from '../support/seeded-random.ts';

function emptyAt(tick: number): LedgerState {
  return { feePpm: 3000, tickSpacing: 1, sqrtPriceX96: 2n ** 96n, liquidity: 0n, tick, ticks: tickTable([]), truncated: false, liquidityGross: [] };
}

type Position = { readonly lower: number; readonly upper: number; readonly liquidity: bigint };

/** Ticks and liquidity as UniswapV3Pool defines them, from the list of positions alone. */
function fromPositions(positions: readonly Position[], tick: number): unknown {
  const held = positions.filter(({ liquidity }) => liquidity > 0n);
  const indices = [...new Set(held.flatMap(({ lower, upper }) => [lower, upper]))].sort((a, b) => a - b);
  const sum = (at: number, lowerSign: bigint, upperSign: bigint): bigint =>
    held.reduce((total, { lower, upper, liquidity }) => total + (lower === at ? lowerSign * liquidity : 0n) + (upper === at ? upperSign * liquidity : 0n), 0n);
  return {
    indices,
    net: indices.map((at) => sum(at, 1n, -1n)),
    gross: indices.map((at) => sum(at, 1n, 1n)),
    liquidity: held.filter(({ lower, upper }) => lower <= tick && tick < upper).reduce((total, { liquidity }) => total + liquidity, 0n),
  };
}

function facts({ ticks, liquidityGross, liquidity }: LedgerState): unknown {
  return { indices: [...ticks.indices], net: ticks.liquidityNet, gross: liquidityGross, liquidity };
}

describe('the tick ledger', () => {
  it('equals the sum of the positions after any mints and burns, ticks of net 0 included', () => {
    const action = fc.record({
      slot: fc.nat({ max: 5 }),
      lower: fc.integer({ min: -4, max: 3 }),
      width: fc.integer({ min: 1, max: 4 }),
      mint: fc.boolean(),
      amount: fc.bigInt({ min: 1n, max: 50n }),
    });
    fc.assert(
      fc.property(fc.array(action, { maxLength: 60 }), fc.integer({ min: -5, max: 8 }), (actions, tick) => {
        const positions: Position[] = [];
        let state = emptyAt(tick);
        for (const { slot, lower, width, mint, amount } of actions) {
          const held = positions[slot];
          if (mint || held === undefined) {
            positions.push({ lower, upper: lower + width, liquidity: amount });
            state = changePosition(state, lower, lower + width, amount) as LedgerState;
          } else {
            const left = amount < held.liquidity ? held.liquidity - amount : 0n;
            positions[slot] = { ...held, liquidity: left };
            state = changePosition(state, held.lower, held.upper, left - held.liquidity) as LedgerState;
          }
          expect(facts(state)).to.deep.equal(fromPositions(positions, tick));
        }
      }),
      { seed: SEED, numRuns: 200 },
    );
  });

  it('keeps a tick whose net is 0 while positions refer to it', () => {
    const state = changePosition(changePosition(emptyAt(0), -10, 0, 7n) as LedgerState, 0, 10, 7n) as LedgerState;
    expect(facts(state)).to.deep.equal({ indices: [-10, 0, 10], net: [7n, 0n, -7n], gross: [7n, 14n, 7n], liquidity: 7n });
  });

  it('gives the same object for a burn of nothing, and null for what no pool can do', () => {
    const state = changePosition(emptyAt(0), -10, 10, 7n) as LedgerState;
    expect(changePosition(state, -10, 10, 0n)).to.equal(state);
    expect(changePosition(state, -10, 10, -8n)).to.equal(null);
    expect(changePosition(state, -20, 10, -1n)).to.equal(null);
    expect(changePosition(state, 10, -10, 1n)).to.equal(null);
  });
});
