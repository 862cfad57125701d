import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A TypeScript file of the project and what it imports statically: paths from the root, or package names. */
export type SourceFile = { readonly file: string; readonly text: string; readonly lines: number; readonly imports: readonly SourceImport[] };

export type SourceImport = { readonly target: string; readonly typeOnly: boolean };

const IMPORT = /^(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?'([^']+)';/gm;

/** Every .ts file below the named folders, generated files and what is installed left out. */
export function sourceFiles(...folders: readonly string[]): readonly SourceFile[] {
  return folders.flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.gen.ts') && !name.split(path.sep).includes('node_modules'))
      .map((name) => readSource(path.join(folder, name))),
  );
}

function readSource(file: string): SourceFile {
  const text = readFileSync(path.join(ROOT, file), 'utf8');
  const imports = [...text.matchAll(IMPORT)].map(([, type, specifier = '']) => ({
    target: specifier.startsWith('.') ? path.join(path.dirname(file), specifier) : specifier,
    typeOnly: type !== undefined,
  }));
  return { file, text, lines: text.split('\n').length - 1, imports };
}

/** Files and packages that a file reaches when it runs, itself among them: static imports that are not types only. */
export function reachableFrom(entry: string, files: readonly SourceFile[]): ReadonlySet<string> {
  return new Set([entry, ...reachedBy(entry, files, ({ typeOnly }) => !typeOnly)]);
}

/** Files that import themselves over others; an import of types counts. */
export function filesInCircles(files: readonly SourceFile[]): readonly string[] {
  return files.filter(({ file }) => reachedBy(file, files, () => true).has(file)).map(({ file }) => file);
}

/** What a file's imports lead to; the file itself where they lead back. */
function reachedBy(entry: string, files: readonly SourceFile[], counts: (each: SourceImport) => boolean): ReadonlySet<string> {
  const byName = new Map(files.map((source) => [source.file, source]));
  const reached = new Set<string>();
  const open = [entry];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const each of byName.get(next)?.imports ?? []) {
      if (!counts(each) || reached.has(each.target)) continue;
      reached.add(each.target);
      open.push(each.target);
    }
  }
  return reached;
}
