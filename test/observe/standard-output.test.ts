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
