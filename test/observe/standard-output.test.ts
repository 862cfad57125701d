import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { unreadPipe } from '../support/unread-pipe.ts';
import { until } from '../support/until.ts';

describe('lines on standard output', () => {
  /** What a program prints that writes one line and then does something else. */
  async function printed(andThen: string): Promise<string> {
    const program = `
      const { createLog } = await import('./src/observe/observe.ts');
      const log = createLog({ level: 'info' });
      log.info({ a: 1 }, 'the line');
      ${andThen}`;
    const args = ['--import', './scripts/typescript.mjs', '--input-type=module', '-e', program];
    const child = spawn(process.execPath, args, { cwd: fileURLToPath(new URL('../..', import.meta.url)), stdio: ['ignore', 'pipe', 'ignore'] });
    let out = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
      if (out.endsWith('\n')) child.kill('SIGKILL');
    });
    await once(child, 'close');
    return out;
  }

  for (const [title, andThen] of [
    ['are written when the program ends as it does on a signal', 'log.flush(); process.exit(0);'],
    ['are written when it ends without a flush', 'process.exit(1);'],
    ['are written when it crashes', "throw new Error('crash');"],
    ['are written within a moment while it lives on', 'setInterval(() => {}, 1000);'],
  ] as const) {
    it(title, async () => expect(JSON.parse(await printed(andThen))).to.include({ a: 1, msg: 'the line' }));
  }

  it('are counted where they are lost: those beyond what may wait for a reader that reads nothing, and no others', async () => {
    const pipe = unreadPipe();
    const written = 3000;
    const program = `
      const { LIMITS } = await import('./src/config/config.ts');
      LIMITS.log.unwrittenBytes = 2 ** 20;
      const { createLog } = await import('./src/observe/observe.ts');
      const log = createLog({ level: 'info' });
      log.info('the first line');
      const before = log.linesLost();
      for (let line = 0; line < ${written}; line++) log.info({ text: 'x'.repeat(1024) }, 'a line');
      process.stderr.write(JSON.stringify([before, log.linesLost()]));
      process.exit(0);`;
    const args = ['--import', './scripts/typescript.mjs', '--input-type=module', '-e', program];
    const child = spawn(process.execPath, args, { cwd: fileURLToPath(new URL('../..', import.meta.url)), stdio: ['ignore', pipe.descriptor, 'pipe'] });
    let told = '';
    child.stderr?.on('data', (chunk) => {
      told += chunk;
    });
    await once(child, 'close');
    pipe.close();
    const [before, lost] = JSON.parse(told) as number[];
    expect(before).to.equal(0);
    // Lines of more than a kibibyte each: fewer than 1024 of them may wait, and a pipe holds no more than 64.
    expect(lost).to.be.within(written - 1024 - 64, written - 512);
  }).timeout(60_000);

  for (const [title, end, code] of [
    ['ends as it does on a signal', 'log.flush(); process.exit(0);', 0],
    ['ends at once', 'process.exit(1);', 1],
    ['crashes', "throw new Error('crash');", 1],
  ] as const) {
    it(`hold up neither a program whose output nobody reads, nor its end when it ${title}`, async () => {
      const pipe = unreadPipe();
      // Many times what a pipe holds, written in turns, so that writes are under way when it ends.
      const program = `
        const { createLog } = await import('./src/observe/observe.ts');
        const log = createLog({ level: 'info' });
        for (let turn = 0; turn < 100; turn++) {
          for (let line = 0; line < 10; line++) log.info({ text: 'x'.repeat(1000) }, 'a line');
          await new Promise((resolve) => setImmediate(resolve));
        }
        process.stderr.write('turned');
        process.stdin.once('data', () => { ${end} });`;
      const args = ['--import', './scripts/typescript.mjs', '--input-type=module', '-e', program];
      const child = spawn(process.execPath, args, { cwd: fileURLToPath(new URL('../..', import.meta.url)), stdio: ['pipe', pipe.descriptor, 'pipe'] });
      let told = '';
      child.stderr?.on('data', (chunk) => {
        told += chunk;
      });
      const closed = once(child, 'close');
      const full = await until(() => told !== '' && pipe.isFull(), 60_000);
      child.stdin?.write('end');
      const tooLong = setTimeout(() => child.kill('SIGKILL'), 30_000);
      const [exitCode, signal] = await closed;
      clearTimeout(tooLong);
      pipe.close();
      expect([full, exitCode, signal], told).to.deep.equal([true, code, null]);
      expect(told).to.match(/^turned/);
    }).timeout(120_000);
  }
});
