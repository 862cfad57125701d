import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { isCurrent, isJudged, readEquivalents } from '../../scripts/mutation/equivalents.ts';
import { isMarkable, marked } from '../../scripts/mutation/marked.ts';
import { broken, drawn, type Mutant } from '../../scripts/mutation/mutants.ts';
import { orderTests } from '../../scripts/mutation/order-tests.ts';
import { readReach, targetsOf } from '../../scripts/mutation/reaching-tests.ts';
import { ROOMS } from '../../scripts/mutation/rooms.ts';
import { keyOf, RunRecord } from '../../scripts/mutation/run-record.ts';
import { recordTouches } from '../../scripts/mutation/touching-tests.ts';
import { Trial } from '../../scripts/mutation/trial.ts';
import { WorkingCopy } from '../../scripts/mutation/working-copy.ts';
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
    const lines = (seed: number) => drawn(all, 50, seed).map(({ line }) => line);
    expect(lines(1)).to.deep.equal(lines(1));
    expect(lines(1)).not.to.deep.equal(lines(2));
    expect(new Set(lines(1)).size).to.equal(50);
    expect(drawn(all.slice(0, 3), 50, 1)).to.have.length(3);
  });

  it('has rooms of files that tests reach', () => {
    const sources = readdirSync(path.join(ROOT, 'src'), { recursive: true }).map((name) => String(name).replaceAll(path.sep, '/'));
    const reach = readReach(ROOT);
    for (const { name, files } of ROOMS) {
      const own = sources.filter((source) => source.endsWith('.ts') && files.test(source));
      expect(own.length, name).to.be.at.least(3);
      for (const source of own) {
        // A file of types has nothing that runs.
        const text = readFileSync(path.join(ROOT, 'src', source), 'utf8');
        if (/^(export )?(async )?(function|const|class)\b/m.test(text)) expect(reach(`src/${source}`).size, source).to.be.at.least(1);
      }
    }
  });

  it('knows the suites that take long, but for those about benchmarks, and is none that notices itself', () => {
    const reach = readReach(ROOT);
    expect(reach('src/venues/hop-runs.ts')).to.include.keys('test/venues/hop-runs.test.ts').and.not.include.keys('test/docs/mutation.test.ts');
    const tests = [...reach('src/venues/uniswap_v3/price.ts').keys()];
    expect(tests).to.include.members(['test/chain/venue-maths-v3.heavy.ts', 'test/chain/measuring.heavy.ts', 'test/e2e/taxed-swaps.heavy.ts']);
    expect(tests.filter((test) => /^test\/(bench|deploy|operations)\/.*heavy/.test(test))).to.deep.equal([]);
  });

  it('finds what a file runs: imports, threads, programs, folders that it scans; but not types', () => {
    const files = ['src/a/b.ts', 'src/a/c.ts', 'src/a/d.ts', 'workers/w.ts', 'src/v/x/price.ts', 'src/v/load.ts', 'src/main.ts'];
    const of = (text: string, file = 'src/a/b.ts') => [...targetsOf(file, text, files)].sort();
    expect(of(`import { c } from './c.ts';\nimport type { D } from './d.ts';`)).to.deep.equal(['src/a/c.ts']);
    expect(of(`import { type C, type C2 } from './c.ts';\nexport { d } from './d.ts';`)).to.deep.equal(['src/a/d.ts']);
    expect(of(`import {\n  type C,\n  c,\n} from './c.ts';`)).to.deep.equal(['src/a/c.ts']);
    expect(of(`new Worker(new URL('../../workers/w.ts', import.meta.url))`)).to.deep.equal(['workers/w.ts']);
    expect(of(`const ENTRY = new URL(\`../../workers/w\${extension}\`, import.meta.url)`)).to.deep.equal(['workers/w.ts']);
    expect(of(`spawn(node, ['src/main.ts'])`)).to.deep.equal(['src/main.ts']);
    expect(of(`const HERE = new URL('.', import.meta.url)`, 'src/v/load.ts')).to.deep.equal(['src/v/x/price.ts']);
  });

  it('runs what noticed before and what is near and quick first, few at a time at first, and what is left of the time', () => {
    const candidate = (test: string, distance: number, ms: number, noticed = 0) => ({ test, distance, ms, noticed });
    const all = [
      candidate('far', 6, 3_000),
      candidate('slow', 1, 90_000),
      candidate('near', 1, 4_000),
      candidate('also', 2, 2_500),
      candidate('noticed', 5, 1_000, 2),
    ];
    expect(orderTests(all, 100_000)).to.deep.equal({
      batches: [
        { tests: ['noticed', 'near'], ms: 5_000 },
        { tests: ['also'], ms: 2_500 },
        { tests: ['slow'], ms: 90_000 },
      ],
      leftOut: ['far'],
    });
    expect(orderTests([candidate('slow', 1, 90_000)], 1).batches, 'one at least').to.have.length(1);
  });

  it('goes on where it was, and tries again what lived only on tests that are new', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'braid-mutation-'));
    try {
      const file = path.join(folder, 'record.jsonl');
      const texts = new Map([
        ['one.test.ts', 'one'],
        ['two.test.ts', 'two'],
      ]);
      const runs: string[][] = [];
      const said: string[] = [];
      const [failing, noticing] = [new Set<string>(), new Set<string>()];
      let isBroken = false;
      const copy = {
        async withMutant<Result>(_mutant: Mutant, work: () => Promise<Result>) {
          isBroken = true;
          const result = await work();
          isBroken = false;
          return result;
        },
        test: (tests: readonly string[]) => {
          runs.push([...tests]);
          const by = tests.find((test) => failing.has(test) || (isBroken && noticing.has(test))) ?? null;
          return Promise.resolve({ end: by === null ? ('pass' as const) : ('fail' as const), by, ms: 10 });
        },
      };
      const tryIt = async () => {
        runs.length = 0;
        const reach = () => new Map([...texts.keys()].map((test) => [test, 1]));
        const trial = new Trial({
          record: new RunRecord(file),
          reach,
          digestOf: (test) => texts.get(test) ?? '',
          withinMs: 100_000,
          say: (line) => said.push(line),
        });
        return (await trial.run(mutant(1), keyOf(mutant(1), 'text'), copy)).end;
      };
      expect([await tryIt(), runs]).to.deep.equal(['lives', [['one.test.ts'], ['two.test.ts']]]);
      expect([await tryIt(), runs], 'nothing is new').to.deep.equal(['lives', []]);
      texts.set('three.test.ts', 'fails anyway');
      failing.add('three.test.ts');
      expect([await tryIt(), runs], 'it proves nothing').to.deep.equal(['lives', [['three.test.ts'], ['three.test.ts'], ['three.test.ts']]]);
      expect(said).to.have.length(1);
      texts.delete('three.test.ts');
      texts.set('two.test.ts', 'two, sharper');
      noticing.add('two.test.ts');
      expect([await tryIt(), runs], 'it is seen to pass on the whole code').to.deep.equal(['fail', [['two.test.ts'], ['two.test.ts']]]);
      expect([await tryIt(), runs], 'it is known').to.deep.equal(['fail', []]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('notices whatever a test fails of, names its file, and takes nothing for a pass that did not come to its end', async function slow() {
    this.timeout(600_000);
    const folder = mkdtempSync(path.join(tmpdir(), 'braid-copy-'));
    try {
      const root = path.join(folder, 'root');
      mkdirSync(path.join(root, 'test'), { recursive: true });
      mkdirSync(path.join(root, 'scripts/mutation'), { recursive: true });
      cpSync(path.join(ROOT, 'scripts/mutation/noticing-reporter.mjs'), path.join(root, 'scripts/mutation/noticing-reporter.mjs'));
      symlinkSync(path.join(ROOT, 'node_modules'), path.join(root, 'node_modules'));
      const bodies = {
        passes: "it('passes', () => undefined);",
        number: "it('fails', () => { throw Object.assign(new Error('1n is not 2n'), { actual: 1n, expected: 2n }); });",
        hook: "describe('a suite', () => { before(() => { throw new Error('no chain'); }); it('is not reached', () => undefined); });",
        ends: "it('ends the process', () => process.exit(0));",
        breaks: 'throw new Error("can not be loaded");',
      };
      for (const [name, body] of Object.entries(bodies)) writeFileSync(path.join(root, `test/${name}.cjs`), body);
      const copy = new WorkingCopy(root, path.join(folder, 'copy'));
      const run = async (...names: readonly string[]) => {
        const { end, by } = await copy.test(
          names.map((name) => `test/${name}.cjs`),
          60_000,
        );
        return [end, by];
      };
      expect(await run('passes')).to.deep.equal(['pass', null]);
      expect(await run('passes', 'number', 'hook')).to.deep.equal(['fail', 'test/number.cjs']);
      expect(await run('hook', 'passes')).to.deep.equal(['fail', 'test/hook.cjs']);
      expect(await run('passes', 'ends')).to.deep.equal(['fail', null]);
      expect(await run('breaks')).to.deep.equal(['fail', 'test/breaks.cjs']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('marks places so that the file does what it did and says which of them it ran', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'braid-marks-'));
    try {
      const text = 'export function least(a: number, b: number): number {\n  if (a < b) {\n    return a + 0;\n  }\n  return b - 0;\n}\n';
      const at = (original: string, mutator = '') => {
        const start = text.indexOf(original);
        return mutant(1, { mutator, original, start, end: start + original.length });
      };
      const places = [at('a < b'), at('{\n    return a + 0;\n  }', 'BlockStatement'), at('a + 0'), at('b - 0')];
      const into = path.join(folder, 'touched');
      const file = path.join(folder, 'least.mts');
      writeFileSync(
        file,
        marked(
          text,
          places.map((place, id) => ({ id, mutant: place })),
          into,
        ),
      );
      const { least } = (await import(pathToFileURL(file).href)) as { least: (a: number, b: number) => number };
      expect([least(1, 2), least(1, 2)]).to.deep.equal([1, 1]);
      expect(readFileSync(into, 'utf8')).to.equal('0\n1\n2\n');
      expect(least(2, 1)).to.equal(1);
      expect(readFileSync(into, 'utf8')).to.equal('0\n1\n2\n3\n');
      expect(['case 1: x', 'for (;;) x', 'a < b'].map((original) => isMarkable(mutant(1, { original })))).to.deep.equal([false, false, true]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('finds out once which tests run which place; of a test that does not pass it believes only what it ran', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'braid-touches-'));
    try {
      const runs: string[] = [];
      const sample = [mutant(1), mutant(2, { start: 6, end: 7 })];
      const keys = sample.map((place) => keyOf(place, 'text'));
      const find = async () => {
        const record = new RunRecord(path.join(folder, 'record.jsonl'));
        let touched = new Set<number>();
        const copy = {
          touchedFile: 'touched',
          withTexts: <Result>(_texts: ReadonlyMap<string, string>, work: () => Promise<Result>) => work(),
          takeTouched: () => touched,
          test: ([test]: readonly string[]) => {
            runs.push(test as string);
            touched = new Set([test === 'one.test.ts' ? 0 : 1]);
            return Promise.resolve({ end: test === 'two.test.ts' ? ('fail' as const) : ('pass' as const), by: null, ms: 10 });
          },
        };
        const reach = () => new Map([...['one', 'two'].map((name) => [`${name}.test.ts`, 1] as const)]);
        await recordTouches(sample, [copy], { record, reach, textOf: () => 'text', digestOf: (test) => test, say: () => undefined });
        return ['one.test.ts', 'two.test.ts'].map((test) => keys.map((key) => record.touches(test, test, key)));
      };
      expect(await find()).to.deep.equal([
        [true, false],
        [undefined, true],
      ]);
      await find();
      expect(runs, 'only what is not known is run again').to.deep.equal(['one.test.ts', 'two.test.ts', 'two.test.ts']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('what is left out as changing nothing is still in the code, and says why', () => {
    const stale = readEquivalents(ROOT).filter(
      (known) => known.why.length < 20 || !existsSync(path.join(ROOT, known.file)) || !isCurrent(known, readFileSync(path.join(ROOT, known.file), 'utf8')),
    );
    expect(stale).to.deep.equal([]);
  });

  it('a judgement ends with the line that it was made of, and is of one change only', () => {
    const text = 'const a = 1;\nif (a <\n  2) x;\n';
    const place = mutant(2, { start: 17, end: 24, original: 'a <\n  2', replacement: 'a <=\n  2' });
    const known = { file: 'src/a.ts', line: 'if (a <', original: 'a < 2', replacement: 'a <= 2', why: '' };
    expect([isJudged(place, text, known), isCurrent(known, text)]).to.deep.equal([true, true]);
    expect(isJudged({ ...place, replacement: 'false' }, text, known), 'another change').to.equal(false);
    expect(isJudged({ ...place, file: 'src/b.ts' }, text, known), 'another file').to.equal(false);
    const edited = text.replace('if (a', 'if (b || a');
    expect([isJudged({ ...place, start: 22, end: 29 }, edited, known), isCurrent(known, edited)], 'another line').to.deep.equal([false, false]);
  });

  it('one that stops counting makes room for the next and moves no other', () => {
    const all = Array.from({ length: 100 }, (_, line) => mutant(line));
    const lines = (without: number) => drawn(all, 10, 1, ({ line }) => line !== without).map(({ line }) => line);
    const before = lines(-1);
    expect(lines(before[3] as number).slice(0, 9)).to.deep.equal(before.filter((_, index) => index !== 3));
  });
});
