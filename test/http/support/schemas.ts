import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';

const folder = new URL('../../../schemas/', import.meta.url);
const ajv = new Ajv2020({ strict: false, allErrors: true });
for (const name of readdirSync(folder).filter((file) => file.endsWith('.schema.json'))) ajv.addSchema(JSON.parse(readFileSync(new URL(name, folder), 'utf8')));

/** Checks a body against its schema file, for example 'quote-response'. */
export function expectSchema(name: string, body: unknown): void {
  const validate = ajv.getSchema(`https://braid.example/schemas/${name}.schema.json`);
  if (validate === undefined) throw new Error(`no schema ${name}`);
  expect(validate(body), JSON.stringify(validate.errors)).to.equal(true);
}
