import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { filesInCircles, ROOT, reachableFrom, type SourceFile, sourceFiles } from '../support/source-files.ts';

const FORBIDDEN_IN_SOLVERS = ['express', 'viem', 'pino', 'prom-client', 'node:http', 'node:https', 'node:net', 'http', 'undici', 'ajv'];
/** fetch holds on to the signal of a timeout itself, for as long as it runs. */
const ASKS_WITH_FETCH = ['src/devnet/node-rpc.ts'];
const MAX_LINES = 400;
const MAX_WORKER_LINES = 60;

const files = sourceFiles('src', 'workers');

describe('the walls of the architecture', () => {
  it('the parser of imports sees what it should', () => {
    const solver = files.find(({ file }) => file === 'workers/solver.ts');
    expect(solver?.imports.map(({ target }) => target)).to.include('src/routing/routing.ts');
    expect(reachableFrom('src/main.ts', files).has('express'), 'main reaches express').to.equal(true);
  });

  it('nothing reachable from workers/solver.ts imports Express, viem, pino, prom-client or node:http', () => {
    const reached = reachableFrom('workers/solver.ts', files);
    expect(FORBIDDEN_IN_SOLVERS.filter((name) => [...reached].some((target) => target === name || target.startsWith(`${name}/`)))).to.deep.equal([]);
  });

  it('the facets that solver threads load by scanning (venue.ts, state.ts, price.ts) import none of them either', () => {
    const facets = files.filter(({ file }) => /^src\/venues\/[^/]+\/(venue|state|price)\.ts$/.test(file));
    expect(facets.length).to.be.at.least(6);
    for (const { file } of facets) {
      const reached = reachableFrom(file, files);
      expect(
        FORBIDDEN_IN_SOLVERS.filter((name) => [...reached].some((target) => target === name || target.startsWith(`${name}/`))),
        file,
      ).to.deep.equal([]);
    }
  });

  it('only the front door of another room is imported', () => {
    const offences: string[] = [];
    for (const { file, imports } of files) {
      for (const { target } of imports) {
        if (!target.startsWith('src/') || target.split('/').length < 3) continue;
        if (roomOf(target) === roomOf(file) || target === frontDoorOf(roomOf(target)) || target === SECOND_FRONT_DOOR) continue;
        offences.push(`${file} imports ${target}`);
      }
    }
    expect(offences).to.deep.equal([]);
  });

  it('every room has its front door', () => {
    const rooms = new Set(files.filter(({ file }) => file.split('/').length > 2 && file.startsWith('src/')).map(({ file }) => roomOf(file)));
    expect([...rooms].filter((room) => !existsSync(path.join(ROOT, frontDoorOf(room))))).to.deep.equal([]);
  });

  it('no file imports itself over others, not even for types', () => {
    expect(filesInCircles([...files, ...sourceFiles('scripts', 'bench')])).to.deep.equal([]);
    const made = (file: string, target: string): SourceFile => ({ file, text: '', lines: 1, imports: [{ target, typeOnly: true }] });
    expect(filesInCircles([made('a.ts', 'b.ts'), made('b.ts', 'a.ts'), made('c.ts', 'a.ts')]), 'finds one').to.deep.equal(['a.ts', 'b.ts']);
  });

  it('venues imports neither http, indexing nor routing', () => {
    expect(importsBetween('venues', ['http', 'indexing', 'routing'])).to.deep.equal([]);
  });

  it('routing imports only snapshot, curves, venues, units and config: snapshot in, plan out', () => {
    const allowed = new Set(['routing', 'snapshot', 'curves', 'venues', 'units', 'config']);
    const offences = files
      .filter(({ file }) => roomOf(file) === 'routing')
      .flatMap(({ file, imports }) => imports.filter(({ target }) => !allowed.has(roomOf(target))).map(({ target }) => `${file} imports ${target}`));
    expect(offences).to.deep.equal([]);
  });

  it('the client shares nothing with the service: it imports openapi-fetch and its own files, and nothing imports it', () => {
    const own = files.filter(({ file }) => roomOf(file) === 'client');
    expect(own.length).to.be.at.least(5);
    const foreign = own.flatMap(({ file, imports }) =>
      imports.filter(({ target }) => target !== 'openapi-fetch' && roomOf(target) !== 'client').map(({ target }) => `${file} imports ${target}`),
    );
    expect(foreign).to.deep.equal([]);
    const users = files.filter(({ file, imports }) => roomOf(file) !== 'client' && imports.some(({ target }) => roomOf(target) === 'client'));
    expect(users.map(({ file }) => file)).to.deep.equal([]);
    for (const entry of ['src/main.ts', 'workers/solver.ts', 'workers/indexer.ts']) {
      expect([...reachableFrom(entry, files)].filter((target) => roomOf(target) === 'client' || target === 'openapi-fetch')).to.deep.equal([]);
    }
  });

  it('the key administration is a program of its own: the service does not reach it', () => {
    expect([...reachableFrom('src/main.ts', files)].filter((target) => roomOf(target) === 'key-admin')).to.deep.equal([]);
  });

  it('only http/ knows a status code and Express; the client, and the makers and the issuer of the devnet, at other ends, know the codes too', () => {
    const status = /\b(?:status|statusCode|code)\s*[:=(]\s*(?:200|400|404|405|429|431|500|503)\b|\.status\((?:\d{3})\)|writeHead\(/;
    const elsewhere = files.filter(({ file }) => !['http', 'client'].includes(roomOf(file)) && !/^src\/devnet\/(makers|issuers)\//.test(file));
    expect(elsewhere.filter(({ text }) => status.test(text)).map(({ file }) => file)).to.deep.equal([]);
    expect(
      files.filter(({ file, imports }) => roomOf(file) !== 'http' && imports.some(({ target }) => target === 'express')).map(({ file }) => file),
    ).to.deep.equal([]);
  });

  it('a file has at most 400 lines, a thread entry fewer than 60', () => {
    const tooLong = (source: SourceFile) => source.lines > (source.file.startsWith('workers/') ? MAX_WORKER_LINES - 1 : MAX_LINES);
    expect(files.filter(tooLong).map(({ file, lines }) => `${file}: ${lines}`)).to.deep.equal([]);
  });

  it('nobody waits by AbortSignal.any or AbortSignal.timeout, which a collection of garbage takes away (within.ts)', () => {
    const code = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
    const offences = files.filter(({ file, text }) => !ASKS_WITH_FETCH.includes(file) && /AbortSignal\.(any|timeout)\(/.test(code(text)));
    expect(offences.map(({ file }) => file)).to.deep.equal([]);
  });

  it('no default export but that of the solver thread, which Piscina calls', () => {
    expect(files.filter(({ text }) => /^export default/m.test(text)).map(({ file }) => file)).to.deep.equal(['workers/solver.ts']);
  });
});

function roomOf(target: string): string {
  const [top, room, deeper] = target.split('/');
  if (top !== 'src') return target;
  return deeper === undefined ? 'composition' : (room ?? '');
}

/** The bounds of config/limits.ts are read in every thread, where the front door of config, which validates files, must not be. */
const SECOND_FRONT_DOOR = 'src/config/limits.ts';

function frontDoorOf(room: string): string {
  return `src/${room}/${room}.ts`;
}

function importsBetween(from: string, to: readonly string[]): readonly string[] {
  return files
    .filter(({ file }) => roomOf(file) === from)
    .flatMap(({ file, imports }) => imports.filter(({ target }) => to.includes(roomOf(target))).map(({ target }) => `${file} imports ${target}`));
}
