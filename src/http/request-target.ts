/** The text after the first '?' of a request target, undecoded; empty without one. */
export function rawQueryOf(target: string | undefined): string {
  const at = target === undefined ? -1 : target.indexOf('?');
  return target === undefined || at < 0 ? '' : target.slice(at + 1);
}

const ABSOLUTE_FORM = /^https?:\/\/[^/?#]*/i;

/**
 * A request target without scheme and host. HTTP obliges a server to take `GET http://host/path`, but what stands for the host is nobody's business here,
 * and Express answers a host that it can not parse with a page of HTML. A target has no '#' and no '\\': where Express meets one it guesses another path, so they are written as what they are.
 */
export function originForm(target: string | undefined): string {
  if (target === undefined || target === '') return '/';
  const plain = target.replaceAll('#', '%23').replaceAll('\\', '%5C');
  if (plain.startsWith('/')) return plain;
  const rest = plain.replace(ABSOLUTE_FORM, '');
  return rest.startsWith('/') || rest === '*' ? rest : `/${rest}`;
}
