// Lets Node run TypeScript in the main thread and in worker threads alike: `node --import ./scripts/typescript.mjs file.ts`.
// tsx's own `--import tsx` registers nothing inside a worker thread on Node 20; its programmatic hook does.
import { register } from 'tsx/esm/api';

register();
