import { expect } from 'chai';
import fc from 'fast-check';
import { EachTurn } from '../../src/http/each-turn.ts';
import { collectGarbage } from '../support/collect-garbage.ts';
import { SEED } from '../support/seeded-random.ts';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('what is begun in one turn of the event loop', () => {
  it('is at once where there is room', () => {
    const turns = new EachTurn(2);
    const begun: number[] = [];
    turns.begin(() => begun.push(1));
    turns.begin(() => begun.push(2));
    expect(begun).to.deep.equal([1, 2]);
  });

  it('is no more than the limit, and the rest follows in order, with turns for others in between', async () => {
    const turns = new EachTurn(3);
    const seen: (number | string)[] = [];
    for (let i = 0; i < 8; i++) turns.begin(() => seen.push(i));
    setImmediate(() => seen.push('other'));
    expect(seen).to.deep.equal([0, 1, 2]);
    await turn();
    await turn();
    await turn();
    expect(seen).to.deep.equal([0, 1, 2, 3, 4, 5, 'other', 6, 7]);
    turns.begin(() => seen.push('later'));
    expect(seen.at(-1)).to.equal('later');
  });

  it('keeps its limit and its order whatever comes when, what begins more included', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 5 }), fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 8 }), async (most, comings) => {
        const turns = new EachTurn(most);
        const [wanted, seen]: [number[], number[]] = [[], []];
        let now = 0;
        const perTurn = new Map<number, number>();
        const begin = (id: number, more: number) => {
          wanted.push(id);
          turns.begin(() => {
            seen.push(id);
            perTurn.set(now, (perTurn.get(now) ?? 0) + 1);
            if (more > 0) begin(id + 1000, more - 1);
          });
        };
        for (const [step, count] of comings.entries()) {
          for (let i = 0; i < count; i++) begin(100_000 * (step + 1) + i, i % 2);
          await turn();
          now++;
        }
        for (let i = 0; i < 200; i++, now++) await turn();
        expect(seen).to.deep.equal(wanted);
        for (const count of perTurn.values()) expect(count).to.be.at.most(2 * most);
      }),
      { seed: SEED, numRuns: 50 },
    );
  });

  it('keeps nothing of what was begun, though somebody waits all the time', async () => {
    const turns = new EachTurn(1);
    const begun: WeakRef<object>[] = [];
    let isOver = false;
    const begin = () => {
      const request = { begun: false };
      begun.push(new WeakRef(request));
      turns.begin(() => {
        request.begun = true;
        if (!isOver) begin();
      });
    };
    begin();
    begin();
    begin();
    while (begun.length < 1_000) await turn();
    collectGarbage();
    await turn();
    expect(begun.filter((one) => one.deref() !== undefined).length).to.be.below(10);
    isOver = true;
    for (let i = 0; i < 10; i++) await turn();
  });
});
