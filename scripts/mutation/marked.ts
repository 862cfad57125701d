import type { Mutant } from './mutants.ts';

/** A place of a sample, by its number. */
export type Mark = { readonly id: number; readonly mutant: Mutant };

/** A label of a switch and a loop without a condition can not be put in parentheses, nor part of a chain that ends early. */
const UNMARKABLE = /^(?:case|default|for)\b/;

export function isMarkable({ mutator, original }: Mutant): boolean {
  return mutator !== 'OptionalChaining' && !UNMARKABLE.test(original);
}

/** The text of a file that writes the number of each place that is run into another file, a line each, and is otherwise the same. Threads and processes are told by nothing but the text. */
export function marked(text: string, marks: readonly Mark[], into: string): string {
  const inserted = marks.flatMap(({ id, mutant: { mutator, start, end } }) =>
    mutator === 'BlockStatement'
      ? [{ at: start + 1, order: end - start, text: ` touched_(${id});` }]
      : [
          // Of two that begin at the same place the longer one is around the other.
          { at: start, order: start - end, text: `(touched_(${id}), ` },
          { at: end, order: end - start - text.length, text: ')' },
        ],
  );
  inserted.sort((a, b) => a.at - b.at || a.order - b.order);
  let from = 0;
  let result = '';
  for (const { at, text: added } of inserted) {
    result += text.slice(from, at) + added;
    from = at;
  }
  return result + text.slice(from) + writer(into);
}

/** Declared as a function, since the first place may run before the last line of the file does. */
function writer(into: string): string {
  return `
import { appendFileSync as append_ } from 'node:fs';
function touched_(id: number): void {
  const own = touched_ as { (id: number): void; seen?: Set<number> };
  const seen = (own.seen ??= new Set());
  if (seen.has(id)) return;
  seen.add(id);
  append_(${JSON.stringify(into)}, \`\${id}\\n\`);
}
`;
}
