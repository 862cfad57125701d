import type { KeyEntry, KeyFile } from '../../schemas/types.gen.ts';
import { LIMITS, parseDocument } from '../config/config.ts';

export type { KeyEntry, KeyFile } from '../../schemas/types.gen.ts';

export type ParsedKeyFile = { readonly ok: true; readonly file: KeyFile } | { readonly ok: false; readonly message: string };

/** Reads a key file (schemas/key-file.schema.json). The message of a refusal names the field, never a value. */
export function parseKeyFile(text: string): ParsedKeyFile {
  if (text.length > LIMITS.metering.keyFileBytes) return { ok: false, message: 'key file: too large' };
  const parsed = parseDocument<KeyFile>('key-file', text);
  if (!parsed.ok) return { ok: false, message: `key file: ${parsed.message}` };
  const file = parsed.document;
  const fault = faultOf(file.keys);
  return fault === null ? { ok: true, file } : { ok: false, message: `key file: ${fault}` };
}

function faultOf(keys: readonly KeyEntry[]): string | null {
  const ids = new Set<string>();
  for (const [index, key] of keys.entries()) {
    // Two entries of one id would make it a matter of order which secret counts.
    if (ids.has(key.id)) return `keys.${index}.id occurs twice`;
    ids.add(key.id);
  }
  return null;
}
