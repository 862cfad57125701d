// Reads the names of source files from standard input, one a line, and writes what Stryker would make of each as JSON: { file, line, column, start, end, mutator, replacement }.
// start and end are offsets in the file's text.
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { Instrumenter } from '@stryker-mutator/instrumenter';

const quiet = { isDebugEnabled: () => false };
for (const level of ['trace', 'debug', 'info', 'warn', 'error', 'fatal']) quiet[level] = () => undefined;

/** Texts of messages are for people: another one changes no answer. */
const options = { ignorers: [], excludedMutations: ['StringLiteral'], plugins: null };

const names = (await text(process.stdin)).split('\n').filter((name) => name !== '');
const files = names.map((name) => ({ name, content: readFileSync(name, 'utf8'), mutate: true }));
const { mutants } = await new Instrumenter(quiet).instrument(files, options);
const contents = new Map(files.map(({ name, content }) => [name, content]));
const found = mutants.map(({ fileName, location, mutatorName, replacement, status }) => {
  const content = contents.get(fileName) ?? '';
  const starts = [0];
  for (let at = content.indexOf('\n'); at >= 0; at = content.indexOf('\n', at + 1)) starts.push(at + 1);
  const offset = ({ line, column }) => starts[line] + column;
  const { start, end } = location;
  return {
    file: fileName,
    line: start.line + 1,
    column: start.column + 1,
    start: offset(start),
    end: offset(end),
    mutator: mutatorName,
    replacement,
    ignored: status === 'Ignored',
  };
});
process.stdout.write(JSON.stringify(found.filter(({ ignored }) => !ignored)));
