import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../../shared/data/', import.meta.url));

/** A suite on the real data beside the project. Where that folder is absent the suite is skipped, and its title says so. */
export function describeWithSharedData(title: string, define: () => void): void {
  if (existsSync(FOLDER)) describe(title, define);
  else describe.skip(`${title} (skipped: ../shared/data is absent)`, define);
}

export function sharedData(name: string): string {
  return `${FOLDER}${name}`;
}

export function fixture(name: string): string {
  return fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url));
}
