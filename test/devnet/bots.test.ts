import { expect } from 'chai';
import { createPublicClient, createTestClient, http, type Log, publicActions, toEventSelector } from 'viem';
import { useDevnet } from '../support/devnet.ts';

const TOPICS = {
  v2Swap: toEventSelector('Swap(address,uint256,uint256,uint256,uint256,address)'),
  v3Swap: toEventSelector('Swap(address,address,int256,int256,uint160,uint128,int24)'),
  v2Mint: toEventSelector('Mint(address,uint256,uint256)'),
  v2Burn: toEventSelector('Burn(address,uint256,uint256,address)'),
  v3Mint: toEventSelector('Mint(address,address,int24,int24,uint128,uint256,uint256)'),
  v3Burn: toEventSelector('Burn(address,int24,int24,uint128,uint256,uint256)'),
};

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('the trading bots', () => {
  const handle = useDevnet({ bots: true });
  const client = () => {
    const devnet = handle.current();
    return createTestClient({ mode: 'anvil', transport: http(devnet.rpcUrl) }).extend(publicActions);
  };
  const poolLogs = async (fromBlock: bigint): Promise<readonly Log[]> =>
    client().getLogs({ address: handle.current().pools.map((pool) => pool.address), fromBlock });
  const count = (logs: readonly Log[], topic: string): number => logs.filter((log) => log.topics[0] === topic).length;

  it('swap on all venues and change liquidity, every few blocks', async () => {
    const start = await client().getBlockNumber();
    await pause(7000);
    const logs = await poolLogs(start + 1n);
    const blocks = new Set(logs.map((log) => log.blockNumber));
    expect(blocks.size).to.be.at.least(4);
    expect(count(logs, TOPICS.v2Swap)).to.be.at.least(3);
    expect(count(logs, TOPICS.v3Swap)).to.be.at.least(3);
    expect(count(logs, TOPICS.v2Mint) + count(logs, TOPICS.v2Burn) + count(logs, TOPICS.v3Mint) + count(logs, TOPICS.v3Burn)).to.be.at.least(1);
    expect(new Set(logs.map((log) => log.address)).size).to.be.at.least(5);
  });

  it('rest on demand, with nothing of theirs waiting, and trade again on demand', async () => {
    const devnet = handle.current();
    await devnet.setBots(false);
    expect(await client().getTxpoolStatus()).to.deep.equal({ pending: 0, queued: 0 });
    const rest = await client().getBlockNumber();
    await pause(2500);
    expect(await client().getBlockNumber()).to.be.above(Number(rest));
    expect(await poolLogs(rest + 1n)).to.deep.equal([]);
    await devnet.setBots(true);
    await pause(3500);
    expect((await poolLogs(rest + 1n)).length).to.be.above(0);
  });

  it('and the chain go on after a rollback', async () => {
    const snapshot = await client().snapshot();
    await pause(4500);
    await client().revert({ id: snapshot });
    const back = await client().getBlock();
    expect(Date.now() / 1000 - Number(back.timestamp)).to.be.above(3.5);
    await pause(4000);
    const head = await client().getBlock();
    expect(Date.now() / 1000 - Number(head.timestamp)).to.be.below(2.5);
    expect((head.baseFeePerGas ?? 0n) >= 10n ** 9n).to.equal(true);
    expect(count(await poolLogs(back.number + 1n), TOPICS.v3Swap)).to.be.above(0);
  });

  it('and the chain go on after a reorg', async () => {
    const before = await client().getBlock();
    await createPublicClient({ transport: http(handle.current().rpcUrl) }).request({ method: 'anvil_reorg' as never, params: [3, []] as never });
    await pause(3500);
    const replaced = await client().getBlock({ blockNumber: before.number });
    expect(replaced.hash).to.not.equal(before.hash);
    expect(count(await poolLogs(before.number + 1n), TOPICS.v3Swap)).to.be.above(0);
  });

  it('take their transactions back when the chain does not mine, rather than wait for ever', async () => {
    const devnet = handle.current();
    await client().setIntervalMining({ interval: 0 });
    await devnet.setBots(false);
    expect(await client().getTxpoolStatus()).to.deep.equal({ pending: 0, queued: 0 });
    await client().setIntervalMining({ interval: 1 });
  });
});
