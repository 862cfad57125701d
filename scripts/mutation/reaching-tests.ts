import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Tests that run a file of the sources, as far as can be read from what imports what, and over how many files each reaches it. */
export type Reach = (file: string) => ReadonlyMap<string, number>;

/**
 * Suites that take longer than `npm test` has count as well, but for those about benchmarks, images and dashboards, and for one that starts the whole program of a copy:
 * under load that takes longer than it waits, so that its failing says nothing. Nor does the test of this tool, which looks for lines that were judged in the text of the sources: it fails on each that is broken.
 */
const TEST = /^test\/(?!docs\/mutation\.).*\.test\.ts$|^test\/(?:chain|e2e|indexing)\/(?!configured-secrets\.).*\.heavy\.ts$/;
const FOLDERS = ['src', 'workers', 'test', 'bench', 'scripts'];
const IMPORT = /^(?:import|export)\b(?!\s+type\b)[^;'"]*?['"](\.{1,2}\/[^'"]+)['"]/gm;
/** Threads, programs and folders that are scanned: a path in quotes, or its beginning up to what is filled in. */
const RELATIVE = /['"`](\.{1,2}\/[^'"`$\n]*)(\$\{[^'"`\n]*)?['"`]/g;
const FROM_ROOT = /['"]((?:src|workers|test|bench|scripts)\/[\w./-]+\.ts)['"]/g;
const HERE = /new URL\('\.', import\.meta\.url\)/;
/** Imports that are types only, which nothing is run by. */
const TYPES_ONLY = /^(?:import|export)\s*\{\s*(?:type\s+\w+(?:\s+as\s+\w+)?\s*,?\s*)+\}\s*from\s*['"][^'"]+['"];?/gm;
const TYPE_IMPORT = /^(?:import|export)\s+type\b[^;]*;/gm;

/** Reads the whole project once. Paths are from its folder. */
export function readReach(root: string): Reach {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true })
      .map((name) => path.posix.join(folder, String(name).replaceAll(path.sep, '/')))
      .filter((name) => name.endsWith('.ts') && !name.includes('node_modules/')),
  );
  const importers = new Map<string, Set<string>>();
  for (const file of files) {
    for (const target of targetsOf(file, readFileSync(path.join(root, file), 'utf8'), files)) {
      const known = importers.get(target) ?? new Set();
      importers.set(target, known.add(file));
    }
  }
  return (file) => testsAbove(file, importers);
}

/** What a file runs, imports by name or starts. */
export function targetsOf(file: string, text: string, files: readonly string[]): ReadonlySet<string> {
  const code = text.replace(TYPE_IMPORT, '').replace(TYPES_ONLY, '');
  const from = (relative: string) => path.posix.join(path.posix.dirname(file), relative) + (relative.endsWith('/') ? '/' : '');
  const targets = new Set<string>();
  const below = (prefix: string) => {
    for (const candidate of files) if (candidate.startsWith(prefix.replace(/\/\/$/, '/'))) targets.add(candidate);
  };
  for (const [, relative = ''] of code.matchAll(IMPORT)) targets.add(from(relative));
  for (const [, relative = '', filled] of code.matchAll(RELATIVE)) {
    if (filled !== undefined) below(from(relative));
    else if (relative.endsWith('.ts')) targets.add(from(relative));
    else if (relative.endsWith('/') && !/^[./]+$/.test(relative)) below(from(relative));
  }
  for (const [, name = ''] of code.matchAll(FROM_ROOT)) targets.add(name);
  if (HERE.test(code)) below(`${path.posix.dirname(file)}/`);
  targets.delete(file);
  return targets;
}

function testsAbove(file: string, importers: ReadonlyMap<string, ReadonlySet<string>>): ReadonlyMap<string, number> {
  const distances = new Map([[file, 0]]);
  // A map goes on to what is added while it is walked: breadth first.
  for (const [reached, distance] of distances) {
    for (const importer of importers.get(reached) ?? []) if (!distances.has(importer)) distances.set(importer, distance + 1);
  }
  return new Map([...distances].filter(([name]) => TEST.test(name)));
}
