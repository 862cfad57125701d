// Lets Node run TypeScript in the main thread and in worker threads alike: `node --import ./scripts/typescript.mjs file.ts`.
// Worker threads inherit the import and get hooks of their own (decision 2).
import { register } from 'node:module';

process.setSourceMapsEnabled(true);
register('./typescript-hooks.mjs', import.meta.url);
