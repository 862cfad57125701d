/** A call in a block of assembly: where it and its arguments lie in the text. */
type Call = Span & { readonly name: string; readonly args: readonly Span[] };
type Span = { readonly start: number; readonly end: number };
type Made = { readonly span: Span; readonly name: string; readonly replacement: string };

const BLOCK = /\bassembly \([^)]*\) \{/g;
const NAME_OF_CALL = /\b([a-z][a-zA-Z]*)\(/g;
const NUMBER = /\b(?:0x[0-9a-f]+|\d+)\b/g;
const STATEMENT = /^ +(?<what>(?!let |if )[a-zA-Z][^\n{}]*)$/gm;
const CONDITION = /\bif (?<what>[^\n{]+?) \{/g;
/** Where the pointer to free memory lies: a name more than an offset. */
const FREE_MEMORY = /^m(?:load|store)\(0x40\b/;
const FIRST_PLAIN_ARGUMENT = 2;

/** Every change of what is written by hand in assembly. `code` is the contract's text without its comments and strings, each letter in its place. */
export function assemblyChanges(code: string): readonly (Span & { readonly mutator: string; readonly replacement: string })[] {
  return [...code.matchAll(BLOCK)].flatMap(({ index, 0: head }) => {
    const start = index + head.length;
    const block = { start, end: closing(code, start - 1) };
    const made = [...callsIn(code, block).flatMap((call) => changesOfCall(code, call)), ...numbers(code, block), ...statements(code, block)];
    return made.map(({ span, name, replacement }) => ({ ...span, mutator: `assembly ${name}`, replacement }));
  });
}

function changesOfCall(code: string, call: Call): readonly Made[] {
  const text = (span: Span | undefined) => code.slice(span?.start, span?.end);
  const [first, second] = [text(call.args[0]), text(call.args[1])];
  const become = (name: string, ...replacements: readonly string[]) => replacements.map((replacement) => ({ span: call, name, replacement }));
  switch (call.name) {
    case 'gt':
      return become('comparison', `lt(${first}, ${second})`);
    case 'lt':
      return become('comparison', `gt(${first}, ${second})`);
    case 'eq':
      return become('comparison', '0');
    case 'iszero':
    case 'not':
      return become('negation', first);
    case 'or':
    case 'and':
      return become('part', first, second);
    case 'add':
    case 'sub':
      return become('offset', first);
    case 'shr':
      return second.startsWith(`shl(${first}, `) ? become('mask', second.slice(`shl(${first}, `.length, -1)) : [];
    case 'call':
    case 'staticcall':
      return call.args.slice(FIRST_PLAIN_ARGUMENT).flatMap((span) => (text(span) === '0' ? [] : [{ span, name: 'argument', replacement: '0' }]));
    default:
      return [];
  }
}

/** One less than it says: a byte too early, a byte too few, the slot before. */
function numbers(code: string, block: Span): readonly Made[] {
  return within(code, block, NUMBER).flatMap(({ span, text }) => {
    const before = code.slice(Math.max(block.start, span.start - 'mstore('.length), span.end);
    const pointer = FREE_MEMORY.test(before) || FREE_MEMORY.test(before.slice(1));
    // Both halves of a mask are one thing.
    const mask = /sh[lr]\(96$/.test(before);
    return Number(text) === 0 || pointer || mask ? [] : [{ span, name: 'number', replacement: `0x${(Number(text) - 1).toString(16)}` }];
  });
}

function statements(code: string, block: Span): readonly Made[] {
  const left = within(code, block, STATEMENT).map(({ span }) => ({ span, name: 'statement', replacement: '' }));
  return [...left, ...within(code, block, CONDITION).map(({ span }) => ({ span, name: 'branch', replacement: '0' }))];
}

function within(code: string, block: Span, pattern: RegExp): readonly { readonly span: Span; readonly text: string }[] {
  return [...code.slice(block.start, block.end).matchAll(new RegExp(pattern, `${pattern.flags}d`))].map((match) => {
    const [start, end] = match.indices?.groups?.what ?? match.indices?.[0] ?? [0, 0];
    const span = { start: block.start + start, end: block.start + end };
    return { span, text: code.slice(span.start, span.end) };
  });
}

function callsIn(code: string, block: Span): readonly Call[] {
  return [...code.slice(block.start, block.end).matchAll(NAME_OF_CALL)].map(({ index, 1: name = '' }) => {
    const start = block.start + index;
    const open = start + name.length;
    const end = closing(code, open) + 1;
    return { name, start, end, args: argumentsIn(code, open + 1, end - 1) };
  });
}

function argumentsIn(code: string, start: number, end: number): readonly Span[] {
  const commas: number[] = [];
  for (let at = start, depth = 0; at < end; at++) {
    if (code[at] === '(') depth++;
    else if (code[at] === ')') depth--;
    else if (code[at] === ',' && depth === 0) commas.push(at);
  }
  return [...commas, end].map((stop, place) => {
    const from = place === 0 ? start : (commas[place - 1] ?? start) + 1;
    const blanks = code.slice(from, stop).length - code.slice(from, stop).trimStart().length;
    return { start: from + blanks, end: stop };
  });
}

/** Of the bracket that opens at `open`. */
function closing(code: string, open: number): number {
  const [opens, closes] = code[open] === '{' ? ['{', '}'] : ['(', ')'];
  for (let at = open, depth = 0; at < code.length; at++) {
    if (code[at] === opens) depth++;
    else if (code[at] === closes && --depth === 0) return at;
  }
  throw new Error('a bracket of a contract does not close');
}
