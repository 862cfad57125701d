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
/** The service alone, as `npm start` has built it. */
const SERVICE = 'dist/src/main.js';
/** Two seconds are promised; a busy machine has ten times as long, or as loading the program takes there. */
const REFUSED_MS = 20_000;
const TENFOLD = 10;

const QUOTE = 'chainId=1&mode=sell&sellToken=0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2&buyToken=0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48&sellAmount=1000';

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

/** `program`: what `npm start` runs. */
async function start(env: Readonly<Record<string, string>> = {}, args: readonly string[] = [], program = 'scripts/start.mjs'): Promise<Started> {
  const ports = [await freePort(), await freePort(), await freePort()] as const;
  const [PORT, INTERNAL_PORT, DEVNET_PORT] = ports.map(String) as [string, string, string];
  // The npm environment of the test run must not reach the child, as a newcomer's shell would not have it.
  const child = spawn(process.execPath, [program, ...args], {
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

/** L3. */
describe('the service, started with what it can not have', function suite() {
  this.timeout(START_MS);
  const folder = mkdtempSync(path.join(tmpdir(), 'braid-start-'));
  const place = `0x${'12'.repeat(20)}`;
  let started: Started | undefined;
  let withinMs = REFUSED_MS;

  before(async () => {
    const built = await start({}, ['--version']);
    expect(await built.exit, built.output()).to.equal(0);
    const startedAt = performance.now();
    await (await start({}, ['--version'], SERVICE)).exit;
    withinMs = Math.max(REFUSED_MS, TENFOLD * (performance.now() - startedAt));
  });
  afterEach(async () => {
    started?.child.kill('SIGKILL');
    await started?.exit;
  });
  after(() => rmSync(folder, { recursive: true }));

  /** The path of a configuration file of one chain whose node is down. */
  function configFile(ofChain: object = {}, ofAll: object = {}): string {
    const file = path.join(folder, 'braid.json');
    writeFileSync(file, JSON.stringify({ feeCollector: place, chains: [{ chain: 'ethereum', rpcUrls: ['http://127.0.0.1:9'], ...ofChain }], ...ofAll }));
    return file;
  }

  /** Resolves to what it says. */
  async function refused(env: Readonly<Record<string, string>>, args: readonly string[] = []): Promise<string> {
    const startedAt = performance.now();
    started = await start(env, args, SERVICE);
    expect(await started.exit, started.output()).to.equal(1);
    expect(performance.now() - startedAt).to.be.below(withinMs);
    expect(started.output()).not.to.match(/ at .*\.(ts|js):/);
    return started.output();
  }

  for (const [variable, value] of [
    ['PORT', 'eighty'],
    ['LOG_LEVEL', 'loud'],
  ] as const) {
    it(`${variable}=${value} is told by its name, and exit 1`, async () => {
      expect(await refused({ [variable]: value })).to.match(new RegExp(`^braid: ${variable} is '${value}'`, 'm'));
    });
  }

  it('a port that is taken is told with the variable that names it, and exit 1', async () => {
    const taken = await hold(0);
    const { port } = taken.address() as { port: number };
    for (const variable of ['PORT', 'INTERNAL_PORT', 'DEVNET_PORT']) {
      const said = await refused({ [variable]: String(port) });
      expect(said)
        .to.match(new RegExp(`\\b${variable}\\b`))
        .and.to.include(`port ${port}`);
    }
    taken.close();
  });

  it('an address that is not of this machine is told with the variable that names it, and exit 1', async () => {
    for (const variable of ['HOST', 'INTERNAL_HOST']) expect(await refused({ [variable]: '203.0.113.1' })).to.include(`machine (${variable})`);
  });

  it('a key file that is named and not there is told by KEYS_FILE, and is not made', async () => {
    const file = path.join(folder, 'no-such-keys.json');
    expect(await refused({ KEYS_FILE: file })).to.include(`KEYS_FILE ${file}`);
    expect(existsSync(file)).to.equal(false);
  });

  it('a directory of checkpoints that can not be written to is told by CHECKPOINT_DIRECTORY, or by the field where the file named it', async () => {
    // A file is where it would have to be made.
    const beneath = path.join(configFile(), 'beneath');
    expect(await refused({ CHECKPOINT_DIRECTORY: beneath }, ['--config', configFile()])).to.include(`braid: CHECKPOINT_DIRECTORY ${beneath}`);
    expect(await refused({}, ['--config', configFile({}, { checkpointDirectory: beneath })])).to.include(`braid: checkpointDirectory ${beneath}`);
  });

  it('an attester for a hook that nothing is routed through is told by its field', async () => {
    const attesters = [{ protocol: 'angstrom', name: 'lighthouse', url: 'http://127.0.0.1:9/getAttestations', hook: place }];
    expect(await refused({}, ['--config', configFile({ attesters })]))
      .to.contain(`chains.0.attesters.0.hook is ${place}`)
      .and.to.contain('0x0000000aa232009084bd71a5797d089aa4edfad4');
  });

  it('a node that is down is no reason not to start: 500 and 503 until it is there, by what it waits for, and SIGTERM ends it', async () => {
    const startedAt = performance.now();
    started = await start({}, ['--config', configFile()], SERVICE);
    const { child, exit, output, ports } = started;
    const [publicUrl, internalUrl] = ports.map((port) => `http://127.0.0.1:${port}`);
    const answers = () =>
      fetch(`${publicUrl}/healthz`).then(
        () => true,
        () => false,
      );
    expect(await until(answers, START_MS), output()).to.equal(true);
    expect(performance.now() - startedAt).to.be.below(withinMs);
    const asked = async (url: string) => {
      const response = await fetch(url);
      return [response.status, await response.json()];
    };
    expect((await fetch(`${internalUrl}/livez`)).status).to.equal(200);
    expect(await asked(`${internalUrl}/readyz`)).to.deep.equal([503, { ready: false, waitingFor: ['first snapshot of ethereum'] }]);
    const [status, health] = (await asked(`${publicUrl}/healthz`)) as [number, { readonly status: string }];
    expect([status, health.status]).to.deep.equal([503, 'degraded']);
    const [quoted, refusal] = await asked(`${publicUrl}/v1/quote?${QUOTE}`);
    expect(quoted).to.equal(500);
    expect(refusal).to.have.all.keys('error');
    child.kill('SIGTERM');
    expect(await exit, output()).to.equal(0);
  });
});
