import { expect } from 'chai';
import { SCHEMAS, schemaAjv, validatorOf } from './schema-validators.ts';

function schemaOf(name: string) {
  const schema = SCHEMAS.get(name);
  if (schema === undefined) throw new Error(`no schema ${name}`);
  return schema;
}

/** The members of each message that the interface specification lists, and those that are omitted rather than null (decisions S1). */
const MEMBERS: { readonly [name: string]: { readonly always: string; readonly omitted: string } } = {
  'quote-response': {
    always:
      'quoteId chainId mode sellToken buyToken sellAmount buyAmount minBuyAmount slippagePct amountInUsd amountOutUsd priceImpact gas gasPriceWei gasUsd gasMode maxHops blockNumber taker recipient allowanceTarget route',
    omitted: 'fee warnings',
  },
  'swap-response': {
    always:
      'quoteId chainId mode sellToken buyToken sellAmount buyAmount minBuyAmount slippagePct amountInUsd amountOutUsd priceImpact gas gasPriceWei gasUsd gasMode maxHops blockNumber taker recipient allowanceTarget route transaction deadline',
    omitted: 'fee rfqExpiry driftExposedShareBps permit2 warnings',
  },
  'route-hop': { always: 'poolAddress protocol source hook tokenIn tokenOut amountIn amountOut bps', omitted: '' },
  'fee-breakdown': { always: 'feeBps feeToken feeAmount partnerAmount protocolAmount partnerShareBps partner', omitted: '' },
  transaction: { always: 'from to data value', omitted: '' },
  permit2: { always: 'type hash eip712 signatureOffset signatureLength', omitted: '' },
  'swap-warning': { always: 'code detail', omitted: '' },
  'error-body': { always: 'error', omitted: 'code retryAfterSeconds' },
  'health-response': { always: 'status chains', omitted: '' },
  'sources-response': { always: 'chainId chain sources', omitted: '' },
};

const words = (text: string) => text.split(' ').filter((word) => word !== '');

describe('schema files', () => {
  it('compile in strict mode, references included', () => {
    const ajv = schemaAjv();
    for (const [name] of SCHEMAS) expect(() => validatorOf(name, ajv), name).not.to.throw();
  });

  it('have examples that they accept', () => {
    const ajv = schemaAjv();
    for (const [name, schema] of SCHEMAS) {
      const validate = validatorOf(name, ajv);
      for (const example of schema.examples ?? []) expect(validate(example), `${name}: ${JSON.stringify(validate.errors)}`).to.equal(true);
    }
  });

  for (const [name, { always, omitted }] of Object.entries(MEMBERS)) {
    it(`${name} requires what is always present and admits nothing else but what may be omitted`, () => {
      const schema = schemaOf(name);
      expect([...(schema.required ?? [])].sort()).to.deep.equal(words(always).sort());
      expect(Object.keys(schema.properties ?? {}).sort()).to.deep.equal(words(`${always} ${omitted}`).sort());
      expect(schema.additionalProperties).to.equal(false);
    });
  }

  it('describe each query parameter as a bounded string with an anchored pattern, or as one of a few words, and words for a refusal', () => {
    const { properties = {} } = schemaOf('trade-query');
    for (const [name, parameter] of Object.entries(properties)) {
      expect(parameter.type, name).to.equal('string');
      expect(parameter['x-expected'], name).to.be.a('string').with.length.above(5);
      if (parameter.enum !== undefined) {
        expect(parameter.enum, name).to.include(Array.isArray(parameter.examples) ? parameter.examples[0] : null);
        continue;
      }
      expect(parameter.maxLength, name).to.be.a('number').within(1, 8192);
      expect(parameter.pattern, name).to.match(/^\^.*\$$/);
      for (const example of Array.isArray(parameter.examples) ? parameter.examples : [])
        expect(example, name).to.match(new RegExp(String(parameter.pattern), 'u'));
    }
  });

  it('have patterns that decide 8,192 hostile characters at once', () => {
    const { properties = {} } = schemaOf('trade-query');
    const hostile = ['0', '1', 'a', ' ', '-', '.', 'e', '0x', 'true', ',', '1.', '1e'].map((unit) => `${unit.repeat(8192 / unit.length)}!`);
    for (const [name, { pattern }] of Object.entries(properties)) {
      const expression = new RegExp(String(pattern), 'u');
      const start = performance.now();
      for (const text of hostile) expression.test(text);
      expect(performance.now() - start, name).to.be.below(1000);
    }
  });

  it('accept integers beyond 2^53 as JSON numbers', () => {
    const quote = schemaOf('quote-response').examples?.[0];
    const text = JSON.stringify(quote).replace(/"gasPriceWei":[0-9]+/, '"gasPriceWei":1000000000000000000000000000001');
    expect(text).to.contain('000001,');
    expect(validatorOf('quote-response')(JSON.parse(text))).to.equal(true);
  });

  it('refuse a null where a number is required, and an error body with half of an admission refusal', () => {
    const quote: unknown = schemaOf('quote-response').examples?.[0];
    const validate = validatorOf('quote-response');
    expect(validate(quote)).to.equal(true);
    for (const name of ['slippagePct', 'gas', 'maxHops', 'blockNumber', 'chainId']) {
      expect(validate({ ...(quote as object), [name]: null }), name).to.equal(false);
    }
    const refusal = validatorOf('error-body');
    expect(refusal({ error: 'x', code: 'overloaded' })).to.equal(false);
    expect(refusal({ error: 'x', retryAfterSeconds: 1 })).to.equal(false);
    expect(refusal({ error: 'x', code: 'overloaded', retryAfterSeconds: 0 })).to.equal(false);
    expect(refusal({ error: 'x', code: 'overloaded', retryAfterSeconds: 1 })).to.equal(true);
  });

  it('keep the key file free of secrets: no member for one is admitted', () => {
    const keys: unknown = schemaOf('key-file').examples?.[0];
    const validate = validatorOf('key-file');
    const [entry] = (keys as { keys: object[] }).keys;
    expect(validate({ keys: [entry] })).to.equal(true);
    expect(validate({ keys: [{ ...entry, secret: 'x' }] })).to.equal(false);
  });
});
