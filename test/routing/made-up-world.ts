import { createSolver, type SolveJob, type SolveResult, type Solver } from '../../src/routing/routing.ts';
import { allocateSnapshot, type BlockRef, SnapshotReader, type SnapshotView, SnapshotWriter, WordWriter } from '../../src/snapshot/snapshot.ts';
import { asAddress, type EpochSeconds, instantNow } from '../../src/units/units.ts';
import type { SolverVenues } from '../../src/venues/venues.ts';
import { token } from './world.ts';

/** A pool of a venue that only a test knows. `tokens` are numbers as in world.ts; 0 is the wrapped native token. */
export type MadeUpPool = { readonly id: number; readonly venue: string; readonly tokens: readonly number[]; readonly state: unknown };

/** A snapshot of such pools. `publish` shows a later block with the pools given, and gives up the view before it. */
export type MadeUpWorld = {
  readonly view: SnapshotView;
  solve(job: SolveJob): SolveResult;
  certify: Solver['certify'];
  publish(block: { readonly number: number; readonly timestamp: number }, changed?: readonly MadeUpPool[]): void;
};

export function openMadeUpWorld(
  venues: SolverVenues,
  pools: readonly MadeUpPool[],
  first: { readonly number: number; readonly timestamp: number; readonly baseFee?: bigint } = { number: 100, timestamp: 1000 },
): MadeUpWorld {
  const buffers = allocateSnapshot({ arenaBytes: 2 ** 20, pools: 64, tokens: 16, slots: 4, readers: 2 });
  const writer = new SnapshotWriter(buffers);
  const reader = SnapshotReader.claim(buffers, 0);
  for (let number = 0; number < 8; number++) writer.setToken({ address: token(number), decimals: 18, usd: null });
  const solver = createSolver({
    chain: { chainId: 31337, wrappedNative: token(0), minimumGasPriceWei: 1n },
    venues,
    now: instantNow,
    cancelled: () => false,
  });
  const put = ({ id, venue, tokens, state }: MadeUpPool) => {
    const facets = venues.get(venue);
    if (facets === undefined) throw new Error(`no venue ${venue}`);
    const words = new WordWriter();
    facets.state.pack(state, words);
    const address = makerAddress(id);
    const facts = { key: address, address, hook: null, protocol: venue, source: venue, venue, tokens: tokens.map(token) };
    const placed = writer.setPool({ ...facts, words: words.finish(), curves: facets.state.curves(state) });
    if (!placed.ok) throw new Error(placed.reason);
  };
  const show = (block: { readonly number: number; readonly timestamp: number }): SnapshotView => {
    reader.unpin();
    const described: BlockRef = {
      number: block.number,
      hash: `0x${'0'.repeat(64)}`,
      timestamp: block.timestamp as EpochSeconds,
      baseFeePerGas: first.baseFee ?? null,
    };
    const published = writer.publish(described);
    if (!published.ok) throw new Error(published.reason);
    const view = reader.pin();
    if (view === null) throw new Error('nothing is published');
    return view;
  };
  for (const pool of pools) put(pool);
  let view = show(first);
  return {
    get view() {
      return view;
    },
    solve: (job) => solver.solve(job, view),
    certify: (job, at) => solver.certify(job, at),
    publish(block, changed = []) {
      for (const pool of changed) put(pool);
      view = show(block);
    },
  };
}

export function makerAddress(id: number) {
  return asAddress(`0x${(0xd0000 + id).toString(16).padStart(40, '0')}`);
}
