const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]]|-?[0-9][0-9.eE+-]*/g;
const INTEGER = /^-?(?:0|[1-9][0-9]*)$/;

/**
 * Reads a JSON object and keeps all digits of the integers that its own members `exact` are: they become bigint, where JSON.parse would round them to a
 * float beyond 2^53. Throws SyntaxError on what is no JSON object, or where such a member is neither an integer nor null.
 */
export function parseExactly(text: string, exact: readonly string[]): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(quoteIntegers(text, exact));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new SyntaxError('the body is not a JSON object');
  const members = Object.entries(value).map(([name, member]: [string, unknown]) => [name, exact.includes(name) ? toBigInt(name, member) : member]);
  return Object.fromEntries(members) as Readonly<Record<string, unknown>>;
}

/** Puts those integers in quotes. Only members of the outermost object are meant: an inner one of the same name is somebody else's. */
function quoteIntegers(text: string, exact: readonly string[]): string {
  let depth = 0;
  let name = '';
  return text.replace(TOKENS, (token, at: number) => {
    if (token === '{' || token === '[') depth++;
    else if (token === '}' || token === ']') depth--;
    else if (depth !== 1) return token;
    else if (token.startsWith('"')) name = /^\s*:/.test(text.slice(at + token.length, at + token.length + 8)) ? token.slice(1, -1) : '';
    else if (exact.includes(name) && INTEGER.test(token)) return `"${token}"`;
    return token;
  });
}

function toBigInt(name: string, member: unknown): bigint | null {
  if (member === null) return null;
  if (typeof member !== 'string' || !INTEGER.test(member)) throw new SyntaxError(`${name} is not an integer`);
  return BigInt(member);
}
