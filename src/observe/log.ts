import { type DestinationStream, type LogFn, pino } from 'pino';
import { LIMITS } from '../config/limits.ts';

/** The part of pino that the service uses. */
export type Log = {
  readonly fatal: LogFn;
  readonly error: LogFn;
  readonly warn: LogFn;
  readonly info: LogFn;
  readonly debug: LogFn;
  flush(): void;
  /** Lines dropped so far because nobody reads the output. */
  linesLost(): number;
};

export type LogOptions = {
  readonly level: string;
  /** Where lines go; standard output when left out. */
  readonly destination?: DestinationStream;
  /** Takes known secrets out of a line, which may be anything that somebody else wrote: a node repeats its key in an error. */
  readonly redact?: (text: string) => string;
};

/** Lines of JSON, one an event. Secrets and control characters never get out, whoever put them in. */
export function createLog({ level, destination, redact = (text) => text }: LogOptions): Log {
  let lost = 0;
  const output = destination ?? standardOutput(() => lost++);
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: ['apiKey', '*.apiKey', 'privateKey', '*.privateKey', 'secret', '*.secret', 'headers', '*.headers'], censor: '[redacted]' },
      hooks: { streamWrite: (line) => clean(redact(line)) },
    },
    output,
  );
  return Object.assign(logger, { linesLost: () => lost });
}

/** Lines are gathered and written off the request's path: a write for each would cost as much as the line. What is left when the process ends is written then, unless nobody reads it. */
function standardOutput(onDrop: () => void): DestinationStream {
  const { gatheredBytes, gatheredMs, unwrittenBytes, lastWriteMs } = LIMITS.log;
  // Node makes a pipe one that never blocks when this is first read. One that does would hold a thread of Node's in a write, and with it the end of the process.
  void process.stdout;
  let triesUntil = Number.POSITIVE_INFINITY;
  const retryEAGAIN = () => performance.now() < triesUntil;
  const output = pino.destination({ dest: 1, sync: false, minLength: gatheredBytes, periodicFlush: gatheredMs, maxLength: unwrittenBytes, retryEAGAIN });
  output.on('drop', onDrop);
  // Ahead of pino's own, which tries for ever.
  process.prependListener('exit', () => {
    triesUntil = performance.now() + lastWriteMs;
    try {
      output.flushSync();
    } catch {
      // The pipe is full: these lines are lost with the process.
    }
    output.destroy();
  });
  return output;
}

const API_KEY = /braid_live_[0-9A-Za-z_]*/g;
/** Node providers put their keys into user names, paths and queries. */
const URL_DETAIL = /\b((?:https?|wss?):\/\/)(?:[^\s"\\/@]*@)?([^\s"\\/?#]+)[/?#][^\s"\\]*/g;
/** JSON escapes U+0000 to U+001F itself; these are the rest that a terminal or a log viewer acts on: C1, line separators, direction overrides. */
const UNSAFE = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** Last gate of a whole line of JSON: what it replaces occurs inside string values only, so the line stays JSON. */
function clean(line: string): string {
  return line
    .replace(API_KEY, '[redacted]')
    .replace(URL_DETAIL, '$1$2/[redacted]')
    .replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
