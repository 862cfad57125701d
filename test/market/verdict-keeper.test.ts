import { expect } from 'chai';
import sinon from 'sinon';
import { LIMITS } from '../../src/config/limits.ts';
import { type Measured, type MeasuringFacts, type ProbedBlock, type Requested, VerdictKeeper, type VerdictsKept } from '../../src/market/market.ts';
import type { MeasuredVerdict } from '../../src/snapshot/snapshot.ts';
import { type Address, asAddress } from '../../src/units/units.ts';

const token = (n: number): Address => asAddress(`0x${n.toString(16).padStart(40, '0')}`);
const POOL = token(0xffff);
const blockAt = (number: number, branch = 'a'): ProbedBlock => ({ number, hash: `0x${branch}${number}`, baseFeePerGas: 1n });
const CLEAN: Measured = { kind: 'verdict', verdict: { kind: 'clean' } };

/** A keeper whose probes end when the test says so, on a chain that the test makes up. */
function keeperOf(
  traded: ReadonlySet<Address>,
  wellKnown: readonly Address[] = [],
  published: ReadonlyMap<Address, MeasuredVerdict> = new Map(),
  verdictBlocks = 1,
) {
  const begun: { readonly token: Address; readonly at: number; readonly end: (measured: Measured) => void }[] = [];
  const onMeasured = sinon.fake<[MeasuringFacts], void>();
  const onKept = sinon.fake<[VerdictsKept], void>();
  const gone = new Set<string>();
  const keeper = new VerdictKeeper({
    meter: { measure: (its, _, { number }) => new Promise((end) => begun.push({ token: its, at: number, end })) },
    isTraded: (its) => traded.has(its),
    contractsOf: (its) => (traded.has(its) ? [POOL] : []),
    deepestPools: () => [],
    pricesOthers: () => true,
    unitsFor: () => null,
    readAt: () => async (calls) => calls.map(() => `0x${'0'.repeat(63)}1` as const),
    isOnChain: (hash) => !gone.has(hash),
    onVerdicts: () => undefined,
    onMeasured,
    onKept,
    wellKnown: new Set(wellKnown),
    published: (its) => published.get(its) ?? null,
    wrappedNative: token(0xeee),
    verdictBlocks,
    now: () => performance.now(),
  });
  const publish = (block: ProbedBlock): void => {
    keeper.blockComes(block);
    keeper.take();
    keeper.published();
    keeper.blockPublished(block);
  };
  return { keeper, begun, gone, publish, onMeasured, kept: () => onKept.lastCall?.args[0] };
}

/** What was put off by promises that wait for nothing. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the keeper of verdicts', () => {
  let clock: sinon.SinonFakeTimers;
  beforeEach(() => {
    clock = sinon.useFakeTimers({ toFake: ['performance'] });
  });
  afterEach(() => clock.restore());

  const all = new Set(Array.from({ length: 64 }, (_, n) => token(n)));

  it('answers whoever waits once the verdict is published, and not before', async () => {
    const { keeper, begun, publish } = keeperOf(all);
    const told = sinon.fake<[Requested], void>();
    keeper.request([token(1), token(2)], told);
    publish(blockAt(7));
    await turn();
    expect(begun.map(({ token: its, at }) => [its, at])).to.deep.equal([
      [token(1), 7],
      [token(2), 7],
    ]);
    for (const { end } of begun) end(CLEAN);
    await turn();
    expect(told.args).to.deep.equal([]);
    expect(keeper.take()).to.deep.equal(new Map([1, 2].map((n) => [token(n), { verdict: { kind: 'clean' }, block: 7 }])));
    keeper.published();
    expect(told.args).to.deep.equal([[{ ok: true, block: 7 }]]);
  });

  it('one probe serves all who wait, one that runs ahead of them too, and a node that could not be asked is no verdict', async () => {
    const { keeper, begun, publish, onMeasured } = keeperOf(all);
    keeper.wanted([token(1)]);
    publish(blockAt(7));
    await turn();
    const told = sinon.fake<[Requested], void>();
    for (let n = 0; n < 5; n++) keeper.request([token(1)], told);
    await turn();
    expect(begun).to.have.length(1);
    begun[0]?.end({ kind: 'no-answer', message: 'timeout' });
    await turn();
    expect(told.args).to.deep.equal(Array(5).fill([{ ok: false, message: 'timeout' }]));
    expect(keeper.take().size).to.equal(0);
    expect(onMeasured.args).to.deep.equal([[{ outcome: 'no-answer', ahead: true, millis: 0, pools: { measured: 1, leftOut: 0 } }]]);
  });

  it('a verdict that holds at some pools alone names them by their marks, and is counted apart; against a well-known token it outlives the block that left the chain', async () => {
    const { keeper, begun, publish, kept, gone } = keeperOf(all, [token(1)]);
    publish(blockAt(7));
    keeper.request([token(1)], () => undefined);
    await turn();
    begun[0]?.end({ kind: 'verdict', verdict: { kind: 'clean' }, openAt: [asAddress(`0x${'ab'.repeat(20)}`), POOL] });
    await turn();
    // The mark of an address that begins with zeros alone is not 0, which stands for no pool.
    const measured = { verdict: { kind: 'clean' }, block: 7, openAt: [0xabababab, 1] } as const;
    expect(keeper.take().get(token(1))).to.deep.equal(measured);
    keeper.published();
    gone.add('0xa7');
    keeper.rolledBack();
    expect(keeper.take().size).to.equal(0);
    publish(blockAt(8));
    expect(kept()?.byKind.partial).to.equal(1);
  });

  it('measures what was asked for lately at each block, so many and so long, and what somebody waits for first', async () => {
    const { keeper, begun, publish } = keeperOf(all);
    const { aheadPerBlock, aheadMs, atOnce } = LIMITS.measuring;
    keeper.wanted([...all].slice(0, aheadPerBlock + 5));
    publish(blockAt(1));
    let ended = 0;
    const endAll = async (): Promise<void> => {
      for (await turn(); ended < begun.length; await turn()) begun[ended++]?.end(CLEAN);
    };
    await turn();
    expect(begun).to.have.length(atOnce);
    keeper.request([token(60)], () => undefined);
    begun[ended++]?.end(CLEAN);
    await turn();
    await turn();
    expect(begun.at(-1)?.token).to.equal(token(60));
    await endAll();
    expect(begun).to.have.length(aheadPerBlock + 1);
    // At the next block, after the time is over none is begun.
    clock.tick(aheadMs);
    publish(blockAt(2));
    clock.tick(aheadMs);
    await endAll();
    expect(begun).to.have.length(aheadPerBlock + 1 + atOnce);
  });

  it('measures no more in the time of several short blocks than in that of one', async () => {
    const { keeper, begun, publish } = keeperOf(all);
    const { aheadPerBlock, aheadMs } = LIMITS.measuring;
    let ended = 0;
    for (let block = 1; block <= 5; block++) {
      keeper.wanted([...all]);
      publish(blockAt(block));
      for (await turn(); ended < begun.length; await turn()) begun[ended++]?.end(CLEAN);
      clock.tick(aheadMs / 4);
    }
    expect(begun).to.have.length(2 * aheadPerBlock);
  });

  it('of 100 hot tokens keeps the same fresh that are asked for most, and measures each newcomer once, at a bounded cost for each block', async () => {
    const { aheadPerBlock, aheadMs, aheadNewcomersOneIn } = LIMITS.measuring;
    const hundred = Array.from({ length: 100 }, (_, n) => token(n));
    const { keeper, begun, publish, kept } = keeperOf(new Set(hundred));
    const most = aheadPerBlock - aheadPerBlock / aheadNewcomersOneIn;
    /** Where those begin that are asked for least. */
    const hottest = hundred.slice(50, 50 + most);
    let ended = 0;
    const measuredOf = async (number: number): Promise<readonly Address[]> => {
      keeper.wanted(hundred);
      for (let times = 0; times < 3; times++) keeper.wanted(hottest);
      const from = begun.length;
      publish(blockAt(number));
      for (await turn(); ended < begun.length; await turn()) begun[ended++]?.end(CLEAN);
      clock.tick(aheadMs);
      return begun.slice(from).map((one) => one.token);
    };
    const seen = new Set<Address>();
    for (let block = 1; block <= 60; block++) {
      const measured = await measuredOf(block);
      expect(measured.length, `block ${block}`).to.be.at.most(aheadPerBlock);
      if (block > 1) expect(measured, `block ${block}`).to.include.members(hottest);
      for (const its of measured) seen.add(its);
      keeper.take();
      keeper.published();
    }
    expect(seen.size).to.equal(hundred.length);
    // Nothing is new by now: what is left over goes to the same tokens at every block.
    const [one, other] = [await measuredOf(61), await measuredOf(62)];
    expect([...other].sort()).to.deep.equal([...one].sort());
    expect(kept()).to.deep.include({ oldest: 1, hot: { fresh: aheadPerBlock, old: hundred.length - aheadPerBlock } });
  });

  it('tokens that the node gives no answer about take no places from those that nobody tried', async () => {
    const { aheadPerBlock, aheadMs } = LIMITS.measuring;
    const hundred = Array.from({ length: 100 }, (_, n) => token(n));
    const { keeper, begun, publish } = keeperOf(new Set(hundred));
    const mute = new Set(hundred.slice(0, aheadPerBlock));
    let ended = 0;
    for (let block = 1; block <= 40; block++) {
      keeper.wanted(hundred);
      keeper.wanted([...mute]);
      publish(blockAt(block));
      for (await turn(); ended < begun.length; await turn()) {
        const one = begun[ended++];
        one?.end(mute.has(one.token) ? { kind: 'no-answer', message: 'refused' } : CLEAN);
      }
      clock.tick(aheadMs);
    }
    expect(new Set(begun.map((one) => one.token)).size).to.equal(hundred.length);
  });

  it('keeps of more tokens than may be hot those that are asked for most', async () => {
    const { hotTokens, hotMs } = LIMITS.measuring;
    const many = Array.from({ length: hotTokens + 50 }, (_, n) => token(n));
    const { keeper, begun, publish, kept } = keeperOf(new Set(many));
    for (let times = 0; times < 3; times++) keeper.wanted(many.slice(0, 50));
    keeper.wanted(many.slice(50));
    publish(blockAt(1));
    await turn();
    const { fresh, old } = kept()?.hot ?? { fresh: 0, old: 0 };
    expect(fresh + old).to.equal(hotTokens);
    for (const { token: its } of begun) expect(many.indexOf(its)).to.be.below(50);
    clock.tick(hotMs + 1);
    publish(blockAt(2));
    publish(blockAt(3));
    expect(kept()?.hot).to.deep.equal({ fresh: 0, old: 0 });
  });

  it('measures again for whoever began to wait while a probe of blocks before was under way, and not where its verdict still serves', async () => {
    for (const [bound, probes, found] of [
      [1, 2, 3],
      [2, 1, 1],
    ] as const) {
      const { keeper, begun, publish } = keeperOf(all, [], new Map(), bound);
      keeper.wanted([token(1)]);
      publish(blockAt(1));
      await turn();
      publish(blockAt(3));
      const told = sinon.fake<[Requested], void>();
      keeper.request([token(1)], told);
      begun[0]?.end({ kind: 'verdict', verdict: { kind: 'gated', reason: 'paused' } });
      await turn();
      await turn();
      begun[1]?.end(CLEAN);
      await turn();
      expect(begun.map(({ at }) => at)).to.deep.equal([1, 3].slice(0, probes));
      expect(keeper.take().get(token(1))?.block).to.equal(found);
      keeper.published();
      expect(told.args).to.deep.equal([[{ ok: true, block: found }]]);
    }
  });

  it('where a verdict serves for several blocks, measures again at half of them', async () => {
    const { keeper, begun, publish } = keeperOf(all, [], new Map(), 8);
    let ended = 0;
    for (let block = 1; block <= 10; block++) {
      keeper.wanted([token(1)]);
      publish(blockAt(block));
      for (await turn(); ended < begun.length; await turn()) begun[ended++]?.end(CLEAN);
      clock.tick(250);
    }
    expect(begun.map(({ at }) => at)).to.deep.equal([1, 5, 9]);
  });

  it('drops what was measured at a block that left the chain, and measures again what was under way at it', async () => {
    const { keeper, begun, publish, gone } = keeperOf(all);
    keeper.wanted([token(1)]);
    publish(blockAt(5));
    await turn();
    begun[0]?.end(CLEAN);
    await turn();
    expect(keeper.take().get(token(1))?.block).to.equal(5);
    keeper.published();
    const told = sinon.fake<[Requested], void>();
    keeper.request([token(2)], told);
    await turn();
    gone.add('0xa5');
    keeper.rolledBack();
    expect(keeper.take()).to.deep.equal(new Map([[token(1), { verdict: { kind: 'unmeasurable' }, block: 0 }]]));
    publish(blockAt(5, 'b'));
    begun.find((one) => one.token === token(2))?.end({ kind: 'verdict', verdict: { kind: 'gated', reason: 'honeypot' } });
    await turn();
    await turn();
    const again = begun.filter((one) => one.token === token(2));
    expect(again).to.have.length(2);
    again[1]?.end(CLEAN);
    await turn();
    expect(keeper.take().get(token(2))).to.deep.equal({ verdict: { kind: 'clean' }, block: 5 });
    keeper.published();
    expect(told.args).to.deep.equal([[{ ok: true, block: 5 }]]);
  });

  it('forgets a token that nobody asks for, and one whose pools are gone', async () => {
    const traded = new Set([token(1)]);
    const { keeper, begun, publish, kept } = keeperOf(traded);
    keeper.wanted([token(1)]);
    const told = sinon.fake<[Requested], void>();
    publish(blockAt(1));
    await turn();
    begun[0]?.end(CLEAN);
    await turn();
    publish(blockAt(2));
    expect(kept()).to.deep.equal({ byKind: { clean: 1 }, oldest: 1, hot: { fresh: 1, old: 0 } });
    await turn();
    begun[1]?.end(CLEAN);
    await turn();
    traded.clear();
    keeper.request([token(1)], told);
    await turn();
    expect(told.args).to.deep.equal([[{ ok: true, block: null }]]);
    expect(begun).to.have.length(2);
    traded.add(token(1));
    keeper.wanted([token(1)]);
    clock.tick(LIMITS.measuring.hotMs + 1);
    publish(blockAt(3));
    publish(blockAt(4));
    await turn();
    expect(begun).to.have.length(2);
    expect(kept()).to.deep.equal({ byKind: {}, oldest: 0, hot: { fresh: 0, old: 0 } });
  });

  it('lets addresses that no pool trades take nobody’s place', async () => {
    const { keeper, begun, publish } = keeperOf(new Set([token(1)]));
    keeper.wanted([token(1)]);
    publish(blockAt(1));
    await turn();
    begun[0]?.end(CLEAN);
    await turn();
    keeper.wanted(Array.from({ length: LIMITS.measuring.hotTokens }, (_, n) => token(1000 + n)));
    publish(blockAt(2));
    await turn();
    expect(begun.map(({ token: its, at }) => [its, at])).to.deep.equal([
      [token(1), 1],
      [token(1), 2],
    ]);
  });

  it('does not take a well-known token for plain again because the block left the chain at which it was found not to be', async () => {
    const { keeper, begun, publish, gone } = keeperOf(all, [token(1)]);
    publish(blockAt(5));
    keeper.request([token(1)], () => undefined);
    await turn();
    begun[0]?.end({ kind: 'verdict', verdict: { kind: 'taxed', buyPpm: 0, sellPpm: 50_000, scope: 'sell-only' } });
    await turn();
    expect(keeper.take().get(token(1))?.verdict.kind).to.equal('taxed');
    keeper.published();
    gone.add('0xa5');
    keeper.rolledBack();
    keeper.blockComes(blockAt(5, 'b'));
    expect(keeper.take()).to.deep.equal(new Map());
    // And it is measured again at once.
    publish(blockAt(5, 'b'));
    await turn();
    expect(begun.map((one) => one.token)).to.deep.equal([token(1), token(1)]);
    begun[1]?.end(CLEAN);
    await turn();
    expect(keeper.take()).to.deep.equal(new Map([[token(1), { verdict: { kind: 'clean' }, block: 5 }]]));
  });

  it('believes what a thread before it found against a well-known token, and measures that again once it is asked for', async () => {
    const gated: MeasuredVerdict = { verdict: { kind: 'gated', reason: 'paused' }, block: 4 };
    const { keeper, begun, publish } = keeperOf(
      all,
      [token(1), token(2)],
      new Map([
        [token(1), gated],
        [token(2), { verdict: { kind: 'unmeasurable' }, block: 0 }],
      ]),
    );
    keeper.blockComes(blockAt(5));
    expect([...keeper.take().keys()]).to.deep.equal([token(2)]);
    keeper.wanted([token(1)]);
    publish(blockAt(5));
    await turn();
    expect(begun.map((one) => one.token)).to.deep.equal([token(1)]);
  });

  it('takes well-known tokens for plain without a probe, and the wrapped native token always', async () => {
    const { keeper, begun, publish } = keeperOf(all, [token(1), token(0xeee)]);
    keeper.blockComes(blockAt(1));
    expect([...keeper.take().keys()]).to.have.members([token(1), token(0xeee)]);
    keeper.wanted([token(1), token(0xeee)]);
    publish(blockAt(1));
    publish(blockAt(2));
    await turn();
    expect(begun).to.deep.equal([]);
    keeper.request([token(0xeee)], () => undefined);
    await turn();
    expect(keeper.take().get(token(0xeee))).to.deep.equal({ verdict: { kind: 'clean' }, block: 2 });
    // Seldom is not never.
    publish(blockAt(1 + LIMITS.transfers.wellKnownBlocks));
    await turn();
    expect(begun.map((one) => one.token)).to.deep.equal([token(1)]);
  });
});
