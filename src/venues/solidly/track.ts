import { encodeFunctionData, parseAbi, toEventSelector, toFunctionSelector } from 'viem';
import { type Address, asAddress } from '../../units/units.ts';
import { addressAt, addressOfWord, callData, exactWords, onlyWord } from '../abi-words.ts';
import type { ChainAnswer, DiscoveredPool, TokenPair, TrackFacet, VenueDeployment } from '../track.ts';
import { type SolidlyState, validateState } from './solidly-pool.ts';

const POOL_CREATED = toEventSelector('PoolCreated(address,address,bool,address,uint256)');
const SYNC = toEventSelector('Sync(uint256,uint256)');
const CUSTOM_FEE = toEventSelector('SetCustomFee(address,uint256)');
const PAUSE = toEventSelector('SetPauseState(bool)');
const GET_POOL = toFunctionSelector('getPool(address,address,bool)');
const METADATA = toFunctionSelector('metadata()');
const IS_PAUSED = toFunctionSelector('isPaused()');
const TOTAL_SUPPLY = toFunctionSelector('totalSupply()');
const FACTORY_ABI = parseAbi(['function getFee(address pool, bool stable) view returns (uint256)']);
const WORD_CHARACTERS = 64;
/** Decimals, reserves, stable flag and tokens. */
const METADATA_WORDS = 7;
/** The factory's default fees change without a log. */
const REREAD_SECONDS = 300;

/** Follows Solidly pools. `Sync` carries the reserves after each change; what the factory says of fees and of a pause has to be read. */
export const track: TrackFacet<SolidlyState> = {
  discoveryTopics: [POOL_CREATED],
  stateTopics: [SYNC, CUSTOM_FEE, PAUSE],
  discover({ factory, family }, log) {
    const [topic0, token0, token1, stable] = log.topics;
    if (log.address !== factory || topic0 !== POOL_CREATED || token0 === undefined || token1 === undefined || stable === undefined) return null;
    if (log.data.length !== 2 + 2 * WORD_CHARACTERS) return null;
    return poolOf({ factory, family }, addressAt(log.data), [addressAt(token0), addressAt(token1)], BigInt(stable));
  },
  async findPools(deployment, pairs, read) {
    const asked = pairs.flatMap((tokens) => [0n, 1n].map((stable) => ({ tokens, stable })));
    const answers = await read(asked.map(({ tokens, stable }) => ({ to: deployment.factory, data: callData(GET_POOL, ...tokens, stable), answerBytes: 32 })));
    return asked.flatMap(({ tokens, stable }, at) => {
      const address = addressOfWord(onlyWord(answers[at]));
      return address === null ? [] : [poolOf(deployment, address, tokens, stable)];
    });
  },
  async load(pools, read) {
    const answers = await read(pools.flatMap(callsOf));
    return pools.map((_, at) => stateOf(answers.slice(CALLS * at, CALLS * (at + 1))));
  },
  rereading: () => ({ kind: 'age', seconds: REREAD_SECONDS }),
  poolsOf(log) {
    if (log.topics[0] === PAUSE) return 'deployment';
    return [log.topics[0] === CUSTOM_FEE ? addressAt(log.topics[1] ?? '0x') : log.address];
  },
  apply(_pool, state, log) {
    const reserves = log.topics[0] === SYNC ? exactWords(log.data, 2) : null;
    if (reserves === null || state === null) return { kind: 'reload' };
    return { kind: 'state', state: { ...state, reserves: [reserves[0] ?? 0n, reserves[1] ?? 0n] } };
  },
  check: validateState,
};

function poolOf({ factory, family }: Pick<VenueDeployment, 'factory' | 'family'>, address: Address, tokens: TokenPair, stable: bigint): DiscoveredPool {
  return {
    key: address,
    address,
    emitters: [address, factory],
    hook: null,
    protocol: family,
    source: family,
    tokens,
    traits: { factory, stable: Number(stable) },
  };
}

const CALLS = 4;

function callsOf({ address, traits }: DiscoveredPool) {
  const factory = asAddress(String(traits.factory));
  return [
    { to: address, data: METADATA, answerBytes: 32 * METADATA_WORDS },
    { to: factory, data: encodeFunctionData({ abi: FACTORY_ABI, args: [address, traits.stable === 1] }), answerBytes: 32 },
    { to: factory, data: IS_PAUSED, answerBytes: 32 },
    { to: address, data: TOTAL_SUPPLY, answerBytes: 32 },
  ];
}

/**
 * null where a contract reverts, what it says is no pool, or trade is paused; or where nobody has a share yet: a pool that was given tokens and called to `sync` has reserves, but its swaps divide their fee by the shares and revert. A log
 * of reserves has it read again; once there are shares some stay, since a few are nobody's.
 */
function stateOf([metadata, fee, paused, supply]: readonly (ChainAnswer | undefined)[]): SolidlyState | null {
  const words = exactWords(metadata, METADATA_WORDS);
  const feeBps = onlyWord(fee);
  if (words === null || feeBps === null || onlyWord(paused) !== 0n || (onlyWord(supply) ?? 0n) === 0n) return null;
  const [unit0 = 0n, unit1 = 0n, reserve0 = 0n, reserve1 = 0n, stable] = words;
  const decimals = [decimalsOf(unit0), decimalsOf(unit1)] as const;
  if (decimals[0] === null || decimals[1] === null || feeBps >= 10_000n) return null;
  return { stable: stable === 1n, reserves: [reserve0, reserve1], decimals: [decimals[0], decimals[1]], feeBps: Number(feeBps) };
}

/** Of 10^decimals. The pool's arithmetic has room for 77 of them. */
function decimalsOf(unit: bigint): number | null {
  const decimals = unit.toString().length - 1;
  return unit === 10n ** BigInt(decimals) ? decimals : null;
}
