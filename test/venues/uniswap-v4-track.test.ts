import { expect } from 'chai';
import { concatHex, encodeAbiParameters, type Hex, keccak256, toEventSelector } from 'viem';
import { type Address, asAddress, ZERO_ADDRESS } from '../../src/units/units.ts';
import { DYNAMIC_FEE } from '../../src/venues/uniswap_v4/hook-permissions.ts';
import { HOOK_MODELS, modelOf } from '../../src/venues/uniswap_v4/known-hooks.ts';
import { track } from '../../src/venues/uniswap_v4/track.ts';
import type { ChainLog, DiscoveredPool } from '../../src/venues/venues.ts';
import { MOMENT } from '../support/moment.ts';

const MANAGER = asAddress(`0x${'11'.repeat(20)}`);
const WRAPPED = asAddress(`0x${'22'.repeat(20)}`);
const TOKEN = asAddress(`0x${'33'.repeat(20)}`);
const CHAIN = { chainId: 31_337, wrappedNative: WRAPPED };
const DEPLOYMENT = { venue: 'uniswap_v4', family: 'uniswap_v4', factory: MANAGER, fromBlock: 0 };
const INITIALIZE = toEventSelector('Initialize(bytes32,address,address,uint24,int24,address,uint160,int24)');
const MODIFY_LIQUIDITY = toEventSelector('ModifyLiquidity(bytes32,address,int24,int24,int256,bytes32)');

function word(address: Address): Hex {
  return `0x${address.slice(2).padStart(64, '0')}`;
}

function logOf(topics: readonly Hex[], data: Hex, address = MANAGER): ChainLog {
  return { address, topics, data, blockHash: `0x${'0'.repeat(64)}`, blockNumber: 1, logIndex: 0 };
}

function announced(currency0: Address, currency1: Address, fee: number, hooks: Address): ChainLog {
  const types = ['uint24', 'int24', 'address', 'uint160', 'int24'].map((type) => ({ type }));
  const data = encodeAbiParameters(types, [fee, 60, hooks, 2n ** 96n, 0]);
  const id = keccak256(concatHex([currency0, currency1, data]));
  return logOf([INITIALIZE, id, word(currency0), word(currency1)], data);
}

function discovered(currency0: Address, currency1: Address, fee: number, hooks: Address, chainId = CHAIN.chainId): DiscoveredPool {
  const found = track.discover(DEPLOYMENT, announced(currency0, currency1, fee, hooks), { ...CHAIN, chainId });
  if (found === null || 'announces' in found) throw new Error('not a pool');
  return found;
}

/** A hook at an address with these low bits. */
function hookWith(bits: number): Address {
  return asAddress(`0x${'ab'.repeat(18)}${bits.toString(16).padStart(4, '0')}`);
}

const refuse = (): never => {
  throw new Error('the chain is asked');
};

describe('which pools of Uniswap V4 are routed', () => {
  it('those without a hook, and native ones by the wrapped token', () => {
    const plain = discovered(TOKEN, WRAPPED, 3000, ZERO_ADDRESS);
    expect([plain.source, plain.hook, plain.tokens]).to.deep.equal(['uniswap_v4', null, [TOKEN, WRAPPED]]);
    expect(discovered(ZERO_ADDRESS, TOKEN, 3000, ZERO_ADDRESS).tokens).to.deep.equal([WRAPPED, TOKEN]);
  });

  it('those whose hook can not touch a swap, by its bits and unless the fee is the hook’s', () => {
    for (let bit = 0; bit < 14; bit++) {
      const hook = hookWith(1 << bit);
      const touches = [2, 3, 6, 7].includes(bit);
      const found = discovered(TOKEN, WRAPPED, 3000, hook);
      expect([found.source, found.hook], `bit ${bit}`).to.deep.equal([touches ? 'uniswap_v4:unknown' : 'uniswap_v4:passive', hook]);
      expect(discovered(TOKEN, WRAPPED, DYNAMIC_FEE, hook).source, `bit ${bit}, dynamic fee`).to.equal('uniswap_v4:unknown');
    }
  });

  it('those of known hooks, on their own chain alone', () => {
    for (const [variant, { deployments }] of HOOK_MODELS) {
      for (const { chainId, address } of deployments) {
        expect(discovered(TOKEN, WRAPPED, 3000, address, chainId).source).to.equal(`uniswap_v4:${variant}`);
        expect(modelOf(chainId + 1, address, 3000)).to.equal(null);
      }
    }
  });

  it('a pool of an unknown hook is followed by name: it is never read, and no log makes it a pool with a state', async () => {
    const pools = [discovered(TOKEN, WRAPPED, 3000, hookWith(0x80)), discovered(ZERO_ADDRESS, WRAPPED, 3000, ZERO_ADDRESS)];
    expect(await track.load(pools, async (calls) => (calls.length === 0 ? [] : refuse()), MOMENT)).to.deep.equal([null, null]);
    for (const pool of pools) {
      expect(track.rereading?.(pool)).to.deep.equal({ kind: 'logs' });
      const first = announced(TOKEN, WRAPPED, 3000, hookWith(0x80));
      expect(track.apply(pool, null, first)).to.deep.equal({ kind: 'ignored' });
      const types = ['int24', 'int24', 'int256', 'bytes32'].map((type) => ({ type }));
      const added = logOf([MODIFY_LIQUIDITY, pool.key as Hex, word(TOKEN)], encodeAbiParameters(types, [-60, 60, 10n ** 18n, `0x${'0'.repeat(64)}`]));
      expect(track.apply(pool, null, added)).to.deep.equal({ kind: 'ignored' });
    }
  });

  it('only the manager announces pools, and a log that is too short names none', () => {
    const { topics, data } = announced(TOKEN, WRAPPED, 3000, ZERO_ADDRESS);
    expect(track.discover(DEPLOYMENT, logOf(topics, data, TOKEN), CHAIN)).to.equal(null);
    expect(track.discover(DEPLOYMENT, logOf(topics, data.slice(0, -64) as Hex), CHAIN)).to.equal(null);
    expect(track.discover(DEPLOYMENT, logOf(topics.slice(0, 3), data), CHAIN)).to.equal(null);
    expect(() => track.poolsOf(logOf([MODIFY_LIQUIDITY], data))).to.throw(RangeError);
  });

  it('of a pool that is followed a position that can not be is read again, not believed', () => {
    const pool = discovered(TOKEN, WRAPPED, 3000, ZERO_ADDRESS);
    const started = track.apply(pool, null, announced(TOKEN, WRAPPED, 3000, ZERO_ADDRESS));
    if (started.kind !== 'state' || started.state === null) throw new Error('no state');
    const types = ['int24', 'int24', 'int256', 'bytes32'].map((type) => ({ type }));
    const change = (lower: number, upper: number, delta: bigint) =>
      logOf([MODIFY_LIQUIDITY, pool.key as Hex, word(TOKEN)], encodeAbiParameters(types, [lower, upper, delta, `0x${'0'.repeat(64)}`]));
    expect(track.apply(pool, started.state, change(-60, 60, -1n)).kind).to.equal('reload');
    expect(track.apply(pool, started.state, change(60, -60, 1n)).kind).to.equal('reload');
    expect(track.apply(pool, started.state, change(-60, 60, 1n)).kind).to.equal('state');
    expect(track.apply(pool, null, change(-60, 60, 1n)).kind).to.equal('reload');
  });
});
