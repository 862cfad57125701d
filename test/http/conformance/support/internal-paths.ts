import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { internalApp } from '../../../../src/http/internal-app.ts';
import { createMetrics } from '../../../../src/observe/observe.ts';

/** Every path that the internal listener serves, of a service that has all there may be: read from its own routes, so that a new one is among them by itself. */
export function internalPaths(): readonly string[] {
  const never = () => {
    throw new Error('nobody asks this one');
  };
  const app = internalApp({
    host: '127.0.0.1',
    metrics: createMetrics({ version: '0', mode: 'test', defaults: false }),
    sample: never,
    readiness: never,
    openApi: never,
    devnet: { describe: never, setBots: never },
    routePage: { chains: [], solving: { solve: never, estimatedWaitMs: never }, publicUrl: never },
    switches: { describe: never, change: never },
    onFailure: never,
  });
  const routes = app.router.stack.flatMap(({ route }) => (route === undefined ? [] : [route.path]));
  // A folder that is served as a whole has no routes: its files are the paths.
  const folders = app.router.stack.filter(({ name }) => name === 'serveStatic').length;
  if (folders !== 1) throw new Error(`${folders} folders are served, and /docs is the only one whose files are known here`);
  const docs = readdirSync(path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json')));
  return [...new Set([...routes, ...docs.filter((name) => /\.(css|html|js|png)$/.test(name)).map((name) => `/docs/${name}`)])].sort();
}
