import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../../shared/data/', import.meta.url));

/**
 * A suite on the real data beside the project. Where that folder is absent one skipped test says so: `define` is not run, since mocha runs the body of a
 * skipped suite too, and a body that makes a test of each pool of a file would read that file.
 */
export function describeWithSharedData(title: string, define: (this: Mocha.Suite) => void): void {
  if (existsSync(FOLDER)) describe(title, define);
  else describe(title, () => it('has no ../shared/data beside the project'));
}

export function sharedData(name: string): string {
  return `${FOLDER}${name}`;
}

export function fixture(name: string): string {
  return fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url));
}
