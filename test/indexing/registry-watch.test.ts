import { expect } from 'chai';
import sinon from 'sinon';
import { LIMITS } from '../../src/config/limits.ts';
import { SYSTEM_CLOCK } from '../../src/indexing/clock.ts';
import type { ChainHeader } from '../../src/indexing/header.ts';
import { RegistryWatch } from '../../src/indexing/registry-watch.ts';
import { RpcError } from '../../src/indexing/rpc/rpc-error.ts';
import type { EpochSeconds } from '../../src/units/units.ts';
import type { ChainLog, Listing } from '../../src/venues/venues.ts';
import { addressOf } from './made-up-singleton.ts';

const REGISTRY = addressOf(90);
const ENTRIES = { served: 0, foreign: 0, malformed: 0, contested: 0, beyond: 0 };
const LISTING: Listing = { sources: [], entries: ENTRIES, unread: [] };
const PARTLY: Listing = { ...LISTING, unread: ['quay'] };
const { everyBlocks: EVERY, holdMs: HOLD_MS } = LIMITS.outbound.registry;

const logBy = (address = REGISTRY): ChainLog => ({ address, topics: ['0x01'], data: '0x', blockHash: '0x', blockNumber: 0, logIndex: 0 });

/** A registry on a chain that a test makes. Blocks are named by their numbers, those of another branch by a letter beside. */
function watched() {
  const readAt = sinon.spy((_hash: string) => async () => []);
  const take = sinon.fake<[Listing | null, boolean], void>();
  const onBug = sinon.fake<[Error], void>();
  let says: () => Promise<Listing> = async () => LISTING;
  const watch = new RegistryWatch({
    registry: REGISTRY,
    readAt,
    read: () => says(),
    take,
    onBug,
    clock: SYSTEM_CLOCK,
  });
  const headerOf = (name: string, parent: string): ChainHeader => ({
    ...{ number: Number.parseInt(name, 10), hash: `0x${name}`, parentHash: `0x${parent}` },
    ...{ timestamp: 1 as EpochSeconds, baseFeePerGas: null, logsBloom: '0x' },
  });
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    ...{ watch, readAt, settled },
    reads: () => readAt.args.map(([hash]) => hash.slice(2)),
    told: () => take.args,
    bugs: () => onBug.args.map(([{ message }]) => message),
    take: (name: string, parent: string, ...logs: readonly ChainLog[]) => watch.blockTaken(headerOf(name, parent), logs),
    async publish(name: string) {
      watch.blockPublished(headerOf(name, ''));
      await settled();
    },
    say(next: () => Promise<Listing>) {
      says = next;
    },
  };
}

describe('the registry of makers while the chain is followed', () => {
  let clock: sinon.SinonFakeTimers;
  beforeEach(() => {
    clock = sinon.useFakeTimers({ toFake: ['performance'] });
  });
  afterEach(() => clock.restore());

  it('is read at the first block, and then only at one that has a log of it, however often a block is published', async () => {
    const { take, publish, reads, told } = watched();
    await publish('7');
    await publish('7');
    take('8', '7', logBy(addressOf(1)));
    await publish('8');
    take('9', '8');
    await publish('9');
    take('10', '9', logBy(addressOf(1)), logBy());
    await publish('10');
    await publish('10');
    // The first block that is taken in shows on what it follows.
    expect(reads()).to.deep.equal(['7', '8', '10']);
    expect(told().every(([listing, held]) => listing !== null && !held)).to.equal(true);
  });

  it('is read again at a block that has a log of it, also where the block before is published once more while it is taken in', async () => {
    const { take, publish, reads } = watched();
    await publish('7');
    take('8', '7');
    await publish('8');
    take('9', '8', logBy());
    // A price, or what is switched off.
    await publish('8');
    await publish('9');
    await publish('9');
    expect(reads()).to.deep.equal(['7', '8', '9']);
  });

  it('is read again after a reorg, after a gap, and after some blocks in any case', async () => {
    const { take, publish, reads, readAt } = watched();
    take('7', '6');
    await publish('7');
    take('8', '7');
    await publish('8');
    take('8b', '7');
    await publish('8b');
    take('12', '11');
    await publish('12');
    // Gone back to, without a block that is taken in.
    await publish('11');
    expect(reads()).to.deep.equal(['7', '8b', '12', '11']);
    readAt.resetHistory();
    take('100', '99');
    await publish('100');
    for (let number = 101; number <= 100 + EVERY; number++) {
      take(String(number), String(number - 1));
      await publish(String(number));
    }
    expect(reads()).to.deep.equal(['100', String(100 + EVERY)]);
  });

  it('one reading at a time, and once more for what came meanwhile', async () => {
    const { take, publish, reads, say, settled } = watched();
    const answers: (() => void)[] = [];
    say(async () => {
      await new Promise<void>((resolve) => answers.push(resolve));
      return LISTING;
    });
    take('7', '6');
    await publish('7');
    for (const [name, parent, ...logs] of [
      ['8', '7', logBy()],
      ['9', '8'],
      ['10', '9'],
    ] as const) {
      take(name, parent, ...logs);
      await publish(name);
    }
    expect(reads()).to.deep.equal(['7']);
    answers.shift()?.();
    await settled();
    expect(reads()).to.deep.equal(['7', '10']);
    answers.shift()?.();
    await settled();
    expect([reads(), answers]).to.deep.equal([['7', '10'], []]);
  });

  it('what can not be read is asked for again with the next block, and what was said before holds for a while', async () => {
    const { take, publish, reads, told, say, bugs } = watched();
    take('7', '6');
    await publish('7');
    say(async () => Promise.reject(new RpcError('timeout', 'slow')));
    take('8', '7', logBy());
    await publish('8');
    clock.tick(HOLD_MS - 1);
    say(async () => PARTLY);
    take('9', '8');
    await publish('9');
    clock.tick(1);
    take('10', '9');
    await publish('10');
    expect(reads()).to.deep.equal(['7', '8', '9', '10']);
    expect(told().slice(1)).to.deep.equal([
      [null, true],
      [PARTLY, true],
      [PARTLY, false],
    ]);
    say(async () => LISTING);
    await publish('10');
    expect(told().at(-1)).to.deep.equal([LISTING, false]);
    // From then on a failure is the first again.
    say(async () => Promise.reject(new TypeError('a bug')));
    take('11', '10', logBy());
    await publish('11');
    expect([told().at(-1), bugs()]).to.deep.equal([[null, true], ['a bug']]);
  });

  it('closed, it tells nothing of what is under way, and reads no more', async () => {
    const { watch, publish, reads, told, say } = watched();
    let answer = (): void => undefined;
    say(async () => {
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      return LISTING;
    });
    await publish('7');
    const closing = watch.close();
    answer();
    await closing;
    await publish('8');
    expect([reads(), told()]).to.deep.equal([['7'], []]);
  });
});
