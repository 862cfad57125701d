import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import { expect } from 'chai';
import { ROOT } from '../support/source-files.ts';
import { unreadPipe } from '../support/unread-pipe.ts';
import { until } from '../support/until.ts';

const CONNECTIONS = 32;
/** Longer than a pipe and all that the service gathers before it writes take together; each request is a line of some hundred bytes. */
const REQUESTS = 1500;
/** Ten times what is promised of a health check in a flood. */
const SOON_MS = 2500;
/** Six seconds are promised; a busy machine, where all that waits for a processor is late, has some more. */
const IN_TIME_MS = 20_000;

describe('a service whose log nobody reads', function suite() {
  this.timeout(300_000);
  const pipe = unreadPipe();
  let service: ChildProcess;
  after(() => {
    service?.kill('SIGKILL');
    pipe.close();
  });

  it('goes on answering, and ends in time when it is told to', async () => {
    const env = { ...process.env, PORT: '0', INTERNAL_PORT: '0', LOG_LEVEL: 'debug' };
    const command = ['--import', './scripts/typescript.mjs', 'src/main.ts', '--pool-set', 'test/fixtures/small-pool-set.json'];
    service = spawn(process.execPath, command, { cwd: ROOT, env, stdio: ['ignore', pipe.descriptor, 'pipe'] });
    let said = '';
    service.stderr?.on('data', (chunk) => {
      said += chunk;
    });
    expect(await until(() => said.includes('The service answers at'), 120_000), said).to.equal(true);
    const url = /answers at (\S+)/.exec(said)?.[1] ?? '';
    const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS });
    let left = REQUESTS;
    const ask = (path: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        http.get(url + path, { agent }, (response) => response.resume().once('end', () => resolve(response.statusCode))).once('error', reject);
      });
    const clients = Array.from({ length: CONNECTIONS }, async () => {
      while (left-- > 0) expect(await ask('/v1/quote?chainId=1')).to.be.oneOf([400, 429, 503]);
    });
    await Promise.all(clients);
    const askedAt = performance.now();
    expect(await ask('/healthz')).to.equal(200);
    expect(performance.now() - askedAt).to.be.below(SOON_MS);
    agent.destroy();

    const toldAt = performance.now();
    const exited = once(service, 'exit');
    service.kill('SIGTERM');
    const tooLong = setTimeout(() => service.kill('SIGKILL'), 2 * IN_TIME_MS);
    expect(await exited, said).to.deep.equal([0, null]);
    clearTimeout(tooLong);
    expect(performance.now() - toldAt).to.be.below(IN_TIME_MS);
  });
});
