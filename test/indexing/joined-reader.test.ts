import { expect } from 'chai';
import { joinedReader } from '../../src/indexing/joined-reader.ts';
import type { ChainCall } from '../../src/venues/venues.ts';
import { addressOf } from './made-up-singleton.ts';

const call = (id: number): ChainCall => ({ to: addressOf(id), data: `0x${id.toString(16).padStart(2, '0')}` });

describe('what several ask of a block in one turn', () => {
  it('is one request, and each has its own answers; what is asked later is another', async () => {
    const requests: number[] = [];
    const read = joinedReader(async (calls) => {
      requests.push(calls.length);
      return calls.map(({ data }) => data);
    });
    const asked = await Promise.all([read([call(1), call(2)]), Promise.resolve().then(() => read([call(3)])), read([])]);
    expect([asked, requests]).to.deep.equal([[['0x01', '0x02'], ['0x03'], []], [3]]);
    expect([await read([call(4)]), requests]).to.deep.equal([['0x04'], [3, 1]]);
  });

  it('fails for all of them where it fails', async () => {
    const read = joinedReader(() => Promise.reject(new Error('no node')));
    const failed = await Promise.allSettled([read([call(1)]), read([call(2)])]);
    expect(failed.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
  });
});
