import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { ROOT } from '../../support/source-files.ts';
import { COMPLAINTS, FAULTS } from './shown/cases.ts';
import { DECISIONS } from './shown/decisions.ts';
import { RULES } from './shown/rules.ts';
import { SENTENCES } from './shown/sentences.ts';
import type { Shown } from './shown/shown.ts';

const BINDING = /\b(must|never|always|only)\b/i;
/** What the tables of rules are called in shown/rules.ts. */
const TABLES: ReadonlyMap<string, string> = new Map([
  ['SwapWarning', 'SwapWarning'],
  ['States and transitions', 'States'],
  ['Common query parameters (`/v1/quote` and `/v1/swap`)', 'Parameter'],
  ['GET {base_url}/v1/swap', 'Funding'],
  ['Errors', 'Errors'],
  ['Limits', 'Limits'],
]);
const HEADS = /^(Field|Code|code|detail|State .*|Parameter|Funding shape|Status|Limit)$/;
const NUMBERED: ReadonlyMap<string, string> = new Map([
  ['What the service does', 'Execution semantics'],
  ['States and transitions', 'Build sequence'],
  ['Authentication', 'Authentication'],
  ['Events', 'Events'],
  ['Versioning', 'Versioning'],
]);

type Line = { readonly section: string; readonly text: string };

function linesOf(markdown: string): readonly Line[] {
  let section = '';
  const lines: Line[] = [];
  for (const text of markdown.split('\n')) {
    if (text.startsWith('#')) section = text.replace(/^#+ /, '');
    else if (text.trim() !== '' && !/^\|[-| ]+\|$/.test(text)) lines.push({ section, text });
  }
  return lines;
}

function cellsOf(text: string): readonly string[] {
  return text
    .slice(1, -1)
    .split(' | ')
    .map((cell) => cell.trim());
}

/** Sentences that say must, never, always or only; of a table row, with the row's first cell before them. */
function sentencesOf(markdown: string): readonly string[] {
  return linesOf(markdown).flatMap(({ text }) => {
    const [first = '', ...rest] = text.startsWith('|') ? cellsOf(text) : [];
    const [prefix, cells] = rest.length > 0 ? [`${first}: `, rest] : ['', [text.replace(/^\s*(-|\d+\.)\s+/, '')]];
    return cells
      .flatMap((cell) => cell.split(/(?<=[.:;])\s+(?=[A-Z`{])/))
      .filter((sentence) => BINDING.test(sentence))
      .map((sentence) => prefix + sentence);
  });
}

function rulesOf(markdown: string): readonly string[] {
  let execution = false;
  return linesOf(markdown).flatMap(({ section, text }) => {
    // The section begins with a numbered list of capabilities, which are the endpoints.
    if (text.startsWith('Execution semantics')) execution = true;
    const table = TABLES.get(section);
    const [first = ''] = text.startsWith('|') ? cellsOf(text) : [];
    if (table !== undefined && first !== '' && !HEADS.test(first)) return [`${table}: ${first}`];
    const number = /^([0-9]+)\. /.exec(text)?.[1];
    const numbered = NUMBERED.get(section);
    if (number !== undefined && numbered !== undefined && (numbered !== 'Execution semantics' || execution)) return [`${numbered} ${number}`];
    if (table === 'Parameter' && text.startsWith('- ')) return [`Label: ${text.slice(2).split(/(?<=\.) /)[0] ?? ''}`];
    return [];
  });
}

function decisionsOf(markdown: string): readonly string[] {
  return [...markdown.matchAll(/^\| ([RSB][0-9]+) \|/gm)].map(([, id = '']) => id);
}

/** Rows of the catalogue of faults in the sections of input validation, of identity, and of makers, attesters and issuers. */
function faultsOf(markdown: string): readonly string[] {
  return [...markdown.matchAll(/^\| ([DEF][0-9]+) \|/gm)].map(([, id = '']) => id);
}

/** Complaints about the edge of HTTP; the others belong to other parts. */
const COMPLAINTS_HERE = /^(?:[3-9]|19|20|21)$/;
function complaintsOf(markdown: string): readonly string[] {
  return [...markdown.matchAll(/^([0-9]+)\. /gm)].map(([, id = '']) => id).filter((id) => COMPLAINTS_HERE.test(id));
}

/** The text of every test file, escaped quotes as they read. */
const tests = readdirSync(path.join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.(test|heavy)\.ts$/.test(file))
  .map((file) => readFileSync(path.join(ROOT, 'test', file), 'utf8').replaceAll(/\\(['"`])/g, '$1'))
  .join('\n');

/** A title stands in quotes, or next to what a template puts in. */
function isTitle(title: string): boolean {
  for (let at = tests.indexOf(title); at >= 0; at = tests.indexOf(title, at + 1)) {
    if (/['"`}]/.test(tests[at - 1] ?? '') && /['"`$]/.test(tests[at + title.length] ?? '')) return true;
  }
  return false;
}

/** Parts that are not built. What settles is not among them: of the transaction, its funding, fee and surplus every word is shown. */
const NOT_BUILT = ['a store of budgets shared between replicas', 'snapshots orphaned by a reorg deeper than the journal'];

describe('what the tests show of the interface specification', () => {
  it('what is not shown yet is of parts that are not built, and of no other', () => {
    const open = [SENTENCES, RULES, DECISIONS, FAULTS, COMPLAINTS].flatMap((table: Readonly<Record<string, Shown>>) =>
      Object.values(table).flatMap((shown) => ('notYet' in shown ? [shown.notYet] : [])),
    );
    expect(NOT_BUILT).to.include.members(open);
  });

  for (const [name, table, file, read] of [
    ['sentences that say must, never, always or only', SENTENCES, 'spec/interface.md', sentencesOf],
    ['rows and numbered rules', RULES, 'spec/interface.md', rulesOf],
    ['decisions on its reading', DECISIONS, 'spec/decisions.md', decisionsOf],
    ['faults of input, of identity and of whoever signs', FAULTS, 'cases/faults.md', faultsOf],
    ['complaints about the edge', COMPLAINTS, 'cases/complaints.md', complaintsOf],
  ] as const) {
    it(`${name}: each is shown by tests that exist, or named with why not`, () => {
      const missing = Object.entries<Shown>(table).flatMap(([words, shown]) => {
        if (!('by' in shown)) return [];
        expect(shown.by.length, words).to.be.greaterThan(0);
        return shown.by.filter((title) => !isTitle(title)).map((title) => `${words} → ${title}`);
      });
      expect(missing).to.deep.equal([]);
    });

    it(`${name}: none of the specification is missing, and none is listed that it does not have`, function () {
      const specification = path.join(ROOT, '../shared', file);
      if (!existsSync(specification)) {
        process.stdout.write(`      left out: the specification is not beside the project (${path.relative(ROOT, specification)})\n`);
        this.skip();
      }
      expect(Object.keys(table).sort()).to.deep.equal([...new Set(read(readFileSync(specification, 'utf8')))].sort());
    });
  }
});
