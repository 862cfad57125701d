import path from 'node:path';
import { asciiTrim } from '../units/units.ts';
import { ConfigRefused } from './environment.ts';

/** Where the parts of a text come from that it only names. */
export type ReferenceSources = {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Throws where a file can not be read. */
  readonly readFile: (path: string) => string;
  /** What relative paths are relative to. */
  readonly folder: string;
};

export type Resolved = {
  readonly text: string;
  /** What was put in. */
  readonly values: readonly string[];
};

const REFERENCE = /\$\{([^{}]*)\}/g;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;
const FILE = 'file:';

/**
 * Puts what a text names in its place: `${NAME}` is a variable of the environment, `${file:PATH}` what a file holds, without blanks around it. `at` is the field, for the refusal, which
 * says which name it was and never a value. Throws ConfigRefused.
 */
export function resolveReferences(text: string, at: string, { env, readFile, folder }: ReferenceSources): Resolved {
  const values: string[] = [];
  const resolved = text.replace(REFERENCE, (_, reference: string) => {
    const value = asciiTrim(reference.startsWith(FILE) ? fromFile(reference.slice(FILE.length)) : fromEnvironment(reference));
    values.push(value);
    return value;
  });
  if (resolved.includes('${') && values.every((value) => !value.includes('${'))) throw new ConfigRefused(`${at} has a \${ that is not closed`);
  return { text: resolved, values };

  function fromEnvironment(name: string): string {
    if (!VARIABLE.test(name)) throw new ConfigRefused(`${at} has \${…} around what is neither a variable's name nor file:PATH`);
    const value = env[name];
    if (value === undefined || asciiTrim(value) === '') throw new ConfigRefused(`${at} names the environment variable ${name}, which is not set`);
    return value;
  }

  function fromFile(name: string): string {
    let content: string;
    try {
      content = readFile(path.resolve(folder, name));
    } catch {
      throw new ConfigRefused(`${at} names the file ${name}, which can not be read`);
    }
    if (asciiTrim(content) === '') throw new ConfigRefused(`${at} names the file ${name}, which is empty`);
    return content;
  }
}
