import { asciiLowerCase, asciiTrim, type DurationMs, parseSafeInteger } from '../units/units.ts';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** What the environment sets; undefined where it is silent. */
export type Environment = {
  readonly host: string | undefined;
  readonly port: number | undefined;
  readonly publicUrl: string | undefined;
  readonly internalHost: string | undefined;
  readonly internalPort: number | undefined;
  readonly devnetPort: number | undefined;
  readonly freshnessBound: DurationMs | undefined;
  readonly logLevel: LogLevel | undefined;
  readonly solverThreads: number | undefined;
  readonly keysFile: string | undefined;
  readonly checkpointDirectory: string | undefined;
};

/** Thrown inside the room only: loadConfig turns it into its refusal. The message names the variable or field. */
export class ConfigRefused extends Error {}

/** Reads the environment variables of the service. An empty variable counts as absent. Throws ConfigRefused on a malformed one. */
export function readEnvironment(env: Readonly<Record<string, string | undefined>>): Environment {
  return {
    host: text(env, 'HOST'),
    port: integer(env, 'PORT', 0, 65_535),
    publicUrl: publicUrl(env),
    internalHost: text(env, 'INTERNAL_HOST'),
    internalPort: integer(env, 'INTERNAL_PORT', 0, 65_535),
    devnetPort: integer(env, 'DEVNET_PORT', 0, 65_535),
    freshnessBound: integer(env, 'FRESHNESS_BOUND_MS', 1, 2 ** 31 - 1) as DurationMs | undefined,
    logLevel: logLevel(env),
    solverThreads: integer(env, 'SOLVER_THREADS', 1, 256),
    keysFile: text(env, 'KEYS_FILE'),
    checkpointDirectory: text(env, 'CHECKPOINT_DIRECTORY'),
  };
}

function text(env: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  const value = asciiTrim(env[name] ?? '');
  return value === '' ? undefined : value;
}

function integer(env: Readonly<Record<string, string | undefined>>, name: string, min: number, max: number): number | undefined {
  const value = text(env, name);
  if (value === undefined) return undefined;
  const number = parseSafeInteger(value, min, max);
  if (number === null) throw new ConfigRefused(`${name} is '${value.slice(0, 40)}'; it must be an integer from ${min} to ${max}`);
  return number;
}

/** Without what would be in the way of a path behind it. */
function publicUrl(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const value = text(env, 'PUBLIC_URL');
  if (value === undefined) return undefined;
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') {
    throw new ConfigRefused(`PUBLIC_URL is '${value.slice(0, 60)}'; it must be an address like https://braid.example`);
  }
  return url.href.replace(/\/+$/, '');
}

function logLevel(env: Readonly<Record<string, string | undefined>>): LogLevel | undefined {
  const value = text(env, 'LOG_LEVEL');
  if (value === undefined) return undefined;
  const known = LOG_LEVELS.find((level) => level === asciiLowerCase(value));
  if (known === undefined) throw new ConfigRefused(`LOG_LEVEL is '${value.slice(0, 40)}'; it must be one of ${LOG_LEVELS.join(', ')}`);
  return known;
}
