// `npm run solve`: solves a file of requests against a pool set, in this process, through the code that a solver thread runs.
import { runOffline } from './offline/offline.ts';

// A reader that has seen enough (`| head`) closes the pipe: that ends the work and is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
process.exitCode = await runOffline(process.argv.slice(2), { out: console.log, err: console.error });
