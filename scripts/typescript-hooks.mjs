// What a file of TypeScript is to Node: the JavaScript that esbuild makes of it, kept under build/typescript. Runs in a thread beside each thread that imports `typescript.mjs`.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const KEPT = fileURLToPath(new URL('../build/typescript/', import.meta.url));
const require = createRequire(import.meta.url);
/** The oldest Node that the project runs on: import attributes have to stay. */
const OPTIONS = { loader: 'ts', format: 'esm', target: 'node20.19', sourcemap: 'inline', sourcesContent: false };
const DIGEST_LENGTH = 64;
/** Whatever the outcome depends on besides the file. */
const MAKER = `${require('esbuild/package.json').version} ${JSON.stringify(OPTIONS)}`;

/** A hook of Node's module loader (https://nodejs.org/docs/latest-v20.x/api/module.html#loadurl-context-nextload). */
export async function load(url, context, nextLoad) {
  if (!url.startsWith('file:') || !/\.m?ts$/.test(new URL(url).pathname)) return nextLoad(url, context);
  return { format: 'module', source: javascriptOf(fileURLToPath(url)), shortCircuit: true };
}

/** One file for each source: the digest of what it was made from, then the JavaScript. A source that changed has it made anew. */
function javascriptOf(file) {
  const source = readFileSync(file, 'utf8');
  const digest = createHash('sha256').update(`${MAKER}\n${file}\n${source}`).digest('hex');
  const kept = path.join(KEPT, `${createHash('sha256').update(file).digest('hex')}.js`);
  const text = readKept(kept);
  if (text?.startsWith(digest)) return text.slice(DIGEST_LENGTH);
  // Loaded only here: it costs more than reading all that is kept.
  const { code } = require('esbuild').transformSync(source, { ...OPTIONS, sourcefile: file });
  keep(kept, digest + code);
  return code;
}

function readKept(kept) {
  try {
    return readFileSync(kept, 'utf8');
  } catch {
    return null;
  }
}

/** Beside and renamed: other threads and processes read meanwhile. Where nothing can be written, each thread makes its own. */
function keep(kept, text) {
  const draft = `${kept}.${process.pid}.${process.hrtime.bigint()}`;
  try {
    mkdirSync(KEPT, { recursive: true });
    writeFileSync(draft, text);
    renameSync(draft, kept);
  } catch {
    // The next start tries again.
  }
}
