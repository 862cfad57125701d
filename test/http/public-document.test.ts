import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { publicDocument } from '../../src/http/http.ts';
import { asAddress, NATIVE_TOKEN } from '../../src/units/units.ts';
import { ROOT } from '../support/source-files.ts';
import { liveChain } from './support/edge.ts';

const written = readFileSync(path.join(ROOT, 'schemas/openapi.json'), 'utf8');
const { hosted } = liveChain('bsc');
const dollarToken = asAddress('0x00000000000000000000000000000000000000d1');

type Document = { readonly paths: Record<string, { get: { parameters?: readonly { name: string; example?: unknown }[] } }> };

describe('the document of a running service', () => {
  const examplesOf = (text: string, at: string) =>
    Object.fromEntries(
      ((JSON.parse(text) as Document).paths[at]?.get.parameters ?? []).flatMap(({ name, example }) => (example === undefined ? [] : [[name, example]])),
    );

  it('is what is written, but for its address and the examples of its chain', () => {
    const text = publicDocument(written, { serverUrl: 'https://braid.example', hosted, dollarToken });
    const [mine, base] = [JSON.parse(text), JSON.parse(written)];
    expect(mine.servers).to.deep.equal([{ url: 'https://braid.example' }]);
    const withoutExamples = (value: object) => JSON.stringify({ ...value, servers: [] }).replaceAll(/,"example":("[^"]*"|\d+)/g, '');
    expect(withoutExamples(mine)).to.equal(withoutExamples(base));
    expect(examplesOf(text, '/v1/quote')).to.deep.equal({
      chainId: 56,
      mode: 'sell',
      sellToken: NATIVE_TOKEN,
      buyToken: dollarToken,
      sellAmount: '1000000000000000000',
    });
    expect(examplesOf(text, '/v1/{chain}/sources')).to.deep.equal({ chain: 'bsc' });
  });

  it('buys the wrapped native token where no dollar token is known', () => {
    const text = publicDocument(written, { serverUrl: 'https://braid.example', hosted, dollarToken: undefined });
    expect(examplesOf(text, '/v1/swap')).to.include({ sellToken: NATIVE_TOKEN, buyToken: hosted.wrappedNative });
  });
});
