import { instantNow } from '../units/units.ts';
import type { Answer } from './answer.ts';
import { type Exchange, hasLeft } from './exchange.ts';
import { COMMON_HEADERS } from './headers.ts';
import type { PublicParts } from './public-parts.ts';

/** Writes an answer with the headers that every answer has, and tells what happened. null: the client has left. */
export function respond(exchange: Exchange, answer: Answer | null, parts: PublicParts): void {
  const { request, response } = exchange;
  // Whose client is lost before it ended: writing would go nowhere, and the log should not claim a status.
  const left = answer === null || hasLeft(exchange) || response.writableEnded;
  if (!left) {
    // Names and values in turn: an object that grows a member at a time is the slowest of ways.
    const headers: string[] = [...COMMON, 'X-Request-Id', exchange.requestId];
    for (const name in answer.headers) headers.push(name, answer.headers[name] ?? '');
    if (exchange.budget !== null) headers.push('X-RateLimit-Limit', String(exchange.budget.limit), 'X-RateLimit-Remaining', String(exchange.budget.remaining));
    if (parts.endsConnection(response) || hasLargeBody(exchange)) headers.push('Connection', 'close');
    if (answer.body !== null) headers.push('Content-Type', answer.contentType, 'Content-Length', String(Buffer.byteLength(answer.body)));
    response.writeHead(answer.status, headers);
    response.end(request.method === 'HEAD' ? undefined : (answer.body ?? undefined));
  }
  parts.observer.requestAnswered({
    reqId: exchange.requestId,
    route: exchange.route,
    status: left ? null : answer.status,
    outcome: left ? 'client-left' : answer.outcome,
    keyId: exchange.client.key?.id ?? null,
    refusal: left || answer.status < 400 ? null : answer.body,
    totalMs: instantNow() - exchange.arrival,
    ...exchange.facts,
  });
}

const COMMON: readonly string[] = Object.entries(COMMON_HEADERS).flat();

/** Bodies are ignored. One that is long, or of unknown length, is not worth reading to its end: the connection goes instead. */
const BODY_READ_BYTES = 65_536;

function hasLargeBody({ request }: Exchange): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > BODY_READ_BYTES;
}
