import { expect } from 'chai';
import { createTestClient, http, type Log, publicActions, toEventSelector } from 'viem';
import { useDevnet } from '../support/devnet.ts';
import { until } from '../support/until.ts';

const TOPICS = {
  v2Swap: toEventSelector('Swap(address,uint256,uint256,uint256,uint256,address)'),
  v3Swap: toEventSelector('Swap(address,address,int256,int256,uint160,uint128,int24)'),
  v2Mint: toEventSelector('Mint(address,uint256,uint256)'),
  v2Burn: toEventSelector('Burn(address,uint256,uint256,address)'),
  v3Mint: toEventSelector('Mint(address,address,int24,int24,uint128,uint256,uint256)'),
  v3Burn: toEventSelector('Burn(address,int24,int24,uint128,uint256,uint256)'),
};
const LIQUIDITY_TOPICS = [TOPICS.v2Mint, TOPICS.v2Burn, TOPICS.v3Mint, TOPICS.v3Burn];
const PATIENCE_MS = 60_000;

describe('the trading bots', () => {
  const handle = useDevnet({ bots: true });
  const client = () => createTestClient({ mode: 'anvil', transport: http(handle.current().rpcUrl) }).extend(publicActions);
  /** Logs of the pools in the blocks after one. The node refuses to be asked for blocks that are not there yet. */
  const poolLogsAfter = async (block: bigint): Promise<readonly Log[]> => {
    const logs = await client().getLogs({ address: handle.current().pools.map((pool) => pool.address), fromBlock: block });
    return logs.filter((log) => log.blockNumber > block);
  };
  const count = (logs: readonly Log[], ...topics: string[]): number => logs.filter((log) => topics.includes(log.topics[0] ?? '')).length;
  const trade = async (after: bigint): Promise<boolean> => until(async () => count(await poolLogsAfter(after), TOPICS.v3Swap) > 0, PATIENCE_MS);
  /** What waits to be mined, but for what the owner of the price feeds answers: that comes when it is due, whether or not anybody trades. */
  const waitingOfBots = async () => {
    const { pending, queued } = await client().getTxpoolContent();
    const feeds = handle.current().prices.feeds.map(({ feed }) => feed.toLowerCase());
    const all = [pending, queued].flatMap((bySender) => Object.values(bySender).flatMap((byNonce) => Object.values(byNonce)));
    return all.filter(({ to }) => !feeds.includes((to ?? '').toLowerCase()));
  };

  it('swap on all venues and change liquidity, with transactions that go through', async () => {
    const start = await client().getBlockNumber();
    const busy = await until(async () => {
      const logs = await poolLogsAfter(start);
      return count(logs, TOPICS.v2Swap) >= 3 && count(logs, TOPICS.v3Swap) >= 3 && count(logs, ...LIQUIDITY_TOPICS) >= 1;
    }, PATIENCE_MS);
    expect(busy).to.equal(true);
    const receipts = (await Promise.all([2n, 1n, 0n].map(async (back) => receiptsOf((await client().getBlockNumber()) - back)))).flat();
    const failed = receipts.filter((receipt) => receipt.status !== 'success');
    expect(receipts.length).to.be.at.least(4);
    expect(failed.length).to.be.at.most(receipts.length / 4);
  });

  const receiptsOf = async (blockNumber: bigint) => {
    const { transactions } = await client().getBlock({ blockNumber });
    return Promise.all(transactions.map((hash) => client().getTransactionReceipt({ hash })));
  };

  it('rest on demand, with nothing of theirs waiting, and trade again on demand', async () => {
    const devnet = handle.current();
    await devnet.setBots(false);
    expect(await waitingOfBots()).to.deep.equal([]);
    const rest = await client().getBlockNumber();
    expect(await until(async () => (await client().getBlockNumber()) >= rest + 1n, PATIENCE_MS)).to.equal(true);
    expect(await poolLogsAfter(rest)).to.deep.equal([]);
    await devnet.setBots(true);
    expect(await trade(rest)).to.equal(true);
  });

  it('take their transactions back when the chain stops, rather than wait for ever', async () => {
    const devnet = handle.current();
    const caught = await until(async () => {
      if ((await waitingOfBots()).length === 0) return false;
      await client().setIntervalMining({ interval: 0 });
      if ((await waitingOfBots()).length > 0) return true;
      await client().setIntervalMining({ interval: 1 });
      return false;
    }, PATIENCE_MS);
    expect(caught, 'the chain stopped with a round of the bots waiting').to.equal(true);
    await devnet.setBots(false);
    expect(await waitingOfBots()).to.deep.equal([]);
    const stood = await client().getBlockNumber();
    await client().setIntervalMining({ interval: 1 });
    await devnet.setBots(true);
    expect(await trade(stood)).to.equal(true);
  });

  it('and the chain go on after a rollback: trades, clock and base fee', async () => {
    const snapshot = await client().snapshot();
    const from = await client().getBlockNumber();
    expect(await until(async () => (await client().getBlockNumber()) >= from + 4n, PATIENCE_MS)).to.equal(true);
    await client().revert({ id: snapshot });
    const back = await client().getBlock();
    expect(Date.now() / 1000 - Number(back.timestamp)).to.be.above(3);
    expect(await trade(back.number)).to.equal(true);
    const onTime = await until(async () => Date.now() / 1000 - Number((await client().getBlock()).timestamp) < 2, PATIENCE_MS);
    expect(onTime).to.equal(true);
    expect(((await client().getBlock()).baseFeePerGas ?? 0n) >= 10n ** 9n).to.equal(true);
  });

  it('and the chain go on after a reorg', async () => {
    const before = await client().getBlock();
    await client().request({ method: 'anvil_reorg' as never, params: [3, []] as never });
    expect((await client().getBlock({ blockNumber: before.number })).hash).to.not.equal(before.hash);
    expect(await trade(before.number)).to.equal(true);
  });
});
