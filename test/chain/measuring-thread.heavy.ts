import { expect } from 'chai';
import { type IndexerHandle, type IndexerReport, type MeasureOutcome, startIndexer } from '../../src/indexing/indexing.ts';
import { createRandom } from '../../src/random.ts';
import { type MeasuredVerdict, type SnapshotBuffers, SnapshotReader } from '../../src/snapshot/snapshot.ts';
import { type Address, asAddress } from '../../src/units/units.ts';
import { useDevnet } from '../support/devnet.ts';
import { type ProxyRule, startRpcProxy } from '../support/rpc-proxy.ts';
import { until } from '../support/until.ts';
import { type Activity, openActivity } from './indexing/activity.ts';
import { newBuffers, threadData } from './indexing/world.ts';

const PATIENCE_MS = 120_000;

describe('measuring transfers in the indexer thread', function suite() {
  this.timeout(300_000);
  const devnet = useDevnet({ blockTimeSeconds: 3600 });
  let activity: Activity;
  let handle: IndexerHandle | undefined;
  let reports: IndexerReport[] = [];
  let buffers: SnapshotBuffers;
  let reader: SnapshotReader;
  before(async () => {
    activity = await openActivity(devnet.current(), createRandom(11).unit);
  });
  beforeEach(() => {
    reports = [];
    buffers = newBuffers();
    reader = SnapshotReader.claim(buffers, 1);
  });
  afterEach(async () => {
    await handle?.stop();
    handle = undefined;
  });

  const open = (rpcUrls = [devnet.current().rpcUrl], wellKnownTokens?: readonly Address[]): IndexerHandle => {
    const data = { ...threadData(devnet.current(), buffers, rpcUrls), ...(wellKnownTokens === undefined ? {} : { wellKnownTokens }) };
    handle = startIndexer(data, { onReport: (report) => reports.push(report) });
    return handle;
  };
  const tokenOf = (symbol: string): Address => devnet.current().tokens.find((token) => token.symbol === symbol)?.address ?? asAddress('0x');
  const verdictOf = (token: Address): MeasuredVerdict | null => {
    const view = reader.pin();
    try {
      const id = view?.tokenId(token) ?? -1;
      return view === null || id < 0 ? null : view.verdictOf(id);
    } finally {
      reader.unpin();
    }
  };
  const head = async () => await activity.client.getBlock({ blockTag: 'latest' });
  const hasVerdict = async (token: Address, block: bigint): Promise<boolean> => await until(() => verdictOf(token)?.block === Number(block), PATIENCE_MS);

  it('answers once the verdict is in the snapshot, and keeps what was asked for fresh at each block', async () => {
    const indexer = open();
    const tokens = [tokenOf('USDC'), tokenOf('USDT'), tokenOf('MKR'), tokenOf('MUTE'), tokenOf('GUSD')];
    const outcomes = await Promise.all([indexer.measure(tokens), indexer.measure(tokens.slice(0, 1))]);
    const { number } = await head();
    expect(outcomes).to.deep.equal(Array(2).fill({ ok: true, block: Number(number) }));
    for (const token of tokens) expect(verdictOf(token), token).to.deep.include({ verdict: { kind: 'clean' }, block: Number(number) });
    // Whose pools are known to be open: those that it was measured at.
    expect(verdictOf(tokenOf('MKR'))?.seenAt?.length).to.be.at.least(1);
    // A busy machine measures one of them at a later block, and of more than these always the same.
    const hot = tokens.slice(0, 2);
    const allFresh = async (): Promise<boolean> => {
      if (hot.every((token) => (verdictOf(token)?.block ?? 0) > Number(number))) return true;
      // What nobody asks for any more is forgotten after a while, which a busy machine may take.
      indexer.wanted(hot);
      const { hash } = await head();
      if (reports.some((report) => report.kind === 'published' && report.block.hash === hash)) await activity.mine(await activity.trades(1));
      return false;
    };
    expect(await until(allFresh, 4 * PATIENCE_MS)).to.equal(true);
    expect(reports.filter((report) => report.kind === 'measuring' && report.ahead).length).to.be.at.least(hot.length);
    // Nobody asked for it.
    expect(verdictOf(tokenOf('PEPE'))).to.equal(null);
    indexer.wanted([tokenOf('PEPE')]);
    await until(() => reports.some((report) => report.kind === 'verdicts'), PATIENCE_MS);
    expect(await indexer.measure([asAddress(`0x${'ab'.repeat(20)}`)])).to.deep.equal({ ok: true, block: null });
    expect(verdictOf(asAddress(`0x${'ab'.repeat(20)}`))).to.equal(null);
  });

  it('drops the verdicts of blocks that leave the chain, and measures anew on the other branch', async () => {
    const indexer = open();
    expect(await indexer.measure([tokenOf('USDC')])).to.include({ ok: true });
    const snapshot = await activity.request('evm_snapshot');
    await activity.mine(await activity.trades(2));
    const orphan = await head();
    expect(await hasVerdict(tokenOf('USDC'), orphan.number)).to.equal(true);
    await activity.request('evm_revert', snapshot);
    // A probe that is under way when the next block comes serves there as well: of a chain that stood still from then on nothing would be measured again.
    const isMeasuredAnew = async (): Promise<boolean> => {
      if ((verdictOf(tokenOf('USDC'))?.block ?? 0) > Number(orphan.number)) return true;
      indexer.wanted([tokenOf('USDC')]);
      const { hash } = await head();
      if (reports.some((report) => report.kind === 'published' && report.block.hash === hash)) await activity.mine(await activity.trades(3));
      return false;
    };
    expect(await until(isMeasuredAnew, PATIENCE_MS)).to.equal(true);
    expect(reports.some(({ kind }) => kind === 'reorg')).to.equal(true);
  });

  it('by a node without state overrides nothing can be measured, but well-known tokens stay plain; one that does not answer gives no verdict', async () => {
    const proxy = await startRpcProxy(() => devnet.current().rpcUrl);
    const [usdc, link] = [tokenOf('USDC'), tokenOf('LINK')];
    const rule =
      (without: 'ignored' | 'refused' | 'silent'): ProxyRule =>
      async (call, forward) => {
        const supposing =
          call.method === 'eth_call' && Object.keys((call.params[2] ?? {}) as object).some((account) => 'code' in Object((call.params[2] as never)[account]));
        if (!supposing) return { json: await forward() };
        if (without === 'ignored') return { json: { jsonrpc: '2.0', id: (call as unknown as { id: number }).id, result: '0x' } };
        if (without === 'silent') return { status: 503, body: 'busy' };
        return { json: { jsonrpc: '2.0', id: (call as unknown as { id: number }).id, error: { code: -32602, message: 'too many arguments, want at most 2' } } };
      };
    try {
      const indexer = open([proxy.url], [devnet.current().wrappedNative, usdc]);
      for (const without of ['ignored', 'refused'] as const) {
        proxy.setRule(rule(without));
        expect(await indexer.measure([link]), without).to.include({ ok: true });
        expect(verdictOf(link)?.verdict, without).to.deep.equal({ kind: 'unmeasurable' });
      }
      expect(verdictOf(usdc)?.verdict).to.deep.equal({ kind: 'clean' });
      expect(verdictOf(devnet.current().wrappedNative)?.verdict).to.deep.equal({ kind: 'clean' });
      proxy.setRule(rule('silent'));
      const before = verdictOf(link);
      const outcome: MeasureOutcome = await indexer.measure([link]);
      expect(outcome).to.include({ ok: false, reason: 'unavailable' });
      expect(verdictOf(link)).to.deep.equal(before);
    } finally {
      await handle?.stop();
      await proxy.stop();
    }
  });
});
