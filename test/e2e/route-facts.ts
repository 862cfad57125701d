import { expect } from 'chai';
import { servesSeveralPairs, type WireHop } from './replay.ts';

/** What the routes of a batch were like: how often each family served, and how often what is hard came up. */
export type RouteTally = {
  readonly byFamily: Record<string, number>;
  /** Most families in one route. */
  mostFamilies: number;
  /** Routes that change between native and wrapped token in the middle, or take both forms in one split. */
  mixedForms: number;
  /** Routes in which a pool, or pools of one singleton, serve several pairs. */
  severalPairs: number;
};

const NATIVE = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';

export function newRouteTally(): RouteTally {
  return { byFamily: {}, mostFamilies: 0, mixedForms: 0, severalPairs: 0 };
}

export function tallyRoute(tally: RouteTally, route: readonly WireHop[], wrappedNative: string): void {
  const families = new Set(route.map(({ protocol }) => protocol).filter((protocol) => protocol !== 'WRAP'));
  for (const family of families) tally.byFamily[family] = (tally.byFamily[family] ?? 0) + 1;
  tally.mostFamilies = Math.max(tally.mostFamilies, families.size);
  const venueHops = route.filter(({ protocol }) => protocol !== 'WRAP');
  const takes = (token: string) => venueHops.some(({ tokenIn, tokenOut }) => [tokenIn.toLowerCase(), tokenOut.toLowerCase()].includes(token));
  if (takes(NATIVE) && takes(wrappedNative.toLowerCase())) tally.mixedForms++;
  if (servesSeveralPairs(route)) tally.severalPairs++;
}

/** Every family of the chain served, four and more in one route, both forms of the native token in one, and a pool over several pairs. */
export function expectAllVenues(tally: RouteTally, deployments: readonly { readonly family: string }[]): void {
  expect(Object.keys(tally.byFamily), JSON.stringify(tally)).to.include.members(deployments.map(({ family }) => family));
  expect(tally.mostFamilies).to.be.at.least(4);
  expect(tally.mixedForms).to.be.at.least(1);
  expect(tally.severalPairs).to.be.at.least(1);
}
