import { assemblyChanges } from './assembly.ts';

/** A place that an operator changes, in a text. */
export type Change = { readonly start: number; readonly end: number; readonly line: number; readonly mutator: string; readonly replacement: string };

type Operator = {
  readonly name: string;
  /** What it changes: the group named `what`, or the whole match. */
  readonly pattern: RegExp;
  readonly replacement: string;
};

/** Fixed, so that figures of two runs can be compared. Operators in an expression stand between spaces, as the contracts are written. */
const OPERATORS: readonly Operator[] = [
  { name: 'bound', pattern: / (?<what><) /g, replacement: '<=' },
  { name: 'bound', pattern: / (?<what><=) /g, replacement: '<' },
  { name: 'bound', pattern: / (?<what>>) /g, replacement: '>=' },
  { name: 'bound', pattern: / (?<what>>=) /g, replacement: '>' },
  { name: 'equality', pattern: / (?<what>==) /g, replacement: '!=' },
  { name: 'equality', pattern: / (?<what>!=) /g, replacement: '==' },
  { name: 'arithmetic', pattern: / (?<what>\+) /g, replacement: '-' },
  { name: 'arithmetic', pattern: / (?<what>-) /g, replacement: '+' },
  { name: 'arithmetic', pattern: / (?<what>\*) /g, replacement: '/' },
  { name: 'arithmetic', pattern: / (?<what>\/) /g, replacement: '*' },
  { name: 'arithmetic', pattern: / (?<what>%) /g, replacement: '/' },
  { name: 'assignment', pattern: / (?<what>\+=) /g, replacement: '-=' },
  { name: 'assignment', pattern: / (?<what>-=) /g, replacement: '+=' },
  { name: 'logic', pattern: /\s(?<what>&&)\s/g, replacement: '||' },
  { name: 'logic', pattern: /\s(?<what>\|\|)\s/g, replacement: '&&' },
  { name: 'negation', pattern: /(?<what>!)[a-zA-Z]/g, replacement: '' },
  { name: 'guard never', pattern: /if \((?<what>[^\n{}]+)\) revert/g, replacement: 'false' },
  { name: 'branch never', pattern: /if \((?<what>[^\n{}]+)\) (?!revert)/g, replacement: 'false' },
  { name: 'branch always', pattern: /if \((?<what>[^\n{}]+)\) (?!revert)/g, replacement: 'true' },
  { name: 'choice', pattern: /(?<= |\()(?<what>[\w.]+(?: (?:[!=]=|[<>]=?|&&?) [\w.]+)*) \? /g, replacement: 'false' },
  { name: 'choice', pattern: /(?<= |\()(?<what>[\w.]+(?: (?:[!=]=|[<>]=?|&&?) [\w.]+)*) \? /g, replacement: 'true' },
  { name: 'statement', pattern: /^ +(?<what>[A-Za-z][\w.]*\([^\n]*\);)$/gm, replacement: '' },
  { name: 'statement', pattern: /^ +(?<what>[\w.[\]]+ [-+]?= [^\n]*;)$/gm, replacement: '' },
];

/** Declarations that run nothing, and numbers that are permanent by another test. */
const IDLE = /^\s*(?:\/\/|import|pragma|error|event|using|uint8 internal constant KIND)/;

/** Every change that the operators make of a contract's text, in its order, each once. Some do not compile. */
export function changesOf(text: string): readonly Change[] {
  const code = text.replaceAll(/"[^"\n]*"|\/\/[^\n]*/g, (skipped) => ' '.repeat(skipped.length));
  const lines = text.split('\n');
  const expressions = OPERATORS.flatMap(({ name, pattern, replacement }) =>
    [...code.matchAll(new RegExp(pattern, `${pattern.flags}d`))].map((match) => {
      const [start, end] = match.indices?.groups?.what ?? [match.index, match.index];
      return { start, end, mutator: name, replacement };
    }),
  );
  const made = new Map<string, Change>();
  for (const change of [...expressions, ...assemblyChanges(code)]) {
    const line = code.slice(0, change.start).split('\n').length;
    const becomes = text.slice(0, change.start) + change.replacement + text.slice(change.end);
    if (!IDLE.test(lines[line - 1] ?? '') && !made.has(becomes)) made.set(becomes, { ...change, line });
  }
  return [...made.values()].sort((a, b) => a.start - b.start || a.replacement.localeCompare(b.replacement));
}
