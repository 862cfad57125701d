import { Ajv2020 } from 'ajv/dist/2020.js';
import schema from '../../schemas/trade-query.schema.json' with { type: 'json' };
import type { TradeQuery } from '../../schemas/types.gen.ts';
import type { QueryPairs } from './query.ts';
import { shown } from './shown.ts';

export type ParameterName = keyof typeof schema.properties;

const EXPECTED: ReadonlyMap<string, string> = new Map(Object.entries(schema.properties).map(([name, parameter]) => [name, parameter['x-expected']]));

const SWAP_ONLY: ReadonlySet<string> = new Set<ParameterName>(['userAddress', 'deadline', 'funding']);

/** Lists may repeat and are joined; a blank one counts as not sent. */
const LISTS: ReadonlySet<string> = new Set<ParameterName>(['excludeVenues', 'includeVenues']);

/** Parameters that no contract describes: developmentMode admits them. */
export const OVERRIDES = ['routerAddress', 'allowanceHolderAddress'] as const;

const ajv = new Ajv2020({ strict: true, coerceTypes: false, allErrors: false }).addVocabulary(['x-expected', 'x-value']);
const validate = ajv.compile<TradeQuery>(schema);

export type CheckedQuery =
  | { readonly ok: true; readonly query: TradeQuery; readonly overrides: ReadonlyMap<string, string> }
  | { readonly ok: false; readonly message: string };

/** The known parameters of a query, each of the form that the schema asks. Unknown names are ignored, on quote the swap-only ones too (decisions R3, R4, R18). */
export function checkQuery(endpoint: 'quote' | 'swap', pairs: QueryPairs, developmentMode: boolean): CheckedQuery {
  const known = new Map<string, string>();
  const overrides = new Map<string, string>();
  for (const [name, value] of pairs) {
    const isOverride = OVERRIDES.some((override) => override === name);
    if (isOverride && !developmentMode) return refused(`${name} is not a parameter of this service; expected a request without it`);
    if (!isOverride && (!EXPECTED.has(name) || (endpoint === 'quote' && SWAP_ONLY.has(name)))) continue;
    const into = isOverride ? overrides : known;
    const earlier = into.get(name);
    if (earlier !== undefined && !LISTS.has(name)) return refused(`${name} is sent more than once; expected one value`);
    into.set(name, earlier === undefined ? value : `${earlier},${value}`);
  }
  // fromEntries defines own members only, so no name can reach a prototype; all names are ours by now anyway.
  const query: unknown = Object.fromEntries(known);
  return validate(query) ? { ok: true, query, overrides } : refused(firstProblem(known));
}

function refused(message: string): CheckedQuery {
  return { ok: false, message };
}

function firstProblem(sent: ReadonlyMap<string, string>): string {
  const [error] = validate.errors ?? [];
  if (error?.keyword === 'required') return missing(String(error.params.missingProperty));
  const name = error?.instancePath.slice(1) ?? '';
  return wrong(name, sent.get(name) ?? '');
}

export function missing(name: string): string {
  return `${name} is missing; expected ${EXPECTED.get(name) ?? 'a value'}`;
}

/** What a parameter is and what it should be. */
export function wrong(name: string, value: string): string {
  return `${name} is ${shown(value)}; expected ${EXPECTED.get(name) ?? 'another value'}`;
}
