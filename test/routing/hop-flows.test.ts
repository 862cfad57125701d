// What a network at rest becomes: the hops of each token in the order of their execution.
import { expect } from 'chai';
import sinon from 'sinon';
import { hopFlowsOf } from '../../src/routing/execute/hop-flows.ts';
import { addEdges, addHub, createNetwork, type FlowEdge, type FlowNetwork, flowEdge, nodeOfToken } from '../../src/routing/flow/network.ts';
import type { EdgeModel } from '../../src/routing/market/pool-models.ts';
import type { Star, StarArc } from '../../src/routing/market/star.ts';
import { type MadeUpHop, madeUpFlows } from './made-up-flows.ts';
import { problemOf } from './problem-of.ts';
import { manyTokenPool } from './random-world.ts';
import { openWorld, pairPool, token } from './world.ts';

const world = openWorld({ pools: [0, 1, 2, 3, 4].map((id) => pairPool(id, [id, id + 1], [1n, 1n])), tokenCount: 6 });
const problem = problemOf(world, { mode: 'sell', fixed: 10n ** 18n, maxHops: 4 });
const id = (number: number) => world.view.tokenId(token(number));
const [SELL, BUY, MIDDLE, FAR] = [problem.sell, problem.buy, id(3), id(4)];

function networkOf(hops: readonly MadeUpHop[]): FlowNetwork {
  const network = createNetwork(problem);
  const edges = madeUpFlows(hops).flows.map(({ edge, input }, index) => {
    const [from, to] = edge.pool.tokens.map((each) => nodeOfToken(network, each, -each)) as [number, number];
    const added = flowEdge(from, to, { kind: 'pair', edge });
    Object.assign(added.flow, { input, output: input * (hops[index]?.price ?? 1) });
    return added;
  });
  addEdges(network, edges);
  return network;
}

const told = (hops: readonly MadeUpHop[]) =>
  hopFlowsOf(networkOf(hops))?.map(({ token: of, hops: leaving }) => [of, leaving.map(({ edge, input }) => [edge.pool.id, input])]);

describe('the hops that a network stands for', () => {
  it('come token by token, none before all that leads to it, with the flow, the capacity and the worth that the model has', () => {
    const hops: readonly MadeUpHop[] = [
      { id: 0, ends: [FAR, BUY], input: 3e17 },
      { id: 1, ends: [MIDDLE, FAR], input: 3e17 },
      { id: 2, ends: [SELL, BUY], input: 5e17, capacity: 7e17 },
      { id: 3, ends: [SELL, MIDDLE], input: 5e17 },
      { id: 4, ends: [MIDDLE, BUY], input: 2e17 },
    ];
    expect(told(hops)).to.deep.equal([
      [
        SELL,
        [
          [2, 5e17],
          [3, 5e17],
        ],
      ],
      [
        MIDDLE,
        [
          [1, 3e17],
          [4, 2e17],
        ],
      ],
      [FAR, [[0, 3e17]]],
    ]);
    const flows = hopFlowsOf(networkOf(hops)) ?? [];
    const direct = flows[0]?.hops[0];
    expect([direct?.capacity, direct?.worth]).to.deep.equal([7e17, 1]);
    expect(flows[1]?.hops[0]?.worth).to.equal(Math.exp(-FAR));
  });

  it('leave out what rounds to nothing of its token, and what leads to it or on from it alone', () => {
    const chain = (part: number): readonly MadeUpHop[] => [
      { id: 0, ends: [SELL, BUY], input: 1e18 * (1 - part) },
      { id: 1, ends: [SELL, MIDDLE], input: 1e18 * part },
      { id: 2, ends: [MIDDLE, BUY], input: 1e18 * part },
    ];
    expect(told(chain(0.49e-4))).to.deep.equal([[SELL, [[0, 1e18 * (1 - 0.49e-4)]]]]);
    expect(told(chain(0.51e-4))?.map(([of]) => of)).to.deep.equal([SELL, MIDDLE]);
    // By its own token's measure, however small that is beside the whole.
    const late = told([
      ...chain(0.01),
      { id: 3, ends: [MIDDLE, FAR], input: 1e18 * 0.01 * 0.49e-4 },
      { id: 4, ends: [FAR, BUY], input: 1e18 * 0.01 * 0.49e-4 },
    ]);
    expect(late?.map(([of]) => of)).to.deep.equal([SELL, MIDDLE]);
  });

  it('are none where the flows go in a circle, or nothing real is there', () => {
    const circle: readonly MadeUpHop[] = [
      { id: 0, ends: [SELL, MIDDLE], input: 1e18 },
      { id: 1, ends: [MIDDLE, FAR], input: 1e18 },
      { id: 2, ends: [FAR, MIDDLE], input: 5e17 },
      { id: 3, ends: [FAR, BUY], input: 5e17 },
    ];
    expect(told(circle)).to.equal(undefined);
    expect(hopFlowsOf(createNetwork(problem))).to.equal(null);
  });
});

describe('what goes through a pool that serves several pairs at once', () => {
  const key = `0x${'c'.repeat(40)}`;
  const shared = openWorld({ pools: [{ ...manyTokenPool([1, 2, 3, 4], false, 1e24, [1, 1, 1, 1]), id: key }], tokenCount: 5 });
  const inShared = problemOf(shared, { mode: 'sell', fixed: 10n ** 18n, maxHops: 4 });
  const { models } = inShared.market;
  const [pool] = shared.pools;
  const star = pool === undefined ? null : models.star(pool);
  if (pool === undefined || star === null) throw new Error('a pool of several pairs');
  const [sell, buy, middle, far] = [1, 2, 3, 4].map((number) => shared.view.tokenId(token(number))) as [number, number, number, number];
  const slotOf = (of: number) => pool.tokens.indexOf(of);

  /** Six tenths come from the sell token and four from the middle, seven go to the buy token and three to a further one. */
  function through(): [number, [number, number, number][]][] | undefined {
    const network = createNetwork(inShared);
    const [atMiddle, atFar] = [nodeOfToken(network, middle, 0), nodeOfToken(network, far, 0)];
    const hub = addHub(network, star as Star, 0);
    const beside = madeUpFlows([
      { id: 8, ends: [sell, middle], input: 4e17 },
      { id: 9, ends: [far, buy], input: 3e17 },
    ]).flows;
    const [onwards, homewards] = beside.map(({ edge }) => edge) as [EdgeModel, EdgeModel];
    const arc = (of: number, side: 'deposits' | 'withdrawals') => (star as Star)[side][slotOf(of)] as StarArc;
    const edges: readonly (readonly [FlowEdge, number, number])[] = [
      [flowEdge(0, atMiddle, { kind: 'pair', edge: onwards }), 4e17, 4e17],
      [flowEdge(atFar, 1, { kind: 'pair', edge: homewards }), 3e17, 3e17],
      [flowEdge(0, hub, { kind: 'deposit', arc: arc(sell, 'deposits') }), 6e17, 0.6],
      [flowEdge(atMiddle, hub, { kind: 'deposit', arc: arc(middle, 'deposits') }), 4e17, 0.4],
      [flowEdge(hub, 1, { kind: 'withdrawal', arc: arc(buy, 'withdrawals') }), 0.7, 7e17],
      [flowEdge(hub, atFar, { kind: 'withdrawal', arc: arc(far, 'withdrawals') }), 0.3, 3e17],
    ];
    for (const [{ flow }, input, output] of edges) Object.assign(flow, { input, output });
    addEdges(
      network,
      edges.map(([edge]) => edge),
    );
    return hopFlowsOf(network)?.map(({ token: of, hops }) => [
      of,
      hops.map(({ edge, input }) => [edge.pool.tokens[edge.slotIn] as number, edge.pool.tokens[edge.slotOut] as number, Math.round(input / 1e15)]),
    ]);
  }

  it('is dealt out in order of execution, one swap less than it has sides', () => {
    expect(through()).to.deep.equal([
      [
        sell,
        [
          [sell, middle, 400],
          [sell, far, 300],
          [sell, buy, 300],
        ],
      ],
      [middle, [[middle, buy, 400]]],
      [far, [[far, buy, 300]]],
    ]);
  });

  it('is dealt out whole though floats have its sides differ: the last that leaves takes what is left', () => {
    const wide = openWorld({ pools: [{ ...manyTokenPool([1, 2, 3, 4, 5, 6], false, 1e24, [1, 1, 1, 1, 1, 1]), id: key }], tokenCount: 7 });
    const inWide = problemOf(wide, { mode: 'sell', fixed: 10n ** 18n, maxHops: 4 });
    const of = [1, 2, 3, 4, 5, 6].map((number) => wide.view.tokenId(token(number)));
    const known = wide.pools[0] as (typeof wide.pools)[number];
    const served = inWide.market.models.star(known) as Star;
    const network = createNetwork(inWide);
    const nodes = of.map((each, at) => (at < 2 ? at : nodeOfToken(network, each, 0)));
    const hub = addHub(network, served, 0);
    const arc = (at: number, side: 'deposits' | 'withdrawals') => served[side][known.tokens.indexOf(of[at] as number)] as StarArc;
    const [sellNode, buyNode, ...others] = nodes as [number, number, number, number, number, number];
    const [secondIn, thirdIn, secondOut, thirdOut] = others;
    const beside = madeUpFlows(
      [2, 3].flatMap((at, index) => [
        { id: 10 + index, ends: [of[0] as number, of[at] as number], input: 1 },
        { id: 20 + index, ends: [of[at + 2] as number, of[1] as number], input: 1 },
      ]),
    ).flows.map(({ edge }) => edge) as [EdgeModel, EdgeModel, EdgeModel, EdgeModel];
    // Two sides that leave have room left that is nothing, and the third lacks both.
    const nothing = 0.8e-9;
    const edges: readonly (readonly [FlowEdge, number, number])[] = [
      [flowEdge(sellNode, secondIn, { kind: 'pair', edge: beside[0] }), 3e17, 3e17],
      [flowEdge(secondOut, buyNode, { kind: 'pair', edge: beside[1] }), 3e17, 3e17],
      [flowEdge(sellNode, thirdIn, { kind: 'pair', edge: beside[2] }), 4e17, 4e17],
      [flowEdge(thirdOut, buyNode, { kind: 'pair', edge: beside[3] }), 4e17, 4e17],
      [flowEdge(sellNode, hub, { kind: 'deposit', arc: arc(0, 'deposits') }), 3e17, 0.3],
      [flowEdge(secondIn, hub, { kind: 'deposit', arc: arc(2, 'deposits') }), 3e17, 0.3],
      [flowEdge(thirdIn, hub, { kind: 'deposit', arc: arc(3, 'deposits') }), 4e17, 0.4],
      [flowEdge(hub, secondOut, { kind: 'withdrawal', arc: arc(4, 'withdrawals') }), 0.3 + nothing, 3e17],
      [flowEdge(hub, thirdOut, { kind: 'withdrawal', arc: arc(5, 'withdrawals') }), 0.3 + nothing, 3e17],
      [flowEdge(hub, buyNode, { kind: 'withdrawal', arc: arc(1, 'withdrawals') }), 0.4 - 2 * nothing, 4e17],
    ];
    for (const [{ flow }, input, output] of edges) Object.assign(flow, { input, output });
    addEdges(
      network,
      edges.map(([edge]) => edge),
    );
    const through = hopFlowsOf(network)?.flatMap(({ hops }) => hops.filter(({ edge }) => edge.pool === known).map(({ input }) => Math.round(input / 1e15)));
    expect(through).to.deep.equal([300, 300, 400]);
  });

  it('goes by no pair that the pool does not trade', () => {
    const stub = sinon.stub(models, 'edge').callThrough();
    stub.withArgs(pool, slotOf(sell), slotOf(far)).returns(null);
    try {
      expect(through()?.[0]).to.deep.equal([
        sell,
        [
          [sell, middle, 400],
          [sell, buy, 300],
        ],
      ]);
    } finally {
      stub.restore();
    }
  });
});
