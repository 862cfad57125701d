// `npm run deploy`: deploys the settlement contracts of one chain.
import { readFileSync } from 'node:fs';
import { LIMITS } from './config/limits.ts';
import { runDeploy } from './deployment/deployment.ts';

const write = (stream: NodeJS.WriteStream) => (line: string) => void stream.write(`${line}\n`);
process.exitCode = await runDeploy(process.argv.slice(2), {
  out: write(process.stdout),
  err: write(process.stderr),
  env: process.env,
  readFile: (name) => readFileSync(name, 'utf8'),
  limits: LIMITS.deployment,
});
