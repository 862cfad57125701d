import { openBenchSet } from '../bench-set.ts';
import { createBraid } from '../candidates.ts';
import { gasInOutput, selectRequests } from '../measure.ts';
import { medianP95Max } from '../statistics.ts';
import { searchReference } from './reference.ts';
const [name = 'M', limit = '20', budget = '3000', hops = '4'] = process.argv.slice(2);
const maxHops = Number(hops);
const set = await openBenchSet({ name, seed: 1, outside: 0, clear: true, blocks: false, requests: 1000 });
const braid = createBraid(set, 1);
const { requests } = selectRequests(set, maxHops, Number(limit), null);
const lost: number[] = [], times: number[] = [], free: number[] = [], ahead: number[] = [];
let cut = 0;
for (const request of requests) {
  if (request.mode !== 'sell') continue;
  const perGas = gasInOutput(set, request, 5_000_000_000n);
  const ours = braid(request, maxHops, 5_000_000_000n);
  const ref = searchReference(set, request, { maxHops, perGas, budget: Number(budget) });
  const un = searchReference(set, request, { maxHops: null, perGas, budget: Number(budget) }, ref.settled);
  if (ours.output === null || ref.route === null) { console.log(request.id, 'none', ours.output, ref.route?.output); continue; }
  const net = Number(ours.output) - perGas * ours.gas;
  const bps = ((ref.net - net) / Math.abs(Math.max(ref.net, net))) * 1e4;
  lost.push(Math.max(0, bps)); ahead.push(Math.max(0, -bps)); times.push(ref.millis); free.push(((un.net - ref.net) / Math.abs(ref.net)) * 1e4);
  if (ref.cutOff) cut++;
  const usd = Number(request.amount) / 10 ** set.tokens[request.sell]!.decimals * set.tokens[request.sell]!.usd;
  console.log(request.id, `$${usd.toFixed(0)}`, 'braid loses', bps.toPrecision(4), 'model-exact', (((ref.settled!.net - ref.net) / Math.abs(ref.net)) * 1e4).toPrecision(3), 'hops', ours.plan?.hops.length, ref.route.legs.length, 'ms', ref.millis.toFixed(0), un.millis.toFixed(0), ref.cutOff, 'unlimited +', free.at(-1)?.toPrecision(4), un.route?.legs.length);
}
console.log('lost', medianP95Max(lost), 'ahead', medianP95Max(ahead), 'ms', medianP95Max(times), 'cut', cut, 'limit costs', medianP95Max(free));
