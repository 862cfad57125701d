import { expect } from 'chai';
import { InflightCounter } from '../../src/admission/admission.ts';

describe('requests in flight of a client', () => {
  it('each that leaves frees one place, and no more', () => {
    const inflight = new InflightCounter(10);
    for (let i = 0; i < 3; i++) expect(inflight.enter('a', 3)).to.equal(true);
    expect(inflight.enter('a', 3)).to.equal(false);
    inflight.leave('a');
    expect([inflight.enter('a', 3), inflight.enter('a', 3)]).to.deep.equal([true, false]);
    for (let i = 0; i < 3; i++) inflight.leave('a');
    expect(inflight.clients).to.equal(0);
  });

  it('of no more clients than there may be: those that have some go on, and a new one comes in when one has left', () => {
    const inflight = new InflightCounter(2);
    expect(['a', 'b', 'c', 'a'].map((client) => inflight.enter(client, 3))).to.deep.equal([true, true, false, true]);
    expect(inflight.clients).to.equal(inflight.mostClients);
    inflight.leave('a');
    expect(inflight.enter('c', 3), 'one of two has left').to.equal(false);
    inflight.leave('a');
    expect(inflight.enter('c', 3)).to.equal(true);
  });
});
