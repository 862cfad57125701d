import { expect } from 'chai';
import fc from 'fast-check';
import { readJson } from '../../src/venues/read-json.ts';

const DEPTH = 100_000;

describe('JSON that somebody off the chain sent', () => {
  it('is what JSON.parse gives, whatever it is', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), fc.boolean(), (text, spaced) => {
        const written = spaced ? JSON.stringify(JSON.parse(text), null, 2) : text;
        expect(readJson(written)).to.deep.equal(JSON.parse(text));
      }),
    );
    for (const text of ['', '{', '{"a":1,}', '// {}', '{"a":1}{}', "{'a':1}", '\ufeff{}']) expect(readJson(text), text).to.equal(undefined);
  });

  it('is none where an object gives a name twice, at whatever depth, in whatever spelling and beside whatever lists', () => {
    for (const text of [
      '{"a":1,"a":1}',
      '{"a":1,"b":{"a":1},"a":2}',
      '[[{"b":[{"a":1,"c":[1,2],"a":2}]}]]',
      '{"amount":1,"\\u0061mount":2}',
      '{"__proto__":1,"__proto__":2}',
      '{"":1,"":2}',
      '{"a" :1 , \n "a"\t: 2}',
      '{"a":{"x":1},"b":"}","a":2}',
    ])
      expect(readJson(text), text).to.equal(undefined);
  });

  it('may give a name once in each object, as a text, and in another case', () => {
    for (const text of ['{"a":{"a":[{"a":1},{"a":"a"}]},"b":"a"}', '[{"a":1},{"a":1}]', '{"a":1,"A":2,"a ":3}', '["a","a"]', '{"a":"a\\"a:a","b":"{a:1,a:2}"}'])
      expect(readJson(text), text).to.deep.equal(JSON.parse(text));
  });

  it('is none with a name twice wherever that is in an object of random names', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 20 }), fc.nat(), fc.nat(), (names, which, where) => {
        const members = names.map((name) => `${JSON.stringify(name)}:0`);
        expect(readJson(`{${members.join()}}`)).to.be.an('object');
        members.splice(where % (members.length + 1), 0, members[which % members.length] ?? '');
        expect(readJson(`[{"b":{${members.join()}}}]`)).to.equal(undefined);
      }),
    );
  });

  it('is read however deep it is nested', () => {
    expect(readJson(`${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`)).to.be.an('array');
    const names = `${'{"a":'.repeat(DEPTH)}0${'}'.repeat(DEPTH)}`;
    expect(readJson(names)).to.be.an('object');
    expect(readJson(`${'{"a":'.repeat(DEPTH)}{"b":0,"b":0}${'}'.repeat(DEPTH)}`)).to.equal(undefined);
  });
});
