import { expect } from 'chai';
import fc from 'fast-check';
import { FairQueue, LANES, type Lane, type Waiting } from '../../src/solving/fair-queue.ts';
import { check } from '../support/property.ts';

type Job = Waiting & { readonly name: string };

const job = (client: string, estimateMs: number, lane: Lane = 'long', name = ''): Job => ({ client, estimateMs, lane, name });

describe('the fair queue', () => {
  /** Serves until so much time of one thread is used up; each job takes `actual` of its estimate. Clients named are kept supplied. */
  function serve(queue: FairQueue<Job>, supply: readonly Job[], totalMs: number, actual: (job: Job) => number = ({ estimateMs }) => estimateMs) {
    const used = new Map(supply.map(({ client }) => [client, 0]));
    for (let time = 0; time < totalMs; ) {
      for (const { client, estimateMs, lane } of supply) for (let i = 0; i < 2; i++) queue.push(job(client, estimateMs, lane));
      const next = queue.next(LANES);
      if (next === undefined) throw new Error('supplied, but empty');
      const ranMs = actual(next);
      queue.ended(next, ranMs);
      used.set(next.client, (used.get(next.client) ?? 0) + ranMs);
      time += ranMs;
    }
    return used;
  }

  it('gives clients equal shares of time, however long their jobs and however many they send', () => {
    const used = serve(new FairQueue<Job>(64), [job('heavy', 297), job('cheap', 1.3), job('middling', 20)], 30_000);
    for (const [client, ms] of used) expect(ms, client).to.be.within(10_000 - 600, 10_000 + 600);
  });

  it('charges what a job took, not what it was thought to take', () => {
    const used = serve(new FairQueue<Job>(64), [job('liar', 1), job('honest', 10)], 20_000, ({ client }) => (client === 'liar' ? 100 : 10));
    for (const [client, ms] of used) expect(ms, client).to.be.within(9_700, 10_300);
  });

  it('counts what a client is charged besides as used, until it is given back', () => {
    const queue = new FairQueue<Job>(64);
    const running = job('busy', 1000);
    queue.push(running);
    expect(queue.next(LANES)).to.equal(running);
    queue.push(job('charged', 10));
    queue.push(job('other', 10));
    queue.charge('charged', 100);
    expect([queue.next(LANES)?.client, queue.next(LANES)?.client]).to.deep.equal(['other', 'charged']);
    queue.push(job('charged', 10));
    queue.push(job('other', 10));
    queue.charge('charged', -100);
    queue.charge('other', 1);
    expect([queue.next(LANES)?.client, queue.next(LANES)?.client]).to.deep.equal(['charged', 'other']);
  });

  it('puts what waits of one client into other lanes, in the order in which it came, and counts it there', () => {
    const queue = new FairQueue<Job>(64);
    const names = ['a', 'b', 'c', 'd'];
    for (const [index, name] of names.entries()) queue.push(job('one', 10, index % 2 === 0 ? 'short' : 'long', name));
    queue.push(job('other', 10, 'short', 'theirs'));
    expect(queue.waitsIn('suspect')).to.equal(false);
    queue.relane('one', ({ name, lane }) => (name === 'd' ? lane : 'suspect'));
    expect(queue.waitsIn('suspect')).to.equal(true);
    expect(queue.aheadOf('one', LANES)).to.deep.equal({ short: 10, long: 10, suspect: 30 });
    expect([queue.next(['short'])?.name, queue.next(['short'])]).to.deep.equal(['theirs', undefined]);
    const suspects = [queue.next(['suspect']), queue.next(['suspect']), queue.next(['suspect'])].map((entry) => entry?.name);
    expect(suspects.toSorted()).to.deep.equal(['a', 'b', 'c']);
    expect([queue.next(['long'])?.name, queue.depth]).to.deep.equal(['d', 0]);
    queue.relane('nobody', () => 'suspect');
  });

  it('what waits can be valued anew, whoever waits and wherever, and leaves with what it was valued at last', () => {
    const queue = new FairQueue<Job>(64);
    const [one, two, ahead] = [job('one', 1), job('two', 2, 'short'), job('two', 3, 'suspect')];
    queue.push(one);
    queue.push(two);
    queue.pushAhead(ahead);
    queue.revalue(({ estimateMs }) => 100 * estimateMs);
    expect(queue.backlogMs()).to.equal(600);
    expect(queue.aheadOf('three', LANES)).to.deep.equal({ short: 0, long: 0, suspect: 300 });
    expect(queue.next(LANES)).to.equal(ahead);
    expect(queue.remove(one)).to.equal(true);
    expect(queue.backlogMs()).to.equal(200);
    queue.ended(ahead, 300);
    queue.ended(queue.next(LANES) as Job, 200);
    expect(queue.backlogMs()).to.equal(0);
  });

  it('whoever rests saves up no claim', () => {
    const queue = new FairQueue<Job>(1000);
    for (let i = 0; i < 101; i++) queue.push(job('busy', 10));
    for (let i = 0; i < 100; i++) queue.ended(queue.next(LANES) as Job, 10);
    for (let i = 0; i < 100; i++) for (const client of ['busy', 'late']) queue.push(job(client, 10));
    const turns = Array.from({ length: 20 }, () => {
      const next = queue.next(LANES) as Job;
      queue.ended(next, 10);
      return next.client;
    });
    expect(turns.filter((client) => client === 'late')).to.have.length.within(9, 11);
  });

  it('whoever has used more than its share is not helped by leaving for a moment', () => {
    const queue = new FairQueue<Job>(1000);
    for (let i = 0; i < 100; i++) queue.push(job('steady', 10));
    queue.push(job('greedy', 500));
    const greedy: Job[] = [];
    for (let i = 0; i < 30; i++) {
      const next = queue.next(LANES) as Job;
      queue.ended(next, next.estimateMs);
      if (next.client !== 'greedy') continue;
      greedy.push(next);
      queue.push(job('greedy', 500));
    }
    expect(greedy).to.have.length(1);
  });

  it('is first in, first out within a client and a lane; a lane may be served by itself', () => {
    const queue = new FairQueue<Job>(10);
    for (const [name, lane] of [
      ['a', 'long'],
      ['b', 'short'],
      ['c', 'long'],
      ['d', 'short'],
    ] as const)
      queue.push(job('x', 1, lane, name));
    const take = (lanes: readonly Lane[]) => queue.next(lanes)?.name;
    expect([take(['short']), take(LANES), take(LANES), take(['short']), take(LANES)]).to.deep.equal(['b', 'a', 'c', 'd', undefined]);
  });

  it('what is put ahead comes before all others, in its own order', () => {
    const queue = new FairQueue<Job>(1);
    queue.push(job('x', 1, 'long', 'first'));
    queue.pushAhead(job('y', 1, 'short', 'second'));
    queue.pushAhead(job('x', 1, 'long', 'third'));
    expect([1, 2, 3].map(() => queue.next(LANES)?.name)).to.deep.equal(['second', 'third', 'first']);
  });

  it('a client that floods it leaves room for others', () => {
    const queue = new FairQueue<Job>(512);
    const taken = Array.from({ length: 1000 }, () => queue.push(job('flood', 1))).filter(Boolean);
    expect(taken).to.have.length(256);
    expect(queue.isFullFor('flood')).to.equal(true);
    expect(queue.isFullFor('other')).to.equal(false);
    for (let i = 0; i < 64; i++) expect(queue.push(job('other', 1))).to.equal(true);
  });

  it('what is ahead of a client is what it would really be served after', () => {
    check(
      fc.property(fc.array(fc.record({ client: fc.constantFrom('a', 'b', 'c'), estimateMs: fc.integer({ min: 1, max: 50 }) }), { maxLength: 40 }), (jobs) => {
        const queue = new FairQueue<Job>(512);
        for (const { client, estimateMs } of jobs) queue.push(job(client, estimateMs));
        const expected = queue.aheadOf('a', LANES).long;
        const mine = job('a', 1, 'long', 'mine');
        queue.push(mine);
        let served = 0;
        for (let next = queue.next(LANES); next !== undefined && next !== mine; next = queue.next(LANES)) {
          served += next.estimateMs;
          queue.ended(next, next.estimateMs);
        }
        // A job is not cut in two: each of the others may be one job off.
        expect(served).to.be.within(expected - 100, expected + 100);
      }),
      100,
    );
  });

  it('remembers nobody who has nothing to answer for, and knows its depth and work exactly', () => {
    check(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.constantFrom<Lane>(...LANES), fc.integer({ min: 1, max: 5 })), { maxLength: 60 }),
        (steps) => {
          const queue = new FairQueue<Job>(20);
          const waiting: Job[] = [];
          const running: Job[] = [];
          for (const [step, lane, number] of steps) {
            const entry = job(`client ${number}`, number, lane);
            if (step < 2) {
              if (queue.push(entry)) waiting.push(entry);
            } else if (step === 2) {
              const next = queue.next([lane]);
              if (next !== undefined) running.push(...waiting.splice(waiting.indexOf(next), 1));
            } else if (running.length > 0) queue.ended(running.shift() as Job, number);
            else expect(queue.remove(entry)).to.equal(false);
            expect(queue.depth).to.equal(waiting.length);
            expect(queue.backlogMs()).to.be.closeTo(
              waiting.reduce((sum, { estimateMs }) => sum + estimateMs, 0),
              1e-9,
            );
          }
          for (const entry of waiting) expect(queue.remove(entry)).to.equal(true);
          for (const entry of running) queue.ended(entry, 1);
          expect([queue.depth, queue.clients]).to.deep.equal([0, 0]);
        },
      ),
      200,
    );
  });

  it('its memory of clients is bounded', () => {
    const queue = new FairQueue<Job>(512);
    queue.push(job('steady', 1));
    queue.push(job('steady', 1));
    queue.next(LANES);
    for (let i = 0; i < 20_000; i++) {
      queue.pushAhead(job(`client ${i}`, 1));
      queue.ended(queue.next(LANES) as Job, 1000);
    }
    expect(queue.clients).to.be.at.most(4097);
  });

  it('hands out what waits ahead once, and lets it leave, although another job of its client left the queue', () => {
    for (const leaves of [false, true]) {
      const queue = new FairQueue<Job>(64);
      const [busy, ahead, left] = [job('busy', 10), job('x', 1, 'long', 'ahead'), job('x', 1, 'long', 'left')];
      queue.push(busy);
      queue.next(LANES);
      queue.pushAhead(ahead);
      queue.push(left);
      expect(queue.remove(left)).to.equal(true);
      if (leaves) expect(queue.remove(ahead)).to.equal(true);
      else expect(queue.next(LANES)?.name).to.equal('ahead');
      expect([queue.depth, queue.next(LANES)?.name]).to.deep.equal([0, undefined]);
    }
  });

  it('keeps the order in which jobs came when they move to another lane', () => {
    const queue = new FairQueue<Job>(64);
    for (const [index, name] of ['a', 'b', 'c', 'd'].entries()) queue.push(job('one', 10, index % 2 === 0 ? 'short' : 'long', name));
    queue.relane('one', () => 'suspect');
    expect([1, 2, 3, 4].map(() => queue.next(['suspect'])?.name)).to.deep.equal(['a', 'b', 'c', 'd']);
  });

  it('gives back nothing that is not owed any more: who was charged and cleared has its share of turns, and no more', () => {
    const queue = new FairQueue<Job>(1000);
    for (let i = 0; i < 200; i++) queue.push(job('busy', 50));
    queue.charge('charged', 2000);
    for (let i = 0; i < 60; i++) queue.ended(queue.next(LANES) as Job, 50);
    const again = job('charged', 1);
    queue.push(again);
    for (let i = 0; i < 20; i++) queue.push(job('charged', 50));
    let taken = queue.next(LANES) as Job;
    for (; taken !== again; taken = queue.next(LANES) as Job) queue.ended(taken, 50);
    queue.ended(again, 1);
    queue.charge('charged', -2000);
    const turns = Array.from({ length: 10 }, () => queue.next(LANES)?.client);
    expect(turns.filter((client) => client === 'busy').length, turns.join()).to.be.within(4, 6);
  });

  it('remembers a charge while nobody is there, and begins newcomers below who waits in other lanes', () => {
    const queue = new FairQueue<Job>(64);
    const first = job('charged', 1);
    queue.push(first);
    queue.next(LANES);
    queue.ended(first, 1);
    queue.charge('charged', 2000);
    queue.push(job('charged', 1, 'suspect'));
    expect(queue.next(['short', 'long'])).to.equal(undefined);
    queue.push(job('newcomer', 1, 'suspect'));
    expect([queue.next(['suspect'])?.client, queue.next(['suspect'])?.client]).to.deep.equal(['newcomer', 'charged']);
  });
});
