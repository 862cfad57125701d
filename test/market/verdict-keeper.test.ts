import { expect } from 'chai';
import { LIMITS } from '../../src/config/limits.ts';
import { type Measured, type MeasuringFacts, type ProbedBlock, VerdictKeeper, type VerdictsKept } from '../../src/market/market.ts';
import type { MeasuredVerdict } from '../../src/snapshot/snapshot.ts';
import { type Address, asAddress } from '../../src/units/units.ts';

const token = (n: number): Address => asAddress(`0x${n.toString(16).padStart(40, '0')}`);
const POOL = token(0xffff);
const blockAt = (number: number, branch = 'a'): ProbedBlock => ({ number, hash: `0x${branch}${number}`, baseFeePerGas: 1n });
const CLEAN: Measured = { kind: 'verdict', verdict: { kind: 'clean' } };

/** A keeper whose probes end when the test says so, on a chain that the test makes up. */
function keeperOf(traded: ReadonlySet<Address>, wellKnown: readonly Address[] = [], published: ReadonlyMap<Address, MeasuredVerdict> = new Map()) {
  const begun: { readonly token: Address; readonly at: number; readonly end: (measured: Measured) => void }[] = [];
  const facts: MeasuringFacts[] = [];
  const kept: VerdictsKept[] = [];
  const gone = new Set<string>();
  const time = { now: 0 };
  let offered = 0;
  const keeper = new VerdictKeeper({
    meter: { measure: (its, _, { number }) => new Promise((end) => begun.push({ token: its, at: number, end })) },
    isTraded: (its) => traded.has(its),
    contractsOf: (its) => (traded.has(its) ? [POOL] : []),
    deepestPools: () => [],
    readAt: () => async (calls) => calls.map(() => `0x${'0'.repeat(63)}1` as const),
    isOnChain: (hash) => !gone.has(hash),
    onVerdicts: () => offered++,
    onMeasured: (fact) => facts.push(fact),
    onKept: (state) => kept.push(state),
    wellKnown: new Set(wellKnown),
    published: (its) => published.get(its) ?? null,
    wrappedNative: token(0xeee),
    now: () => time.now,
  });
  const publish = (block: ProbedBlock): void => {
    keeper.blockComes(block);
    keeper.take();
    keeper.published();
    keeper.blockPublished(block);
  };
  return { keeper, begun, facts, kept, gone, time, publish, offered: () => offered };
}

/** What was put off by promises that wait for nothing. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the keeper of verdicts', () => {
  const all = new Set(Array.from({ length: 64 }, (_, n) => token(n)));

  it('answers whoever waits once the verdict is published, and not before', async () => {
    const { keeper, begun, publish } = keeperOf(all);
    const told: (string | null)[] = [];
    keeper.request([token(1), token(2)], (failure) => told.push(failure));
    publish(blockAt(7));
    await turn();
    expect(begun.map(({ token: its, at }) => [its, at])).to.deep.equal([
      [token(1), 7],
      [token(2), 7],
    ]);
    for (const { end } of begun) end(CLEAN);
    await turn();
    expect(told).to.deep.equal([]);
    expect(keeper.take()).to.deep.equal(new Map([1, 2].map((n) => [token(n), { verdict: { kind: 'clean' }, block: 7 }])));
    keeper.published();
    expect(told).to.deep.equal([null]);
  });

  it('one probe serves all who wait, one that runs ahead of them too, and a node that could not be asked is no verdict', async () => {
    const { keeper, begun, publish, facts } = keeperOf(all);
    keeper.wanted([token(1)]);
    publish(blockAt(7));
    await turn();
    const told: (string | null)[] = [];
    for (let n = 0; n < 5; n++) keeper.request([token(1)], (failure) => told.push(failure));
    await turn();
    expect(begun).to.have.length(1);
    begun[0]?.end({ kind: 'no-answer', message: 'timeout' });
    await turn();
    expect(told).to.deep.equal(Array(5).fill('timeout'));
    expect(keeper.take().size).to.equal(0);
    expect(facts).to.deep.equal([{ outcome: 'no-answer', ahead: true, millis: 0 }]);
  });

  it('a probe that was begun for an older block than serves whoever waits is followed by another at the newest, whatever it found', async () => {
    for (const old of [CLEAN, { kind: 'no-answer', message: 'the block is gone' }] as const) {
      const { keeper, begun, publish } = keeperOf(all);
      keeper.wanted([token(1)]);
      publish(blockAt(7));
      await turn();
      const told: (string | null)[] = [];
      keeper.request([token(1)], (failure) => told.push(failure));
      for (let number = 8; number <= 7 + LIMITS.transfers.verdictBlocks + 1; number++) publish(blockAt(number));
      keeper.request([token(1)], (failure) => told.push(failure));
      begun[0]?.end(old);
      await turn();
      keeper.take();
      keeper.published();
      // Who asked at its own block is served by it.
      expect(told).to.deep.equal([old === CLEAN ? null : 'the block is gone']);
      const newest = 8 + LIMITS.transfers.verdictBlocks;
      expect(begun.map(({ at }) => at)).to.deep.equal([7, newest]);
      begun[1]?.end(CLEAN);
      await turn();
      expect(keeper.take().get(token(1))?.block).to.equal(newest);
      keeper.published();
      expect(told[1]).to.equal(null);
    }
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
    expect(kept.at(-1)?.byKind.partial).to.equal(1);
  });

  it('measures what was asked for lately at each block, so many and so long, and what somebody waits for first', async () => {
    const { keeper, begun, publish, time } = keeperOf(all);
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
    // At the next block those that were left out come first; after the time is over none is begun.
    publish(blockAt(2));
    time.now += aheadMs;
    await turn();
    const second = begun.slice(aheadPerBlock + 1).map((one) => one.token);
    expect(second).to.deep.equal([...all].slice(aheadPerBlock, aheadPerBlock + atOnce));
    await endAll();
    expect(begun).to.have.length(aheadPerBlock + 1 + atOnce);
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
    const told: (string | null)[] = [];
    keeper.request([token(2)], (failure) => told.push(failure));
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
    expect(told).to.deep.equal([null]);
  });

  it('forgets a token that nobody asks for, and one whose pools are gone', async () => {
    const traded = new Set([token(1)]);
    const { keeper, begun, publish, time, kept } = keeperOf(traded);
    keeper.wanted([token(1)]);
    const told: (string | null)[] = [];
    publish(blockAt(1));
    await turn();
    begun[0]?.end(CLEAN);
    await turn();
    publish(blockAt(2));
    expect(kept.at(-1)).to.deep.equal({ byKind: { clean: 1 }, oldest: 1 });
    await turn();
    begun[1]?.end(CLEAN);
    await turn();
    traded.clear();
    keeper.request([token(1)], (failure) => told.push(failure));
    await turn();
    expect(told).to.deep.equal([null]);
    expect(begun).to.have.length(2);
    traded.add(token(1));
    keeper.wanted([token(1)]);
    time.now += LIMITS.measuring.hotMs + 1;
    publish(blockAt(3));
    publish(blockAt(4));
    await turn();
    expect(begun).to.have.length(2);
    expect(kept.at(-1)).to.deep.equal({ byKind: {}, oldest: 0 });
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
