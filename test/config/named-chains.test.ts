import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import fc from 'fast-check';
import { CATALOGUE, venuesOf } from '../../src/chains/chains.ts';
import { type Config, loadConfig } from '../../src/config/config.ts';
import { SEED } from '../support/seeded-random.ts';

const KEY = 'k3y-of-a-provider';
const FACTORY = `0x${'ab'.repeat(20)}`;
const NODE = 'https://rpc.example';

type Files = Readonly<Record<string, string>>;

function load(file: unknown, { env = {}, files = {} }: { readonly env?: Files; readonly files?: Files } = {}) {
  const all = new Map([...Object.entries(files), ['/etc/braid/c', typeof file === 'string' ? file : JSON.stringify(file)]]);
  return loadConfig({
    env,
    argv: ['--config', '/etc/braid/c'],
    availableParallelism: 4,
    readFile(name) {
      const text = all.get(name);
      if (text === undefined) throw new Error(`ENOENT: ${name}`);
      return text;
    },
  });
}

function configOf(...given: Parameters<typeof load>): Config & { readonly mode: 'config' } {
  const loaded = load(...given);
  if (!loaded.ok) throw new Error(loaded.message);
  if (loaded.config.mode !== 'config') throw new Error('mode');
  return loaded.config;
}

function chainOf(entry: object, sources: { readonly env?: Files; readonly files?: Files } = {}) {
  const [chain] = configOf({ chains: [{ rpcUrls: [NODE], ...entry }] }, sources).chains;
  if (chain === undefined) throw new Error('no chain');
  return chain;
}

function refusalOf(...given: Parameters<typeof load>): string {
  const loaded = load(...given);
  if (loaded.ok) throw new Error('it was accepted');
  return loaded.message.replace(/^\/etc\/braid\/c: /, '');
}

const refusedEntry = (entry: object, sources: { readonly env?: Files; readonly files?: Files } = {}) =>
  refusalOf({ chains: [{ rpcUrls: [NODE], ...entry }] }, sources);

describe('a chain of the configuration, by its name', () => {
  for (const { name, aliases, chainId, freshnessBound } of CATALOGUE.filter((chain) => venuesOf(chain.chainId).length > 0)) {
    it(`${name} is chain ${chainId} with the venues of the catalogue, whose first blocks are to be found`, () => {
      for (const text of [name, ...aliases, name.toUpperCase()]) {
        const chain = chainOf({ chain: text });
        expect(chain.chainId).to.equal(chainId);
        expect(chain.freshnessBound).to.equal(freshnessBound);
        expect(chain.deployments).to.deep.equal(venuesOf(chainId).map(({ venue, family, factory }) => ({ venue, family, factory, fromBlock: null })));
      }
    });
  }

  it('the bound of freshness: of the environment, the chain, the file, the catalogue', () => {
    expect(chainOf({ chain: 'ethereum' }).freshnessBound).to.equal(60_000);
    expect(chainOf({ chain: 'ethereum', freshnessBoundMs: 7000 }).freshnessBound).to.equal(7000);
    expect(configOf({ freshnessBoundMs: 8000, chains: [{ chain: 'ethereum', rpcUrls: [NODE] }] }).chains[0]?.freshnessBound).to.equal(8000);
    expect(chainOf({ chain: 'ethereum', freshnessBoundMs: 7000 }, { env: { FRESHNESS_BOUND_MS: '9' } }).freshnessBound).to.equal(9);
    expect(chainOf({ chainId: 987654321, wrappedNative: FACTORY, deployments: [] }).freshnessBound).to.equal(30_000);
  });

  it('families of the catalogue: those that it names, none where it lists deployments, both where it does both', () => {
    const families = (entry: object) => chainOf({ chain: 'base', ...entry }).deployments.map(({ family }) => family);
    const own = { venue: 'erc4626', family: 'erc4626', factory: FACTORY };
    expect(families({ venues: ['Aerodrome', 'uniswap_v4'] })).to.deep.equal(['uniswap_v4', 'aerodrome']);
    expect(families({ deployments: [own] })).to.deep.equal(['erc4626']);
    expect(families({ deployments: [own], venues: ['aerodrome'] })).to.deep.equal(['erc4626', 'aerodrome']);
    expect(families({ deployments: [] })).to.deep.equal([]);
  });

  it('a first block that is named is kept, and a deployment of the catalogue that is listed too is one', () => {
    const listed = { venue: 'uniswap_v3', family: 'uniswap_v3', factory: '0x33128a8fC17869897dcE68Ed026d694621f6FDfD', fromBlock: 1_371_680 };
    const { deployments } = chainOf({ chain: 'base', venues: ['uniswap_v3'], deployments: [listed] });
    expect(deployments).to.deep.equal([{ ...listed, factory: listed.factory.toLowerCase() }]);
  });

  for (const [title, entry, message] of [
    ['no chain', {}, 'chains.0 names no chain: chain with a name of the catalogue, or chainId'],
    ['a chain that nobody knows', { chain: 'bse' }, "chains.0.chain is 'bse'; the catalogue knows ethereum, base"],
    ['a name with another id', { chain: 'base', chainId: 1 }, 'chains.0.chainId is 1, but base is chain 8453'],
    ['a name that is none', { chain: 'base!' }, 'chains.0.chain must match pattern'],
    [
      'a family that is not there',
      { chain: 'base', venues: ['uniswap_v3', 'velodrome_v2'] },
      "chains.0.venues.1 is 'velodrome_v2'; of base the catalogue knows uniswap_v2",
    ],
    ['a chain without venues', { chain: 'berachain' }, 'chains.0 has no venues: of berachain the catalogue knows none, so deployments has to list them'],
    ['a family of a chain without any', { chain: 'berachain', venues: ['curve'] }, "chains.0.venues.0 is 'curve'; of berachain the catalogue knows none"],
    [
      'an id that nobody knows, without venues',
      { chainId: 987654321, wrappedNative: FACTORY },
      'chains.0 has no venues: of chain 987654321 the catalogue knows none',
    ],
  ] as const) {
    it(`${title} is refused by its field`, () => expect(refusedEntry(entry)).to.include(message));
  }

  it('the same chain twice, by name and by id, is refused', () => {
    const chains = [
      { chain: 'eth', rpcUrls: [NODE] },
      { chainId: 1, rpcUrls: [NODE] },
    ];
    expect(refusalOf({ chains })).to.equal('chains.1.chainId is 1, which an earlier entry has already');
  });
});

describe('URLs of nodes', () => {
  const urls = (rpcUrls: readonly string[], sources: { readonly env?: Files; readonly files?: Files } = {}) =>
    chainOf({ chain: 'base', rpcUrls }, sources).rpcUrls;

  it('take keys from the environment and from files, beside the file or anywhere, without blanks around them', () => {
    const sources = { env: { KEY }, files: { '/etc/braid/secrets/whole': ` wss://node.example/${KEY}\n`, '/run/secrets/key': KEY } };
    const given = [`${NODE}/v2/\${KEY}`, `\${file:secrets/whole}`, `${NODE}/?a=\${KEY}&b=\${file:/run/secrets/key}`];
    expect(urls(given, sources)).to.deep.equal([`${NODE}/v2/${KEY}`, `wss://node.example/${KEY}`, `${NODE}/?a=${KEY}&b=${KEY}`]);
  });

  it('are taken apart into what no output may have: what was put in, users, passwords, queries and long parts of paths', () => {
    const whole = 'https://user-1:pass%2Fword@node.example/v2/0123456789abcdef/ethereum?apikey=query-secret#fragment';
    const { secrets } = configOf({ chains: [{ chain: 'base', rpcUrls: [`https://node.example/v2/\${SHORT}`, whole] }] }, { env: { SHORT: 'abcd' } });
    expect(secrets).to.include.members(['abcd', 'user-1', 'pass%2Fword', 'pass/word', '0123456789abcdef', 'query-secret', 'fragment']);
    expect(secrets).not.to.include.members(['v2', 'ethereum']);
  });

  for (const [title, url, message, sources] of [
    ['a variable that is not set', `\${KEY}`, 'chains.0.rpcUrls.0 names the environment variable KEY, which is not set', {}],
    ['a variable of blanks', `\${KEY}`, 'chains.0.rpcUrls.0 names the environment variable KEY, which is not set', { env: { KEY: ' ' } }],
    ['a file that is not there', `\${file:key}`, 'chains.0.rpcUrls.0 names the file key, which can not be read', {}],
    ['a file of blanks', `\${file:key}`, 'chains.0.rpcUrls.0 names the file key, which is empty', { files: { '/etc/braid/key': '\n' } }],
    ['a name that is none', `\${KEY OF MINE}`, 'around what is neither a variable', { env: { 'KEY OF MINE': KEY } }],
    ['one that is not closed', `${NODE}/\${KEY`, 'chains.0.rpcUrls.0 has a ${ that is not closed', { env: { KEY } }],
    ['what is no URL once it is put in', `\${KEY}`, 'chains.0.rpcUrls.0 is no URL of a node once what it names is put in', { env: { KEY } }],
    ['a URL of another kind', `\${KEY}`, 'chains.0.rpcUrls.0 is no URL of a node once', { env: { KEY: `ftp://${KEY}` } }],
    ['two lines', `${NODE}/\${KEY}`, 'chains.0.rpcUrls.0 is no URL of a node once', { env: { KEY: `${KEY}\n${KEY}` } }],
    ['no host', 'https://:80', 'chains.0.rpcUrls.0 is no URL of a node: it has to begin with http://', {}],
    ['another protocol', `ftp://${KEY}`, 'chains.0.rpcUrls.0 must match pattern', {}],
  ] as const) {
    it(`${title} is refused by the field, without what stands there`, () => {
      const refusal = refusedEntry({ chain: 'base', rpcUrls: [url] }, sources);
      expect(refusal).to.include(message);
      expect(refusal).not.to.include(KEY);
    });
  }
});

describe('the text of the configuration', () => {
  it('may have comments', () => {
    const text = `// of a line\n{ "chains": [ /* between */ { "chain": "base", "rpcUrls": ["https://a.example//b"] } ] } // the end`;
    expect(configOf(text).chains[0]?.rpcUrls).to.deep.equal(['https://a.example//b']);
  });

  for (const [title, text, message] of [
    ['an end that is missing', '{\n  "chains": [', 'not a JSON document: line 2, column 14, '],
    ['a comma too many', '{\n  "port": 1,\n}', 'not a JSON document: line 3, column 1, '],
    ['a comment that does not end', '{ /* "secret-comment"', 'not a JSON document: line 1, '],
    ['no quotes', '{ port: 1 }', 'not a JSON document: line 1, column 3, InvalidSymbol'],
    ['nothing', '', 'not a JSON document: line 1, column 1, '],
    ['a field twice', '{\n "port": 1,\n "port": 2 }', 'port is given twice, the second time in line 3'],
    ['a field of a chain twice', '{ "chains": [{ "rpcUrls": [],\n "rpcUrls": [] }] }', 'chains.0.rpcUrls is given twice, the second time in line 2'],
    ['a number in two parts', '{ "port": 1/**/2 }', 'not a JSON document: line 1, '],
    ['a prototype', '{ "chains": [], "__proto__": { "port": 1 } }', "the document has an unknown field '__proto__'"],
  ] as const) {
    it(`with ${title} is refused by its place`, () => expect(refusalOf(text)).to.include(message));
  }
});

/** The configuration that operators start from. */
const EXAMPLE = fileURLToPath(new URL('../../deploy/braid.example.jsonc', import.meta.url));
const OF_THE_EXAMPLE = {
  env: { PROVIDER_ONE_KEY: KEY, ATTESTER_KEY: `${KEY}-too` },
  files: { '/etc/braid/secrets/provider-two-ethereum': `https://two.example/${KEY}` },
};

describe('deploy/braid.example.jsonc', () => {
  const text = readFileSync(EXAMPLE, 'utf8');
  const document = JSON.parse(text.replaceAll(/^\s*\/\/.*$/gm, '')) as Record<string, unknown>;

  it('is a configuration of three chains of the catalogue, with keys from the environment and a file', () => {
    const config = configOf(text, OF_THE_EXAMPLE);
    expect(config.chains.map(({ chainId }) => chainId)).to.deep.equal([1, 8453, 56]);
    expect(config.chains[0]?.rpcUrls).to.deep.equal([`https://ethereum.provider-one.example/v2/${KEY}`, `https://two.example/${KEY}`]);
    expect(config.chains[0]?.deployments.map(({ family }) => family)).to.include.members(['erc4626', 'uniswap_v4', 'curve', 'balancer_v2']);
    expect(config.chains[1]?.deployments.length).to.equal(venuesOf(8453).length);
    expect(config.chains[2]?.switchedOff.venues).to.deep.equal(['sushiswap_v3']);
    expect([config.keysFile, config.checkpointDirectory]).to.deep.equal(['/etc/braid/keys.json', '/etc/braid/checkpoints']);
    expect(config.secrets).to.include(KEY).and.to.include(`${KEY}-too`);
    const [attester] = config.chains[0]?.attesters ?? [];
    expect(attester).to.deep.include({
      venue: 'uniswap_v4',
      name: 'angstrom',
      origin: 'https://attester.example',
      path: '/getAttestations',
      apiKey: `${KEY}-too`,
    });
    expect(attester?.contract).to.equal('0x0000000aa232009084bd71a5797d089aa4edfad4');
  });

  it('takes no key that stands in it, no name that somebody has, and one attester for a hook', () => {
    const with2 = (changes: object) => {
      const chains = structuredClone(document.chains) as { attesters?: object[] }[];
      const [first] = chains;
      if (first?.attesters === undefined) throw new Error('no attester in the example');
      first.attesters = [...first.attesters, { ...first.attesters[0], name: 'other', hook: `0x${'ab'.repeat(20)}`, ...changes }];
      return refusalOf(JSON.stringify({ ...document, chains }), OF_THE_EXAMPLE);
    };
    expect(with2({ apiKey: KEY })).to.contain('chains.0.attesters.1.apiKey has to name where the key is');
    expect(with2({ apiKey: '$' + '{BLANK}' })).to.contain('chains.0.attesters.1.apiKey');
    expect(with2({ name: 'angstrom' })).to.equal('chains.0.attesters.1.name is angstrom, which another one has');
    expect(with2({ hook: '0x0000000AA232009084BD71A5797D089AA4EDFAD4' })).to.equal('chains.0.attesters.1.hook is one that another attester is for');
    expect(with2({ url: `https://user:${KEY}@attester.example` }))
      .to.contain('chains.0.attesters.1.url')
      .and.not.contain(KEY);
  });

  it('is refused by the name of what the environment lacks', () => {
    expect(refusalOf(text)).to.equal('chains.0.rpcUrls.0 names the environment variable PROVIDER_ONE_KEY, which is not set');
  });

  it('with anything wrong anywhere is refused by its place, or means something, and never says a key', () => {
    const places = placesOf(document);
    expect(places.length).to.be.at.least(50);
    const wrong = fc.oneof(
      fc.constantFrom<unknown>(
        null,
        true,
        -1,
        1.5,
        1e21,
        '',
        ' ',
        KEY,
        `\${${KEY}}`,
        `https://${KEY}@x`,
        [],
        [[]],
        {},
        { [KEY]: KEY },
        '0x12',
        [KEY, KEY],
        '__proto__',
      ),
      fc.jsonValue({ maxDepth: 2 }),
    );
    fc.assert(
      fc.property(fc.constantFrom(...places), wrong, (place, value) => {
        const loaded = load(JSON.stringify(replaced(document, place, value)), OF_THE_EXAMPLE);
        if (loaded.ok) return;
        expect(loaded.message).to.match(/^\/etc\/braid\/c: /);
        expect(loaded.message).not.to.include(`/v2/${KEY}`);
        // The place itself, what it is in (a field that is required, or not known), or what is wrong together with it.
        const around = place.slice(0, -1).join('.') || 'the document';
        expect(loaded.message).to.satisfy((message: string) => message.includes(around) || message.includes(place.slice(0, 2).join('.')));
      }),
      { numRuns: 500, seed: SEED },
    );
  });

  it('without any one field is refused by its place, or goes by a default', () => {
    for (const place of placesOf(document)) {
      const loaded = load(JSON.stringify(replaced(document, place, undefined)), OF_THE_EXAMPLE);
      if (!loaded.ok) expect(loaded.message, place.join('.')).to.include(place.slice(0, -1).join('.').split('.').slice(0, 2).join('.') || 'the document');
    }
  });
});

type Place = readonly (string | number)[];

/** Every place of a document, the inner ones too. */
function placesOf(value: unknown, at: Place = []): readonly Place[] {
  if (typeof value !== 'object' || value === null) return at.length === 0 ? [] : [at];
  const inner = Array.isArray(value)
    ? value.flatMap((item, index) => placesOf(item, [...at, index]))
    : Object.entries(value).flatMap(([name, item]) => placesOf(item, [...at, name]));
  return at.length === 0 ? inner : [at, ...inner];
}

function replaced(value: unknown, [first, ...rest]: Place, by: unknown): unknown {
  if (first === undefined) return by;
  if (Array.isArray(value))
    return value.flatMap((item, index) => (index !== first ? [item] : rest.length === 0 && by === undefined ? [] : [replaced(item, rest, by)]));
  return Object.fromEntries(Object.entries(value as object).map(([name, item]) => [name, name === first ? replaced(item, rest, by) : item]));
}
