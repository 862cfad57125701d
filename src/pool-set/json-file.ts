import { readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { LIMITS } from '../config/limits.ts';

export type JsonFile = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string };

const GZIP_MAGIC = [0x1f, 0x8b];
const inflate = promisify(gunzip);

/** Reads a JSON file, plain or gzipped (told by its content), of bounded size. A file that can not be read is a message that names it. */
export async function readJsonFile(path: string, limits: { readonly bytes: number; readonly inflatedBytes: number } = LIMITS.files): Promise<JsonFile> {
  try {
    const { size } = await stat(path);
    if (size > limits.bytes) return refused(path, `has ${size} bytes; at most ${limits.bytes} are read`);
    const bytes = await readFile(path);
    const text = GZIP_MAGIC.every((byte, i) => bytes[i] === byte) ? await inflate(bytes, { maxOutputLength: limits.inflatedBytes }) : bytes;
    return { ok: true, value: JSON.parse(text.toString('utf8')) };
  } catch (error) {
    return refused(path, explain(error, limits.inflatedBytes));
  }
}

function refused(path: string, why: string): JsonFile {
  return { ok: false, message: `${path} ${why}` };
}

function explain(error: unknown, inflatedBytes: number): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (error instanceof SyntaxError) return `is not JSON: ${error.message.slice(0, 200)}`;
  if (code === 'ENOENT') return 'does not exist';
  if (code === 'EISDIR') return 'is a directory';
  if (code === 'ERR_BUFFER_TOO_LARGE') return `inflates to more than ${inflatedBytes} bytes`;
  return `can not be read: ${error instanceof Error ? error.message.slice(0, 200) : String(error)}`;
}
