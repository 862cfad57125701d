import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const require = createRequire(import.meta.url);

export const CLIENT_PACKAGE = '@braid/client';

/**
 * Writes the package of the client into a folder, which is emptied first: one file of JavaScript with its only dependency inside, so that it installs alone,
 * and the declarations. Throws when the client does not compile with the types of a browser alone.
 */
export async function stageClient(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  const dist = path.join(folder, 'dist');
  mkdirSync(dist, { recursive: true });
  writeDeclarations(dist);
  await build({
    entryPoints: [path.join(ROOT, 'src/client/client.ts')],
    outfile: path.join(dist, 'client.js'),
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'es2022',
    legalComments: 'none',
    logLevel: 'warning',
  });
  cpSync(path.join(ROOT, 'scripts/client-package/README.md'), path.join(folder, 'README.md'));
  writeFileSync(path.join(folder, 'LICENSE'), licences());
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
}

function writeDeclarations(dist: string): void {
  const compiler = path.join(path.dirname(require.resolve('typescript-compiler/package.json')), 'bin/tsc');
  const project = path.join(ROOT, 'scripts/client-package/tsconfig.json');
  execFileSync(process.execPath, [compiler, '-p', project, '--outDir', dist], { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] });
  // The compiler keeps the names of the sources, which are not in the package.
  for (const name of readdirSync(dist)) {
    const file = path.join(dist, name);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/(from '\.\/[^']+)\.ts'/g, "$1.js'"));
  }
}

function manifest(): object {
  const { version, license } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { version: string; license: string };
  return {
    name: CLIENT_PACKAGE,
    version,
    description: 'A typed client of Braid, a decentralized-exchange aggregation service: quotes and swaps over fetch, without losing a digit.',
    keywords: ['dex', 'aggregator', 'swap', 'quote', 'ethereum'],
    license,
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20' },
    main: './dist/client.js',
    types: './dist/client.d.ts',
    exports: { '.': { types: './dist/client.d.ts', default: './dist/client.js' }, './package.json': './package.json' },
    files: ['dist'],
  };
}

function licences(): string {
  const own = readFileSync(path.join(ROOT, 'LICENSE'), 'utf8').trimEnd();
  const inside = readFileSync(path.join(ROOT, 'node_modules/openapi-fetch/LICENSE'), 'utf8').trimEnd();
  return `${own}\n\ndist/client.js holds openapi-fetch, under this licence:\n\n${inside}\n`;
}
