import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { LIMITS } from '../config/config.ts';
import { clientAddress, clientOf } from '../metering/metering.ts';
import { asciiLowerCase } from '../units/units.ts';
import { type Answer, JSON_TYPE, noContent } from './answer.ts';
import { arrivalOf } from './born-for-express.ts';
import { charge, look } from './budget.ts';
import { ERRORS, refuse, refuseForNow } from './errors.ts';
import { type Exchange, noFacts, type RouteName, requestIdOf } from './exchange.ts';
import { COMMON_HEADERS, PREFLIGHT_HEADERS } from './headers.ts';
import type { PublicParts } from './public-parts.ts';
import { respond } from './respond.ts';
import { healthz } from './routes/healthz.ts';
import { quote } from './routes/quote.ts';
import { sources } from './routes/sources.ts';
import { swap } from './routes/swap.ts';
import { trade } from './routes/trade.ts';

type Route = {
  readonly name: RouteName;
  /** Methods that are served; null: every method, on no known path. */
  readonly methods: readonly string[] | null;
  /** /healthz is metered by address, costs nothing and is never refused (decisions B1). */
  readonly free: boolean;
  readonly answer: (exchange: Exchange, path: string) => Answer | null | Promise<Answer | null>;
};

/** The public app: these routes and nothing else. Every request is taken through the same steps, so that no route can miss one. */
export function publicApp(parts: PublicParts): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('query parser', false);

  // `all`, not `get`: Express would answer OPTIONS itself and run the whole handler, with its solve, for HEAD.
  app.all('/v1/quote', handle({ name: 'quote', methods: ['GET'], free: false, answer: (exchange) => trade('quote', exchange, parts, quote) }));
  app.all('/v1/swap', handle({ name: 'swap', methods: ['GET'], free: false, answer: (exchange) => trade('swap', exchange, parts, swap) }));
  app.all(
    // A pattern without a group: Express would decode a captured segment and throw on a malformed one.
    /^\/v1\/[^/]+\/sources$/,
    handle({
      name: 'sources',
      methods: ['GET', 'HEAD'],
      free: false,
      answer: (exchange, path) => sources(parts.chains, path.slice('/v1/'.length, -'/sources'.length), exchange.facts),
    }),
  );
  app.all('/healthz', handle({ name: 'healthz', methods: ['GET', 'HEAD'], free: true, answer: () => healthz(parts.chains.all) }));
  app.use(handle({ name: 'unknown', methods: null, free: false, answer: () => refuse('unknown-path') }));
  // Only a request target that Express itself can not read comes here: handlers catch their own failures.
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    parts.observer.failed(null, error);
    return handle({ name: 'unknown', methods: null, free: false, answer: () => refuse('malformed-http') })(request, response);
  });
  // The last resort, where not even an exchange can be opened: Express's own would be HTML with a stack.
  app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    parts.observer.failed(null, error);
    const { status, message } = ERRORS.internal;
    response.writeHead(status, { 'Content-Type': JSON_TYPE, ...COMMON_HEADERS });
    response.end(JSON.stringify({ error: message }));
  });
  return app;

  function handle(route: Route): (request: Request, response: Response) => Promise<void> {
    return async (request, response) => {
      const exchange = open(request, response, route, parts);
      let answer: Answer | null;
      try {
        answer = await serve(exchange, route, request.path, parts);
      } catch (error) {
        parts.observer.failed(exchange.requestId, error);
        answer = refuse('internal');
      }
      respond(exchange, answer, parts);
    };
  }
}

function open(request: Request, response: Response, route: Route, parts: PublicParts): Exchange {
  // A body is read and thrown away: left alone it would stop the socket, and with it the notice that the client hung up.
  request.resume();
  const { headers } = request;
  const address = clientAddress(request.socket.remoteAddress, one(headers['x-forwarded-for']), parts.trust);
  const key = route.free ? null : parts.keys.find(one(headers['x-api-key']));
  return {
    request,
    response,
    route: route.name,
    requestId: requestIdOf(headers['x-request-id']),
    arrival: arrivalOf(request),
    client: clientOf(address, key, LIMITS.anonymousRps),
    budget: null,
    facts: noFacts(),
  };
}

/** Node joins repeated headers into one text: two keys make one that nobody has. */
function one(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.join(', ');
}

async function serve(exchange: Exchange, route: Route, path: string, parts: PublicParts): Promise<Answer | null> {
  const { method = '' } = exchange.request;
  if (route.methods !== null && !route.methods.includes(method)) {
    await look(exchange, parts);
    const allow = [...route.methods, 'OPTIONS'].join(', ');
    if (method === 'OPTIONS') return noContent({ ...PREFLIGHT_HEADERS, Allow: allow });
    return refuse('method-not-allowed', `${exchange.route} takes ${allow}`, { Allow: allow });
  }
  if (route.free || method === 'OPTIONS') await look(exchange, parts);
  else {
    const decision = await charge(exchange, parts);
    if (!decision.allowed) return refuseForNow('rate-limited', decision.retryAfterSeconds);
  }
  const fault = faultOfHeaders(exchange);
  return fault ?? route.answer(exchange, path);
}

const SPOKEN: ReadonlySet<string> = new Set(['1.0', '1.1']);

/** What Node lets through, or would answer itself without a body. */
function faultOfHeaders({ request }: Exchange): Answer | null {
  if (request.rawHeaders.length > 2 * LIMITS.http.headers) {
    return refuse('headers-too-large', `more than ${LIMITS.http.headers} headers`, { Connection: 'close' });
  }
  // Node's parser takes 2.0 and 0.9 in a request line, though what follows is read as 1.1.
  if (!SPOKEN.has(request.httpVersion)) {
    return refuse('malformed-http', `HTTP/${request.httpVersion} is not spoken here; expected HTTP/1.1`, { Connection: 'close' });
  }
  if (request.httpVersion !== '1.0' && request.headers.host === undefined)
    return refuse('malformed-http', 'the Host header is missing', { Connection: 'close' });
  // RFC 9112, 3.2. Node keeps the first and says nothing.
  const hosts = request.rawHeaders.filter((text, at) => at % 2 === 0 && text.length === 4 && asciiLowerCase(text) === 'host').length;
  if (hosts > 1) return refuse('malformed-http', 'the Host header is sent more than once', { Connection: 'close' });
  return null;
}
