import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import sinon from 'sinon';
import type { FollowedMarket } from '../../src/indexing/follower.ts';
import { VerdictKeeper } from '../../src/market/market.ts';
import type { MeasuredVerdict } from '../../src/snapshot/snapshot.ts';
import { follow, opened, REAL_HEIGHT } from './followed-chain.ts';
import { MadeUpChain } from './made-up-chain.ts';
import { addressOf } from './made-up-singleton.ts';

describe('what is found of tokens while no block comes', () => {
  it('is published at once, as of the block that is there; and whoever measures knows what trades in the newest state', async () => {
    const chain = new MadeUpChain(REAL_HEIGHT);
    chain.grow();
    chain.grow(opened(10, 5));
    const keeper = sinon.createStubInstance(VerdictKeeper);
    keeper.take.returns(new Map());
    let market: FollowedMarket | undefined;
    const { step, verdictOf, publisher, of } = follow(chain, {
      verdicts: (followed) => {
        market = followed;
        return keeper;
      },
    });
    await step();
    if (market === undefined) throw new Error('nobody measures');
    const token = addressOf(1);
    const found: MeasuredVerdict = { verdict: { kind: 'taxed', buyPpm: 10_000, sellPpm: 20_000, scope: 'universal' }, block: chain.head.number };
    keeper.take.onCall(keeper.take.callCount).returns(new Map([[token, found]]));
    const before = of('published').length;
    market.onVerdicts();
    expect(verdictOf(token).measured, 'not in the middle of what its finder does').to.equal(null);
    await nextTurn();
    await nextTurn();
    expect(verdictOf(token)).to.deep.equal({ block: chain.head.hash, measured: found });
    expect(of('published').length).to.equal(before + 1);
    market.onVerdicts();
    await nextTurn();
    await nextTurn();
    expect(of('published').length, 'nothing was found').to.equal(before + 1);
    expect([market.isTraded(token), market.isOnChain(chain.head.hash), market.isOnChain(`0x${'9'.repeat(64)}`)]).to.deep.equal([true, true, false]);
    expect(market.contractsOf(token)).to.deep.equal(publisher.contractsOf(token));
  });
});
