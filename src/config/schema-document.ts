import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import config from '../../schemas/config.schema.json' with { type: 'json' };
import keyFile from '../../schemas/key-file.schema.json' with { type: 'json' };
import scalars from '../../schemas/scalars.schema.json' with { type: 'json' };
import tokenList from '../../schemas/token-list.schema.json' with { type: 'json' };
import { parseJson } from './parse-json.ts';

const SCHEMAS = { config, 'key-file': keyFile, 'token-list': tokenList } as const;

/** The others are written by a program too, which would lose them. */
const WITH_COMMENTS: ReadonlySet<string> = new Set(['config']);

/** The schema files that describe documents an operator writes. */
export type DocumentSchema = keyof typeof SCHEMAS;

export type ParsedDocument<Document> = { readonly ok: true; readonly document: Document } | { readonly ok: false; readonly message: string };

/**
 * Reads a JSON document (a configuration may have comments) that schemas/<name>.schema.json describes; `Document` is the type generated from that file. The message of a refusal names the
 * place in the document and what would be right, never a value: a key file and a configuration hold secrets.
 */
export function parseDocument<Document>(schema: DocumentSchema, text: string): ParsedDocument<Document> {
  const parsed = parseJson(text, { comments: WITH_COMMENTS.has(schema) });
  if (!parsed.ok) return parsed;
  const { value } = parsed;
  const validate = validatorOf<Document>(schema);
  return validate(value) ? { ok: true, document: value } : { ok: false, message: describe(validate.errors?.[0]) };
}

const validators = new Map<DocumentSchema, ValidateFunction>();

function validatorOf<Document>(schema: DocumentSchema): ValidateFunction<Document> {
  const known = validators.get(schema);
  if (known !== undefined) return known as ValidateFunction<Document>;
  // First error only: all errors of a document of 100,000 entries would be a document of their own.
  const ajv = new Ajv2020({ allErrors: false, strict: true, allowUnionTypes: true });
  ajv.addSchema(scalars);
  const made = ajv.compile<Document>(SCHEMAS[schema]);
  validators.set(schema, made);
  return made;
}

function describe(error: ErrorObject | undefined): string {
  if (error === undefined) return 'not valid';
  const place = error.instancePath === '' ? 'the document' : error.instancePath.slice(1).replaceAll('/', '.');
  const { params } = error;
  if (error.keyword === 'additionalProperties') return `${place} has an unknown field '${String(params.additionalProperty).slice(0, 60)}'`;
  if (error.keyword === 'enum') return `${place} must be one of ${JSON.stringify(params.allowedValues)}`;
  return `${place} ${error.message ?? 'is not valid'}`;
}
