import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { LIMITS } from '../../src/config/limits.ts';
import { RpcError } from '../../src/indexing/rpc/rpc-error.ts';
import { useTemporaryFolder } from '../support/temporary-folder.ts';
import { type FollowOptions, fee, follow, IDENTITY, moved, opened, REAL_HEIGHT } from './followed-chain.ts';
import { MadeUpChain } from './made-up-chain.ts';
import { idOf } from './made-up-singleton.ts';
import type { VirtualClock } from './virtual-clock.ts';

const { everyMs, depthBlocks, unfinishedMs } = LIMITS.indexing.checkpoint;
const IDS = [10, 12, 14, 16];

/** A chain of some pools, so many blocks long. */
function chainOf(blocks: number): MadeUpChain {
  const chain = new MadeUpChain(REAL_HEIGHT);
  for (const id of IDS.slice(0, 3)) chain.grow(opened(id, id));
  for (let block = 3; block < blocks; block++) chain.grow(moved(IDS[block % 3] as number, block));
  return chain;
}

describe('a restart from a checkpoint', () => {
  const folder = useTemporaryFolder();
  const file = (): string => path.join(folder.current(), 'chain-1.checkpoint');
  const start = (chain: MadeUpChain, options: FollowOptions = {}) => follow(chain, { checkpoint: { file: file() }, ...options });
  /** Follows a chain to its head, and one block more once it is time for a checkpoint. */
  const leave = async (chain: MadeUpChain): Promise<number> => {
    const before = start(chain);
    await before.step();
    before.clock.advance(everyMs);
    chain.grow(moved(10, 4711));
    await before.step();
    expect(before.of('checkpoint-written')).to.have.length(2);
    expect(before.of('checkpoint-failed')).to.have.length(0);
    return before.of('checkpoint-written')[1]?.block ?? 0;
  };
  const expectThere = (chain: MadeUpChain, { view }: ReturnType<typeof follow>): void => {
    expect(view()).to.deep.equal({ block: chain.head.hash, pools: chain.pricesAt(chain.head.hash) });
  };
  /** Steps until what the chain shows has to be believed. */
  const doubt = async ({ step, clock }: ReturnType<typeof follow<VirtualClock>>): Promise<void> => {
    for (let poll = 1; poll < LIMITS.indexing.lostPolls; poll++) {
      expect(await step().catch(({ name }: Error) => name)).to.equal('RpcError');
      clock.advance(LIMITS.indexing.lostMs);
    }
  };
  const outcomes = ({ of }: ReturnType<typeof follow>) => of('checkpoint-read').map(({ outcome }) => outcome);

  it('goes on from the block that was kept, through all blocks since, and reads no factory and no pool that did not change', async () => {
    const chain = chainOf(20);
    await leave(chain);
    for (let block = 0; block < 30; block++) chain.grow(moved(12, block), fee(block));
    chain.grow(opened(16, 5));
    const after = start(chain);
    const calls = chain.asked.readAt ?? 0;
    await after.step();
    expectThere(chain, after);
    expect([outcomes(after), after.rebuilds()]).to.deep.equal([['resumed'], 0]);
    // The audit alone.
    expect((chain.asked.readAt ?? 0) - calls).to.equal(1);
    expect(after.of('audit-mismatch')).to.have.length(0);
    expect(after.of('checkpoint-read')[0]?.blocksBehind).to.be.below(40);
  });

  it('is of a block below the tip, so that a reorg during the stop is undone as any other', async () => {
    const chain = chainOf(depthBlocks + 30);
    const before = start(chain, { startDepthBlocks: depthBlocks + 10 });
    await before.step();
    const kept = before.of('checkpoint-written')[0]?.block ?? 0;
    expect(chain.head.number - kept).to.equal(depthBlocks);
    chain.back(depthBlocks);
    for (let block = 0; block < depthBlocks + 2; block++) chain.grow(moved(14, 1000 + block));
    const after = start(chain);
    await after.step();
    expectThere(chain, after);
    expect([outcomes(after), after.rebuilds()]).to.deep.equal([['resumed'], 0]);
    // What it filled the gap with can be gone back from too.
    chain.back(depthBlocks);
    for (let block = 0; block < depthBlocks + 1; block++) chain.grow(moved(10, 2000 + block));
    await after.step();
    expectThere(chain, after);
    expect([after.of('reorg').map(({ depth }) => depth), after.rebuilds()]).to.deep.equal([[depthBlocks], 0]);
  });

  it('is not of a chain that has left its block: that is doubted a few times, and then the chain is read anew', async () => {
    const chain = chainOf(30);
    await leave(chain);
    chain.back(25);
    for (let block = 0; block < 40; block++) chain.grow(moved(14, 1000 + block));
    const after = start(chain);
    await doubt(after);
    await after.step();
    expectThere(chain, after);
    expect([outcomes(after), after.rebuilds(), chain.asked.disown]).to.deep.equal([['not-on-chain'], 1, LIMITS.indexing.lostPolls - 1]);
  });

  it('is not from the future: of a chain that was set back below its block nothing is believed', async () => {
    const chain = chainOf(30);
    await leave(chain);
    chain.back(20);
    const after = start(chain);
    await doubt(after);
    await after.step();
    expectThere(chain, after);
    expect([outcomes(after), after.rebuilds()]).to.deep.equal([['ahead'], 1]);
  });

  it('reads the pools again, and not the factories, where more blocks came than are followed up', async () => {
    const chain = chainOf(20);
    const kept = await leave(chain);
    for (let block = 0; block < LIMITS.indexing.catchUpBlocks + 10; block++) chain.grow(...(block % 400 === 0 ? [moved(12, block)] : []));
    chain.grow(opened(16, 5));
    for (let block = 0; block < 5; block++) chain.grow();
    const ranges: number[] = [];
    const reader = {
      ...chain.reader,
      logsInRange: (...asked: Parameters<typeof chain.reader.logsInRange>) => {
        ranges.push(asked[0]);
        return chain.reader.logsInRange(...asked);
      },
    };
    const after = start(chain, { reader });
    await after.step();
    expectThere(chain, after);
    expect(outcomes(after)).to.deep.equal(['pools-kept']);
    expect(Math.min(...ranges), 'the first block whose announcements are asked for').to.equal(kept + 1);
  });

  it('is refused where it was bent, or is of other code or another configuration, and is written anew', async () => {
    const chain = chainOf(20);
    await leave(chain);
    const whole = readFileSync(file());
    const bent = Buffer.from(whole);
    bent.writeUInt8(bent.readUInt8(400) ^ 1, 400);
    writeFileSync(file(), bent);
    const after = start(chain);
    await after.step();
    expectThere(chain, after);
    expect([outcomes(after), after.rebuilds()]).to.deep.equal([['corrupt'], 1]);
    expect(after.of('log').some(({ level, message }) => level === 'warn' && message.includes('is not used (corrupt)'))).to.equal(true);
    const next = start(chain);
    await next.step();
    expect(outcomes(next)).to.deep.equal(['resumed']);
    const other = follow(chain, { checkpoint: { file: file(), identity: { ...IDENTITY, code: 'other' } } });
    await other.step();
    expectThere(chain, other);
    expect([outcomes(other), other.rebuilds()]).to.deep.equal([['other-code'], 1]);
  });

  it('is tried again while the chain can not be asked, and then gone on from', async () => {
    const chain = chainOf(20);
    await leave(chain);
    let failing = true;
    const headerAt = async (number: number) => {
      if (failing) throw new RpcError('unavailable', 'nobody is there');
      return chain.reader.headerAt(number);
    };
    const after = start(chain, { reader: { ...chain.reader, headerAt } });
    for (let step = 0; step < 5; step++) expect(await after.step().catch(({ name }: Error) => name)).to.equal('RpcError');
    failing = false;
    await after.step();
    expectThere(chain, after);
    expect(outcomes(after)).to.deep.equal(['resumed']);
  });

  it('is of pools that wait to be read too: nothing is published before the chain was asked about them', async () => {
    const chain = chainOf(20);
    chain.refused.add(idOf(14));
    await leave(chain);
    chain.refused.clear();
    let failing = true;
    const readAt: typeof chain.reader.readAt = (hash) => (calls) => {
      if (failing) throw new RpcError('unavailable', 'nobody is there');
      return chain.reader.readAt(hash)(calls);
    };
    const after = start(chain, { reader: { ...chain.reader, readAt } });
    for (let step = 0; step < 3; step++) expect(await after.step().catch(({ name }: Error) => name)).to.equal('RpcError');
    expect([outcomes(after), after.of('published')]).to.deep.equal([['resumed'], []]);
    failing = false;
    await after.step();
    expectThere(chain, after);
  });

  it('is not gone on from by a follower that has forgotten what it knew, since that was wrong', async () => {
    const chain = chainOf(20);
    await leave(chain);
    const after = start(chain);
    after.follower.forget();
    await after.step();
    expectThere(chain, after);
    expect([outcomes(after), after.rebuilds()]).to.deep.equal([[], 1]);
  });

  it('is written no more often than so, and beside the following', async () => {
    const chain = chainOf(20);
    const before = start(chain);
    await before.step();
    for (let block = 0; block < 5; block++) {
      before.clock.advance(everyMs / 10);
      chain.grow(moved(10, block));
      await before.step();
    }
    expect(before.of('checkpoint-written')).to.have.length(1);
    before.clock.advance(everyMs);
    chain.grow(moved(10, 99));
    // The block is published before the checkpoint is on the disk.
    await before.follower.step();
    expect(before.of('published').at(-1)?.block.hash).to.equal(chain.head.hash);
    expect(before.of('checkpoint-written')).to.have.length(1);
    await before.step();
    expect(before.of('checkpoint-written')).to.have.length(2);
  });

  it('is given up where the thread is to stop, and what was there stays', async () => {
    const chain = chainOf(20);
    await leave(chain);
    const whole = readFileSync(file());
    const before = start(chain);
    await before.step();
    before.clock.advance(everyMs);
    chain.grow(moved(10, 1));
    await before.follower.step();
    await before.end();
    expect(before.of('checkpoint-written')).to.deep.equal([]);
    expect(readdirSync(folder.current())).to.deep.equal(['chain-1.checkpoint']);
    expect(readFileSync(file()).equals(whole)).to.equal(true);
  });

  it('costs nothing but itself where the disk refuses, and what was there stays', async () => {
    const chain = chainOf(20);
    const blocked = path.join(folder.current(), 'chain-1.checkpoint');
    mkdirSync(path.join(blocked, 'a folder in its place'), { recursive: true });
    const before = start(chain);
    await before.step();
    expectThere(chain, before);
    expect([outcomes(before), before.of('checkpoint-failed').map(({ reason }) => reason)]).to.deep.equal([['unreadable'], ['disk']]);
    expect(readdirSync(folder.current())).to.deep.equal(['chain-1.checkpoint']);
  });

  it('is said to be unreadable, and not to be absent, where the disk does not give what is there', async () => {
    const chain = chainOf(8);
    expect(
      await start(chain)
        .step()
        .then(() => existsSync(file())),
    ).to.equal(true);
    rmSync(file());
    // It leads to itself: nobody can open it, whoever runs this.
    symlinkSync(file(), file());
    const after = start(chain);
    await after.step();
    expectThere(chain, after);
    expect(outcomes(after)).to.deep.equal(['unreadable']);
    rmSync(file());
    const none = start(chain);
    await none.step();
    expect(outcomes(none)).to.deep.equal(['absent']);
  });

  it('removes what a killed process left unfinished, and not what another may still be writing', async () => {
    const [old, young] = [`${file()}.unfinished-aaaaaa`, `${file()}.unfinished-bbbbbb`];
    for (const name of [old, young]) writeFileSync(name, 'half');
    const then = new Date(Date.now() - unfinishedMs - 1000);
    utimesSync(old, then, then);
    const before = start(chainOf(20));
    await before.step();
    expect([existsSync(old), existsSync(young), existsSync(file())]).to.deep.equal([false, true, true]);
    expect(outcomes(before)).to.deep.equal(['absent']);
  });
});
