const WIDTH = 30;

export type Progress = { show(label: string, done: number, of: number): void; say(line: string): void };

/** A bar on a terminal's standard error; elsewhere a line for each thing that is said, and no bar. */
export function createProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
  const clear = () => void (stream.isTTY && stream.write('\r\u001b[K'));
  return {
    show(label, done, of) {
      if (!stream.isTTY) return;
      const filled = Math.min(WIDTH, Math.round((WIDTH * done) / Math.max(1, of)));
      clear();
      stream.write(`${label.padEnd(20)} [${'#'.repeat(filled)}${'.'.repeat(WIDTH - filled)}] ${done}/${of} s`);
    },
    say(line) {
      clear();
      stream.write(`${line}\n`);
    },
  };
}
