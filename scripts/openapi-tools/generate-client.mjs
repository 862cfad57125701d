// Writes src/client/openapi.gen.ts, the types of the client, from schemas/openapi.json. `--check` writes nothing and exits 1 where the file differs.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';

const source = new URL('../../schemas/openapi.json', import.meta.url);
const target = new URL('../../src/client/openapi.gen.ts', import.meta.url);
const { factory } = ts;
const { values: options } = parseArgs({ options: { check: { type: 'boolean', default: false } } });

const text = readFileSync(source, 'utf8');
const document = JSON.parse(text);

/** `0x${string}`, as libraries for Ethereum type hex. */
function hexType() {
  const string = factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword);
  return factory.createTemplateLiteralType(factory.createTemplateHead('0x'), [factory.createTemplateLiteralTypeSpan(string, factory.createTemplateTail(''))]);
}

/** A type that says more than the generator's own; undefined leaves it to the generator. */
function transform(schema) {
  if (schema['x-big-integer'] === true) {
    const bigint = factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword);
    const nullable = [schema.type].flat().includes('null');
    return nullable ? factory.createUnionTypeNode([bigint, factory.createLiteralTypeNode(factory.createNull())]) : bigint;
  }
  if (schema.type !== 'string' || !schema.pattern?.startsWith('^0x')) return undefined;
  return hexType();
}

/** Names of the members of answers that are read as bigint. */
function bigIntegers(schemas) {
  const names = Object.values(schemas).flatMap(({ properties = {} }) => Object.keys(properties).filter((name) => properties[name]['x-big-integer'] === true));
  return [...new Set(names)].sort();
}

/** Without examples: in comments they would be longer than the types. */
function withoutExamples(value) {
  if (Array.isArray(value)) return value.map(withoutExamples);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== 'example' && name !== 'examples')
      .map(([name, item]) => [name, withoutExamples(item)]),
  );
}

const types = astToString(await openapiTS(withoutExamples(document), { transform, immutable: true }));
const generated = `// Generated from schemas/openapi.json by \`npm run client\`. Do not edit.
// SHA-256 of the document: ${createHash('sha256').update(text).digest('hex')}

${types}
/** Members of answers that are integers of any size: read as bigint. */
export const BIG_INTEGERS = ${JSON.stringify(bigIntegers(document.components.schemas))} as const;
`;

function current() {
  try {
    return readFileSync(target, 'utf8');
  } catch {
    return null;
  }
}

if (current() === generated) console.log('src/client/openapi.gen.ts is what the document gives');
else if (options.check) {
  console.error('src/client/openapi.gen.ts is not what schemas/openapi.json gives: run npm run client');
  process.exitCode = 1;
} else {
  writeFileSync(target, generated);
  console.log('wrote src/client/openapi.gen.ts');
}
