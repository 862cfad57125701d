// `npm run keys`: issues, lists and revokes API keys.
import { LIMITS } from './config/limits.ts';
import { runKeys } from './key-admin/key-admin.ts';
import { asciiTrim } from './units/units.ts';

const write = (stream: NodeJS.WriteStream) => (line: string) => void stream.write(`${line}\n`);
// An empty variable counts as absent, as it does for the service.
const keysFile = asciiTrim(process.env.KEYS_FILE ?? '') || undefined;
process.exitCode = await runKeys(process.argv.slice(2), {
  out: write(process.stdout),
  err: write(process.stderr),
  keysFile,
  now: () => new Date(),
  lockMs: LIMITS.metering.keyFileLockMs,
});
