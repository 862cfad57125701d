import { printParseErrorCode, stripComments, visit } from 'jsonc-parser';

export type ParsedText = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string };

/**
 * JSON, with comments where a person may write some. A refusal names the place and never what stands there. A field that is given twice is refused: which of the two was meant nobody
 * knows.
 */
export function parseJson(text: string, { comments }: { readonly comments: boolean }): ParsedText {
  const fault = findFault(text, comments);
  if (fault !== null) return { ok: false, message: fault };
  try {
    // Of blanks, so that a comment between two digits does not make a number of them.
    return { ok: true, value: JSON.parse(comments ? stripComments(text, ' ') : text) };
  } catch {
    return { ok: false, message: 'not a JSON document' };
  }
}

/** In one walk: a file of a hundred thousand keys is read while requests wait. */
function findFault(text: string, comments: boolean): string | null {
  const open: Set<string>[] = [];
  let broken: string | null = null;
  let twice: string | null = null;
  visit(
    text,
    {
      onObjectBegin: () => void open.push(new Set()),
      onObjectEnd: () => void open.pop(),
      onObjectProperty(name, _offset, _length, line, _column, pathOf) {
        const names = open.at(-1);
        if (names?.has(name)) twice ??= `${[...pathOf(), name.slice(0, 60)].join('.')} is given twice, the second time in line ${line + 1}`;
        names?.add(name);
      },
      onError(error, _offset, _length, line, column) {
        broken ??= `not a JSON document: line ${line + 1}, column ${column + 1}, ${printParseErrorCode(error)}`;
      },
    },
    { allowTrailingComma: false, disallowComments: !comments },
  );
  return broken ?? twice;
}
