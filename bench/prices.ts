// Pricing the tokens of a snapshot: node --import ./scripts/typescript.mjs bench/prices.ts [--json]

import { PriceBook } from '../src/market/market.ts';
import type { EdgeCurve } from '../src/snapshot/snapshot.ts';
import { type Address, asAddress } from '../src/units/units.ts';
import { openReport } from './history/history.ts';
import { type Spread, spread } from './snapshot/figures.ts';
import { createRandom } from './solver/random.ts';

const ROUNDS = 60;
const WARM_UP = 10;
const LEAST_DEPTH_USD = 1000;
const HUBS = 5;
const E18 = 1e18;

type Figures = {
  readonly pools: number;
  readonly tokens: number;
  readonly changed: number;
  readonly priced: number;
  /** Milliseconds of processor time: all pools told and priced for the first time; so many of them changed; an anchor as well, so that nearly every price is another one. */
  readonly first: number;
  readonly changedMs: Spread;
  readonly anchorMs: Spread;
  /** The same changes, as far as the curves are looked at: the rest is the pricing itself. */
  readonly toldMs: Spread;
};

const report = openReport('prices');
const figures = [measure(1_000, 300, 300), measure(10_000, 1_500, 10), measure(10_000, 1_500, 300)];
report(figures, () => {
  for (const { pools, tokens, changed, priced, first, changedMs, anchorMs, toldMs } of figures)
    process.stdout.write(
      `${pools} pools of ${tokens} tokens, ${priced} priced: at first ${first.toFixed(0)} ms; ${changed} pools changed ${shown(changedMs)} (told ${shown(toldMs)}); an anchor too ${shown(anchorMs)}\n`,
    );
});

function shown({ median, p95 }: Spread): string {
  return `${median.toFixed(1)} / ${p95.toFixed(1)} ms`;
}

function measure(pools: number, tokens: number, changed: number): Figures {
  const random = createRandom(7).unit;
  const worth = Array.from({ length: tokens }, (_, token) => (token === 0 ? 2000 : 10 ** (4 * random() - 3)));
  const make = (index: number): { readonly key: string; readonly tokens: readonly Address[]; readonly curves: readonly EdgeCurve[] } => {
    const one = index < HUBS ? 0 : Math.floor(random() ** 2 * HUBS);
    const other = index < tokens - 1 ? index + 1 : HUBS + Math.floor(random() * (tokens - HUBS));
    const usd = 10 ** (3 + 5 * random());
    const skew = 1 + (random() - 0.5) / 100;
    const reserves = [(usd / (worth[one] ?? 1)) * E18, ((usd * skew) / (worth[other] ?? 1)) * E18] as const;
    const curve = (reserveIn: number, reserveOut: number) =>
      ({
        kind: 'segments',
        keep: 0.997,
        capacity: Infinity,
        gas: 1,
        gasPerPiece: 0,
        gasPerLogPrice: 0,
        columns: Float64Array.from([0, 0, reserveIn, reserveOut]),
      }) as const;
    const curves = [
      { slotIn: 0, slotOut: 1, curve: curve(reserves[0], reserves[1]) },
      { slotIn: 1, slotOut: 0, curve: curve(reserves[1], reserves[0]) },
    ];
    return { key: `pool-${index}`, tokens: [addressOf(one), addressOf(other === one ? one + 1 : other)], curves };
  };
  const book = new PriceBook(LEAST_DEPTH_USD);
  book.setSources(new Set(Array.from({ length: HUBS }, (_, hub) => addressOf(hub))));
  const set = Array.from({ length: pools }, (_, index) => make(index));
  const started = processorMs();
  for (let token = 0; token < tokens; token++) book.setDecimals(addressOf(token), 18);
  for (const pool of set) book.setPool(pool.key, pool.tokens, pool.curves);
  book.setAnchors(new Map([[addressOf(0), 2000]]));
  book.settle();
  const first = processorMs() - started;
  const samples = { changed: [] as number[], anchor: [] as number[], told: [] as number[] };
  for (let round = 1; round <= ROUNDS; round++) {
    const moved = Array.from({ length: changed }, (_, at) => make((round * 7919 + at * 331) % pools));
    const at = processorMs();
    for (const pool of moved) book.setPool(pool.key, pool.tokens, pool.curves);
    const told = processorMs();
    if (round % 2 === 0) book.setAnchors(new Map([[addressOf(0), 2000 + round / 10]]));
    book.settle();
    const end = processorMs();
    if (round <= WARM_UP) continue;
    samples.told.push(told - at);
    (round % 2 === 0 ? samples.anchor : samples.changed).push(end - at);
  }
  return {
    pools,
    tokens,
    changed,
    priced: book.priced,
    first,
    changedMs: spread(samples.changed),
    anchorMs: spread(samples.anchor),
    toldMs: spread(samples.told),
  };
}

/** On a machine that others use. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function addressOf(token: number): Address {
  return asAddress(`0x${(0xc000_0000 + token).toString(16).padStart(40, '0')}`);
}
