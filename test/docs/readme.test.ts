import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { LIMITS } from '../../src/config/config.ts';
import { ERRORS, RETRY_LATER } from '../../src/http/errors.ts';
import { ROOT } from '../support/source-files.ts';

const readme = readFileSync(path.join(ROOT, 'README.md'), 'utf8');

/** Rows of the table below a heading, cells trimmed, without the head. */
function table(heading: string): readonly (readonly string[])[] {
  const section = readme.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) =>
    row
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}

describe('README', () => {
  it('lists the errors that the code has, with their status, and no others', () => {
    const listed = table('Errors').map(([status, name]) => `${status} ${name?.replaceAll('`', '')}`);
    const coded = Object.entries({ ...ERRORS, ...RETRY_LATER }).map(([name, { status }]) => `${status} ${name}`);
    expect([...listed].sort()).to.deep.equal([...coded].sort());
  });

  it('lists the environment variables that the code reads, and no others', () => {
    const code = readFileSync(path.join(ROOT, 'src/config/environment.ts'), 'utf8');
    const read = [...code.matchAll(/\(env, '([A-Z_]+)'/g)].map(([, name]) => name ?? '');
    read.push(...[...code.matchAll(/'(LOG_LEVEL)'/g)].map(([, name]) => name ?? ''));
    const listed = table('Configuration').map(([name]) => name?.replaceAll('`', '') ?? '');
    expect([...listed].sort()).to.deep.equal([...new Set(read)].sort());
  });

  it('states the limits of the code', () => {
    const limits = new Map(table('Limits').map(([name = '', value = '']) => [name, value]));
    expect(limits.get('anonymous rate')).to.match(new RegExp(`^${LIMITS.anonymousRps} requests`));
    expect(limits.get('anonymous fee')).to.equal(`${LIMITS.anonymousFeeBps} bps`);
    expect(limits.get('query')).to.equal(`${LIMITS.queryBytes} bytes, ${LIMITS.queryPairs} parameters`);
    expect(limits.get('headers')).to.equal(`${LIMITS.headerBytes} bytes`);
    const { min, max, default: standard } = LIMITS.timeLimitMs;
    expect(limits.get('`timeLimitMs`')).to.equal(`${min} to ${max}, default ${standard}`);
    expect(limits.get('`maxHops`')).to.contain(`${LIMITS.maxHops.min} to ${LIMITS.maxHops.max};`).and.to.contain(`up to ${LIMITS.maxHops.escalation}`);
    expect(limits.get('`feeBps`')).to.equal(`0 to ${LIMITS.feeBps.max}`);
    expect(limits.get('pools, tokens of a chain')).to.equal(`${LIMITS.snapshot.pools}, ${LIMITS.snapshot.tokens}`);
  });

  it('names commands that package.json has, and files that exist', () => {
    const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
    const commands = [...readme.matchAll(/npm run ([a-z:]+)/g)].map(([, name = '']) => name);
    expect(commands.length).to.be.at.least(5);
    expect(commands.filter((name) => scripts[name] === undefined)).to.deep.equal([]);
    const names = table('Where things are').flatMap(([cell = '']) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
    const links = [...readme.matchAll(/\]\(([^)#:]+)\)/g)].map(([, name = '']) => name);
    expect([...names, ...links].filter((name) => !existsSync(path.join(ROOT, name)))).to.deep.equal([]);
  });

  for (const page of ['llms.txt', 'examples/README.md', 'docs/errors-and-warnings.md', 'CONTRIBUTING.md', 'docs/releases.md']) {
    it(`${page} refers to files that exist`, () => {
      const links = [...readFileSync(path.join(ROOT, page), 'utf8').matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, name = '']) => name);
      expect(links.filter((name) => !existsSync(path.join(ROOT, path.dirname(page), name)))).to.deep.equal([]);
    });
  }

  it('package.json has a script for every benchmark', () => {
    const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
    const programs = readdirSync(path.join(ROOT, 'bench'), { withFileTypes: true }).flatMap((entry) => {
      if (entry.isFile()) return entry.name.endsWith('.ts') ? [`bench/${entry.name}`] : [];
      return ['run.ts', 'table.ts'].map((name) => `bench/${entry.name}/${name}`).filter((file) => existsSync(path.join(ROOT, file)));
    });
    expect(programs).to.have.length.above(10);
    // The table runs it, set by set.
    const inside = 'bench/solver/run.ts';
    expect(programs.filter((file) => file !== inside && !Object.values(scripts).some((command) => command.endsWith(file)))).to.deep.equal([]);
  });

  it('llms.txt names the routes of the document', () => {
    const { paths } = JSON.parse(readFileSync(path.join(ROOT, 'schemas/openapi.json'), 'utf8')) as { paths: Record<string, unknown> };
    const text = readFileSync(path.join(ROOT, 'llms.txt'), 'utf8');
    expect([...text.matchAll(/`GET (\/[^`]+)`/g)].map(([, route]) => route)).to.deep.equal(Object.keys(paths));
  });
});
