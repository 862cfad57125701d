import { LIMITS } from '../../config/limits.ts';

/** Where a registry's entry leads. `path`: with the query, beginning with a slash. */
export type ListedUrl = { readonly origin: string; readonly path: string };

/** What an address of HTTP is written with: blanks and line ends, which a parser of addresses would drop, and what is not ASCII are none of it. */
const PLAIN = /^[!-~]+$/;
const PROTOCOLS: ReadonlySet<string> = new Set(['http:', 'https:']);

/** Reads what anybody may have written into the registry. null: nothing that could be asked. */
export function readListedUrl(text: string): ListedUrl | null {
  if (text.length > LIMITS.outbound.registry.urlBytes || !PLAIN.test(text) || !URL.canParse(text)) return null;
  const { protocol, username, password, hash, origin, pathname, search } = new URL(text);
  if (!PROTOCOLS.has(protocol) || username !== '' || password !== '' || hash !== '') return null;
  return { origin, path: `${pathname}${search}` };
}
