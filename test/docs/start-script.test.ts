import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const START = fileURLToPath(new URL('../../scripts/start.mjs', import.meta.url));
const SOURCE = path.join('src', 'main.ts');
const FUTURE_SECONDS = 100;

/** In the compiler's place: says that it runs, ends as the line that it gets back says, and makes a program that loads a part of itself when it is told to. */
const COMPILER = `const { mkdirSync, writeFileSync, readFileSync } = require('node:fs');
const read = readFileSync('src/main.ts', 'utf8');
const socket = require('node:net').connect(process.env.COMPILER_SOCKET);
socket.once('data', (told) => {
  const at = process.argv.indexOf('--outDir');
  const out = (at < 0 ? 'dist' : process.argv[at + 1]) + '/src';
  mkdirSync(out, { recursive: true });
  writeFileSync(out + '/main.js', "console.log('up'); process.stdin.once('data', async () => { console.log((await import('./part.js')).part); process.exit(0); });");
  writeFileSync(out + '/part.js', 'export const part = ' + JSON.stringify(read) + ';');
  process.exit(Number(told));
});
`;

describe('scripts/start.mjs', function suite() {
  this.timeout(600_000);
  let folder = '';
  let listener: Server;
  const children: ChildProcess[] = [];

  beforeEach(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'braid start-'));
    const compiler = path.join(folder, 'node_modules', 'typescript-compiler');
    for (const name of ['scripts', 'src', 'workers', 'schemas', path.join('node_modules', 'typescript-compiler', 'bin')])
      mkdirSync(path.join(folder, name), { recursive: true });
    cpSync(START, path.join(folder, 'scripts', 'start.mjs'));
    for (const name of ['tsconfig.json', 'tsconfig.build.json', 'package-lock.json']) writeFileSync(path.join(folder, name), '{}');
    writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
    writeFileSync(path.join(compiler, 'package.json'), '{ "type": "commonjs" }');
    writeFileSync(path.join(compiler, 'bin', 'tsc'), COMPILER);
    writeFileSync(path.join(folder, SOURCE), 'first');
    listener = createServer().listen(path.join(folder, 'socket'));
    await once(listener, 'listening');
  });

  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    listener.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function start() {
    const child = spawn(process.execPath, ['scripts/start.mjs'], {
      cwd: folder,
      env: { COMPILER_SOCKET: path.join(folder, 'socket') },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    children.push(child);
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    return {
      ended: once(child, 'close').then(([status]) => ({ status: status as number | null, said: said.trim().split('\n') })),
      up: once(child.stdout, 'data'),
      loadPart: () => child.stdin.write('\n'),
    };
  }

  /** The next compiler that runs; it ends with the status that it is told. */
  async function compiler(): Promise<(status: number) => void> {
    const [socket] = (await once(listener, 'connection')) as [Socket];
    return (status) => void socket.end(String(status));
  }

  function save(text: string): void {
    writeFileSync(path.join(folder, SOURCE), text);
    const later = Date.now() / 1000 + FUTURE_SECONDS;
    utimesSync(path.join(folder, SOURCE), later, later);
  }

  async function startCompiled() {
    const compiling = compiler();
    const started = start();
    (await compiling)(0);
    await started.up;
    return started;
  }

  for (const [what, status] of [
    ['compiles', 0],
    ['does not compile', 1],
  ] as const) {
    it(`takes nothing away from a program that runs while another start ${what}`, async () => {
      const running = await startCompiled();
      save('second');
      const compiling = compiler();
      const other = start();
      const finish = await compiling;
      if (status === 1) {
        finish(status);
        expect((await other.ended).status).to.equal(1);
      }
      running.loadPart();
      expect(await running.ended).to.deep.equal({ status: 0, said: ['up', 'first'] });
      if (status === 1) return;
      finish(status);
      await other.up;
      other.loadPart();
      expect(await other.ended).to.deep.equal({ status: 0, said: ['up', 'second'] });
      expect(readdirSync(folder).filter((name) => name.startsWith('dist'))).to.deep.equal(['dist']);
    });
  }

  it('compiles once for starts that find it compiled, and again for what was saved while it compiled', async () => {
    const compiling = compiler();
    const first = start();
    const finish = await compiling;
    writeFileSync(path.join(folder, SOURCE), 'saved meanwhile');
    finish(0);
    await first.up;
    first.loadPart();
    expect((await first.ended).said).to.deep.equal(['up', 'first']);
    const second = await startCompiled();
    second.loadPart();
    expect((await second.ended).said).to.deep.equal(['up', 'saved meanwhile']);
    const third = start();
    await third.up;
    third.loadPart();
    expect((await third.ended).said).to.deep.equal(['up', 'saved meanwhile']);
  });

  it('does not mind the link to nothing that an editor leaves beside an open file, and removes what an ended build left', async () => {
    symlinkSync('nobody@nowhere', path.join(folder, 'src', '.#main.ts'));
    const ended = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
    await once(ended, 'exit');
    mkdirSync(path.join(folder, `dist.${ended.pid}`));
    const started = await startCompiled();
    started.loadPart();
    expect(await started.ended).to.deep.equal({ status: 0, said: ['up', 'first'] });
    expect(existsSync(path.join(folder, `dist.${ended.pid}`))).to.equal(false);
  });
});
