import { ConfigRefused } from './environment.ts';
import { isSecret } from './redact.ts';
import { type ReferenceSources, resolveReferences } from './references.ts';

/** What a header takes. */
const KEY = /^[\x21-\x7e]{1,512}$/;
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);

/** A key that goes out with every request, and what of it no output may have. `named`: it was said where it is, not what it is. */
export type OutsideKey = { readonly text: string; readonly secrets: readonly string[]; readonly named: boolean };

/** The key for whoever answers at an origin. Over http it would be read on its way, so it goes no further than this machine that way. No message repeats it. Throws ConfigRefused. */
export function outsideKey(written: string, origin: string, at: string, references: ReferenceSources): OutsideKey {
  const { text, values } = resolveReferences(written, `${at}.apiKey`, references);
  if (!KEY.test(text)) throw new ConfigRefused(`${at}.apiKey is no key once what it names is put in: visible characters without blanks, 512 at most`);
  const { protocol, hostname } = new URL(origin);
  if (protocol === 'http:' && !LOOPBACK.has(hostname))
    throw new ConfigRefused(`${at}.url begins with http://, by which the key would go out for everybody on the way to read`);
  return { text, secrets: [...values, text].filter(isSecret), named: values.length > 0 };
}
