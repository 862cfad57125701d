import { expect } from 'chai';
import { createPublicClient, http, parseAbi } from 'viem';
import { generateDevnet, VENUES_OF_SET } from '../../bench/solver/generate/devnet.ts';
import { plainMarket } from '../../src/devnet/devnet.ts';
import { useDevnet } from '../support/devnet.ts';

const POOL = parseAbi([
  'function slot0() view returns (uint160 sqrtPriceX96, int24 tick, uint16, uint16, uint16, uint8, bool)',
  'function liquidity() view returns (uint128)',
  'function ticks(int24) view returns (uint128 gross, int128 net, uint256, uint256, int56, uint160, uint32, bool)',
  'function getReserves() view returns (uint112, uint112, uint32)',
]);

describe("the benchmark's set of the local chain's pools", () => {
  const devnet = useDevnet({ seed: 1 });

  it('holds what the chain itself holds at its start: prices, liquidity, ticks and reserves to the unit', async () => {
    const { rpcUrl } = devnet.current();
    // A set holds no verdicts: each of its tokens is plain.
    const { tokens, pools } = plainMarket(devnet.current());
    const client = createPublicClient({ transport: http(rpcUrl) });
    const { poolSet } = generateDevnet(1, new Map(tokens.map(({ symbol, address }) => [symbol, address.toLowerCase()])));
    const filled = pools.filter(({ family, liquidityUsd }) => liquidityUsd > 0 && family in VENUES_OF_SET);
    expect(poolSet.pools).to.have.lengthOf(filled.length);
    for (const [index, { address, family, tokens: pair }] of filled.entries()) {
      const ours = poolSet.pools[index];
      const name = `${family} ${address}`;
      if (ours === undefined) throw new TypeError(`no pool for ${name}`);
      expect(ours.tokens, name).to.deep.equal(pair.map((token) => token.toLowerCase()));
      if (family !== 'uniswap_v3') {
        const [reserve0, reserve1] = await client.readContract({ address, abi: POOL, functionName: 'getReserves' });
        expect(ours.reserves, name).to.deep.equal([String(reserve0), String(reserve1)]);
        continue;
      }
      const [sqrtPriceX96, tick] = await client.readContract({ address, abi: POOL, functionName: 'slot0' });
      const liquidity = await client.readContract({ address, abi: POOL, functionName: 'liquidity' });
      expect([ours.sqrtPriceX96, ours.tick, ours.liquidity], name).to.deep.equal([String(sqrtPriceX96), tick, String(liquidity)]);
      for (const [at, net] of ours.ticks as readonly (readonly [number, string])[]) {
        const [, found] = await client.readContract({ address, abi: POOL, functionName: 'ticks', args: [at] });
        expect(net, `${name}, tick ${at}`).to.equal(String(found));
      }
    }
  });
});
