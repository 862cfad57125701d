import { expect } from 'chai';
import { type IndexerHandle, type IndexerReport, startIndexer } from '../../src/indexing/indexing.ts';
import { createRandom } from '../../src/random.ts';
import { canonicalHash, SnapshotReader } from '../../src/snapshot/snapshot.ts';
import type { DurationMs } from '../../src/units/units.ts';
import { useDevnet } from '../support/devnet.ts';
import { type SocketNode, type SocketRule, startSocketNode } from '../support/socket-node.ts';
import { until } from '../support/until.ts';
import { type Activity, openActivity } from './indexing/activity.ts';
import { newBuffers, rebuiltHash, threadData } from './indexing/world.ts';

const PATIENCE_MS = 60_000;
const BLOCKS = 4;

describe('indexing behind a socket that misbehaves', function suite() {
  this.timeout(300_000);
  const devnet = useDevnet({ blockTimeSeconds: 3600 });
  let activity: Activity;
  let node: SocketNode;
  let handle: IndexerHandle | undefined;
  let reports: IndexerReport[];

  before(async () => {
    activity = await openActivity(devnet.current(), createRandom(23).unit);
  });
  beforeEach(async () => {
    reports = [];
    node = await startSocketNode(passing);
  });
  afterEach(async () => {
    await handle?.stop();
    await node.stop();
  });

  /** As the devnet's node answers, subscriptions apart: what is announced is the test's to say. */
  const passing: SocketRule = async (call) => {
    if (call.method === 'eth_subscribe') return JSON.stringify({ jsonrpc: '2.0', id: call.id, result: '0xabc' });
    const body = JSON.stringify(call);
    return await (await fetch(devnet.current().rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })).text();
  };
  const head = async () => (await activity.client.getBlock({ blockTag: 'latest' })).hash;
  const publishes = async (hash: string) =>
    expect(await until(() => reports.some((report) => report.kind === 'published' && report.block.hash === hash), PATIENCE_MS), hash).to.equal(true);

  const FAULTS: readonly (readonly [string, (block: number) => void])[] = [
    ['announces nothing', () => undefined],
    ['announces heads of another chain', (block) => node.announce({ number: '0xffffff', hash: `0x${String(block).padStart(64, '9')}` })],
    ['says what is no JSON between its answers', () => node.send('<html>busy</html>')],
    [
      'floods announcements',
      () => {
        for (let at = 0; at < 500; at++) node.announce({ hash: `0x${String(at).padStart(64, '8')}` });
      },
    ],
    ['is cut with each block', () => node.cut()],
    ['answers nothing for a moment', () => node.setRule(() => null)],
  ];
  for (const [what, happen] of FAULTS) {
    it(`follows by looking, to the last log, where it ${what}`, async () => {
      const buffers = newBuffers();
      const { rpcUrl } = devnet.current();
      handle = startIndexer(
        { ...threadData(devnet.current(), buffers, [node.url, rpcUrl]), pollMs: 100 as DurationMs },
        { onReport: (report) => reports.push(report) },
      );
      await publishes(await head());
      for (let block = 0; block < BLOCKS; block++) {
        happen(block);
        await activity.mine(await activity.trades(2));
        await publishes(await head());
        node.setRule(passing);
      }
      const reader = SnapshotReader.claim(buffers, 1);
      const view = reader.pin();
      if (view === null) throw new Error('nothing is published');
      const published = canonicalHash(view);
      reader.unpin();
      expect(published).to.equal(await rebuiltHash(devnet.current(), await head()));
      expect(reports.filter(({ kind }) => kind === 'orphaned' || kind === 'reorg' || kind === 'restarted')).to.deep.equal([]);
    });
  }
});
