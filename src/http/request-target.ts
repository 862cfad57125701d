/** The text after the first '?' of a request target, undecoded; empty without one. */
export function rawQueryOf(target: string | undefined): string {
  const at = target === undefined ? -1 : target.indexOf('?');
  return target === undefined || at < 0 ? '' : target.slice(at + 1);
}
