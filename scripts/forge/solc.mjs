#!/usr/bin/env node
// The compiler of the npm package behind the two calls by which forge uses a native one, so that nothing is downloaded besides packages.
import { createRequire } from 'node:module';

const solc = createRequire(import.meta.url)('solc');

if (process.argv.includes('--version')) {
  console.log(`solc, the solidity compiler commandline interface\nVersion: ${solc.version()}`);
} else if (process.argv.includes('--standard-json')) {
  let input = '';
  for await (const text of process.stdin.setEncoding('utf8')) input += text;
  process.stdout.write(solc.compile(input));
} else {
  console.error('only --version and --standard-json are understood');
  process.exitCode = 1;
}
