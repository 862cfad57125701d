// `npm run client:pack`: the client as a package of its own, build/braid-client-VERSION.tgz. `--out FOLDER` takes another folder than build/.
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { stageClient } from './stage.ts';

const { values } = parseArgs({ options: { out: { type: 'string', default: fileURLToPath(new URL('../../build', import.meta.url)) } } });
const out = path.resolve(values.out);
const folder = path.join(out, 'client-package');
mkdirSync(out, { recursive: true });
await stageClient(folder);
const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', out], { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
const [{ filename, size, unpackedSize }] = JSON.parse(packed) as [{ filename: string; size: number; unpackedSize: number }];
const inPage = await build({ entryPoints: [path.join(folder, 'dist/client.js')], bundle: true, minify: true, format: 'esm', write: false });
const page = gzipSync(inPage.outputFiles[0]?.contents ?? '').length;
console.log(`${path.join(out, filename)}: ${size} bytes, ${unpackedSize} installed, ${page} in a page (minified, gzip)`);
