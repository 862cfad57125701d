import { expect } from 'chai';
import { price } from '../../src/venues/uniswap_v2/price.ts';
import { state, validateState } from '../../src/venues/uniswap_v2/state.ts';
import { PoolRefused } from '../../src/venues/venues.ts';
import { MOMENT } from '../support/moment.ts';

const MAX_RESERVE = 2n ** 112n - 1n;

describe('state of a constant-product pool', () => {
  it('is refused as malformed when a reserve is not a uint112 or the fee takes everything', () => {
    for (const change of [{ reserve0: -1n }, { reserve1: MAX_RESERVE + 1n }, { feePpm: 1_000_000 }, { feePpm: 0.5 }]) {
      expect(() => validateState({ reserve0: 1n, reserve1: 1n, feePpm: 3000, ...change }))
        .to.throw(PoolRefused)
        .with.property('reason', 'malformed');
    }
  });

  it('is not routable with an empty side', () => {
    expect(() => state.fromPoolSet({ reserves: ['0', '5'], feeBps: 30 }, 2))
      .to.throw(PoolRefused)
      .with.property('reason', 'not-routable');
  });

  it('takes its fee from feePpm, else feeBps, else from what the family fixes', () => {
    const reserves = ['1000', '2000'];
    expect(state.fromPoolSet({ reserves, feePpm: 1234, feeBps: 30 }, 2)).to.deep.equal({ reserve0: 1000n, reserve1: 2000n, feePpm: 1234 });
    expect(state.fromPoolSet({ reserves, feeBps: 25, venue: 'uniswap_v2' }, 2)).to.have.property('feePpm', 2500);
    expect(state.fromPoolSet({ reserves, venue: 'pancakeswap_v2' }, 2)).to.have.property('feePpm', 2500);
    expect(() => state.fromPoolSet({ reserves, venue: 'unheard-of' }, 2)).to.throw(PoolRefused, /neither feePpm nor feeBps/);
  });
});

describe('a constant-product pool', () => {
  it('refuses an input that lifts its balance above a uint112, and takes one that just does not', () => {
    const pool = { reserve0: MAX_RESERVE - 1000n, reserve1: MAX_RESERVE, feePpm: 3000 };
    expect(price.exactIn(pool, 0, 1, 1001n, MOMENT)).to.deep.equal({ ok: false, reason: 'reverts' });
    expect(price.exactIn(pool, 0, 1, 1000n, MOMENT).ok).to.equal(true);
    const [edge] = state.curves(pool);
    expect(edge?.curve.capacity).to.be.closeTo(1000, 1e-9);
  });

  it('refuses dust that buys nothing, and a target of the whole reserve', () => {
    const pool = { reserve0: 10n ** 18n, reserve1: 10n ** 6n, feePpm: 3000 };
    expect(price.exactIn(pool, 0, 1, 10n ** 12n, MOMENT)).to.deep.equal({ ok: false, reason: 'reverts' });
    expect(price.exactOut?.(pool, 0, 1, 10n ** 6n, MOMENT)).to.deep.equal({ ok: false, reason: 'reverts' });
  });
});
