import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { projectFile } from './project-file.ts';

const HELP = `npm start -- [--config FILE | --pool-set FILE]

  --config FILE    the networks that a configuration file names (schemas/config.schema.json)
  --pool-set FILE  a frozen snapshot from a file (schemas/pool-set.schema.json)
  --version        which version this is
  --help           this

Without a file: a local chain with exchange contracts and liquidity, and the service on top of it. Ports, keys and bounds come from
environment variables: README.md, Configuration. Offline: npm run solve; keys: npm run keys; contracts: npm run deploy; each has --help.`;

/** What the program says in the place of a start: --help or --version, whatever else is given. null: neither is asked for. */
export function helpOrVersion(argv: readonly string[]): string | null {
  const { values } = parseArgs({ args: [...argv], options: { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean' } }, strict: false });
  if (values.help === true) return HELP;
  if (values.version !== true) return null;
  const { version } = JSON.parse(readFileSync(projectFile('package.json'), 'utf8')) as { version: string };
  return version;
}
