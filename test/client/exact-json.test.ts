import { expect } from 'chai';
import fc from 'fast-check';
import { parseExactly } from '../../src/client/exact-json.ts';
import { check } from '../support/property.ts';

const EXACT = ['deadline', 'gasPriceWei'];

describe('the client’s reader of JSON', () => {
  it('keeps every digit of the named members, and reads the rest as JSON.parse does', () => {
    const text = '{"gasPriceWei":1000000000000000000000000000001, "deadline" : 9007199254740993,"gas":12,"slippagePct":0.5,"quoteId":"a","route":[{"bps":1}]}';
    expect(parseExactly(text, EXACT)).to.deep.equal({
      gasPriceWei: 1000000000000000000000000000001n,
      deadline: 9007199254740993n,
      gas: 12,
      slippagePct: 0.5,
      quoteId: 'a',
      route: [{ bps: 1 }],
    });
  });

  it('null stays null, and what is absent stays absent', () => {
    expect(parseExactly('{"gasPriceWei":null}', EXACT)).to.deep.equal({ gasPriceWei: null });
  });

  it('leaves inner members of the same name and texts that look like JSON alone', () => {
    const inner = { eip712: { message: { deadline: 5 } }, list: [{ deadline: 6 }], text: '"deadline":7,\\"deadline\\":8 {[', deadlines: 9 };
    const text = JSON.stringify(inner).replace('{', '{"deadline":10,');
    expect(parseExactly(text, EXACT)).to.deep.equal({ deadline: 10n, ...inner });
  });

  it('refuses what is no JSON object, and a named member that is no integer', () => {
    for (const text of [
      '',
      '<html>',
      '[]',
      'null',
      '1',
      '{"deadline":1',
      '{"deadline":1.5}',
      '{"deadline":1e3}',
      '{"deadline":"soon"}',
      '{"deadline":{}}',
      '{"deadline":01}',
    ])
      expect(() => parseExactly(text, EXACT), text).to.throw(SyntaxError);
  });

  it('a megabyte of text is read in linear time', () => {
    const long = JSON.stringify({ data: `0x${'ab'.repeat(500_000)}`, hostile: `${'\\'.repeat(100_000)}"`, more: '{'.repeat(100_000) });
    const startedAt = performance.now();
    expect(parseExactly(long.replace('{', '{"deadline":1,'), EXACT)).to.deep.equal({ deadline: 1n, ...JSON.parse(long) });
    expect(performance.now() - startedAt).to.be.below(5000);
  });

  it('agrees with JSON.parse on any object whose integers are small, white space or not', () => {
    const value = fc.dictionary(
      fc.oneof(fc.string(), fc.constantFrom(...EXACT)),
      fc.jsonValue().filter((inner) => typeof inner !== 'number' || Number.isFinite(inner)),
    );
    check(
      fc.property(value, fc.bigInt({ min: -(2n ** 300n), max: 2n ** 300n }), fc.constantFrom(0, 1, '\t'), (members, integer, space) => {
        const rest = Object.fromEntries(Object.entries(members).filter(([name]) => !EXACT.includes(name)));
        const text = JSON.stringify({ deadline: 'HERE', ...rest }, null, space).replace('"HERE"', String(integer));
        expect(parseExactly(text, EXACT)).to.deep.equal({ ...JSON.parse(JSON.stringify(rest)), deadline: integer });
      }),
      300,
    );
  });
});
