import { expect } from 'chai';
import fc from 'fast-check';
import { readListedUrl } from '../../src/venues/airswap/listed-url.ts';
import { listedBy } from '../../src/venues/airswap/listing.ts';
import { addressOf } from '../indexing/made-up-singleton.ts';
import { check } from '../support/property.ts';

const ORIGIN = 'https://stall.example';
const MAKER = { name: 'stall', origin: ORIGIN, contract: addressOf(40), staker: null, signer: null };
const [STAKER, OTHER] = [addressOf(50), addressOf(51)];

const entry = (text: string, staker = STAKER) => ({ staker, url: readListedUrl(text) });
const became = (text: string): string => {
  const { entries } = listedBy([entry(text)], [MAKER], 0);
  return Object.entries(entries).find(([, count]) => count === 1)?.[0] ?? '';
};

describe('addresses that a registry lists', () => {
  for (const [text, wanted] of [
    [ORIGIN, 'served'],
    [`${ORIGIN}/`, 'served'],
    [`${ORIGIN}:443/rfq?key=1`, 'served'],
    ['HTTPS://STALL.EXAMPLE/rfq', 'served'],
    ['http://stall.example', 'foreign'],
    ['https://stall.example:8443', 'foreign'],
    ['https://stall.example.', 'foreign'],
    ['https://stall.example.attacker.example', 'foreign'],
    ['https://attacker.example/https://stall.example', 'foreign'],
    ['https://attacker.example?https://stall.example/', 'foreign'],
    ['https://attacker.example\\stall.example', 'foreign'],
    ['https://127.0.0.1', 'foreign'],
    ['https://stall.example@attacker.example', 'malformed'],
    ['https://name:word@stall.example', 'malformed'],
    ['https://stall.example/#', 'served'],
    ['https://stall.example/#part', 'malformed'],
    ['ws://stall.example', 'malformed'],
    ['file://stall.example/etc', 'malformed'],
    ['javascript:alert(1)', 'malformed'],
    ['stall.example', 'malformed'],
    ['', 'malformed'],
    [' https://stall.example', 'malformed'],
    ['https://stall.example\n', 'malformed'],
    ['https://sta\tll.example', 'malformed'],
    ['https://ｓtall.example', 'malformed'],
    [`${ORIGIN}/${'a'.repeat(256)}`, 'malformed'],
  ] as const) {
    it(`one is ${wanted}: ${JSON.stringify(text.slice(0, 60))}`, () => {
      expect(became(text)).to.equal(wanted);
    });
  }

  it('whatever they say, a maker is asked at its own origin alone, and as it is configured', () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
      fc
        .tuple(fc.constantFrom(ORIGIN, `${ORIGIN}@`, `${ORIGIN}.`, `${ORIGIN}:`, `${ORIGIN}//`, `${ORIGIN}/..//`), fc.string({ maxLength: 80 }))
        .map((parts) => parts.join('')),
    );
    let served = 0;
    check(
      fc.property(hostile, (text) => {
        const { sources, entries } = listedBy([entry(text)], [MAKER], 0);
        expect(Object.values(entries).reduce((sum, count) => sum + count, 0)).to.equal(1);
        for (const source of sources) {
          served++;
          const { path = '', ...rest } = source;
          expect(rest).to.deep.equal({ name: 'stall', origin: ORIGIN, contract: MAKER.contract, signer: STAKER });
          expect(path.startsWith('/')).to.equal(true);
          const asked = new URL(`${source.origin}${path}`);
          expect([asked.origin, asked.username, asked.password, asked.hash]).to.deep.equal([ORIGIN, '', '', '']);
        }
      }),
      2_000,
    );
    expect(served, 'some are served').to.be.above(20);
  });

  it('one origin that two stakers list serves nobody, but for the staker that configuration names', () => {
    const both = [entry(`${ORIGIN}/theirs`), entry(`${ORIGIN}/mine`, OTHER)];
    expect(listedBy(both, [MAKER], 3)).to.deep.equal({ sources: [], entries: { served: 0, foreign: 0, malformed: 0, contested: 2, beyond: 3 } });
    const named = listedBy(both, [{ ...MAKER, staker: STAKER, signer: addressOf(60) }], 0);
    expect(named.sources).to.deep.equal([{ name: 'stall', origin: ORIGIN, path: '/theirs', contract: MAKER.contract, signer: addressOf(60) }]);
    expect(named.entries).to.deep.include({ served: 1, foreign: 1 });
    const each = listedBy(
      both,
      [
        { ...MAKER, staker: STAKER },
        { ...MAKER, name: 'booth', staker: OTHER },
      ],
      0,
    );
    expect(each.sources.map(({ name, path, signer }) => [name, path, signer])).to.deep.equal([
      ['stall', '/theirs', STAKER],
      ['booth', '/mine', OTHER],
    ]);
  });
});
