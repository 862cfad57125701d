import { expect } from 'chai';
import { readExactPools } from '../../bench/solver/exact-pools.ts';
import { readMarket } from '../../src/bound/bound.ts';
import { poolAnswer, type WholePool } from '../../src/bound/pool-trade.ts';
import { spread } from '../../src/bound/spread.ts';
import { loadSolverVenues, type SolverVenues } from '../../src/venues/venues.ts';
import { MOMENT } from '../support/moment.ts';
import { FULL_SCALE, SEED, type SeededRandom, seededRandom } from '../support/seeded-random.ts';
import { openMarket, randomPoolsOfManyTokens, type SmallPool } from './small-market.ts';

const CASES = FULL_SCALE ? 2000 : 150;
const TOKENS = 5;

type Opened = { readonly pool: SmallPool; readonly whole: WholePool; readonly market: ReturnType<typeof readMarket>; readonly exact: Exact };
type Exact = NonNullable<ReturnType<ReturnType<typeof readExactPools>['get']>>;

describe('the trading set of a pool of several tokens', () => {
  let venues: SolverVenues;
  before(async () => {
    venues = await loadSolverVenues();
  });

  /** One pool of three or four tokens; deep enough that a unit is nothing. */
  function open(random: SeededRandom): Opened {
    for (;;) {
      const pool = randomPoolsOfManyTokens(random, TOKENS, 1, false).find(({ tokens }) => tokens.length > 2);
      if (pool === undefined || Math.min(...(pool.balances as string[]).map(Number)) < 1e12) continue;
      const { read } = openMarket([pool], TOKENS, venues);
      const market = read(readMarket);
      const exact = [...read((view) => readExactPools(view, venues)).values()][0];
      const whole = market.wholePools[0];
      if (exact !== undefined && whole?.tokens.length === pool.tokens.length) return { pool, whole, market, exact };
    }
  }

  /** Prices at which the pool pays no more than its fee, moved apart a little or much. */
  function pricesOf({ whole, market }: Opened, random: SeededRandom): Float64Array {
    const apart = random.pick([0.02, 0.3]);
    return Float64Array.from(whole.tokens, (token) => {
      const edge = Array.from(market.leaving[token] as Int32Array).find((each) => market.to[each] === whole.tokens[0]);
      return (edge === undefined ? 1 : (market.firstRate[edge] as number)) * Math.exp(apart * (random.unit() - 0.5));
    });
  }

  const everything = (size: number) => ({ enters: new Uint8Array(size).fill(size - 1), leaves: new Uint8Array(size).fill(size - 1) });

  /** What a row of entries gains at the prices, each on the state that the one before left; null where one is refused. */
  function gainOf({ whole, exact }: Opened, prices: Float64Array, entries: readonly { from: number; to: number; input: number }[]): number | null {
    let [state, gain] = [exact.state, 0];
    for (const { from, to, input } of entries) {
      const slots = [from, to].map((position) => exact.tokens.indexOf(whole.tokens[position] as number));
      const quote = exact.venue.price.exactIn(state, slots[0] as number, slots[1] as number, BigInt(Math.floor(input)), MOMENT);
      if (!quote.ok) return null;
      state = quote.next;
      gain += (prices[to] as number) * Number(quote.amountOut) - (prices[from] as number) * Number(quote.amountIn);
    }
    return gain;
  }

  it('gains no less than any row of entries, over whatever pairs, but for what comes back of their fees', () => {
    const random = seededRandom('whole pool against rows of entries');
    let gained = 0;
    for (let run = 0; run < CASES; run++) {
      const opened = open(random);
      const { whole, market, pool } = opened;
      const size = whole.tokens.length;
      const prices = pricesOf(opened, random);
      const answer = poolAnswer(size);
      const gain = whole.gain(prices, everything(size), answer);
      const volume = answer.net.reduce((sum, amount, position) => sum + Math.abs(amount) * (prices[position] as number), 0);
      for (let row = 0; row < 20; row++) {
        const used = new Set<string>();
        const entries = Array.from({ length: random.integer(1, 4) }, () => {
          const from = random.integer(0, size - 1);
          const to = (from + random.integer(1, size - 1)) % size;
          const input =
            (random.chance(0.8) && (answer.net[from] as number) < 0 ? -(answer.net[from] as number) : heldOf(market, whole, from) * 0.05) * random.unit();
          return { from, to, input };
        }).filter(({ from, to }) => !used.has(`${from} ${to}`) && used.add(`${from} ${to}`));
        const reached = gainOf(opened, prices, entries);
        if (reached === null) continue;
        if (reached > 0) gained++;
        const worth = entries.reduce((sum, { from, input }) => sum + input * (prices[from] as number), 0);
        expect(reached, `seed ${SEED}, case ${run}: ${JSON.stringify({ pool, prices: [...prices], entries })}`).to.be.at.most(
          gain + whole.returned(prices, answer) + 1e-9 * (worth + volume),
        );
      }
    }
    expect(gained, 'rows that gain').to.be.above(CASES);
  });

  it('is reached by entering its pairs one after the other, but for the fees that stay', () => {
    const random = seededRandom('whole pool is reached');
    let compared = 0;
    for (let run = 0; run < CASES; run++) {
      const opened = open(random);
      const { whole, market, pool } = opened;
      const size = whole.tokens.length;
      const prices = pricesOf(opened, random);
      const answer = poolAnswer(size);
      const gain = whole.gain(prices, everything(size), answer);
      if (gain === 0) continue;
      const edges = Array.from({ length: market.edgeCount }, (_, edge) => edge);
      const flows = spread(market, { pool: whole, edges, prices }, answer.net);
      const position = (token: number | undefined) => whole.tokens.indexOf(token as number);
      for (const [at, token] of whole.tokens.entries()) {
        const net = flows.reduce(
          (sum, { edge, input, output }) => sum + (market.to[edge] === token ? output : 0) - (market.from[edge] === token ? input : 0),
          0,
        );
        expect(Math.abs(net - (answer.net[at] as number)), `case ${run}`).to.be.at.most(1e-9 * Math.abs(answer.net[at] as number));
      }
      const reached = gainOf(
        opened,
        prices,
        flows.map(({ edge, input }) => ({ from: position(market.from[edge]), to: position(market.to[edge]), input })),
      );
      if (reached === null) continue;
      // Where much of the pool moves, what one entry leaves is no longer what the next one would have met alone.
      if (answer.net.some((amount, at) => amount > 0.02 * heldOf(market, whole, at))) continue;
      compared++;
      const volume = flows.reduce((sum, { edge, input }) => sum + input * (prices[position(market.from[edge])] as number), 0);
      // Units that are rounded off, and the last digits of a power or an invariant of the whole balance.
      const rounding = prices.reduce((sum, price, at) => sum + price * (4 + 1e-11 * heldOf(market, whole, at)), 0);
      // A second entry of a token meets the fee of the first.
      const share = flows.length > 1 ? 1e-3 : 1e-9;
      expect(reached, `seed ${SEED}, case ${run}: ${JSON.stringify({ pool, prices: [...prices], flows })}`).to.be.at.least(gain - share * volume - rounding);
    }
    expect(compared).to.be.above(CASES / 4);
  });

  it('moves with the prices as its stiffness says, in rows that add up to nothing', () => {
    const random = seededRandom('stiffness of whole pools');
    let compared = 0;
    for (let run = 0; run < CASES; run++) {
      const opened = open(random);
      const { whole, pool } = opened;
      const size = whole.tokens.length;
      const prices = pricesOf(opened, random);
      const roles = everything(size);
      const [here, above, below] = [poolAnswer(size), poolAnswer(size), poolAnswer(size)];
      if (whole.gain(prices, roles, here) === 0) continue;
      for (let j = 0; j < size; j++) {
        const step = 1e-6;
        const moved = (sign: number) => prices.map((price, at) => (at === j ? price * Math.exp(sign * step) : price));
        whole.gain(moved(1), roles, above);
        whole.gain(moved(-1), roles, below);
        const same = [above, below].every(({ net }) => net.every((amount, at) => Math.sign(amount) === Math.sign(here.net[at] as number)));
        if (!same) continue;
        for (let i = 0; i < size; i++) {
          if (i === j) continue;
          const slope = ((prices[i] as number) * ((above.net[i] as number) - (below.net[i] as number))) / (2 * step);
          const said = -(here.stiffness[i * size + j] as number);
          const largest = Math.max(...here.stiffness.map(Math.abs));
          compared++;
          expect(Math.abs(slope - said), `seed ${SEED}, case ${run} ${i} ${j}: ${JSON.stringify({ pool, prices: [...prices] })}`).to.be.at.most(2e-4 * largest);
        }
      }
    }
    expect(compared).to.be.above(CASES);
  });
});

function heldOf(market: ReturnType<typeof readMarket>, whole: WholePool, position: number): number {
  return market.held((market.entering[whole.tokens[position] as number] as Int32Array)[0] as number);
}
