#!/usr/bin/env node
// The compiler of the npm package behind the two calls by which forge uses a native one, so that nothing is downloaded besides packages.
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import '../typescript.mjs';

const { compileHere, compilerVersion } = await import('../../src/solidity-compiler.ts');
// Not strict: forge gives paths beside them, which are of use to a compiler that reads files itself.
const { values } = parseArgs({ options: { version: { type: 'boolean' }, 'standard-json': { type: 'boolean' } }, strict: false });

if (values.version) {
  console.log(`solc, the solidity compiler commandline interface\nVersion: ${await compilerVersion()}`);
} else if (values['standard-json']) {
  process.stdout.write(await compileHere(await text(process.stdin)));
} else {
  console.error('only --version and --standard-json are understood');
  process.exitCode = 1;
}
