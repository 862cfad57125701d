import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { getAddress } from 'viem';
import * as viemChains from 'viem/chains';
import { CATALOGUE, chainById, feedsOf, stablecoinsOf } from '../../src/chains/chains.ts';
import { hostedChains } from '../../src/http/hosted-chains.ts';
import { ZERO_ADDRESS } from '../../src/units/units.ts';
import { frozenChain } from '../http/support/edge.ts';

describe('the chain catalogue', () => {
  it('lists each id and each name or alias once, names in lower case', () => {
    const ids = CATALOGUE.map((chain) => chain.chainId);
    const names = CATALOGUE.flatMap((chain) => [chain.name, ...chain.aliases]);
    expect(new Set(ids).size).to.equal(ids.length);
    expect(new Set(names).size).to.equal(names.length);
    for (const name of names) expect(name).to.match(/^[a-z]+$/);
  });

  it('lists the chains that the design lists', () => {
    const ids = [1, 8453, 42161, 56, 43114, 196, 137, 10, 100, 59144, 534352, 130, 81457, 5000, 146, 80094, 480, 57073, 1868, 42220, 31337];
    expect(CATALOGUE.map((chain) => chain.chainId)).to.have.members(ids);
  });

  it('gives ids, native tokens and block times that the chain definitions of viem have too', () => {
    const known = Object.values(viemChains).filter((chain) => 'id' in chain);
    for (const { chainId, name, nativeSymbol, nativeDecimals, blockTime } of CATALOGUE) {
      const definitions = known.filter(({ id }) => id === chainId);
      expect(definitions.length, name).to.be.at.least(1);
      if (name === 'devnet') continue;
      const natives = definitions.map(({ nativeCurrency: { symbol, decimals } }) => `${symbol} ${decimals}`);
      expect(natives, name).to.include(`${nativeSymbol} ${nativeDecimals}`);
      for (const definition of definitions)
        if ('blockTime' in definition && definition.blockTime !== undefined) expect(definition.blockTime, name).to.equal(blockTime);
    }
  });

  it('is written in checksummed addresses, so that a typing error shows', () => {
    for (const [file, least] of [
      ['chains.gen', 100],
      ['venues.gen', 130],
      ['by-hand', 12],
    ] as const) {
      const source = readFileSync(new URL(`../../src/chains/${file}.ts`, import.meta.url), 'utf8');
      const addresses = source.match(/0x[0-9a-fA-F]{40}(?![0-9a-fA-F])/g) ?? [];
      expect(addresses.length).to.be.at.least(least);
      for (const address of addresses) expect(address).to.equal(getAddress(address.toLowerCase()));
    }
  });

  it('names a wrapped native token of every network but Celo, whose native token is an ERC-20 itself', () => {
    expect(CATALOGUE.filter(({ wrappedNative }) => wrappedNative === null).map(({ name }) => name)).to.deep.equal(['celo', 'devnet']);
  });

  it('calls a head stale after five blocks that did not come, and not within half a minute', () => {
    for (const { name, blockTime, freshnessBound } of CATALOGUE) expect(freshnessBound, name).to.equal(Math.max(30_000, 5 * blockTime));
    expect(chainById(1)?.freshnessBound).to.equal(60_000);
    expect(chainById(8453)?.freshnessBound).to.equal(30_000);
  });

  it('lists no stablecoin and no base token twice on a chain, the dollars among the base tokens, the wrapped native token first', () => {
    for (const { chainId, wrappedNative, baseTokens } of CATALOGUE) {
      const coins = stablecoinsOf(chainId);
      expect(new Set(coins).size).to.equal(coins.length);
      expect(new Set(baseTokens).size).to.equal(baseTokens.length);
      expect(baseTokens).to.include.members([...coins]);
      if (wrappedNative !== null) expect(baseTokens[0]).to.equal(wrappedNative);
    }
    expect(stablecoinsOf(1)).to.have.length(3);
    expect(CATALOGUE.filter(({ chainId }) => stablecoinsOf(chainId).length === 0).map(({ name }) => name)).to.deep.equal(['blast', 'devnet']);
    expect(stablecoinsOf(987654321)).to.deep.equal([]);
  });

  it('knows a feed of the native token of thirteen networks, each another, and none of the others', () => {
    const feeds = CATALOGUE.flatMap(({ chainId, wrappedNative }) => feedsOf(chainId, wrappedNative ?? ZERO_ADDRESS));
    expect([feeds.length, new Set(feeds.map(({ feed }) => feed)).size]).to.deep.equal([13, 13]);
    for (const { minimumUsd, maximumUsd, maximumAgeSeconds } of feeds)
      expect(minimumUsd > 0 && minimumUsd < maximumUsd && maximumAgeSeconds > 3600).to.equal(true);
    expect(feedsOf(1, ZERO_ADDRESS)[0]?.token).to.equal(ZERO_ADDRESS);
    expect(feedsOf(987654321, ZERO_ADDRESS)).to.deep.equal([]);
  });

  it('lets a verdict about a token serve for one block, or for as many as come within two seconds', () => {
    for (const { name, blockTime, verdictBlocks } of CATALOGUE) {
      if (name !== 'devnet') expect(verdictBlocks, name).to.equal(Math.max(1, Math.floor(2000 / blockTime)));
    }
    expect([1, 42161, 31337].map((chainId) => chainById(chainId)?.verdictBlocks)).to.deep.equal([1, 8, 1]);
  });

  it('has the feeds of rollups go by whether their sequencer works, where Chainlink says', () => {
    const watched = CATALOGUE.filter(({ chainId }) => feedsOf(chainId, ZERO_ADDRESS)[0]?.sequencer !== undefined);
    expect(watched.map(({ name }) => name)).to.have.members(['base', 'arbitrum', 'optimism', 'scroll', 'mantle', 'soneium']);
  });

  it('sets the floor of the gas price of BNB Smart Chain, whose base fee is nothing, to 0.05 gwei', () => {
    expect(chainById(56)?.minimumGasPriceWei).to.equal(50_000_000n);
    expect(CATALOGUE.filter(({ minimumGasPriceWei }) => minimumGasPriceWei > 0n).map(({ name }) => name)).to.deep.equal(['bsc', 'devnet']);
  });

  it('sets the floor of the devnet gas price to 1 gwei', () => {
    expect(chainById(31337)?.minimumGasPriceWei).to.equal(10n ** 9n);
  });
});

describe('finding a hosted chain', () => {
  const { byName } = hostedChains(CATALOGUE.map(({ name }) => frozenChain(name, ZERO_ADDRESS)));
  const found: [string, number][] = [
    ['ethereum', 1],
    ['ETH', 1],
    ['Eth', 1],
    ['1', 1],
    ['BNB', 56],
    ['bsc', 56],
    ['56', 56],
    ['avax', 43114],
    ['AVALANCHE', 43114],
    ['devnet', 31337],
    ['31337', 31337],
    ['534352', 534352],
  ];
  for (const [text, id] of found) {
    it(`names and aliases are case-insensitive: ${text} is chain ${id}`, () => expect(byName(text)?.chain.chainId).to.equal(id));
  }

  const unknown = [
    ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', '1e0', '0x1', '01', '001', '+1', '-1', '1.0', ' 1', '1 ', '1\n', '0', ''],
    ...['99999999999999999999', '9223372036854775807', '9007199254740993', '2', 'ethereum ', 'eth\u0000', '１', 'mainnet2', 'x'.repeat(10_000)],
  ];
  for (const text of unknown) {
    it(`anything else is unknown: ${JSON.stringify(text.slice(0, 24))}`, () => expect(byName(text)).to.equal(undefined));
  }

  it('takes ids as bigint beyond 2^53 without rounding them into a known id', () => {
    for (const chain of CATALOGUE) {
      expect(chainById(BigInt(chain.chainId))).to.equal(chain);
      expect(chainById(BigInt(chain.chainId) + (1n << 64n))).to.equal(undefined);
    }
    expect(chainById(-1n)).to.equal(undefined);
  });
});
