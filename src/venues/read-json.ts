import { createScanner, type SyntaxKind } from 'jsonc-parser';

/** The scanner's tokens that matter here, and its end. */
const OPENS: SyntaxKind.OpenBraceToken = 1;
const CLOSES: SyntaxKind.CloseBraceToken = 2;
const COLON: SyntaxKind.ColonToken = 6;
const STRING: SyntaxKind.StringLiteral = 10;
const END: SyntaxKind.EOF = 17;

/**
 * What somebody off the chain sent, as JSON. undefined: it is none, or an object in it gives a name twice. Which of the two was meant nobody knows: another reader of the same text may take the other one.
 */
export function readJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return givesNameTwice(text) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** Of a text that is JSON. By its tokens, and not as a tree: however deep it is nested, nothing is called within itself, and objects of one name, which a deep one is made of, take no set each. */
function givesNameTwice(text: string): boolean {
  const scanner = createScanner(text, true);
  /** The names so far of each open object: none, one, or more. */
  const open: (null | string | Set<string>)[] = [];
  let last = '';
  for (let token = scanner.scan(); token !== END; token = scanner.scan()) {
    if (token === STRING) last = scanner.getTokenValue();
    else if (token === OPENS) open.push(null);
    else if (token === CLOSES) open.pop();
    else if (token === COLON) {
      // Only names stand before one, whatever lists are open beside them.
      const names = open.at(-1) ?? null;
      if (typeof names === 'string' ? names === last : names?.has(last)) return true;
      if (names === null) open[open.length - 1] = last;
      else if (typeof names === 'string') open[open.length - 1] = new Set([names, last]);
      else names.add(last);
    }
  }
  return false;
}
