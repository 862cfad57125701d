// `npm run decisions`: writes docs/decisions/README.md, the index of the decisions. `--check` writes nothing and exits 1 where the index is not what the decisions say.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Decision, datesOf, indexOf, readDecision } from './decisions/decision-index.ts';

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const folder = fileURLToPath(new URL('../docs/decisions/', import.meta.url));
const target = path.join(folder, 'README.md');
const current = existsSync(target) ? readFileSync(target, 'utf8') : '';
const known = datesOf(current);

/** The day on which the file came, or today where git does not know it yet. */
function dateOf(file: string): string {
  const log = ['log', '--follow', '--diff-filter=A', '--format=%as', '--', path.join(folder, file)];
  const added = execFileSync('git', log, { cwd: folder, encoding: 'utf8' }).trim().split('\n').at(-1) ?? '';
  return added === '' ? new Date().toISOString().slice(0, 10) : added;
}

const decisions = readdirSync(folder)
  .filter((file) => /^[0-9]{4}-.*\.md$/.test(file))
  .sort()
  .map((file): Decision => {
    const read = readDecision(file, readFileSync(path.join(folder, file), 'utf8'));
    return { ...read, date: known.get(read.number) ?? (values.check ? '' : dateOf(file)) };
  });
const index = indexOf(decisions);
if (index === current) console.log('docs/decisions/README.md is what the decisions say');
else if (values.check) {
  console.error('docs/decisions/README.md is not what the decisions say: run npm run decisions');
  process.exitCode = 1;
} else {
  writeFileSync(target, index);
  console.log('wrote docs/decisions/README.md');
}
