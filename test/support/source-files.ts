import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A TypeScript file of the project and what it imports statically: paths from the root, or package names. */
export type SourceFile = { readonly file: string; readonly text: string; readonly lines: number; readonly imports: readonly SourceImport[] };

export type SourceImport = { readonly target: string; readonly typeOnly: boolean };

const IMPORT = /^(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?'([^']+)';/gm;

/** Every .ts file below the named folders, generated files left out. */
export function sourceFiles(...folders: readonly string[]): readonly SourceFile[] {
  return folders.flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.gen.ts'))
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

/** Files and packages that a file reaches when it runs: static imports that are not types only. */
export function reachableFrom(entry: string, files: readonly SourceFile[]): ReadonlySet<string> {
  const byName = new Map(files.map((source) => [source.file, source]));
  const reached = new Set<string>();
  const open = [entry];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    for (const { target, typeOnly } of byName.get(next)?.imports ?? []) if (!typeOnly) open.push(target);
  }
  return reached;
}
