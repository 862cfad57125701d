import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Path of a file of the project, by its name from the project's folder. Compiled code lies one folder deeper than its source. */
export function projectFile(name: string): string {
  const above = new URL('../', import.meta.url);
  const root = existsSync(new URL('package.json', above)) ? above : new URL('../', above);
  return fileURLToPath(new URL(name, root));
}
