import path from 'node:path';
import { expect } from 'chai';
import { createRandom } from '../../src/random.ts';
import { SnapshotWriter, type TransferVerdict } from '../../src/snapshot/snapshot.ts';
import type { Address } from '../../src/units/units.ts';
import { loadIndexerVenues } from '../../src/venues/venues.ts';
import { startConfiguredBraid } from '../support/configured-braid.ts';
import { useDevnet } from '../support/devnet.ts';
import { scrape } from '../support/scrape.ts';
import { SEED } from '../support/seeded-random.ts';
import { useTemporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { type Activity, openActivity } from './indexing/activity.ts';
import { loadOperations, type Operations, someOperation } from './indexing/operations.ts';
import { type Indexed, newBuffers, openIndexed, rebuiltHash } from './indexing/world.ts';

const OPERATIONS_EACH = 3;

describe('checkpoints of a chain with all venues', function suite() {
  this.timeout(600_000);
  const handle = useDevnet({ blockTimeSeconds: 86_400 });
  const folder = useTemporaryFolder();
  const random = createRandom(SEED).unit;
  let activity: Activity;
  let operations: readonly (readonly [string, Operations])[];
  before(async () => {
    const devnet = handle.current();
    activity = await openActivity(devnet, random);
    const opened: [string, Operations][] = [];
    for (const [name, open] of await loadOperations()) opened.push([name, await open(devnet, activity, random)]);
    operations = opened;
  });
  const file = (): string => path.join(folder.current(), 'chain-31337.checkpoint');
  const head = async (): Promise<`0x${string}`> => (await activity.client.getBlock({ blockTag: 'latest' })).hash;
  const trade = async (): Promise<void> => {
    for (const [, ofVenue] of operations) for (let count = 0; count < OPERATIONS_EACH; count++) await someOperation(ofVenue, random);
  };
  /** An indexer that goes to the head, keeps a checkpoint and ends. */
  const leave = async (options: Parameters<typeof openIndexed>[1] = {}): Promise<void> => {
    const before = await openIndexed(handle.current(), { checkpointFile: file(), ...options });
    await before.reach(await head());
    await before.kept();
    await before.close();
    expect(before.reports.flatMap((report) => (report.kind === 'checkpoint-failed' ? [report.message] : []))).to.deep.equal([]);
    expect(before.reports.filter(({ kind }) => kind === 'checkpoint-written')).to.have.length(1);
  };
  const outcomes = ({ reports }: Indexed) => reports.flatMap((report) => (report.kind === 'checkpoint-read' ? [report.outcome] : []));

  it(`lead to the state of a fresh indexer, whatever pools did during the stop (seed ${SEED})`, async () => {
    await trade();
    await leave();
    await trade();
    await activity.mine(await activity.newV3Pool());
    await activity.mine(await activity.newV2Pair('uniswap'));
    const after = await openIndexed(handle.current(), { checkpointFile: file() });
    try {
      const hash = await head();
      await after.reach(hash);
      expect(outcomes(after)).to.deep.equal(['resumed']);
      expect(after.hash()).to.equal(await rebuiltHash(handle.current(), hash));
      // And it follows on, also back.
      const snapshot = await activity.request('evm_snapshot');
      await trade();
      await after.reach(await head());
      expect(after.hash()).to.equal(await rebuiltHash(handle.current(), await head()));
      await activity.request('evm_revert', snapshot);
      await activity.mine(await activity.trades(3));
      const other = await head();
      await after.reach(other, 20);
      expect(after.hash()).to.equal(await rebuiltHash(handle.current(), other));
      expect(after.reports.filter(({ kind }) => kind === 'audit-mismatch')).to.have.length(0);
      expect(new Set(after.look((view) => Array.from({ length: view.poolCount }, (_, id) => view.pool(id)?.venue))).size).to.be.at.least(
        (await loadIndexerVenues()).size,
      );
    } finally {
      await after.close();
    }
  });

  it('keep what was found against a well-known token, which a restart would else trust; also with other deployments', async () => {
    const [token] = handle
      .current()
      .tokens.filter(({ symbol }) => symbol === 'USDC')
      .map(({ address }) => address as Address);
    if (token === undefined) throw new Error('the devnet has no USDC');
    const verdict: TransferVerdict = { kind: 'gated', reason: 'honeypot' };
    const found = newBuffers();
    const writer = new SnapshotWriter(found);
    writer.setVerdict(token, { verdict, block: 1 });
    writer.publish({ number: 0, hash: `0x${'0'.repeat(64)}`, timestamp: 1 as never, baseFeePerGas: null });
    const wellKnownTokens = [handle.current().wrappedNative, token];
    await leave({ buffers: found, wellKnownTokens });
    const verdictAfter = async (options: Parameters<typeof openIndexed>[1]) => {
      const after = await openIndexed(handle.current(), { wellKnownTokens, ...options });
      try {
        await after.reach(await head());
        return after.look((view) => view.verdictOf(view.tokenId(token))?.verdict);
      } finally {
        await after.close();
      }
    };
    expect(await verdictAfter({}), 'without a checkpoint').to.deep.equal({ kind: 'clean' });
    expect(await verdictAfter({ checkpointFile: file() })).to.deep.equal(verdict);
    // Other deployments: nothing else of it is gone on from.
    const deployments = handle.current().deployments.filter(({ venue }) => venue === 'uniswap_v2');
    expect(await verdictAfter({ checkpointFile: file(), deployments })).to.deep.equal(verdict);
  });

  it('serve the same market through HTTP after the service was stopped and started again', async () => {
    const { deployments, wrappedNative, rpcUrl, feeCollector, router, allowanceHolder, prices } = handle.current();
    const chain = { chainId: 31337, rpcUrls: [rpcUrl], wrappedNative, deployments, router, allowanceHolder, prices, freshnessBoundMs: 2 ** 31 - 1 };
    const configuration = { feeCollector, checkpointDirectory: 'kept', chains: [chain] };
    const wellKnown = handle.current().tokens.map(({ address }) => address);
    const start = () => startConfiguredBraid(folder.current(), { ...configuration, chains: [{ ...chain, wellKnownTokens: wellKnown }] });
    const figure = async (url: string, name: string): Promise<number> => {
      const text = await scrape(url);
      return Number(
        text
          .split('\n')
          .find((line) => line.startsWith(name))
          ?.split(' ')
          .at(-1) ?? Number.NaN,
      );
    };
    const [sellToken, buyToken] = ['USDC', 'WBTC'].map((symbol) => handle.current().tokens.find((one) => one.symbol === symbol)?.address ?? '');
    const quote = async (url: string) => {
      const query = new URLSearchParams({
        chainId: '31337',
        mode: 'sell',
        sellToken: String(sellToken),
        buyToken: String(buyToken),
        sellAmount: '50000000000',
      });
      const answer = await fetch(`${url}/v1/quote?${query}`);
      const { buyAmount, blockNumber, amountOutUsd, error } = (await answer.json()) as Record<string, unknown>;
      return { status: answer.status, buyAmount, blockNumber, amountOutUsd, error };
    };
    const first = await start();
    try {
      const written = async () => (await figure(first.internalUrl, 'braid_checkpoint_writes_total{chain="devnet",outcome="written"}')) === 1;
      expect(await until(written, 60_000)).to.equal(true);
      expect((await quote(first.publicUrl)).status).to.equal(200);
    } finally {
      await first.stop();
    }
    await activity.mine(await activity.trades(4));
    const again = await start();
    let quoted: Awaited<ReturnType<typeof quote>>;
    try {
      quoted = await quote(again.publicUrl);
      expect(await figure(again.internalUrl, 'braid_checkpoint_reads_total{chain="devnet",outcome="resumed"}')).to.equal(1);
    } finally {
      await again.stop();
    }
    const fresh = await startConfiguredBraid(folder.current(), {
      ...configuration,
      checkpointDirectory: 'another',
      chains: [{ ...chain, wellKnownTokens: wellKnown }],
    });
    try {
      expect(await quote(fresh.publicUrl)).to.deep.equal(quoted);
      expect(quoted.status, String(quoted.error)).to.equal(200);
      expect(quoted.amountOutUsd, 'prices are made of the pools again').to.be.a('number');
    } finally {
      await fresh.stop();
    }
  });
});
