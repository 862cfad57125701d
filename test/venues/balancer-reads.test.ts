import { expect } from 'chai';
import { encodeEventTopics, encodeFunctionData, encodeFunctionResult, type Hex, parseAbi, toEventSelector } from 'viem';
import { asAddress, type EpochSeconds, ZERO_ADDRESS } from '../../src/units/units.ts';
import { RATE_PROVIDER_ABI } from '../../src/venues/balancer/vault-abi.ts';
import { track as stable } from '../../src/venues/balancer_v2_stable/track.ts';
import type { WeightedState } from '../../src/venues/balancer_v2_weighted/state.ts';
import { track as weighted } from '../../src/venues/balancer_v2_weighted/track.ts';
import { momentOf } from '../../src/venues/quote-moment.ts';
import type { ChainAnswer, ChainLog, DiscoveredPool, TrackFacet } from '../../src/venues/venues.ts';
import { MadeUpContracts, wordsOf } from './made-up-contracts.ts';

// The contracts' own interfaces (IVault.sol, BasePool.sol), written out: what the code under test knows of them is not asked.
const ABI = parseAbi([
  'function getPoolTokens(bytes32 poolId) view returns (address[] tokens, uint256[] balances, uint256 lastChangeBlock)',
  'function getPoolTokenInfo(bytes32 poolId, address token) view returns (uint256 cash, uint256 managed, uint256 lastChangeBlock, address assetManager)',
  'function getPoolId() view returns (bytes32)',
  'function getVault() view returns (address)',
  'function getPausedState() view returns (bool paused, uint256 pauseWindowEndTime, uint256 bufferPeriodEndTime)',
  'function getSwapFeePercentage() view returns (uint256)',
  'function getScalingFactors() view returns (uint256[])',
  'function getNormalizedWeights() view returns (uint256[])',
  'function getATHRateProduct() view returns (uint256)',
  'function getAmplificationParameter() view returns (uint256 value, bool isUpdating, uint256 precision)',
  'function getBptIndex() view returns (uint256)',
  'function getRateProviders() view returns (address[])',
  'function getTokenRateCache(address token) view returns (uint256 rate, uint256 oldRate, uint256 duration, uint256 expires)',
  'event Swap(bytes32 indexed poolId, address indexed tokenIn, address indexed tokenOut, uint256 amountIn, uint256 amountOut)',
  'event PoolBalanceChanged(bytes32 indexed poolId, address indexed liquidityProvider, address[] tokens, int256[] deltas, uint256[] protocolFeeAmounts)',
]);
const of = (digit: string) => asAddress(`0x${digit.repeat(40)}`);
const [FACTORY, VAULT, POOL, A, B, STRANGER, PROVIDER] = [of('1'), of('2'), of('3'), of('4'), of('5'), of('6'), of('7')];
const POOL_ID: Hex = `0x${POOL.slice(2)}000200000000000000000009`;
const ONE = 10n ** 18n;
const NOW = momentOf({ number: 9, timestamp: 1000 as EpochSeconds });
const NOBODY = () => false;

type View =
  | 'getPoolId'
  | 'getVault'
  | 'getSwapFeePercentage'
  | 'getScalingFactors'
  | 'getNormalizedWeights'
  | 'getATHRateProduct'
  | 'getBptIndex'
  | 'getRateProviders';

/** Encoded, as viem knows functions by their names. */
function asked(functionName: string, args: readonly unknown[] = []): Hex {
  return encodeFunctionData({ abi: ABI, functionName, args } as unknown as Parameters<typeof encodeFunctionData>[0]);
}

function told(functionName: string, result: unknown): Hex {
  return encodeFunctionResult({ abi: ABI, functionName, result } as unknown as Parameters<typeof encodeFunctionResult>[0]);
}

type Question = { readonly to: ReturnType<typeof of>; readonly data: Hex };
const pool = (view: View | 'getPausedState' | 'getAmplificationParameter'): Question => ({ to: POOL, data: asked(view) });
const vault = (name: string, ...args: readonly unknown[]): Question => ({ to: VAULT, data: asked(name, args) });
const TOKENS = vault('getPoolTokens', POOL_ID);
const rateOf = (token: string): Question => ({ to: POOL, data: asked('getTokenRateCache', [token]) });
const RATE: Question = { to: PROVIDER, data: encodeFunctionData({ abi: RATE_PROVIDER_ABI }) };

/** A weighted pool of A and B, or a composable one with its own token between them and a rate for B, as their contracts answer. */
function madeUp(kind: 'weighted' | 'stable'): MadeUpContracts {
  const tokens = kind === 'weighted' ? [A, B] : [A, POOL, B];
  const contracts = new MadeUpContracts();
  const says = ({ to, data }: Question, name: string, result: unknown) => contracts.says(to, data, told(name, result));
  says(pool('getPoolId'), 'getPoolId', POOL_ID);
  says(pool('getVault'), 'getVault', VAULT);
  says(pool('getPausedState'), 'getPausedState', [false, 1n, 2n]);
  says(vault('getPausedState'), 'getPausedState', [false, 1n, 2n]);
  says(pool('getSwapFeePercentage'), 'getSwapFeePercentage', ONE / 100n);
  says(
    pool('getScalingFactors'),
    'getScalingFactors',
    tokens.map((token) => (token === B ? 2n * 10n ** 12n * ONE : ONE)),
  );
  says(pool('getNormalizedWeights'), 'getNormalizedWeights', [ONE / 4n, (3n * ONE) / 4n]);
  says(pool('getATHRateProduct'), 'getATHRateProduct', ONE);
  says(pool('getBptIndex'), 'getBptIndex', 1n);
  says(pool('getAmplificationParameter'), 'getAmplificationParameter', [200_000n, false, 1000n]);
  says(
    pool('getRateProviders'),
    'getRateProviders',
    tokens.map((token) => (token === B ? PROVIDER : ZERO_ADDRESS)),
  );
  says(TOKENS, 'getPoolTokens', [tokens, tokens.map((_, slot) => BigInt(slot + 1) * ONE), 5n]);
  for (const token of tokens) says(vault('getPoolTokenInfo', POOL_ID, token), 'getPoolTokenInfo', [ONE, 0n, 5n, ZERO_ADDRESS]);
  if (kind === 'stable') {
    says(rateOf(B), 'getTokenRateCache', [2n, 2n, 100n, 1000n]);
    contracts.says(RATE.to, RATE.data, wordsOf(3n));
  }
  return contracts;
}

const TRACKS = { weighted, stable } as const;
const ANNOUNCED = [
  {
    announcement: { announces: POOL, facts: {} },
    deployment: { venue: 'balancer', family: 'balancer_v2', factory: FACTORY, fromBlock: 0 },
  },
];

function followed(kind: 'weighted' | 'stable'): DiscoveredPool {
  return {
    key: POOL_ID,
    address: VAULT,
    emitters: [VAULT, POOL],
    governors: [VAULT, POOL],
    hook: null,
    protocol: 'balancer_v2',
    source: 'balancer_v2',
    tokens: kind === 'weighted' ? [A, B] : [A, POOL, B],
    traits: kind === 'weighted' ? {} : { rateProviders: [ZERO_ADDRESS, ZERO_ADDRESS, PROVIDER].join(' ') },
  };
}

async function described(kind: 'weighted' | 'stable', contracts: MadeUpContracts): Promise<DiscoveredPool | null> {
  const [found] = (await TRACKS[kind].describe?.(ANNOUNCED, contracts.read, NOBODY)) ?? [];
  return (found?.[0] as DiscoveredPool | undefined) ?? null;
}

async function loaded(kind: 'weighted' | 'stable', contracts: MadeUpContracts): Promise<unknown> {
  return (await (TRACKS[kind] as TrackFacet<unknown>).load([followed(kind)], contracts.read, NOW))[0];
}

function logOf(topics: readonly Hex[], data: Hex, address = VAULT): ChainLog {
  return { address, topics, data, blockHash: `0x${'0'.repeat(64)}`, blockNumber: 1, logIndex: 0 };
}

describe('what the contracts of Balancer’s vault say of a pool', () => {
  const broken: readonly (readonly [string, ChainAnswer])[] = [
    ['reverts', null],
    ['is nothing', '0x'],
    ['is cut', '0x00'],
  ];

  for (const kind of ['weighted', 'stable'] as const) {
    const views: readonly Question[] =
      kind === 'weighted'
        ? [pool('getNormalizedWeights'), pool('getScalingFactors'), pool('getATHRateProduct')]
        : [pool('getScalingFactors'), pool('getAmplificationParameter'), pool('getBptIndex'), pool('getRateProviders')];

    it(`${kind}: tells which pool it is; it is none where any answer is missing`, async () => {
      expect(await described(kind, madeUp(kind))).to.deep.equal(followed(kind));
      for (const { to, data } of [pool('getPoolId'), pool('getVault'), TOKENS, vault('getPoolTokenInfo', POOL_ID, A), vault('getPoolTokenInfo', POOL_ID, B)]) {
        for (const [how, answer] of broken) expect(await described(kind, madeUp(kind).says(to, data, answer)), `${data} ${how}`).to.equal(null);
      }
      for (const { to, data } of views) {
        for (const answer of [null, '0x'] as const) expect(await described(kind, madeUp(kind).says(to, data, answer)), `${data} ${answer}`).to.equal(null);
      }
    });

    it(`${kind}: is no pool by the id of another contract, with one token, or of which somebody manages a balance`, async () => {
      const with_ = ({ to, data }: Question, name: string, result: unknown) => described(kind, madeUp(kind).says(to, data, told(name, result)));
      expect(await with_(pool('getPoolId'), 'getPoolId', `${STRANGER}${POOL_ID.slice(42)}`)).to.equal(null);
      expect(await with_(TOKENS, 'getPoolTokens', [[A], [1n], 5n])).to.equal(null);
      for (const token of [A, B]) {
        expect(await with_(vault('getPoolTokenInfo', POOL_ID, token), 'getPoolTokenInfo', [1n, 0n, 5n, STRANGER]), token).to.equal(null);
      }
    });

    it(`${kind}: has no state where the vault or the pool is paused, an answer is missing, or the vault lists other tokens`, async () => {
      expect(await loaded(kind, madeUp(kind))).not.to.equal(null);
      const tokens = followed(kind).tokens;
      const balances = tokens.map(() => 1n);
      const hostile: readonly (readonly [Question, string, unknown])[] = [
        [pool('getPausedState'), 'getPausedState', [true, 1n, 2n]],
        [vault('getPausedState'), 'getPausedState', [true, 1n, 2n]],
        [TOKENS, 'getPoolTokens', [tokens.toReversed(), balances, 5n]],
        [TOKENS, 'getPoolTokens', [tokens.slice(1), balances.slice(1), 5n]],
        [TOKENS, 'getPoolTokens', [[...tokens, STRANGER], [...balances, 1n], 5n]],
        [TOKENS, 'getPoolTokens', [tokens.with(1, STRANGER), balances, 5n]],
        [pool('getScalingFactors'), 'getScalingFactors', [ONE]],
        ...(kind === 'weighted' ? [[pool('getNormalizedWeights'), 'getNormalizedWeights', [ONE]] as const] : []),
        ...(kind === 'stable' ? [[pool('getAmplificationParameter'), 'getAmplificationParameter', [200_000n, false, 100n]] as const] : []),
      ];
      for (const [{ to, data }, name, result] of hostile) {
        expect(await loaded(kind, madeUp(kind).says(to, data, told(name, result))), `${name} ${String(result)}`).to.equal(null);
      }
      const needed = [
        pool('getPausedState'),
        vault('getPausedState'),
        TOKENS,
        pool('getSwapFeePercentage'),
        pool('getScalingFactors'),
        ...(kind === 'weighted' ? [pool('getNormalizedWeights')] : [pool('getAmplificationParameter'), rateOf(B)]),
      ];
      for (const { to, data } of needed) {
        for (const [how, answer] of broken) expect(await loaded(kind, madeUp(kind).says(to, data, answer)), `${data} ${how}`).to.equal(null);
      }
    });
  }

  it('weighted: balances, fee, weights and lifts are the state', async () => {
    expect(await loaded('weighted', madeUp('weighted'))).to.deep.equal({
      balances: [ONE, 2n * ONE],
      swapFee: ONE / 100n,
      lifts: [1n, 2n * 10n ** 12n],
      weights: [ONE / 4n, (3n * ONE) / 4n],
      powers: 'multiplied',
    });
  });

  it('stable: a rate is the remembered one until it has expired, and then what its provider says, which has to be a rate', async () => {
    const scaleOf = async (contracts: MadeUpContracts) => (((await loaded('stable', contracts)) as { scales: readonly unknown[] } | null)?.scales ?? null)?.[2];
    const factor = 2n * 10n ** 12n * ONE;
    const expiring = (expires: bigint, remembered = 2n) =>
      madeUp('stable').says(rateOf(B).to, rateOf(B).data, told('getTokenRateCache', [remembered, remembered, 100n, expires]));
    expect(await scaleOf(expiring(1000n)), 'in its last second').to.deep.equal({ numerator: factor, denominator: ONE });
    expect(await scaleOf(expiring(999n))).to.deep.equal({ numerator: (factor / 2n) * 3n, denominator: ONE });
    const saying = (rate: bigint) => scaleOf(expiring(999n).says(RATE.to, RATE.data, wordsOf(rate)));
    expect([await saying(0n), await saying(1n << 96n), await scaleOf(expiring(999n, 0n))]).to.deep.equal([undefined, undefined, undefined]);
    expect(await saying((1n << 96n) - 1n), 'the factor is too large').to.equal(undefined);
    const { scales, amplification, rule } = (await loaded('stable', madeUp('stable'))) as Record<string, unknown>;
    expect([(scales as unknown[])[1], amplification, rule], 'its own token takes no part').to.deep.equal([null, 200_000n, 'down']);
  });
});

describe('logs of Balancer’s vault and its pools', () => {
  const SIGNATURES = [
    'Swap(bytes32,address,address,uint256,uint256)',
    'PoolBalanceChanged(bytes32,address,address[],int256[],uint256[])',
    'PoolBalanceManaged(bytes32,address,address,int256,int256)',
    'SwapFeePercentageChanged(uint256)',
    'PausedStateChanged(bool)',
    'AmpUpdateStarted(uint256,uint256,uint256,uint256)',
    'AmpUpdateStopped(uint256)',
    'TokenRateCacheUpdated(uint256,uint256)',
  ].map(toEventSelector) as [Hex, Hex, Hex, Hex, ...Hex[]];
  const [SWAP, CHANGED, MANAGED, FEE] = SIGNATURES;
  const CREATED = toEventSelector('PoolCreated(address)');
  const before: WeightedState = { balances: [100n, 200n], swapFee: 1n, lifts: [1n, 1n], weights: [ONE / 4n, (3n * ONE) / 4n], powers: 'multiplied' };
  const applied = (log: ChainLog, state: WeightedState | null = before) => weighted.apply(followed('weighted'), state, log);
  const swap = (tokenIn: Hex, tokenOut: Hex, amountIn: bigint, amountOut: bigint) =>
    logOf(encodeEventTopics({ abi: ABI, eventName: 'Swap', args: { poolId: POOL_ID, tokenIn, tokenOut } }) as Hex[], wordsOf(amountIn, amountOut));
  const list = (...values: readonly (bigint | string)[]) => [values.length, ...values];
  const joined = (tokens: readonly string[], deltas: readonly bigint[], fees: readonly bigint[]) => {
    const head = [96n, 96n + 32n * BigInt(1 + tokens.length), 96n + 32n * BigInt(2 + tokens.length + deltas.length)];
    return logOf([CHANGED, POOL_ID, wordsOf(STRANGER)], wordsOf(...head, ...list(...tokens), ...list(...deltas), ...list(...fees)));
  };

  it('are followed under the contracts’ topics, and a factory’s names the contract', () => {
    expect(weighted.stateTopics).to.deep.equal(SIGNATURES);
    const [deployment] = ANNOUNCED.map((one) => one.deployment);
    const discover = (address: typeof POOL, ...topics: Hex[]) =>
      weighted.discover(deployment as (typeof ANNOUNCED)[0]['deployment'], logOf(topics, '0x', address), { chainId: 1, wrappedNative: A });
    expect(weighted.discoveryTopics).to.deep.equal([CREATED]);
    expect(discover(FACTORY, CREATED, wordsOf(POOL))).to.deep.equal({ announces: POOL, facts: {} });
    expect([discover(STRANGER, CREATED, wordsOf(POOL)), discover(FACTORY, SWAP, wordsOf(POOL)), discover(FACTORY, CREATED)]).to.deep.equal([null, null, null]);
  });

  it('of the vault name a pool; a pool’s own concern what it governs; one that names nothing is nobody’s', () => {
    for (const topic of SIGNATURES) {
      const ofVault = [SWAP, CHANGED, MANAGED].includes(topic);
      expect(weighted.poolsOf(logOf([topic, POOL_ID], '0x')), topic).to.deep.equal(ofVault ? [POOL_ID] : 'deployment');
      if (ofVault) expect(() => weighted.poolsOf(logOf([topic], '0x'))).to.throw(RangeError);
    }
    expect(weighted.poolsOf(logOf([], '0x'))).to.equal('deployment');
  });

  it('of a swap move two balances; what can not have happened to them makes the pool be read again', () => {
    expect(applied(swap(A, B, 7n, 5n))).to.deep.equal({ kind: 'state', state: { ...before, balances: [107n, 195n] } });
    expect(applied(swap(B, A, 7n, 100n)), 'all of it').to.deep.equal({ kind: 'state', state: { ...before, balances: [0n, 207n] } });
    const refused = [swap(B, A, 7n, 101n), swap(STRANGER, B, 1n, 1n), swap(A, STRANGER, 1n, 1n), logOf([SWAP, POOL_ID], wordsOf(1n, 1n))];
    for (const log of [...refused, { ...swap(A, B, 7n, 5n), data: wordsOf(7n) }, logOf([MANAGED, POOL_ID], '0x')]) {
      expect(applied(log)).to.deep.equal({ kind: 'reload' });
    }
    expect(applied(swap(A, B, 7n, 5n), null), 'of a pool that is not known').to.deep.equal({ kind: 'reload' });
  });

  it('of joins and exits move every balance by what came less the protocol’s part; of other tokens, in number or order, they are not the pool’s', () => {
    expect(applied(joined([A, B], [10n, -20n], [1n, 3n]))).to.deep.equal({ kind: 'state', state: { ...before, balances: [109n, 177n] } });
    const refused = [
      joined([B, A], [1n, 1n], [0n, 0n]),
      joined([A], [1n], [0n]),
      joined([A, B, STRANGER], [1n, 1n, 1n], [0n, 0n, 0n]),
      joined([A, STRANGER], [1n, 1n], [0n, 0n]),
      joined([A, B], [-101n, 0n], [0n, 0n]),
      logOf([CHANGED, POOL_ID, wordsOf(STRANGER)], wordsOf(96n)),
    ];
    for (const log of refused) expect(applied(log), log.data).to.deep.equal({ kind: 'reload' });
  });

  it('of a fee say the new one', () => {
    expect(applied(logOf([FEE], wordsOf(9n), POOL))).to.deep.equal({ kind: 'state', state: { ...before, swapFee: 9n } });
  });
});
