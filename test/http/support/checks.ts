import { expect } from 'chai';
import type { QuoteResponse } from '../../../schemas/types.gen.ts';
import { expectSchema } from './schemas.ts';

/** What every answer of the public listener has to have. */
export function expectCommonHeaders(response: Response): void {
  const { headers } = response;
  expect(headers.get('cache-control')).to.equal('no-store');
  expect(headers.get('x-content-type-options')).to.equal('nosniff');
  expect(headers.get('access-control-allow-origin')).to.equal('*');
  expect(headers.get('x-request-id')).to.match(/^[A-Za-z0-9._-]{1,64}$/);
  expect(headers.get('x-ratelimit-limit')).to.match(/^[0-9]+$/);
  expect(headers.get('x-ratelimit-remaining')).to.match(/^[0-9]+$/);
  expect(headers.get('etag')).to.equal(null);
  expect(headers.get('x-powered-by')).to.equal(null);
}

/** A refusal with exactly one member and no Retry-After (decisions S21). Returns the message. */
export async function expectPlainRefusal(response: Response, status: number): Promise<string> {
  const text = await response.text();
  expect(response.status, text).to.equal(status);
  expectCommonHeaders(response);
  expect(response.headers.get('content-type')).to.equal('application/json; charset=utf-8');
  expect(response.headers.get('retry-after')).to.equal(null);
  const body: unknown = JSON.parse(text);
  expect(body).to.have.all.keys('error');
  const { error } = body as { error: unknown };
  expect(error)
    .to.be.a('string')
    .and.not.match(/<|\bat .*:[0-9]+:[0-9]+/);
  return String(error);
}

/** A refusal by admission control: exactly three members, and the header says the same. */
export async function expectRetryLater(response: Response, status: number, code: string): Promise<void> {
  const text = await response.text();
  expect(response.status, text).to.equal(status);
  expectCommonHeaders(response);
  const body = JSON.parse(text) as Record<string, unknown>;
  expect(body).to.have.all.keys('error', 'code', 'retryAfterSeconds');
  expect(body.code).to.equal(code);
  expect(body.retryAfterSeconds).to.satisfy((value: unknown) => Number.isInteger(value) && Number(value) >= 1);
  expect(response.headers.get('retry-after')).to.equal(String(body.retryAfterSeconds));
}

/** The body of a 200 of /v1/quote, checked against its schema. */
export async function expectQuote(response: Response): Promise<QuoteResponse> {
  const text = await response.text();
  expect(response.status, text).to.equal(200);
  expectCommonHeaders(response);
  expect(response.headers.get('content-type')).to.equal('application/json; charset=utf-8');
  // No number may have an exponent; hex digits of addresses stand in quotes.
  expect(text).not.to.match(/[:,[]-?[0-9.]+[eE]/);
  const body: unknown = JSON.parse(text);
  expectSchema('quote-response', body);
  return body as QuoteResponse;
}
