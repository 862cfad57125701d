import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { LIMITS } from '../../src/config/limits.ts';
import { readCheckpointFile, writeCheckpointFile } from '../../src/indexing/checkpoint/checkpoint-file.ts';
import { useTemporaryFolder } from '../support/temporary-folder.ts';

const OPEN_FILES = '/proc/self/fd';

describe('the file of a checkpoint', () => {
  const folder = useTemporaryFolder();
  const file = (): string => path.join(folder.current(), 'a.checkpoint');
  const partsOf = (...texts: readonly string[]): Iterator<Buffer> => texts.map((text) => Buffer.from(text)).values();
  const write = (parts: Iterator<Buffer>, isGivenUp = () => false) => writeCheckpointFile(file(), parts, isGivenUp);
  const there = () => readdirSync(folder.current()).map((name) => [name, readFileSync(path.join(folder.current(), name), 'utf8')]);

  it('is whole, or what it was', async () => {
    expect(await write(partsOf('one, ', 'two'))).to.deep.include({ kind: 'written', bytes: 8 });
    expect(await write(partsOf('three', 'four'), () => true)).to.deep.equal({ kind: 'given-up' });
    const broken: Iterator<Buffer> = {
      next: () => {
        throw new RangeError('no part');
      },
    };
    expect(await write(broken).catch((error: Error) => error.message)).to.equal('no part');
    // Of a part it is asked how long it is, before anything is done with it.
    expect(await write([Buffer.from('five'), { length: LIMITS.indexing.checkpoint.bytes - 3 } as Buffer].values())).to.deep.equal({ kind: 'too-large' });
    expect(there()).to.deep.equal([['a.checkpoint', 'one, two']]);
    expect((await readCheckpointFile(file()))?.toString()).to.equal('one, two');
    expect(await readCheckpointFile(`${file()}-absent`)).to.equal(null);
  });

  it('leaves neither itself nor its folder open, however it ended', async function () {
    // A process that writes one each minute would have none left in a day. Only Linux lists what is open.
    if (!existsSync(OPEN_FILES)) this.skip();
    const open = () =>
      readdirSync(OPEN_FILES).flatMap((name) => {
        try {
          return readlinkSync(path.join(OPEN_FILES, name));
        } catch {
          // Closed since.
          return [];
        }
      });
    await write(partsOf('one'));
    await write(partsOf('two'), () => true);
    await readCheckpointFile(file());
    await write({ next: () => ({ done: false, value: null as never }) }).catch(() => undefined);
    expect(open().filter((name) => name.startsWith(folder.current()))).to.deep.equal([]);
  });
});
