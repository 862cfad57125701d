import { existsSync } from 'node:fs';
import { expect } from 'chai';
import { encodeAbiParameters, encodePacked, getCreate2Address, keccak256 } from 'viem';
import { CATALOGUE, type CataloguedVenue, venuesOf } from '../../src/chains/chains.ts';
import { readJsonFile } from '../../src/pool-set/pool-set.ts';
import { asAddress } from '../../src/units/units.ts';
import type { VenueFacet } from '../../src/venues/venues.ts';
import { describeWithSharedData, sharedData } from '../pool-set/shared-data.ts';
import { npmArtifact } from '../support/artifacts.ts';

const ALL = CATALOGUE.flatMap(({ chainId, name }) => venuesOf(chainId).map((row) => ({ chain: name, ...row })));

/** Two tokens in ascending order, and, of a pool of ticks, its fee. */
type Pair = { readonly tokens: readonly [`0x${string}`, `0x${string}`]; readonly feePpm: number | null };

/** The address that follows from a pool's tokens by the factory's own rule. */
function addressOf({ pools }: CataloguedVenue, { tokens, feePpm }: Pair): string {
  if (pools === null) throw new Error('its pools are made otherwise');
  const [token0, token1] = tokens;
  const salt =
    feePpm === null
      ? encodePacked(['address', 'address'], [token0, token1])
      : encodeAbiParameters([{ type: 'address' }, { type: 'address' }, { type: 'uint24' }], [token0, token1, feePpm]);
  return getCreate2Address({ from: pools.deployer, salt: keccak256(salt), bytecodeHash: pools.initCodeHash }).toLowerCase();
}

function rowOf(chainId: number, family: string): CataloguedVenue {
  const rows = venuesOf(chainId).filter((row) => row.family === family);
  if (rows.length !== 1 || rows[0] === undefined) throw new Error(`chain ${chainId} has ${rows.length} deployments of ${family}`);
  return rows[0];
}

describe('the venues of the catalogue', () => {
  it('are venues and families that there are', async () => {
    for (const name of new Set(ALL.map(({ venue }) => venue))) {
      const file = new URL(`../../src/venues/${name}/venue.ts`, import.meta.url);
      expect(existsSync(file), name).to.equal(true);
      const { venue } = (await import(file.href)) as { readonly venue: VenueFacet };
      const families = venue.families.map(({ family }) => family);
      for (const row of ALL.filter((one) => one.venue === name)) expect(families, `${row.chain}: ${row.factory}`).to.include(row.family);
    }
  });

  it('are announced by a contract each: none is listed twice on a chain', () => {
    const places = ALL.map(({ chain, factory }) => `${chain} ${factory}`);
    expect(new Set(places).size).to.equal(places.length);
  });

  it('are known of every network but berachain, whose protocols publish none', () => {
    expect(CATALOGUE.filter(({ chainId }) => venuesOf(chainId).length === 0).map(({ name }) => name)).to.deep.equal(['berachain', 'devnet']);
    expect(venuesOf(987654321)).to.deep.equal([]);
  });

  for (const [family, artifact] of [
    ['uniswap_v2', '@uniswap/v2-core/build/UniswapV2Pair.json'],
    ['uniswap_v3', '@uniswap/v3-core/artifacts/contracts/UniswapV3Pool.sol/UniswapV3Pool.json'],
    ['pancakeswap_v3', '@pancakeswap/v3-core/artifacts/contracts/PancakeV3Pool.sol/PancakeV3Pool.json'],
  ] as const) {
    it(`have the init code hash of the pools of ${family} that their published creation code has, on every chain`, () => {
      const rows = ALL.filter((row) => row.family === family);
      expect(rows.length).to.be.at.least(5);
      const hash = keccak256(npmArtifact(artifact).bytecode);
      for (const { chain, pools } of rows) expect(pools?.initCodeHash, chain).to.equal(hash);
    });
  }

  // Pools that recorded sets know (../shared/data/snapshots).
  for (const [chainId, family, address, feePpm, tokens] of [
    [
      1,
      'uniswap_v2',
      '0xcd7989894bc033581532d2cd88da5db0a4b12859',
      null,
      ['0x2260fac5e5542a773aa44fbcfedf7c193bc2c599', '0x3472a5a71965499acd81997a54bba8d852c6e53d'],
    ],
    [
      1,
      'sushiswap_v2',
      '0x088ee5007c98a9677165d78dd2109ae4a3d04d0c',
      null,
      ['0x0bc529c00c6401aef6d220be8c6ea1667f6ad93e', '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'],
    ],
    [
      1,
      'pancakeswap_v2',
      '0x935dce0d9cbbf2915cc4b5ec6bfd665e450c3854',
      null,
      ['0x957e0fdfbd1c2f97648318b2f057e327996ec367', '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'],
    ],
    [
      1,
      'uniswap_v3',
      '0xa305f3aad48e285c002a2dbadbbba58fea10ad45',
      3000,
      ['0x70edf1c215d0ce69e7f16fd4e6276ba0d99d4de7', '0xdac17f958d2ee523a2206206994597c13d831ec7'],
    ],
    [
      1,
      'pancakeswap_v3',
      '0x04c8577958ccc170eb3d2cca76f9d51bc6e42d8f',
      100,
      ['0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', '0xdac17f958d2ee523a2206206994597c13d831ec7'],
    ],
    [
      56,
      'pancakeswap_v2',
      '0x16b9a82891338f9ba80e2d6970fdda79d1eb0dae',
      null,
      ['0x55d398326f99059ff775485246999027b3197955', '0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c'],
    ],
    [
      56,
      'pancakeswap_v3',
      '0x83c38557a0576ad38def24abafa17c2c218cb9e4',
      10000,
      ['0x2170ed0880ac9a755fd29b2688956bd959f933f8', '0x55d398326f99059ff775485246999027b3197955'],
    ],
  ] as const) {
    it(`lead from its tokens to pool ${address} of ${family} on chain ${chainId}`, () => {
      expect(addressOf(rowOf(chainId, family), { tokens: [tokens[0], tokens[1]], feePpm })).to.equal(address);
    });
  }
});

type RecordedPool = { readonly id: string; readonly venue: string; readonly kind: string; readonly tokens: readonly string[]; readonly feePpm?: number };

describeWithSharedData('the venues of the catalogue, on recorded pools', () => {
  for (const [set, least] of [
    ['tycho-ethereum-24693611', 1404],
    ['pancake-bsc-2025-06-a', 30],
  ] as const) {
    it(`lead from its tokens to every pool of ${set}`, async () => {
      const file = await readJsonFile(sharedData(`snapshots/${set}.snapshot.json.gz`));
      if (!file.ok) throw new Error(file.message);
      const { chainId, pools } = file.value as { readonly chainId: number; readonly pools: readonly RecordedPool[] };
      const made = pools.filter(({ kind }) => kind === 'constantProduct' || kind === 'concentrated');
      expect(made.length).to.equal(least);
      for (const { id, venue, tokens, feePpm } of made) {
        const [token0, token1] = tokens.map(asAddress).sort();
        if (token0 === undefined || token1 === undefined) throw new Error(`${id} has fewer than two tokens`);
        expect(addressOf(rowOf(chainId, venue), { tokens: [token0, token1], feePpm: feePpm ?? null })).to.equal(id);
      }
    });
  }
});
