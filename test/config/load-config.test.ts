import { expect } from 'chai';
import { type ConfigSources, LIMITS, type LoadedConfig, loadConfig } from '../../src/config/config.ts';

const FACTORY = '0x5C69bEe701ef814a2B6a3EDD4B1652CB9cc5aA6f';
const CHAIN = {
  chainId: 1,
  rpcUrls: ['https://rpc.example/secret-path'],
  deployments: [{ venue: 'uniswap_v2', family: 'uniswap_v2', factory: FACTORY, fromBlock: 10_000_835 }],
};

/** Loads with the files given, on a machine of four processors without cgroups. */
function load(sources: Partial<ConfigSources> & { readonly files?: Readonly<Record<string, string>> } = {}): LoadedConfig {
  const files = new Map(Object.entries(sources.files ?? {}));
  return loadConfig({
    env: {},
    argv: [],
    availableParallelism: 4,
    readFile: (path) => {
      const text = files.get(path);
      if (text === undefined) throw new Error('ENOENT');
      return text;
    },
    ...sources,
  });
}

function configOf(loaded: LoadedConfig) {
  if (!loaded.ok) throw new Error(loaded.message);
  return loaded.config;
}

function messageOf(loaded: LoadedConfig): string {
  if (loaded.ok) throw new Error('it was accepted');
  return loaded.message;
}

describe('the configuration', () => {
  it('without anything: the devnet, on loopback, with the documented ports', () => {
    expect(configOf(load())).to.deep.equal({
      mode: 'devnet',
      host: '127.0.0.1',
      port: 8080,
      publicUrl: null,
      internalHost: '127.0.0.1',
      internalPort: 9090,
      devnetPort: 8545,
      freshnessBound: 30_000,
      logLevel: 'info',
      solverThreads: 3,
      keysFile: null,
      checkpointDirectory: null,
      checkpointDirectoryBy: 'checkpointDirectory',
      trustProxy: 0,
      developmentMode: false,
      feeCollector: null,
      secrets: [],
    });
  });

  it('the environment sets what it names; an empty variable is none', () => {
    const env = { PORT: '0', INTERNAL_PORT: '19090', DEVNET_PORT: '18545', HOST: '0.0.0.0', INTERNAL_HOST: '::1', FRESHNESS_BOUND_MS: '5000' };
    const config = configOf(load({ env: { ...env, LOG_LEVEL: 'WARN', SOLVER_THREADS: '2', KEYS_FILE: '' } }));
    expect(config).to.include({ port: 0, internalPort: 19_090, devnetPort: 18_545, host: '0.0.0.0', internalHost: '::1', freshnessBound: 5000 });
    expect(configOf(load({ env: { PUBLIC_URL: 'https://braid.example/dex/' } })).publicUrl).to.equal('https://braid.example/dex');
    expect(config).to.include({ logLevel: 'warn', solverThreads: 2, keysFile: null });
  });

  for (const [name, value] of [
    ['PUBLIC_URL', 'braid.example'],
    ['PUBLIC_URL', 'ftp://braid.example'],
    ['PUBLIC_URL', 'https://braid.example/#key'],
    ['PUBLIC_URL', 'https://:key@braid.example'],
    ['PORT', '80a'],
    ['PORT', '-1'],
    ['PORT', '65536'],
    ['PORT', '1e3'],
    ['PORT', '0x50'],
    ['PORT', '8080.5'],
    ['INTERNAL_PORT', 'Infinity'],
    ['DEVNET_PORT', '99999999999999999999'],
    ['FRESHNESS_BOUND_MS', '0'],
    ['FRESHNESS_BOUND_MS', '30s'],
    ['SOLVER_THREADS', '0'],
    ['SOLVER_THREADS', '257'],
    ['LOG_LEVEL', 'loud'],
  ] as const) {
    it(`${name}='${value}' is refused by its name`, () => expect(messageOf(load({ env: { [name]: value } }))).to.match(new RegExp(`^${name} is '${value}'`)));
  }

  it('a pool set', () => {
    expect(configOf(load({ argv: ['--pool-set', 'set.json.gz'] }))).to.include({ mode: 'pool-set', poolSetFile: 'set.json.gz' });
    expect(configOf(load({ argv: ['--pool-set=set.json.gz'] }))).to.include({ mode: 'pool-set', poolSetFile: 'set.json.gz' });
  });

  for (const [argv, part] of [
    [['--pool-set'], '--pool-set needs the path of a file'],
    [['--config='], '--config needs the path of a file'],
    [['--pool-set', 'a', '--config', 'b'], 'exclude each other'],
    [['--pool-set', 'a', '--pool-set', 'b'], 'given twice'],
    [['--poolset', 'a'], "unknown argument '--poolset'"],
    [['a.json'], "unknown argument 'a.json'"],
  ] as const) {
    it(`arguments ${argv.join(' ')} are refused`, () => expect(messageOf(load({ argv }))).to.include(part));
  }

  describe('a token list', () => {
    const config = '/etc/braid/config.json';
    const listed = (list: unknown) => ({
      argv: ['--config', config],
      files: { [config]: JSON.stringify({ chains: [{ ...CHAIN, tokenList: 'tokens.json' }] }), '/etc/braid/tokens.json': JSON.stringify(list) },
    });
    const token = (id: number, chainId: number) => ({ chainId, address: `0xB${id.toString(16).padStart(39, '0')}`, symbol: 'T', decimals: 18 });

    it('gives the tokens of its chain, each once, in lower case', () => {
      const loaded = configOf(load(listed({ name: 'some', tokens: [token(1, CHAIN.chainId), token(2, 999), token(1, CHAIN.chainId)] })));
      if (loaded.mode !== 'config') throw new Error('mode');
      expect(loaded.chains[0]?.listedTokens).to.deep.equal([`0xb${'1'.padStart(39, '0')}`]);
    });

    it('of a chain that is named gives the tokens of that chain', () => {
      const { argv, files } = listed({ tokens: [token(1, 8453), token(2, 1)] });
      const chains = [{ chain: 'base', rpcUrls: CHAIN.rpcUrls, tokenList: 'tokens.json' }];
      const loaded = configOf(load({ argv, files: { ...files, [config]: `// Base alone\n${JSON.stringify({ chains })}` } }));
      if (loaded.mode !== 'config') throw new Error('mode');
      expect(loaded.chains[0]?.listedTokens).to.deep.equal([`0xb${'1'.padStart(39, '0')}`]);
    });

    it('is refused, by the name of its field, where it is none, not there, or too long', () => {
      const tooMany = { tokens: Array.from({ length: LIMITS.indexing.listedTokens + 1 }, (_, id) => token(id, CHAIN.chainId)) };
      for (const list of [[], { tokens: [{ chainId: 1 }] }, { tokens: [{ chainId: 1, address: '0x1' }] }, tooMany]) {
        expect(messageOf(load(listed(list))))
          .to.include('chains.0.tokenList')
          .and.include('tokens.json');
      }
      expect(
        messageOf(load({ argv: ['--config', config], files: { [config]: JSON.stringify({ chains: [{ ...CHAIN, tokenList: 'none.json' }] }) } })),
      ).to.include('chains.0.tokenList');
    });
  });

  it('a file: its chains, with addresses in lower case and the bound that is nearest', () => {
    const file = {
      freshnessBoundMs: 9000,
      trustProxy: ['10.0.0.0/8'],
      keysFile: 'keys.json',
      checkpointDirectory: 'kept',
      chains: [CHAIN, { ...CHAIN, chainId: 10, freshnessBoundMs: 4000 }],
    };
    const config = configOf(load({ argv: ['--config', '/etc/braid/config.json'], files: { '/etc/braid/config.json': JSON.stringify(file) } }));
    expect(config).to.include({ mode: 'config', keysFile: '/etc/braid/keys.json', checkpointDirectory: '/etc/braid/kept', freshnessBound: 9000 });
    const env = { CHECKPOINT_DIRECTORY: '/var/lib/braid' };
    const other = configOf(load({ env, argv: ['--config', '/etc/braid/config.json'], files: { '/etc/braid/config.json': JSON.stringify(file) } }));
    expect(other, 'the environment wins').to.include({ checkpointDirectory: '/var/lib/braid', checkpointDirectoryBy: 'CHECKPOINT_DIRECTORY' });
    expect(config.checkpointDirectoryBy).to.equal('checkpointDirectory');
    expect(config.trustProxy).to.deep.equal(['10.0.0.0/8']);
    if (config.mode !== 'config') throw new Error('mode');
    expect(config.chains.map((chain) => chain.freshnessBound)).to.deep.equal([9000, 4000]);
    expect(config.chains[0]?.deployments[0]?.factory).to.equal(FACTORY.toLowerCase());
  });

  it('gated venues of a chain: none unless it names some, labels in lower case', () => {
    const file = {
      chains: [
        { ...CHAIN, gatedVenues: ['RWA:Gold', 'partner_v2'] },
        { ...CHAIN, chainId: 10 },
      ],
    };
    const config = configOf(load({ argv: ['--config', 'c'], files: { c: JSON.stringify(file) } }));
    if (config.mode !== 'config') throw new Error('mode');
    expect(config.chains.map(({ gatedVenues }) => gatedVenues)).to.deep.equal([['rwa:gold', 'partner_v2'], []]);
  });

  it('well-known tokens of a chain: left to the catalogue unless it names some, and it may name none', () => {
    const file = {
      chains: [
        { ...CHAIN, wellKnownTokens: [FACTORY] },
        { ...CHAIN, chainId: 10 },
        { ...CHAIN, chainId: 8453, wellKnownTokens: [] },
      ],
    };
    const config = configOf(load({ argv: ['--config', 'c'], files: { c: JSON.stringify(file) } }));
    if (config.mode !== 'config') throw new Error('mode');
    expect(config.chains.map(({ wellKnownTokens }) => wellKnownTokens)).to.deep.equal([[FACTORY.toLowerCase()], null, []]);
  });

  it('for how many blocks a verdict about a token serves: left to the chain unless it is said, at least one', () => {
    const chains = (...bounds: readonly unknown[]) => ({
      'c.json': JSON.stringify({ chains: bounds.map((verdictBlocks, at) => ({ ...CHAIN, chainId: at + 1, verdictBlocks })) }),
    });
    const config = configOf(load({ argv: ['--config', 'c.json'], files: chains(undefined, 1, 20) }));
    if (config.mode !== 'config') throw new Error('mode');
    expect(config.chains.map(({ verdictBlocks }) => verdictBlocks)).to.deep.equal([null, 1, 20]);
    for (const bound of [0, 21, 1.5, '2']) {
      const refused = load({ argv: ['--config', 'c.json'], files: chains(bound) });
      expect(refused.ok ? '' : refused.message).to.include('chains.0.verdictBlocks');
    }
  });

  it('what prices start from on a chain: left to the catalogue unless it says so, and it may name nothing', () => {
    const feed = { token: FACTORY, feed: FACTORY, maximumAgeSeconds: 60, minimumUsd: 0.5, maximumUsd: 2 };
    const file = {
      chains: [
        { ...CHAIN, prices: { feeds: [feed], stablecoins: [], minimumDepthUsd: 5000 } },
        { ...CHAIN, chainId: 10 },
      ],
    };
    const config = configOf(load({ argv: ['--config', 'c'], files: { c: JSON.stringify(file) } }));
    if (config.mode !== 'config') throw new Error('mode');
    const lower = FACTORY.toLowerCase();
    expect(config.chains.map(({ prices }) => prices)).to.deep.equal([
      { feeds: [{ ...feed, token: lower, feed: lower }], stablecoins: [], minimumDepthUsd: 5000 },
      { feeds: null, stablecoins: null, minimumDepthUsd: null },
    ]);
  });

  it('how little a pool of a chain may hold to be solved with: anything unless it says so, in USD or in whole tokens', () => {
    const file = {
      chains: [
        { ...CHAIN, minimumLiquidity: { usd: 1000, tokens: { [FACTORY]: 0.5 } } },
        { ...CHAIN, chainId: 10, minimumLiquidity: { usd: 1 } },
        { ...CHAIN, chainId: 8453 },
      ],
    };
    const config = configOf(load({ argv: ['--config', 'c'], files: { c: JSON.stringify(file) } }));
    if (config.mode !== 'config') throw new Error('mode');
    expect(config.chains.map(({ minimumLiquidity }) => minimumLiquidity)).to.deep.equal([
      { usd: 1000, tokens: new Map([[FACTORY.toLowerCase(), 0.5]]) },
      { usd: 1, tokens: new Map() },
      null,
    ]);
  });

  it('what is switched off on a chain: nothing unless it names some, in lower case', () => {
    const pool = `0x${'AB'.repeat(20)}`;
    const file = {
      chains: [
        { ...CHAIN, switchedOff: { venues: ['Uniswap_V4:Odd'], pools: [pool] } },
        { ...CHAIN, chainId: 10 },
      ],
    };
    const config = configOf(load({ argv: ['--config', 'c'], files: { c: JSON.stringify(file) } }));
    if (config.mode !== 'config') throw new Error('mode');
    expect(config.chains.map(({ switchedOff }) => switchedOff)).to.deep.equal([
      { venues: ['uniswap_v4:odd'], pools: [pool.toLowerCase()] },
      { venues: [], pools: [] },
    ]);
  });

  it('the environment wins over the file', () => {
    const file = { port: 1000, host: '10.0.0.1', freshnessBoundMs: 9000, chains: [{ ...CHAIN, freshnessBoundMs: 4000 }] };
    const config = configOf(
      load({ env: { PORT: '2000', HOST: '10.0.0.2', FRESHNESS_BOUND_MS: '1' }, argv: ['--config', 'c'], files: { c: JSON.stringify(file) } }),
    );
    expect(config).to.include({ port: 2000, host: '10.0.0.2', freshnessBound: 1 });
    if (config.mode === 'config') expect(config.chains[0]?.freshnessBound).to.equal(1);
  });

  for (const [title, file, part] of [
    ['no JSON', '{', 'c: not a JSON document'],
    ['no chains', '{}', "c: the document must have required property 'chains'"],
    ['an unknown field', { chains: [CHAIN], prot: 1 }, "c: the document has an unknown field 'prot'"],
    ['a port out of range', { chains: [CHAIN], port: 70_000 }, 'c: port must be <= 65535'],
    ['a malformed address', { chains: [{ ...CHAIN, router: '0x12' }] }, 'c: chains.0.router must match pattern'],
    ['a gated venue that is no label', { chains: [{ ...CHAIN, gatedVenues: ['a b'] }] }, 'c: chains.0.gatedVenues.0'],
    ['a price feed without bounds', { chains: [{ ...CHAIN, prices: { feeds: [{ token: FACTORY, feed: FACTORY, maximumAgeSeconds: 60 }] } }] }, 'minimumUsd'],
    [
      'a price feed between whose bounds there is nothing',
      { chains: [{ ...CHAIN, prices: { feeds: [{ token: FACTORY, feed: FACTORY, maximumAgeSeconds: 60, minimumUsd: 2, maximumUsd: 1 }] } }] },
      'c: chains.0.prices.feeds.0.minimumUsd is 2, which is above maximumUsd, 1',
    ],
    ['a depth of nothing for prices', { chains: [{ ...CHAIN, prices: { minimumDepthUsd: 0 } }] }, 'c: chains.0.prices.minimumDepthUsd'],
    ['a minimum of liquidity that says nothing', { chains: [{ ...CHAIN, minimumLiquidity: {} }] }, 'c: chains.0.minimumLiquidity'],
    ['a minimum of liquidity of nothing', { chains: [{ ...CHAIN, minimumLiquidity: { usd: 0 } }] }, 'c: chains.0.minimumLiquidity.usd'],
    ['a minimum of liquidity of no token', { chains: [{ ...CHAIN, minimumLiquidity: { tokens: { WETH: 1 } } }] }, 'c: chains.0.minimumLiquidity.tokens'],
    ['a switched-off pool that is none', { chains: [{ ...CHAIN, switchedOff: { pools: ['0x12'] } }] }, 'c: chains.0.switchedOff.pools.0'],
    ['trust of everybody', { chains: [CHAIN], trustProxy: true }, 'c: trustProxy'],
    ['trust of every network', { chains: [CHAIN], trustProxy: ['10.0.0.0/8', '0.0.0.0/0'] }, "c: trustProxy.1 is '0.0.0.0/0', which trusts everybody"],
    ['trust of every network of IPv6', { chains: [CHAIN], trustProxy: ['::/0'] }, "c: trustProxy.0 is '::/0', which trusts everybody"],
    ['trust of no network', { chains: [CHAIN], trustProxy: ['1.2.3'] }, "c: trustProxy.0 is '1.2.3'"],
    ['trust of a network too long', { chains: [CHAIN], trustProxy: ['10.0.0.0/33'] }, "c: trustProxy.0 is '10.0.0.0/33'"],
    ['a chain twice', { chains: [CHAIN, CHAIN] }, 'c: chains.1.chainId is 1, which an earlier entry has'],
  ] as const) {
    it(`a file with ${title} is refused by its field`, () => {
      const text = typeof file === 'string' ? file : JSON.stringify(file);
      const message = messageOf(load({ argv: ['--config', 'c'], files: { c: text } }));
      expect(message).to.include(part);
      expect(message).not.to.include('secret-path');
    });
  }

  it('a file that is not there is refused by its name', () => {
    expect(messageOf(load({ argv: ['--config', 'nowhere.json'] }))).to.equal('--config nowhere.json can not be read: ENOENT');
  });

  it('is frozen all the way down', () => {
    const config = configOf(load({ argv: ['--config', 'c'], files: { c: JSON.stringify({ chains: [CHAIN] }) } }));
    if (config.mode !== 'config') throw new Error('mode');
    for (const part of [config, config.chains, config.chains[0], config.chains[0]?.deployments[0]]) expect(Object.isFrozen(part)).to.equal(true);
  });

  for (const [title, files, threads] of [
    ['a quota of two processors', { '/sys/fs/cgroup/cpu.max': '200000 100000\n' }, 2],
    ['a quota of half a processor', { '/sys/fs/cgroup/cpu.max': '50000 100000\n' }, 2],
    ['no quota', { '/sys/fs/cgroup/cpu.max': 'max 100000\n' }, 3],
    ['a quota of the first kind of cgroups', { '/sys/fs/cgroup/cpu/cpu.cfs_quota_us': '300000\n', '/sys/fs/cgroup/cpu/cpu.cfs_period_us': '100000\n' }, 2],
    ['no quota of the first kind', { '/sys/fs/cgroup/cpu/cpu.cfs_quota_us': '-1\n', '/sys/fs/cgroup/cpu/cpu.cfs_period_us': '100000\n' }, 3],
  ] as const) {
    it(`solver threads by default: processors less one, at least two, under ${title}`, () => expect(configOf(load({ files })).solverThreads).to.equal(threads));
  }
});
