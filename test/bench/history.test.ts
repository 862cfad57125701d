import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { HISTORY, type HistoryEntry, readHistory, recordFigures } from '../../bench/history/history.ts';
import { ROOT, sourceFiles } from '../support/source-files.ts';
import { useTemporaryFolder } from '../support/temporary-folder.ts';

const KEYS: readonly (keyof HistoryEntry)[] = ['date', 'commit', 'bench', 'arguments', 'node', 'processors', 'figures'];

describe('the history of benchmarks', () => {
  const folder = useTemporaryFolder();
  const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { readonly scripts: Readonly<Record<string, string>> };

  it('gains a line a run, with what it was of and no place of a machine', () => {
    const file = path.join(folder.current(), 'history.jsonl');
    recordFigures('one', { wei: 10n ** 30n, ms: 1.5 }, { file, args: ['--record', '--pool-set', '/home/someone/set.json.gz'] });
    recordFigures('other', [], { file, args: [] });
    const [one, other] = readHistory(file);
    expect(one).to.have.all.keys(...KEYS);
    expect(one).to.deep.include({
      bench: 'one',
      arguments: ['--pool-set', 'set.json.gz'],
      figures: { wei: String(10n ** 30n), ms: 1.5 },
      node: process.version,
    });
    expect(one?.date).to.match(/^\d{4}-\d\d-\d\d$/);
    expect(one?.commit).to.match(/^([0-9a-f]{10,}\+?|unknown)$/);
    expect(other?.bench).to.equal('other');
  });

  it('as it is kept can be read, is of benchmarks that there are, and names no place', () => {
    const names = new Set(Object.keys(scripts).map((name) => name.replace(/^bench:/, '')));
    const entries = readHistory();
    expect(entries.length).to.be.at.least(1);
    for (const entry of entries) {
      expect(entry).to.have.all.keys(...KEYS);
      expect(names.has(entry.bench), entry.bench).to.equal(true);
    }
    expect(readFileSync(HISTORY, 'utf8')).to.not.match(/"\/|\/home|\/tmp|https?:/);
  });

  it('is kept by every program under the name of its script', () => {
    const names = new Set(Object.keys(scripts).map((name) => name.replace(/^bench:/, '')));
    const kept = sourceFiles('bench').flatMap(({ file, text }) =>
      [...text.matchAll(/\b(?:recordFigures|openReport)\(\s*'([^']+)'/g)].map(([, name = '']) => ({ file, name })),
    );
    expect(kept.length).to.be.at.least(10);
    expect(kept.filter(({ name }) => !names.has(name))).to.deep.equal([]);
  });

  it('every program in bench/ that reads a command line has an npm script', () => {
    const programs = sourceFiles('bench')
      .filter(({ file, text }) => /\b(?:parseArgs\(|openReport\(')/.test(text) && !['bench/history/history.ts', 'bench/load/arguments.ts'].includes(file))
      .map(({ file }) => file);
    expect(programs.length).to.be.at.least(15);
    const called = Object.values(scripts).join(' ');
    expect([...programs, 'bench/load/run.ts'].filter((file) => !called.includes(` ${file}`))).to.deep.equal([]);
  });
});
