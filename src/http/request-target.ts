/** The text after the first '?' of a request target, undecoded; empty without one. */
export function rawQueryOf(target: string | undefined): string {
  const at = target === undefined ? -1 : target.indexOf('?');
  return target === undefined || at < 0 ? '' : target.slice(at + 1);
}

const ABSOLUTE_FORM = /^https?:\/\/[^/?#]*/i;

/**
 * A request target without scheme and host. HTTP obliges a server to take `GET http://host/path`, but what stands for the host is nobody's business here,
 * and Express answers a host that it can not parse with a page of HTML.
 */
export function originForm(target: string | undefined): string {
  if (target === undefined || target === '') return '/';
  if (target.startsWith('/')) return target;
  const rest = target.replace(ABSOLUTE_FORM, '');
  return rest.startsWith('/') || rest === '*' ? rest : `/${rest}`;
}
