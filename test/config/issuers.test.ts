import { expect } from 'chai';
import { loadConfig } from '../../src/config/config.ts';

const [DESK, SIGNER, DOLLAR, ASSET, OTHER] = ['41', '42', '43', '44', '45'].map((byte) => `0x${byte.repeat(20)}`) as [string, string, string, string, string];
const KEY = 'k3y-of-an-issuer';
const ISSUER = {
  ...{ protocol: 'ondo', name: 'mint', url: 'https://issuer.example/api?of=all', apiKey: `\${ISSUER_KEY}`, contract: DESK, signer: SIGNER, dollar: DOLLAR },
  assets: [{ symbol: 'AAPLon', token: ASSET }],
};
const MAKER = { protocol: 'airswap', name: 'harbour', url: 'https://maker.example', contract: DESK, signer: SIGNER };

function load(entry: object, env: Readonly<Record<string, string>> = { ISSUER_KEY: KEY }) {
  const file = JSON.stringify({ chains: [{ chain: 'ethereum', rpcUrls: ['https://rpc.example'], ...entry }] });
  return loadConfig({ env, argv: ['--config', '/c'], availableParallelism: 4, readFile: () => file });
}

function read(entry: object) {
  const loaded = load(entry);
  if (!loaded.ok) throw new Error(loaded.message);
  const { config } = loaded;
  if (config.mode !== 'config') throw new Error('mode');
  return { makers: config.chains[0]?.makers ?? [], secrets: config.secrets };
}

function refusalOf(entry: object, env?: Readonly<Record<string, string>>): string {
  const loaded = load(entry, env);
  if (loaded.ok) throw new Error('it was accepted');
  return loaded.message;
}

describe('issuers of a chain in the configuration', () => {
  it('are asked beside its makers, with a key that no output has', () => {
    const { makers, secrets } = read({ issuers: [ISSUER], makers: [MAKER] });
    expect(makers.map(({ name, venue }) => [name, venue])).to.deep.equal([
      ['harbour', 'airswap'],
      ['mint', 'ondo'],
    ]);
    const [, issuer] = makers;
    const sizes = [1n, 10n, 100n, 1_000n].map((size) => size * 10n ** 18n);
    expect(issuer).to.deep.equal({
      ...{ venue: 'ondo', name: 'mint', origin: 'https://issuer.example', path: '/api?of=all', contract: DESK, signer: SIGNER, apiKey: KEY },
      issues: { chain: 'ethereum-1', dollar: DOLLAR, assets: [{ symbol: 'AAPLon', token: ASSET, sizes }] },
    });
    expect(secrets).to.include(KEY);
  });

  it('say sizes of their own, exactly, and what they call the chain', () => {
    const assets = [
      { symbol: 'AAPLon', token: ASSET, sizes: ['0.5', '2', '20.000000000000000001'] },
      { symbol: 'TSLAon', token: OTHER },
    ];
    const [issuer] = read({ issuers: [{ ...ISSUER, chain: 'mainnet', assets }] }).makers;
    expect(issuer?.issues?.chain).to.equal('mainnet');
    expect(issuer?.issues?.assets[0]?.sizes).to.deep.equal([5n * 10n ** 17n, 2n * 10n ** 18n, 20n * 10n ** 18n + 1n]);
  });

  for (const [title, entry, message] of [
    ['a name that a maker has', { issuers: [{ ...ISSUER, name: 'harbour' }], makers: [MAKER] }, 'issuers.0.name is harbour, which another one has'],
    ['a key that would be read on its way', { issuers: [{ ...ISSUER, url: 'http://issuer.example' }] }, 'issuers.0.url begins with http://, by which the key'],
    ['a key that is none', { issuers: [{ ...ISSUER, apiKey: 'two words' }] }, 'issuers.0.apiKey is no key'],
    ['a URL with a user', { issuers: [{ ...ISSUER, url: 'https://u:p@issuer.example' }] }, 'issuers.0.url is no URL'],
    [
      'an asset that is the dollar token',
      { issuers: [{ ...ISSUER, assets: [{ symbol: 'A', token: DOLLAR }] }] },
      "assets.0.token is the issuer's dollar token",
    ],
    [
      'an asset twice',
      {
        issuers: [
          {
            ...ISSUER,
            assets: [
              { symbol: 'A', token: ASSET },
              { symbol: 'B', token: ASSET.toUpperCase().replace('X', 'x') },
            ],
          },
        ],
      },
      'assets.1.token is that of another asset',
    ],
    [
      'sizes that fall',
      { issuers: [{ ...ISSUER, assets: [{ symbol: 'A', token: ASSET, sizes: ['2', '1'] }] }] },
      'assets.0.sizes.1 is 1; sizes are above zero',
    ],
    [
      'a size of nothing',
      { issuers: [{ ...ISSUER, assets: [{ symbol: 'A', token: ASSET, sizes: ['0.0'] }] }] },
      'assets.0.sizes.0 is 0.0; sizes are above zero',
    ],
  ] as const) {
    it(`are refused with ${title}`, () => expect(refusalOf(entry)).to.contain(message));
  }

  it('are refused with a key that is not there, which names the field and no value', () => {
    expect(refusalOf({ issuers: [ISSUER] }, {})).to.contain('issuers.0.apiKey names the environment variable ISSUER_KEY, which is not set');
  });
});
