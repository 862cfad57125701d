import { execFile, spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import type { Context } from 'mocha';

/** Skips where a program of the operating system is not installed; in CI, which installs it, that is a failure. */
export function needsPrograms(context: Context, ...names: readonly string[]): void {
  const missing = names.filter((name) => spawnSync(name, ['--version']).error !== undefined);
  if (missing.length === 0) return;
  if (process.env.CI !== undefined) throw new Error(`${missing.join(', ')} is not installed`);
  console.log(`      ${missing.join(', ')} is not installed (Debian: apt-get install prometheus)`);
  context.skip();
}

/** Runs a program to its end. Resolves to its exit code and everything it wrote. */
export function runProgram(name: string, args: readonly string[], input = ''): Promise<{ readonly code: number; readonly output: string }> {
  return new Promise((resolve) => {
    const child = execFile(name, args, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: stdout + stderr });
    });
    child.stdin?.end(input);
  });
}

/** A port of the loopback that nobody listens on: for programs that can not choose one themselves. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
