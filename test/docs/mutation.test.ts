import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { broken, type Mutant, sampleOf } from '../../scripts/mutation/mutants.ts';
import { ROOMS } from '../../scripts/mutation/rooms.ts';
import { ROOT } from '../support/source-files.ts';

const [room] = ROOMS as readonly [(typeof ROOMS)[number], ...unknown[]];
const mutant = (line: number, part: Partial<Mutant> = {}): Mutant => ({
  room,
  file: 'src/a.ts',
  line,
  start: 4,
  end: 5,
  mutator: '',
  original: '<',
  replacement: '>=',
  ...part,
});

describe('mutation testing', () => {
  it('breaks exactly the place that a mutant names', () => {
    expect(broken('if (<) x', mutant(1))).to.equal('if (>=) x');
  });

  it('draws the same sample for the same seed, without repetition, and another for another', () => {
    const all = Array.from({ length: 500 }, (_, line) => mutant(line));
    const lines = (seed: number) => sampleOf(all, 50, seed).map(({ line }) => line);
    expect(lines(1)).to.deep.equal(lines(1));
    expect(lines(1)).not.to.deep.equal(lines(2));
    expect(new Set(lines(1)).size).to.equal(50);
    expect(sampleOf(all.slice(0, 3), 50, 1)).to.have.length(3);
  });

  it('has rooms whose files and tests exist', () => {
    const sources = readdirSync(path.join(ROOT, 'src'), { recursive: true }).map((name) => String(name).replaceAll(path.sep, '/'));
    for (const { name, files, tests, wider } of ROOMS) {
      expect(sources.filter((source) => files.test(source)).length, name).to.be.at.least(3);
      const folders = [...tests, ...wider].map((pattern) => pattern.replace(/\/(\*\*\/)?[^/]*\*[^/]*$/, ''));
      expect(
        folders.filter((folder) => !existsSync(path.join(ROOT, folder))),
        name,
      ).to.deep.equal([]);
    }
  });

  it('what is left out as changing nothing is still in the code, and says why', () => {
    const known = JSON.parse(readFileSync(path.join(ROOT, 'scripts/mutation/equivalent.json'), 'utf8')) as { file: string; original: string; why: string }[];
    const stale = known.filter(
      ({ file, original, why }) => why.length < 20 || !existsSync(path.join(ROOT, file)) || !readFileSync(path.join(ROOT, file), 'utf8').includes(original),
    );
    expect(stale).to.deep.equal([]);
  });
});
