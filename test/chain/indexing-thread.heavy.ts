import { once } from 'node:events';
import net from 'node:net';
import { expect } from 'chai';
import { type IndexerHandle, type IndexerReport, startIndexer } from '../../src/indexing/indexing.ts';
import { createRandom } from '../../src/random.ts';
import { canonicalHash, SnapshotReader } from '../../src/snapshot/snapshot.ts';
import { useDevnet } from '../support/devnet.ts';
import { until } from '../support/until.ts';
import { type Activity, openActivity } from './indexing/activity.ts';
import { newBuffers, rebuiltHash, threadData } from './indexing/world.ts';

type Published = Extract<IndexerReport, { kind: 'published' }>;

/** Two seconds on a machine of its own. */
const BACK_MS = 20_000;

describe('the indexer thread', function suite() {
  this.timeout(300_000);
  const devnet = useDevnet({ blockTimeSeconds: 3600 });
  let activity: Activity;
  let handle: IndexerHandle | undefined;
  let reports: { readonly at: number; readonly report: IndexerReport }[];

  before(async () => {
    activity = await openActivity(devnet.current(), createRandom(5).unit);
  });
  beforeEach(() => {
    reports = [];
  });
  afterEach(async () => {
    await handle?.stop();
    handle = undefined;
  });

  const onReport = (report: IndexerReport): void => {
    reports.push({ at: performance.now(), report });
  };
  const publishedAt = async (hash: string, since = 0): Promise<{ at: number; report: Published }> => {
    let found: { at: number; report: Published } | undefined;
    const isPublished = () => {
      for (const { at, report } of reports) if (report.kind === 'published' && report.block.hash === hash && at >= since) found ??= { at, report };
      return found !== undefined;
    };
    await until(isPublished, 40_000);
    if (found === undefined) throw new Error(`block ${hash} was not published: ${JSON.stringify(reports.at(-1)?.report, bigints)}`);
    return found;
  };
  const head = async (): Promise<`0x${string}`> => (await activity.client.getBlock({ blockTag: 'latest' })).hash;

  it('publishes blocks with labels, pools and the memory used, and stops when told', async () => {
    const buffers = newBuffers();
    handle = startIndexer(threadData(devnet.current(), buffers), { onReport });
    const { report } = await publishedAt(await head());
    const { deployments, pools } = devnet.current();
    // Variants of a family are their venue's own business.
    expect(report.labels.filter((label) => !label.includes(':'))).to.deep.equal([...new Set(deployments.map(({ family }) => family))].sort());
    // Several folders may follow pools of one family, and one folder pools of several: they are counted together.
    const familiesOf = (venue: string) => [...new Set(deployments.filter((deployment) => deployment.venue === venue).map(({ family }) => family))].sort();
    const counted = new Map<string, number>();
    for (const [venue, count] of Object.entries(report.pools)) counted.set(familiesOf(venue).join(), (counted.get(familiesOf(venue).join()) ?? 0) + count);
    const filled = pools.filter(({ liquidityUsd }) => liquidityUsd > 0);
    const expected = [...counted.keys()].map((families) => [families, filled.filter(({ family }) => families.split(',').includes(family)).length] as const);
    expect(counted).to.deep.equal(new Map(expected));
    expect([...counted.values()].reduce((sum, count) => sum + count, 0)).to.equal(filled.length);
    expect(report.arenaUsedBytes).to.be.within(1, report.arenaCapacityBytes);
    const delays: number[] = [];
    for (let block = 0; block < 10; block++) {
      await activity.mine(await activity.trades(2));
      const mined = performance.now();
      delays.push((await publishedAt(await head())).at - mined);
    }
    delays.sort((a, b) => a - b);
    expect(delays[5], `delays ${delays.map(Math.round)}`).to.be.below(3000);
    await handle.stop();
    const count = reports.length;
    await activity.mine();
    // Another thread has seen the block, so it was there to be seen.
    const seen: IndexerReport[] = [];
    handle = startIndexer(threadData(devnet.current(), newBuffers()), { onReport: (other) => seen.push(other) });
    const last = await head();
    expect(await until(() => seen.some((other) => other.kind === 'published' && other.block.hash === last), 40_000)).to.equal(true);
    expect(reports).to.have.length(count);
  });

  it('hears of new heads by subscription where the node has a socket', async () => {
    const buffers = newBuffers();
    const url = devnet.current().rpcUrl.replace('http:', 'ws:');
    handle = startIndexer({ ...threadData(devnet.current(), buffers, [url]), pollMs: 30_000 as never }, { onReport });
    await publishedAt(await head());
    await activity.mine(await activity.trades(2));
    await publishedAt(await head());
    await activity.mine(await activity.trades(2));
    await publishedAt(await head());
  });

  it('starts again after its thread died, over the same buffers, without a pool too many or a torn read (A24)', async () => {
    const buffers = newBuffers();
    const snapshot = await activity.request('evm_snapshot');
    await activity.mine(await activity.newV3Pool());
    const entry = new URL('./indexing/dying-indexer.ts', import.meta.url);
    handle = startIndexer(threadData(devnet.current(), buffers), { onReport, entry });
    await publishedAt(await head());
    const reader = SnapshotReader.claim(buffers, 1);
    const pinned = reader.pin();
    if (pinned === null) throw new Error('nothing is published');
    const seen = canonicalHash(pinned);
    // While the thread is down, the block that made a pool is replaced: the new thread has to drop a pool that it never knew.
    await activity.request('evm_revert', snapshot);
    await activity.mine(await activity.trades(3));
    await activity.mine(await activity.trades(3));
    const hash = await head();
    const died = (): number | undefined => reports.find(({ report }) => report.kind === 'log' && report.message.includes('died'))?.at;
    expect(await until(() => died() !== undefined, 40_000), 'it died').to.equal(true);
    const { at } = await publishedAt(hash, died());
    expect(at - (died() ?? 0), 'back').to.be.below(BACK_MS);
    expect(canonicalHash(pinned)).to.equal(seen);
    reader.unpin();
    const fresh = reader.pin();
    if (fresh === null) throw new Error('nothing is published');
    const now = canonicalHash(fresh);
    reader.unpin();
    expect(now).to.equal(await rebuiltHash(devnet.current(), hash));
  });

  it('waits for a node that is not there yet, and says so once', async () => {
    let attempts = 0;
    const nobody = net.createServer((socket) => {
      attempts++;
      socket.destroy();
    });
    await once(nobody.listen(0, '127.0.0.1'), 'listening');
    const { port } = nobody.address() as net.AddressInfo;
    try {
      handle = startIndexer(threadData(devnet.current(), newBuffers(), [`http://127.0.0.1:${port}`]), { onReport });
      const warnings = () => reports.filter(({ report }) => report.kind === 'log' && report.level === 'warn').length;
      expect(await until(() => warnings() > 0, 40_000)).to.equal(true);
      const then = attempts;
      expect(await until(() => attempts > then + 8, 40_000), 'several attempts later').to.equal(true);
      expect(warnings()).to.equal(1);
      expect(reports.some(({ report }) => report.kind === 'published')).to.equal(false);
    } finally {
      nobody.close();
    }
  });
});

function bigints(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
