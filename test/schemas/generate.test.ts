import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { derive } from '../../scripts/generate/derive.ts';
import { parseTradeRequest } from '../../src/validation/validation.ts';
import { SCHEMAS_FOLDER, schemaAjv } from './schema-validators.ts';

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

type Answer = {
  readonly description: string;
  readonly headers: { readonly [name: string]: { readonly $ref: string } };
  readonly content: {
    readonly [type: string]: {
      readonly schema: { readonly $ref?: string };
      readonly examples?: { readonly [name: string]: { readonly value: Json } };
    };
  };
};

type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description: string;
  readonly schema: {
    readonly type: string;
    readonly pattern?: string;
    readonly enum?: readonly string[];
    readonly minimum?: number;
    readonly exclusiveMinimum?: number;
    readonly maximum?: number;
    readonly default?: Json;
  };
  readonly example?: string | number;
};

type Operation = {
  readonly tags: readonly string[];
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly responses: { readonly [status: string]: Answer };
  readonly security: Json;
};

type OpenApi = {
  readonly openapi: string;
  readonly info: { readonly version: string; readonly contact: { readonly name: string } };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } };
  readonly components: { readonly [kind: string]: { readonly [name: string]: Json } };
};

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

function generate(...options: readonly string[]) {
  const script = ['--import', './scripts/typescript.mjs', 'scripts/generate.ts', ...options];
  return spawnSync(process.execPath, script, { cwd: ROOT, encoding: 'utf8', timeout: 110_000 });
}

describe('npm run generate', () => {
  it('gives what is committed, the same each time', async () => {
    const [first, second] = [await derive(SCHEMAS_FOLDER), await derive(SCHEMAS_FOLDER)];
    expect([...second]).to.deep.equal([...first]);
    expect([...first.keys()]).to.include.members(['types.gen.ts', 'openapi.json']);
    for (const [name, text] of first) expect(readFileSync(SCHEMAS_FOLDER + name, 'utf8'), name).to.equal(text);
  });

  describe('on a copy of the schemas', () => {
    let folder = '';
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'braid-schemas-'));
      cpSync(SCHEMAS_FOLDER, folder, { recursive: true });
    });
    afterEach(() => rmSync(folder, { recursive: true, force: true }));

    it('--check exits 1 naming the files that drifted, and writes nothing', () => {
      expect(generate('--check', '--folder', folder).status).to.equal(0);
      appendFileSync(join(folder, 'types.gen.ts'), '// edited by hand\n');
      const edited = readFileSync(join(folder, 'types.gen.ts'), 'utf8');
      const { status, stderr } = generate('--check', '--folder', folder);
      expect(status).to.equal(1);
      expect(stderr).to.contain('types.gen.ts').and.not.to.contain('openapi.json');
      expect(readFileSync(join(folder, 'types.gen.ts'), 'utf8')).to.equal(edited);
    });

    it('without --check mends the drift', () => {
      rmSync(join(folder, 'openapi.json'));
      expect(generate('--folder', folder).status).to.equal(0);
      expect(readFileSync(join(folder, 'openapi.json'), 'utf8')).to.equal(readFileSync(`${SCHEMAS_FOLDER}openapi.json`, 'utf8'));
    });
  });
});

describe('openapi.json', () => {
  const document: OpenApi = JSON.parse(readFileSync(`${SCHEMAS_FOLDER}openapi.json`, 'utf8'));
  const operation = (path: string): Operation => {
    const found = document.paths[path]?.get;
    if (found === undefined) throw new Error(`no ${path}`);
    return found;
  };

  it('is OpenAPI 3.1 of interface version 1.0.0 with the paths that are served, GET only', () => {
    expect(document.openapi).to.match(/^3\.1\./);
    expect(document.info.version).to.equal('1.0.0');
    expect(Object.keys(document.paths)).to.deep.equal(['/v1/quote', '/v1/swap', '/v1/{chain}/sources', '/healthz']);
    for (const item of Object.values(document.paths)) expect(Object.keys(item)).to.deep.equal(['get']);
  });

  it('has every status of the interface', () => {
    const statuses = (path: string) => Object.keys(operation(path).responses);
    expect(statuses('/v1/quote')).to.deep.equal(['200', '400', '404', '429', '500', '503']);
    expect(statuses('/v1/swap')).to.deep.equal(['200', '400', '404', '429', '500', '503']);
    expect(statuses('/v1/{chain}/sources')).to.deep.equal(['200', '404', '429']);
    expect(statuses('/healthz')).to.deep.equal(['200', '503']);
  });

  it('takes an API key where one counts, never as a must', () => {
    expect(operation('/v1/quote').security).to.deep.equal([{}, { apiKey: [] }]);
    expect(operation('/healthz').security).to.deep.equal([]);
  });

  it('says of integers that may pass 2^53 that they may, and which have 64 bits', () => {
    const text = JSON.stringify(document.components.schemas);
    const marked = (mark: string) => [...text.matchAll(new RegExp(`"(\\w+)":\\{[^{}]*${mark}`, 'g'))].map(([, name]) => name);
    expect([...new Set(marked('"x-big-integer":true'))].sort()).to.deep.equal(['deadline', 'gasPriceWei', 'rfqExpiry']);
    expect([...new Set(marked('"format":"int64"'))].sort()).to.deep.equal(['blockNumber', 'chainId', 'deadline', 'gas', 'rfqExpiry']);
  });

  it('refers only to what it holds', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference = '']) => reference);
    expect(references.length).to.be.above(50);
    for (const reference of references) {
      const [root, components, kind = '', name = ''] = reference.split('/');
      expect([root, components], reference).to.deep.equal(['#', 'components']);
      // Some generators do not look into the inside of a schema.
      expect(reference.split('/'), reference).to.have.length(4);
      expect(document.components[kind]?.[name], reference).not.to.equal(undefined);
    }
  });

  it('has rate headers on every answer and Retry-After where the caller is told to wait', () => {
    for (const path of Object.keys(document.paths)) {
      for (const [status, { headers }] of Object.entries(operation(path).responses)) {
        expect(headers, `${path} ${status}`).to.include.keys('X-RateLimit-Limit', 'X-RateLimit-Remaining');
        const waits = status === '429' || (status === '503' && ['/v1/quote', '/v1/swap'].includes(path));
        expect('Retry-After' in headers, `${path} ${status}`).to.equal(waits);
      }
    }
  });

  it('has an example of every answer, valid against its schema', () => {
    const ajv = schemaAjv().addVocabulary(['components', 'x-big-integer']).addFormat('int64', true);
    ajv.addSchema({ $id: 'https://braid.example/openapi.json', components: document.components });
    let examples = 0;
    for (const path of Object.keys(document.paths)) {
      for (const [status, { content }] of Object.entries(operation(path).responses)) {
        const json = content['application/json'];
        if (json === undefined) {
          for (const { value } of Object.values(content['text/plain']?.examples ?? {})) expect(value, `${path} ${status}`).to.equal('chain not hosted\n');
          expect(content['text/plain']?.examples, `${path} ${status}`).to.have.all.keys('chain');
          continue;
        }
        const validate = ajv.getSchema(`https://braid.example/openapi.json${json.schema.$ref}`);
        expect(validate, `${path} ${status}`).to.be.a('function');
        expect(Object.keys(json.examples ?? {}), `${path} ${status}`).not.to.deep.equal([]);
        for (const { value } of Object.values(json.examples ?? {})) {
          examples += 1;
          expect(validate?.(value), `${path} ${status} ${JSON.stringify(validate?.errors)}`).to.equal(true);
        }
      }
    }
    expect(examples).to.be.at.least(25);
  });

  it('lists the parameters of a quote, without those of a swap', () => {
    const { parameters = [] } = operation('/v1/quote');
    const names = parameters.map(({ name }) => name);
    expect(names).to.have.length(18).and.include.members(['chainId', 'maxHops', 'includeVenues']);
    expect(names).not.to.include.members(['userAddress']).and.not.to.include.members(['deadline', 'funding', 'routerAddress']);
    expect(parameters.filter(({ required }) => required).map(({ name }) => name)).to.deep.equal(['chainId', 'mode', 'sellToken', 'buyToken']);
  });

  it('names no dialect, an address of the service, a contact, and for each operation a tag that is described', () => {
    expect(document).to.not.have.property('jsonSchemaDialect');
    for (const { url } of document.servers) expect(new URL(url).protocol).to.match(/^https?:$/);
    expect(document.info.contact.name).to.not.equal('');
    const tags = document.tags.map(({ name }) => name);
    for (const { description } of document.tags) expect(description).to.have.length.above(10);
    for (const path of Object.keys(document.paths)) {
      const { tags: own, description, parameters = [], responses } = operation(path);
      expect(own, path).to.have.length(1);
      expect(tags).to.include.members([...own]);
      expect(description, path).to.have.length.above(40);
      for (const parameter of parameters) expect(parameter.description, `${path} ${parameter.name}`).to.have.length.above(10);
      for (const [status, answer] of Object.entries(responses)) expect(answer.description, `${path} ${status}`).to.have.length.above(5);
    }
  });

  const NATIVE = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';
  const base = { chainId: '1', mode: 'sell', sellToken: NATIVE, buyToken: `0x${'a'.repeat(40)}`, sellAmount: '1', taker: `0x${'b'.repeat(40)}` };
  const accepts = (more: Readonly<Record<string, string>>) => {
    const beside = 'feeBps' in more ? { feeRecipient: base.taker } : {};
    return parseTradeRequest('swap', `${new URLSearchParams({ ...base, ...beside, ...more })}`, { developmentMode: false }).ok;
  };

  it('says of parameters what values they have, and the validator takes those and refuses what is beyond', () => {
    const { parameters = [] } = operation('/v1/swap');
    const types = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema.enum ?? schema.type]));
    expect(types).to.deep.include({ mode: ['sell', 'buy'], funding: ['allowanceHolder', 'permit2'], excludeRfq: 'boolean', excludeRwa: 'boolean' });
    expect(types).to.deep.include({ chainId: 'integer', maxHops: 'integer', slippagePct: 'number', gasPriceGwei: 'number', sellAmount: 'string' });
    for (const { name, schema } of parameters) {
      const { minimum, exclusiveMinimum, maximum } = schema;
      const isText = schema.type === 'string' && schema.enum === undefined;
      if (isText) expect(schema.pattern, name).to.match(/^\^.*\$$/);
      const within = isText ? [] : schema.type === 'boolean' ? [true, false] : (schema.enum ?? [minimum ?? 3, maximum ?? 5]);
      // A later deadline than now is what the wall clock asks, not the form of the text.
      for (const value of within) if (!(name === 'mode' && value === 'buy')) expect(accepts({ [name]: String(value) }), `${name} ${value}`).to.equal(true);
      const beyond = isText ? [] : [minimum === undefined ? null : minimum - 1, maximum === undefined ? null : maximum * 2, exclusiveMinimum ?? null, 'x'];
      // 0 is a chain that nobody has, which is found out later.
      for (const value of beyond)
        if (value !== null && !(name === 'chainId' && value === 0)) expect(accepts({ [name]: String(value) }), `${name} ${value}`).to.equal(false);
      if (schema.default !== undefined) expect(accepts({ [name]: String(schema.default) }), name).to.equal(true);
    }
    expect(accepts({ mode: 'buy', buyAmount: '5' })).to.equal(true);
  });

  it('has examples that are one request when they are sent together', () => {
    for (const [path, endpoint] of [
      ['/v1/quote', 'quote'],
      ['/v1/swap', 'swap'],
    ] as const) {
      const sent = (operation(path).parameters ?? []).filter(({ example }) => example !== undefined);
      expect(sent.map(({ name }) => name)).to.deep.equal(['chainId', 'mode', 'sellToken', 'buyToken', 'sellAmount', ...(endpoint === 'swap' ? ['taker'] : [])]);
      const query = new URLSearchParams(Object.fromEntries(sent.map(({ name, example }) => [name, String(example)])));
      expect(parseTradeRequest(endpoint, `${query}`, { developmentMode: false })).to.have.property('ok', true);
    }
  });
});
