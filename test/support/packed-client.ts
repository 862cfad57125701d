import { execFile } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './source-files.ts';

const run = promisify(execFile);

/** Packs the client and installs it into an empty folder below `folder`, by the README's own commands but without a network. Returns that folder, where viem is to be had too. */
export async function installPackedClient(folder: string): Promise<string> {
  const [, commands = ''] = /```sh\n(npm run client:pack[\s\S]*?)node swap\.mjs\n```/.exec(readFileSync(path.join(ROOT, 'README.md'), 'utf8')) ?? [];
  const place = path.join(folder, 'swap');
  const here = commands.replaceAll('/tmp/braid', folder).replaceAll('/tmp/swap', place).replace(' viem', ' --offline --no-audit');
  if (!here.includes(place) || !here.includes('--offline')) throw new Error(`the README packs the client by other commands: ${commands}`);
  await run('bash', ['-ec', here], { cwd: ROOT });
  symlinkSync(path.join(ROOT, 'node_modules/viem'), path.join(place, 'node_modules/viem'));
  return place;
}
