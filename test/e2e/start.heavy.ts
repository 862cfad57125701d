import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { ROOT } from '../support/source-files.ts';
import { until } from '../support/until.ts';

const run = promisify(execFile);
/** Building included. */
const START_MS = 300_000;

type Started = {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly ports: readonly [number, number, number];
  readonly exit: Promise<number | null>;
};

async function freePort(): Promise<number> {
  const server = await hold(0);
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function hold(port: number): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

async function start(env: Readonly<Record<string, string>> = {}, args: readonly string[] = []): Promise<Started> {
  const ports = [await freePort(), await freePort(), await freePort()] as const;
  const [PORT, INTERNAL_PORT, DEVNET_PORT] = ports.map(String) as [string, string, string];
  // The npm environment of the test run must not reach the child, as a newcomer's shell would not have it.
  const child = spawn(process.execPath, ['scripts/start.mjs', ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH ?? '', PORT, INTERNAL_PORT, DEVNET_PORT, ...env },
  });
  let text = '';
  child.stdout?.on('data', (chunk) => {
    text += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    text += chunk;
  });
  const exit = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  return { child, output: () => text, ports, exit };
}

describe('npm start, as a newcomer runs it', function suite() {
  this.timeout(START_MS);
  let started: Started | undefined;

  afterEach(async () => {
    started?.child.kill('SIGKILL');
    await started?.exit;
  });

  it('prints requests that work when pasted, the README’s request works, and Ctrl-C leaves nothing running', async () => {
    const startedAt = performance.now();
    started = await start();
    const { output, ports, child, exit } = started;
    expect(await until(() => output().includes('devnet/bots'), START_MS), output()).to.equal(true);
    const lines = output()
      .split('\n')
      .filter((line) => line.startsWith('curl'));
    expect(lines).to.have.length.at.least(6);
    for (const line of lines) {
      const { stdout } = await run('sh', ['-c', line]);
      expect(JSON.parse(stdout), `${line}\n${stdout}`).to.not.have.property('error');
    }
    process.stdout.write(`      build, start and ${lines.length} requests in ${Math.round(performance.now() - startedAt)} ms\n`);
    const [publicPort, internalPort, rpcPort] = ports;
    const script = readFileSync(path.join(ROOT, 'README.md'), 'utf8').match(/```sh\n(devnet=[\s\S]*?)```/)?.[1] ?? '';
    const { stdout } = await run('bash', ['-c', script.replaceAll(':8080', `:${publicPort}`).replaceAll(':9090', `:${internalPort}`)]);
    expect(JSON.parse(stdout)).to.have.property('route').with.length.at.least(1);
    child.kill('SIGINT');
    expect(await exit).to.equal(0);
    for (const port of [publicPort, internalPort, rpcPort]) (await hold(port)).close();
  });

  it('the README’s commands for keys work as pasted', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'braid-readme-keys-'));
    try {
      const script = readFileSync(path.join(ROOT, 'README.md'), 'utf8').match(/```sh\n(export KEYS_FILE=[\s\S]*?)```/)?.[1] ?? '';
      const lines = script.trimEnd().split('\n');
      expect(lines).to.have.length(4);
      // One shell, as a person would have it; the id in the last line is that of the key that the second one printed.
      const [name = '', issue = '', list = '', revoke = ''] = lines;
      const id = '$(echo $key | cut -d_ -f3)';
      const pasted = [
        name.replace('keys.json', path.join(folder, 'keys.json')),
        `key=$(${issue.split('#')[0]})`,
        list,
        revoke.replace('k7Qm2xZa', id),
        list,
      ].join('\n');
      const { stdout } = await run('bash', ['-ec', `${pasted}\necho "$key"`], { cwd: ROOT });
      expect(stdout).to.match(/ID +STATE[^\n]*\n(\w{8}) +in force +100 [^\n]*wallet-1[^\n]*\nKey \1 is revoked\.\nID +STATE[^\n]*\n\1 +revoked /);
      expect(stdout).to.match(/\nbraid_live_\w{8}_\w{32}_\w{6}\n$/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('a taken port is a clear message and exit 1', async () => {
    const taken = await hold(0);
    const { port } = taken.address() as { port: number };
    for (const variable of ['PORT', 'INTERNAL_PORT', 'DEVNET_PORT']) {
      started = await start({ [variable]: String(port) });
      expect(await started.exit, started.output()).to.equal(1);
      expect(started.output())
        .to.match(new RegExp(`port ${port}`))
        .and.to.not.match(/ at .*\.(ts|js):/);
    }
    taken.close();
  });

  it('a malformed variable is a clear message and exit 1', async () => {
    started = await start({ PORT: 'eighty' });
    expect(await started.exit).to.equal(1);
    expect(started.output()).to.contain('PORT').and.to.contain('eighty');
  });

  it('a key file that is named and not there is a clear message and exit 1, and is not made', async () => {
    const file = path.join(ROOT, 'build', 'no-such-keys.json');
    started = await start({ KEYS_FILE: file });
    expect(await started.exit, started.output()).to.equal(1);
    expect(started.output()).to.contain('KEYS_FILE').and.to.contain('no-such-keys.json');
    expect(existsSync(file)).to.equal(false);
  });

  it('an attester for a hook that nothing is routed through is a clear message that names the field, and exit 1', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'braid-unknown-hook-'));
    try {
      const place = `0x${'12'.repeat(20)}`;
      const file = path.join(folder, 'braid.json');
      const attesters = [{ protocol: 'angstrom', name: 'lighthouse', url: 'http://127.0.0.1:9/getAttestations', hook: place }];
      writeFileSync(file, JSON.stringify({ feeCollector: place, chains: [{ chain: 'ethereum', rpcUrls: ['http://127.0.0.1:9'], attesters }] }));
      started = await start({}, ['--config', file]);
      expect(await started.exit, started.output()).to.equal(1);
      expect(started.output())
        .to.contain(`chains.0.attesters.0.hook is ${place}`)
        .and.to.contain('0x0000000aa232009084bd71a5797d089aa4edfad4')
        .and.to.not.match(/ at .*\.(ts|js):/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('the chain dies with its service, even when that is killed', async () => {
    started = await start();
    const { output, ports, child, exit } = started;
    expect(await until(() => output().includes('devnet/bots'), START_MS), output()).to.equal(true);
    child.kill('SIGKILL');
    await exit;
    const freed = await until(async () => {
      const server = createServer();
      const free = await new Promise<boolean>((resolve) => {
        server.once('error', () => resolve(false));
        server.listen(ports[2], '127.0.0.1', () => resolve(true));
      });
      server.close();
      return free;
    }, 10_000);
    expect(freed, 'the RPC port is free again').to.equal(true);
  });
});
