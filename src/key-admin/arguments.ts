import { type ParseArgsConfig, parseArgs } from 'node:util';
import { LIMITS } from '../config/limits.ts';
import type { KeyGrant } from '../metering/metering.ts';
import { asAddress, asciiLowerCase, asciiTrim, isAddress, parseSafeInteger, ZERO_ADDRESS } from '../units/units.ts';

/** What the command line asks for. `file`: the key file. */
export type KeysCommand =
  | {
      readonly kind: 'issue';
      readonly file: string /** partnerId null: the key's own id. */;
      readonly grant: Omit<KeyGrant, 'partnerId'> & { readonly partnerId: string | null };
    }
  | { readonly kind: 'list'; readonly file: string }
  | { readonly kind: 'revoke'; readonly file: string; readonly id: string };

export type ParsedKeysCommand =
  | { readonly ok: true; readonly command: KeysCommand }
  | { readonly ok: false; readonly kind: 'usage' | 'help' /** One line, unless it is the help. */; readonly message: string };

export const USAGE = `Usage: npm run keys -- issue --rps N [options] | list | revoke ID

Makes, shows and revokes the API keys of a key file. A running service takes a change up within a second.

  --file FILE              the key file; default: the environment variable KEYS_FILE. issue makes it when it is not there
  --help                   this text

issue prints the key to standard output, this once: the file holds its digest only.

  --rps N                  sustained requests per second, 1 to ${LIMITS.metering.keyRps}
  --fee-bps N              fee on the bought token in basis points, 0 to ${LIMITS.feeBps.max}; default 0: no fee, whatever a request asks for
  --partner ADDRESS        receives the partner's part of that fee
  --partner-share-bps N    the partner's part of that fee, 0 to 10000
  --fee-by-request         no policy: the fee that each request asks for, or none
  --partner-id ID          attribution in the tag of settlements; default: the key's id
  --surplus WHERE          protocol (default), taker or shared
  --gated LABEL,...        gated venues that the key may use`;

const FILE = { file: { type: 'string', multiple: true }, help: { type: 'boolean' } } as const;

const OPTIONS = {
  issue: {
    ...FILE,
    rps: { type: 'string', multiple: true },
    'fee-bps': { type: 'string', multiple: true },
    partner: { type: 'string', multiple: true },
    'partner-share-bps': { type: 'string', multiple: true },
    'fee-by-request': { type: 'boolean' },
    'partner-id': { type: 'string', multiple: true },
    surplus: { type: 'string', multiple: true },
    gated: { type: 'string', multiple: true },
  },
  list: FILE,
  revoke: FILE,
} as const satisfies Record<KeysCommand['kind'], ParseArgsConfig['options']>;

/** Reads a command line; `keysFile` is what the environment names. */
export function parseKeysCommand(argv: readonly string[], keysFile: string | undefined): ParsedKeysCommand {
  try {
    const [name = '', ...rest] = argv;
    if (name === '' || name === '--help' || name === 'help') return { ok: false, kind: 'help', message: USAGE };
    if (name !== 'issue' && name !== 'list' && name !== 'revoke') throw new UsageError('the first word must be issue, list or revoke; --help tells more');
    const { values, positionals } = parseArgs({ args: rest, options: OPTIONS[name], strict: true, allowPositionals: true });
    if (values.help === true) return { ok: false, kind: 'help', message: USAGE };
    const all: Readonly<Record<string, unknown>> = values;
    const given: Given = (option) => single(option, all[option]);
    const file = given('file') ?? keysFile;
    if (file === undefined || file === '') throw new UsageError('which key file? Name it with --file FILE or the environment variable KEYS_FILE');
    if (positionals.length > (name === 'revoke' ? 1 : 0)) throw new UsageError(`${name} takes ${name === 'revoke' ? 'one ID' : 'options only'}`);
    if (name === 'list') return { ok: true, command: { kind: 'list', file } };
    if (name === 'revoke') return { ok: true, command: { kind: 'revoke', file, id: keyId(positionals[0]) } };
    return { ok: true, command: { kind: 'issue', file, grant: grantOf(given, all['fee-by-request'] === true) } };
  } catch (error) {
    if (error instanceof UsageError) return { ok: false, kind: 'usage', message: error.message };
    // parseArgs tells an unknown or incomplete option by a TypeError with a code of its own; its first sentence says which.
    const parsing = error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
    if (parsing) return { ok: false, kind: 'usage', message: `${error.message.split(/[.\n]/)[0]}; --help tells more` };
    throw error;
  }
}

class UsageError extends Error {}

type Given = (option: string) => string | undefined;

function single(option: string, values: unknown): string | undefined {
  if (!Array.isArray(values)) return undefined;
  if (values.length > 1) throw new UsageError(`--${option} is given twice`);
  return String(values[0]);
}

function keyId(text: string | undefined): string {
  if (text === undefined) throw new UsageError('revoke needs the ID of a key, as list shows it');
  // Never repeated in the message: it may be a whole key.
  if (!/^[0-9A-Za-z]{8}$/.test(text)) throw new UsageError('that is no ID: the 8 characters after braid_live_, as list shows them');
  return text;
}

type Grant = Extract<KeysCommand, { readonly kind: 'issue' }>['grant'];

function grantOf(given: Given, feeByRequest: boolean): Grant {
  const rps = integer('--rps', given('rps'), 1, LIMITS.metering.keyRps);
  if (rps === null) throw new UsageError('--rps N is missing: the sustained requests per second of the key');
  const feePolicy = feePolicyOf(given, feeByRequest);
  return {
    rps,
    partnerId: partnerIdOf(given('partner-id')),
    surplus: surplusOf(given('surplus')),
    gatedVenues: labelsOf(given('gated')),
    ...(feePolicy === null ? {} : { feePolicy }),
  };
}

function feePolicyOf(given: Given, byRequest: boolean): NonNullable<KeyGrant['feePolicy']> | null {
  const feeBps = integer('--fee-bps', given('fee-bps'), 0, LIMITS.feeBps.max);
  const share = integer('--partner-share-bps', given('partner-share-bps'), 0, 10_000);
  const partner = given('partner');
  if (byRequest) {
    if (feeBps !== null || share !== null || partner !== undefined)
      throw new UsageError('--fee-by-request excludes --fee-bps, --partner and --partner-share-bps');
    return null;
  }
  if (feeBps === null || feeBps === 0) {
    if (share !== null || partner !== undefined) throw new UsageError('--partner and --partner-share-bps need a --fee-bps above 0');
    // The usual key: no fee, also where the request asks for one (decisions R12).
    return { feeBps: 0, partner: ZERO_ADDRESS, partnerShareBps: 0 };
  }
  if (partner === undefined || share === null) throw new UsageError('--fee-bps above 0 needs --partner and --partner-share-bps too');
  if (!isAddress(partner) || asAddress(partner) === ZERO_ADDRESS)
    throw new UsageError(`--partner is ${shown(partner)}; an address other than zero is expected`);
  return { feeBps, partner, partnerShareBps: share };
}

function partnerIdOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (!/^[\x21-\x7e]{1,128}$/.test(text)) throw new UsageError('--partner-id must be 1 to 128 printable ASCII characters without blanks');
  return text;
}

function surplusOf(text = 'protocol'): NonNullable<KeyGrant['surplus']> {
  if (text !== 'protocol' && text !== 'taker' && text !== 'shared') throw new UsageError(`--surplus is ${shown(text)}; protocol, taker or shared is expected`);
  return text;
}

function labelsOf(text: string | undefined): string[] {
  if (text === undefined) return [];
  const labels = [...new Set(text.split(',').map((label) => asciiLowerCase(asciiTrim(label))))].filter((label) => label !== '');
  const wrong = labels.find((label) => label.length > 64 || !/^[a-z0-9_-]+(:[a-z0-9_.-]+)?$/.test(label));
  if (wrong !== undefined) throw new UsageError(`--gated has ${shown(wrong)}; source labels are expected, for example uniswap_v2 or family:variant`);
  if (labels.length === 0 || labels.length > 256) throw new UsageError('--gated must name 1 to 256 source labels');
  return labels;
}

function integer(option: string, text: string | undefined, min: number, max: number): number | null {
  if (text === undefined) return null;
  const value = parseSafeInteger(text, min, max);
  if (value === null) throw new UsageError(`${option} is ${shown(text)}; an integer from ${min} to ${max} is expected`);
  return value;
}

/** A value of the caller's in a message: short, on one line. */
function shown(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}
