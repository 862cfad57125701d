import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export type UnreadPipe = {
  readonly descriptor: number;
  /** True when there is no room for another byte. Takes up one where there is. */
  isFull(): boolean;
  close(): void;
};

/** A real pipe (what Node gives a child is a socket) for the output of a program, that stays open and that nobody reads. */
export function unreadPipe(): UnreadPipe {
  const folder = mkdtempSync(path.join(tmpdir(), 'braid-unread-'));
  const file = path.join(folder, 'pipe');
  execFileSync('mkfifo', [file]);
  // For both: whoever opens one end alone waits for the other.
  const descriptor = openSync(file, 'r+');
  // Apart from what the program is given: whether a write waits is a matter of the opened file, not of the pipe.
  const looking = openSync(file, constants.O_WRONLY | constants.O_NONBLOCK);
  return {
    descriptor,
    isFull() {
      try {
        writeSync(looking, '\n');
        return false;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return true;
        throw error;
      }
    },
    close() {
      closeSync(looking);
      closeSync(descriptor);
      rmSync(folder, { recursive: true });
    },
  };
}
