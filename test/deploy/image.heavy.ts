import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { ROOT } from '../support/source-files.ts';

const run = promisify(execFile);
const dockerfile = readFileSync(path.join(ROOT, 'deploy/Dockerfile'), 'utf8');
const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));

/** Without a container runtime: the same files, the same packages and the same command, in a folder. */
describe('the image', function suite() {
  this.timeout(300_000);
  let folder: string;
  let child: ChildProcess | undefined;

  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'braid-image-'));
    await run(
      process.execPath,
      [path.join(ROOT, 'node_modules/typescript-compiler/bin/tsc'), '-p', 'tsconfig.build.json', '--outDir', path.join(folder, 'dist')],
      {
        cwd: ROOT,
      },
    );
    const copied = [...last.matchAll(/^COPY --from=build \/app\/(\S+) (\S+)$/gm)].map(([, from = '', to = '']) => [from, to] as const);
    expect(copied.map(([from]) => from)).to.include.members(['package.json', 'dist']);
    for (const [from, to] of copied) {
      if (from === 'dist') continue;
      mkdirSync(path.dirname(path.join(folder, to)), { recursive: true });
      cpSync(path.join(ROOT, from), path.join(folder, to), { recursive: true });
    }
    cpSync(path.join(ROOT, 'package-lock.json'), path.join(folder, 'package-lock.json'));
    const [, install = ''] = /AS packages[\s\S]*?^RUN npm (ci .*)$/m.exec(dockerfile) ?? [];
    expect(install).to.include('--omit=dev');
    await run('npm', install.split(' '), { cwd: folder });
  });
  after(async () => {
    child?.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  it('runs as a user without rights, and its probe is /livez', () => {
    expect(/^USER (\S+)$/m.exec(last)?.[1]).to.equal('node');
    expect(last.indexOf('USER ')).to.be.greaterThan(last.lastIndexOf('COPY '));
    expect(/^HEALTHCHECK .*$/m.exec(last)?.[0])
      .to.include('/livez')
      .and.not.include('healthz');
    const manifest = readFileSync(path.join(ROOT, 'deploy/kubernetes.yaml'), 'utf8');
    const probes = [...manifest.matchAll(/(\w+Probe): \{ httpGet: \{ path: (\S+),/g)].map(([, probe, where]) => `${probe} ${where}`);
    expect(probes).to.deep.equal(['startupProbe /livez', 'livenessProbe /livez', 'readinessProbe /readyz']);
  });

  it('has what it needs to serve with production packages alone, answers its probes, and ends on SIGTERM', async () => {
    const [, entry = ''] = /^ENTRYPOINT (\[.*\])$/m.exec(last) ?? [];
    const [command = '', ...args] = JSON.parse(entry) as string[];
    expect(command).to.equal('node');
    const set = path.join(ROOT, 'test/fixtures/small-pool-set.json');
    const env = { PATH: process.env.PATH ?? '', NODE_ENV: 'production', PORT: '0', INTERNAL_PORT: '0', SOLVER_THREADS: '1' };
    child = spawn(process.execPath, [...args, '--pool-set', set], { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] });
    const exit = new Promise<number | null>((resolve) => child?.once('exit', (code) => resolve(code)));
    const [, publicUrl = '', internalUrl = ''] = await new Promise<RegExpExecArray>((resolve, reject) => {
      let said = '';
      child?.stderr?.on('data', (chunk) => {
        said += chunk;
        const found = /answers at (\S+) \(internal: (\S+)\)/.exec(said);
        if (found !== null) resolve(found);
      });
      void exit.then(() => reject(new Error(said)));
    });
    for (const [url, status] of [
      [`${internalUrl}/livez`, 200],
      [`${internalUrl}/readyz`, 200],
      [`${internalUrl}/openapi.json`, 200],
      [`${internalUrl}/docs/`, 200],
      [`${publicUrl}/healthz`, 200],
    ] as const) {
      expect((await fetch(url)).status, url).to.equal(status);
    }
    child.kill('SIGTERM');
    expect(await exit).to.equal(0);
  });
});
