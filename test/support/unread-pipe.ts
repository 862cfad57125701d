import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A real pipe (what Node gives a child is a socket) for the output of a program, that stays open and that nobody reads. */
export function unreadPipe(): { readonly descriptor: number; close(): void } {
  const folder = mkdtempSync(path.join(tmpdir(), 'braid-unread-'));
  const file = path.join(folder, 'pipe');
  execFileSync('mkfifo', [file]);
  // For both: whoever opens one end alone waits for the other.
  const descriptor = openSync(file, 'r+');
  return {
    descriptor,
    close() {
      closeSync(descriptor);
      rmSync(folder, { recursive: true });
    },
  };
}
