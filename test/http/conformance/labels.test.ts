import { expect } from 'chai';
import type { QuoteResponse } from '../../../schemas/types.gen.ts';
import { expectPlainRefusal } from '../support/checks.ts';
import { NATIVE, needsOwn, needsWrappedNative, useService } from './support/service.ts';
import { askQuote, quoteOf } from './support/trades.ts';

describe('Endpoints: venue label matching rules', () => {
  const service = useService();
  const sourcesOf = ({ route }: QuoteResponse) => [...new Set(route.map(({ source }) => source).filter((source) => source !== 'WRAP'))].sort();

  /** A label that carries the ordinary trade by itself. */
  async function carrier(): Promise<string> {
    for (const label of service().labels) if ((await askQuote(service(), { includeVenues: label })).status === 200) return label;
    throw new Error('no venue carries the pair alone');
  }

  it('includeVenues: Routes exclusively through these', async () => {
    for (const label of service().labels) {
      const response = await askQuote(service(), { includeVenues: label });
      if (response.status === 404) continue;
      const sources = sourcesOf((await response.json()) as QuoteResponse);
      expect(
        sources.every((source) => source === label || source.startsWith(`${label}:`)),
        `${label}: ${sources}`,
      ).to.equal(true);
    }
  });

  it('excludeVenues: Routes through everything except these', async () => {
    for (const label of service().labels) {
      const response = await askQuote(service(), { excludeVenues: label });
      if (response.status === 404) continue;
      expect(sourcesOf((await response.json()) as QuoteResponse)).not.to.include(label);
    }
    const families = [...new Set(service().labels.map((label) => label.split(':')[0] ?? ''))];
    await expectPlainRefusal(await askQuote(service(), { excludeVenues: families.join(',') }), 404);
  });

  it('D24 labels: case-insensitive, comma-separated, spaces around them do not count, empty ones are dropped', async () => {
    const label = await carrier();
    for (const text of [label.toUpperCase(), ` ${label} `, `,${label},`, `${label},${label}`, `nobody,${label}`]) {
      const quote = await quoteOf(service(), { includeVenues: text });
      expect(
        sourcesOf(quote).every((source) => source.split(':')[0] === label.split(':')[0]),
        text,
      ).to.equal(true);
    }
    await expectPlainRefusal(
      await askQuote(service(), {
        excludeVenues: service()
          .labels.map((one) => ` ${one.toUpperCase()}`)
          .join(' ,'),
      }),
      404,
    );
  });

  it('D24 labels are compared by ASCII: a KELVIN SIGN is no k, and other spaces than those of ASCII are part of a name', async () => {
    const label = await carrier();
    for (const space of ['\u00A0', '\u3000', '\u200B', '\uFEFF', '\u2003']) {
      await expectPlainRefusal(await askQuote(service(), { includeVenues: `${space}${label}` }), 404);
      await expectPlainRefusal(await askQuote(service(), { includeVenues: `${label}${space}` }), 404);
    }
    for (const [letter, other] of [
      ['k', '\u212A'],
      ['s', '\u017F'],
    ] as const) {
      if (label.includes(letter)) await expectPlainRefusal(await askQuote(service(), { includeVenues: label.replaceAll(letter, other) }), 404);
    }
  });

  it('D24 Unknown names are ignored: `:x`, `x:`, a variant that is not there, 300 labels; a list without entries counts as not sent (R3)', async () => {
    const label = await carrier();
    const many = Array.from({ length: 300 }, (_, i) => `venue_${i}`).join(',');
    for (const text of [':x', 'x:', `${label}:no_such_variant`, `${label}:`, many, ', ,', '']) {
      expect((await askQuote(service(), { excludeVenues: text })).status, text.slice(0, 40)).to.equal(200);
    }
    for (const text of [' , ,', '', ',']) expect((await askQuote(service(), { includeVenues: text })).status, text).to.equal(200);
    // An include list is exclusive also when nothing answers to it (B4).
    for (const text of ['nobody', `${label}:no_such_variant`, ':x', many]) await expectPlainRefusal(await askQuote(service(), { includeVenues: text }), 404);
  });

  it('Mutually exclusive: both lists sent is 400 even if every label is unknown; an empty one counts as not sent (R3)', async () => {
    await expectPlainRefusal(await askQuote(service(), { includeVenues: 'nobody', excludeVenues: 'nobody_else' }), 400);
    const label = await carrier();
    expect((await askQuote(service(), { includeVenues: label, excludeVenues: ' ,' })).status).to.equal(200);
    expect((await askQuote(service(), { includeVenues: ',', excludeVenues: 'nobody' })).status).to.equal(200);
  });

  it('The synthetic hop with `source` `WRAP` is not a venue. It is never excludable and is always admitted under an include list (B4)', async function () {
    const wrappedNative = needsWrappedNative(this, service());
    const pair = { sellToken: NATIVE, buyToken: wrappedNative, sellAmount: '1000000000000000000' };
    for (const list of [
      { excludeVenues: 'WRAP' },
      { excludeVenues: `wrap,${service().labels.join(',')}` },
      { includeVenues: 'nobody' },
      { includeVenues: service().labels.join(',') },
    ]) {
      expect((await quoteOf(service(), { ...pair, ...list })).route.map(({ source }) => source)).to.deep.equal(['WRAP']);
    }
  });

  it('A native sell under an include list still starts with its `WRAP` hop', async function () {
    needsOwn(this, service());
    const label = await carrier();
    const { route } = await quoteOf(service(), { sellToken: NATIVE, sellAmount: '1000000000000000000', includeVenues: label });
    expect(route[0]?.source).to.equal('WRAP');
    expect(route.slice(1).every(({ source }) => source === label)).to.equal(true);
  });
});
