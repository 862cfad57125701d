import { expect } from 'chai';
import { named } from '../../src/market/name-pools.ts';
import { asAddress } from '../../src/units/units.ts';

const at = (start: string, end: string) => asAddress(`0x${start}${'0'.repeat(30)}${end}`);
const [one, other, twin] = [at('aaaaaaaa', '01'), at('bbbbbbbb', '02'), at('aaaaaaaa', '03')];
const verdict = { kind: 'clean' } as const;

describe('the pools of a verdict, as a snapshot names them', () => {
  it('are named by the first 32 bits of their address', () => {
    expect(named({ verdict, seenAt: [one, other] }, [one, other, one])).to.deep.equal({ verdict, seenAt: [0xaaaaaaaa, 0xbbbbbbbb] });
    expect(named({ verdict, openAt: [other] }, [one, other])).to.deep.equal({ verdict, openAt: [0xbbbbbbbb] });
    expect(named({ verdict: { kind: 'gated', reason: 'paused' } }, [one])).to.deep.equal({ verdict: { kind: 'gated', reason: 'paused' } });
  });

  it('are not where another contract that trades the token begins like them, measured or not: its maker looked for one that would pass for it', () => {
    expect(named({ verdict, seenAt: [one, other] }, [one, other, twin])).to.deep.equal({ verdict, seenAt: [0xbbbbbbbb] });
    expect(named({ verdict, openAt: [one] }, [one, other, twin])).to.deep.equal({ verdict: { kind: 'unmeasurable' } });
  });
});
