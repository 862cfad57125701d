import { toEventSelector } from 'viem';
import type { EpochSeconds } from '../../units/units.ts';
import { addressAt, exactWords } from '../abi-words.ts';
import { momentOf } from '../quote-moment.ts';
import type { TrackFacet } from '../track.ts';
import type { CurveState } from './curve-state.ts';
import { announcementIn, DISCOVERY_TOPICS, describePools } from './describe-pools.ts';
import { loadPools } from './load-pools.ts';
import { price } from './price.ts';
import { validateState } from './state.ts';

const TOKEN_EXCHANGE = toEventSelector('TokenExchange(address,int128,uint256,int128,uint256)');
const POOL_ADDED = toEventSelector('PoolAdded(address,bytes)');
const POOL_REMOVED = toEventSelector('PoolRemoved(address)');
/** Lists of amounts are of a fixed length in pools of two, three or four coins, and of any length in the new generation. */
const AMOUNTS = ['uint256[2]', 'uint256[3]', 'uint256[4]', 'uint256[]'];
/** What a pool says when more changes than an exchange: it is read again. */
const CHANGES = [
  ...AMOUNTS.flatMap((amounts) => [
    `AddLiquidity(address,${amounts},${amounts},uint256,uint256)`,
    `RemoveLiquidity(address,${amounts},${amounts},uint256)`,
    `RemoveLiquidityImbalance(address,${amounts},${amounts},uint256,uint256)`,
  ]),
  'RemoveLiquidityOne(address,uint256,uint256)',
  'RemoveLiquidityOne(address,uint256,uint256,uint256)',
  'RemoveLiquidityOne(address,int128,uint256,uint256,uint256)',
  'TokenExchangeUnderlying(address,int128,uint256,int128,uint256)',
  'RampA(uint256,uint256,uint256,uint256)',
  'StopRampA(uint256,uint256)',
  'NewFee(uint256,uint256)',
  'ApplyNewFee(uint256)',
  'ApplyNewFee(uint256,uint256)',
].map(toEventSelector);
/** The admin's fees that become the pool's, and its end, come without a log. */
const REREAD_SECONDS = 300;
/** Of a state without a ramp any gives the same. */
const ANY_MOMENT = momentOf({ number: 0, timestamp: 0 as EpochSeconds });

/** Follows StableSwap pools. An exchange is applied where the mathematics give what the log says was given; all else is read. */
export const track: TrackFacet<CurveState> = {
  discoveryTopics: DISCOVERY_TOPICS,
  stateTopics: [TOKEN_EXCHANGE, POOL_ADDED, POOL_REMOVED, ...CHANGES],
  discover: announcementIn,
  describe: describePools,
  load: loadPools,
  // Pools of factories may count what they have of a coin, which anybody changes, and ask what a coin is worth. They say neither of themselves.
  rereading: ({ traits }) => (traits.announcer === 'registry' ? { kind: 'age', seconds: REREAD_SECONDS } : { kind: 'each-block' }),
  poolsOf({ address, topics: [topic, pool] }) {
    if (topic !== POOL_ADDED && topic !== POOL_REMOVED) return [address];
    return [addressAt(pool ?? '0x')];
  },
  apply(_pool, state, { topics, data }) {
    const words = exactWords(data, 4);
    if (topics[0] !== TOKEN_EXCHANGE || state === null || state.ramp !== null || words === null) return { kind: 'reload' };
    const [slotIn = 0n, sold = 0n, slotOut = 0n, bought = 0n] = words;
    const count = BigInt(state.balances.length);
    if (slotIn >= count || slotOut >= count || slotIn === slotOut) return { kind: 'reload' };
    const quote = price.exactIn(state, Number(slotIn), Number(slotOut), sold, ANY_MOMENT);
    return quote.ok && quote.amountOut === bought ? { kind: 'state', state: quote.next } : { kind: 'reload' };
  },
  check: validateState,
};
