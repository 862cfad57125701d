import { expect } from 'chai';
import { InflightCounter } from '../../src/admission/admission.ts';

describe('requests in flight of a client', () => {
  it('each that leaves frees one place, and no more', () => {
    const inflight = new InflightCounter();
    for (let i = 0; i < 3; i++) expect(inflight.enter('a', 3)).to.equal(true);
    expect(inflight.enter('a', 3)).to.equal(false);
    inflight.leave('a');
    expect([inflight.enter('a', 3), inflight.enter('a', 3)]).to.deep.equal([true, false]);
    for (let i = 0; i < 3; i++) inflight.leave('a');
    expect(inflight.clients).to.equal(0);
  });
});
