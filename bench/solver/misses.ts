// Each case of a part that misses its guarantee, worst first:
//   node --import ./scripts/typescript.mjs bench/solver/misses.ts --of round-trips|meshes|one-more-pool|M-monotony|L-monotony|tycho-monotony [--limit 528] [--gas-gwei 5] [--show 20]
// or the market and the trade of one mesh as JSON, to make a test of it:
//   node --import ./scripts/typescript.mjs bench/solver/misses.ts --of meshes --case 13

import { parseArgs } from 'node:util';
import { integerOption } from '../../scripts/integer-option.ts';
import { DEVNET, openBenchSet } from './bench-set.ts';
import { meshPoolSet } from './generate/mesh.ts';
import { selectRequests } from './measure.ts';
import { measureMeshes, meshAt } from './measure-meshes.ts';
import { measureMonotony } from './measure-monotony.ts';
import { measureOneMorePool } from './measure-one-more-pool.ts';
import { measureRoundTrips, shortfalls } from './measure-round-trips.ts';
import { short } from './statistics.ts';
import { MESH_LOSS_BPS, ROUNDING_BPS } from './table/goals.ts';
import { DRAW_BPS } from './table/less-figures.ts';
import { MAX_HOPS } from './table/scale.ts';

const { values } = parseArgs({
  options: {
    of: { type: 'string' },
    limit: { type: 'string', default: '528' },
    'gas-gwei': { type: 'string', default: '0' },
    show: { type: 'string', default: '20' },
    case: { type: 'string' },
  },
});
type Miss = { readonly bps: number; readonly text: string };

const limit = integerOption('--limit', values.limit);
const gwei = Number(values['gas-gwei']);
const gasPriceWei = gwei === 0 ? null : BigInt(Math.round(gwei * 1e9));

if (values.of === 'meshes' && values.case !== undefined) {
  const mesh = meshAt(integerOption('--case', values.case));
  const { sell, buy, amount } = mesh;
  console.log(JSON.stringify({ poolSet: meshPoolSet(mesh, mesh.pools), sellToken: sell.address, buyToken: buy.address, sellAmount: String(amount) }));
} else {
  const found = [...(await missesOf(values.of ?? ''))].sort((a, b) => b.bps - a.bps);
  console.log(`${found.length} misses`);
  for (const { bps, text } of found.slice(0, integerOption('--show', values.show))) console.log(`${short(bps).padStart(8)} bps  ${text}`);
}

async function missesOf(part: string): Promise<readonly Miss[]> {
  switch (part) {
    case 'round-trips':
      return roundTripMisses();
    case 'meshes':
      return meshMisses();
    case 'one-more-pool': {
      const comparisons = await measureOneMorePool(limit, MAX_HOPS, gasPriceWei ?? 5_000_000_000n);
      return comparisons.filter(({ lessBps }) => lessBps > DRAW_BPS).map(({ lessBps, what }) => ({ bps: lessBps, text: what }));
    }
    case 'M-monotony':
    case 'L-monotony':
    case 'tycho-monotony':
      return monotonyMisses(part.split('-')[0] ?? '');
    default:
      throw new RangeError(`name a part with --of: not '${part}'`);
  }
}

async function roundTripMisses(): Promise<readonly Miss[]> {
  const set = await openBenchSet({ name: DEVNET, seed: 1, outside: 0, clear: false, blocks: false, requests: 0 });
  const { trips } = measureRoundTrips(set, limit, MAX_HOPS, gasPriceWei);
  const dearer = trips.filter(({ dearerBps }) => dearerBps > ROUNDING_BPS);
  return [
    ...trips.filter(({ bought }) => bought?.output === null).map(({ request }) => ({ bps: 10_000, text: `${request.id}: no route for the buy` })),
    ...dearer.map(({ request, dearerBps }) => ({ bps: dearerBps, text: `${request.id}: the buy asks more` })),
    ...shortfalls(trips).map(({ id, bps }) => ({ bps, text: `${id}: gives less than a smaller sell` })),
  ];
}

async function meshMisses(): Promise<readonly Miss[]> {
  return (await measureMeshes(limit)).flatMap(({ id, trip, fillable, lost, belowSingle }): Miss[] => [
    ...(fillable && lost > MESH_LOSS_BPS ? [{ bps: lost, text: `${id}: below the bound${trip.sold.output === null ? ', no route' : ''}` }] : []),
    ...(belowSingle > MESH_LOSS_BPS ? [{ bps: belowSingle, text: `${id}: below the single path` }] : []),
    ...(trip.bought?.output === null ? [{ bps: 10_000, text: `${id}: no route for the buy` }] : []),
    ...(trip.dearerBps > ROUNDING_BPS ? [{ bps: trip.dearerBps, text: `${id}: the buy asks more` }] : []),
  ]);
}

async function monotonyMisses(name: string): Promise<readonly Miss[]> {
  const set = await openBenchSet({ name, seed: 1, outside: 0, clear: true, blocks: false, requests: 1000 });
  const { hops, sizes } = measureMonotony(set, selectRequests(set, MAX_HOPS, limit, null).requests, MAX_HOPS, gasPriceWei);
  const less = [...hops.filter(({ lessBps }) => lessBps > DRAW_BPS), ...sizes.filter(({ lessBps }) => lessBps > ROUNDING_BPS)];
  return less.map(({ lessBps, what }) => ({ bps: lessBps, text: what }));
}
