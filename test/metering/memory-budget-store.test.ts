import { expect } from 'chai';
import type { BudgetOwner } from '../../src/metering/budget-store.ts';
import { MemoryBudgetStore } from '../../src/metering/memory-budget-store.ts';
import type { InstantMicros } from '../../src/metering/token-bucket.ts';

const at = (micros: number) => micros as InstantMicros;
const ip = (id: string): BudgetOwner => ({ id, kind: 'ip', rps: 3 });
const key = (id: string, rps = 100): BudgetOwner => ({ id, kind: 'key', rps });

describe('the store of budgets in memory', () => {
  it('never holds more address buckets than its bound, and further addresses share one bucket', async () => {
    const store = new MemoryBudgetStore(100);
    for (let i = 0; i < 1000; i++) await store.take(ip(`10.0.0.${i}`), at(i));
    expect(store.size).to.be.at.most(100);
    const strangers = [];
    for (let i = 0; i < 10; i++) strangers.push((await store.take(ip(`10.9.9.${i}`), at(1000))).allowed);
    expect(strangers).to.include(false);
  });

  it('forgets only full buckets: an address that spent its burst finds it spent after a flood of others', async () => {
    const store = new MemoryBudgetStore(50);
    for (let i = 0; i < 4; i++) await store.take(ip('victim'), at(0));
    for (let i = 0; i < 500; i++) await store.take(ip(`flood-${i}`), at(i));
    expect((await store.take(ip('victim'), at(500))).allowed).to.equal(false);
  });

  it('lets go of what has refilled, so that a flood leaves no buckets behind', async () => {
    const store = new MemoryBudgetStore(10_000);
    for (let i = 0; i < 5000; i++) await store.take(ip(`flood-${i}`), at(i));
    for (let i = 0; i < 2000; i++) await store.take(ip(`later-${i}`), at(10_000_000 + i * 1_000_000));
    expect(store.size).to.be.at.most(5);
  });

  it('an arrival does a bounded amount of work: of whatever has refilled it lets go of four buckets at most', async () => {
    for (const limit of [1000, 2]) {
      const store = new MemoryBudgetStore(limit);
      for (let i = 0; i < 1000; i++) await store.take(ip(`flood-${i}`), at(0));
      const held = store.size;
      await store.take(ip('later'), at(10_000_000));
      expect(store.size).to.equal(held - Math.min(4, held) + 1);
    }
    const keys = new MemoryBudgetStore(1);
    for (let i = 0; i < 100; i++) await keys.take(key(`partner-${i}`), at(0));
    await keys.take(key('later'), at(10_000_000));
    expect(keys.size).to.equal(100 - 4 + 1);
  });

  it('keys are never crowded out by addresses', async () => {
    const store = new MemoryBudgetStore(10);
    for (let i = 0; i < 1000; i++) await store.take(ip(`a${i}`), at(0));
    for (const id of ['partner01', 'partner02']) {
      expect(await store.take(key(id), at(0))).to.deep.equal({ limit: 100, remaining: 119, allowed: true });
      expect((await store.take(key(id), at(0))).remaining).to.equal(118);
    }
    expect(store.size).to.equal(12);
  });

  it('addresses that share one bucket see, spend and give back what is left in it', async () => {
    const store = new MemoryBudgetStore(2);
    for (const id of ['a', 'b']) await store.take(ip(id), at(0));
    // Nobody has come to share it yet: it is full.
    expect((await store.peek(ip('c'), at(0))).remaining).to.equal(4);
    expect((await store.take(ip('c'), at(0))).remaining).to.equal(3);
    expect((await store.take(ip('d'), at(0))).remaining).to.equal(2);
    expect((await store.refund(ip('e'), at(0))).remaining).to.equal(3);
    expect((await store.peek(ip('f'), at(0))).remaining).to.equal(3);
    expect((await store.peek(ip('a'), at(0))).remaining).to.equal(3);
    expect(store.size).to.equal(2);
  });

  it('an address and a key of the same text are two owners', async () => {
    const store = new MemoryBudgetStore(10);
    for (let i = 0; i < 4; i++) await store.take(ip('same'), at(0));
    expect((await store.take({ ...key('same'), rps: 3 }, at(0))).allowed).to.equal(true);
  });

  it('a key whose rate changed keeps what it had, within its new burst', async () => {
    const store = new MemoryBudgetStore(10);
    await store.take(key('k', 100), at(0));
    expect((await store.peek(key('k', 10), at(0))).remaining).to.equal(15);
    expect((await store.peek(key('k', 1000), at(0))).remaining).to.equal(15);
    expect((await store.peek(key('k', 1000), at(1_000_000))).remaining).to.equal(1015);
  });

  it('a refund of a request from before its key’s rate rose takes nothing away', async () => {
    const store = new MemoryBudgetStore(10);
    await store.take(key('k', 2), at(0));
    await store.take(key('k', 1000), at(2_000_000));
    const before = (await store.peek(key('k', 1000), at(2_000_000))).remaining;
    await store.refund(key('k', 2), at(2_000_000));
    expect((await store.peek(key('k', 1000), at(2_000_000))).remaining).to.equal(before + 1);
  });

  it('a look makes no bucket, and neither does a refund', async () => {
    const store = new MemoryBudgetStore(10);
    await store.peek(ip('a'), at(0));
    await store.refund(ip('b'), at(0));
    expect(store.size).to.equal(0);
  });
});
