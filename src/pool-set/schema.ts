import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Pool, PoolSet, PoolSetBlocks } from '../../schemas/pool-set.gen.ts';
import schema from '../../schemas/pool-set.schema.json' with { type: 'json' };

/** A value that matches, or the JSON path at which it does not and why. */
export type Checked<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly message: string };

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
ajv.addSchema(schema);

const documentRules = compiled<PoolSet>('');
const poolRules = compiled<Pool>('#/$defs/pool');
const blocksRules = compiled<PoolSetBlocks>('#/$defs/blocks');

/** A pool set whose pools are unchecked: they are checked one by one, since a malformed pool does not refuse the document. */
export type PoolSetDocument = Omit<PoolSet, 'pools'> & { readonly pools: readonly unknown[] };

export function checkDocument(value: unknown): Checked<PoolSetDocument> {
  const pools = isObject(value) && Array.isArray(value.pools) ? value.pools : null;
  const checked = check(documentRules, pools === null ? value : { ...(value as object), pools: [] });
  return checked.ok ? { ok: true, value: { ...checked.value, pools: pools ?? [] } } : checked;
}

/** Checks one pool; `at` is its JSON path, for the message. */
export function checkPool(value: unknown, at: string): Checked<Pool> {
  return check(poolRules, value, at);
}

export function checkBlocks(value: unknown): Checked<PoolSetBlocks> {
  return check(blocksRules, value);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function compiled<T>(pointer: string): ValidateFunction<T> {
  return ajv.compile<T>({ $ref: `${schema.$id}${pointer}` });
}

function check<T>(rules: ValidateFunction<T>, value: unknown, at = '$'): Checked<T> {
  if (rules(value)) return { ok: true, value };
  const error = rules.errors?.[0];
  return { ok: false, message: error === undefined ? `${at} does not match` : `${at}${jsonPath(error)} ${sentence(error)}` };
}

/** The JSON path below the checked value at which an error lies, for example `.pools[3].reserves[0]`. */
function jsonPath(error: ErrorObject): string {
  const keys = error.instancePath
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const named = typeof error.propertyName === 'string' ? [...keys, error.propertyName] : keys;
  return named.map(pathPart).join('');
}

function pathPart(key: string): string {
  if (/^(0|[1-9][0-9]*)$/.test(key)) return `[${key}]`;
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key.slice(0, 80))}]`;
}

function sentence(error: ErrorObject): string {
  const text = error.message ?? 'does not match';
  if (error.keyword === 'enum') return `${text}: ${JSON.stringify(error.params.allowedValues)}`;
  return text;
}
