import { type ParseError, parse, printParseErrorCode, stripComments, visit } from 'jsonc-parser';

export type ParsedText = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string };

/**
 * JSON, with comments where a person may write some. A refusal names the place and never what stands there. A field that is given twice is refused: which of the two was meant nobody
 * knows.
 */
export function parseJson(text: string, { comments }: { readonly comments: boolean }): ParsedText {
  const errors: ParseError[] = [];
  parse(text, errors, { allowTrailingComma: false, disallowComments: !comments });
  const [first] = errors;
  if (first !== undefined) return { ok: false, message: `not a JSON document: ${placeOf(text, first.offset)}, ${printParseErrorCode(first.error)}` };
  const twice = findRepeated(text);
  if (twice !== null) return { ok: false, message: twice };
  try {
    // Of blanks, so that a comment between two digits does not make a number of them.
    return { ok: true, value: JSON.parse(stripComments(text, ' ')) };
  } catch {
    return { ok: false, message: 'not a JSON document' };
  }
}

function placeOf(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}

function findRepeated(text: string): string | null {
  const open: Set<string>[] = [];
  let found: string | null = null;
  visit(text, {
    onObjectBegin: () => void open.push(new Set()),
    onObjectEnd: () => void open.pop(),
    onObjectProperty(name, _offset, _length, line, _column, pathOf) {
      const names = open.at(-1);
      if (names?.has(name)) found ??= `${[...pathOf(), name.slice(0, 60)].join('.')} is given twice, the second time in line ${line + 1}`;
      names?.add(name);
    },
  });
  return found;
}
