import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { onlyOne } from '../src/only-one.ts';

describe('a task that one process at a time does', function suite() {
  // Of the three minutes that whoever waits for another process has patience for, nothing may pass where there is nobody to wait for.
  this.timeout(600_000);
  const folder = mkdtempSync(join(tmpdir(), 'braid-only-one-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('is done at once where there can be no lock: its folder is there and takes no file of that name', async () => {
    // As in a folder that can only be read, which the administrator can not make for a test: mkdir fails, and not because there is one already.
    const file = join(folder, 'n'.repeat(300));
    expect(await onlyOne(file, () => Promise.resolve('done'))).to.equal('done');
  });

  it('waits for whoever is at it, and says so', async () => {
    const file = join(folder, 'made');
    const order: string[] = [];
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const first = onlyOne(file, async () => {
      begin();
      await finished;
      order.push('first');
    });
    await begun;
    const onWait = (): void => {
      order.push('waits');
      finish();
    };
    await onlyOne(file, () => Promise.resolve(order.push('second')), onWait);
    await first;
    expect(order).to.deep.equal(['waits', 'first', 'second']);
  });
});
