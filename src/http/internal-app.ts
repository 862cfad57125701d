import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { LIMITS } from '../config/config.ts';
import { isLoopback } from '../ip-network.ts';
import { createScrapes, type Metrics } from '../observe/observe.ts';
import { serialise } from '../quoting/quoting.ts';
import { JSON_TYPE, TEXT_TYPE } from './answer.ts';
import { refuse } from './errors.ts';
import { faultOfOrigin } from './other-sites.ts';
import { addRoutePage, type RoutePageParts } from './route-page.ts';
import { addSwitches, type SwitchesProvider } from './switch-routes.ts';

export type Readiness = { readonly ready: true } | { readonly ready: false; readonly waitingFor: readonly string[] };

/** What the embedded chain tells tools and newcomers; only there while the devnet runs. */
export type DevnetProvider = {
  /** JSON-safe. */
  describe(): unknown;
  /** Starts or stops the bots that trade. Resolves when no trade of theirs is under way any more. */
  setBots(on: boolean): Promise<void>;
};

export type InternalParts = {
  /** The address that the listener is bound to. */
  readonly host: string;
  readonly metrics: Metrics;
  /** Reads states into gauges right before a scrape. */
  readonly sample: () => void;
  readonly readiness: () => Readiness;
  /** The published document as text. */
  readonly openApi: () => string;
  readonly devnet: DevnetProvider | null;
  /** Absent: no page shows routes here. */
  readonly routePage?: RoutePageParts;
  /** Absent: nothing can be switched here. */
  readonly switches?: SwitchesProvider;
  readonly onFailure: (error: unknown) => void;
};

/** What operators and their machines ask: never on the public listener. */
export function internalApp(parts: InternalParts): Express {
  const loopback = isLoopback(parts.host);
  const { registry } = parts.metrics;
  const scrape = createScrapes(registry, parts.sample);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('strict routing');
  app.set('query parser', false);
  app.use((_request, response, next) => {
    response.set({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' });
    next();
  });
  app.use((request, response, next) => {
    const fault = faultOfOrigin(request, loopback);
    if (fault !== null) return sendRefusal(response, 'invalid-request', fault);
    next();
  });
  app.get('/metrics', async (request, response) => {
    // As of any cache: who says so gets nothing that was made before (RFC 9111, 5.2.1.4).
    const anew = /\bno-cache\b/.test(request.get('cache-control') ?? '');
    send(response, 200, registry.contentType, await scrape(anew));
  });
  app.get('/livez', (_request, response) => send(response, 200, TEXT_TYPE, 'ok\n'));
  app.get('/readyz', (_request, response) => {
    const readiness = parts.readiness();
    send(response, readiness.ready ? 200 : 503, JSON_TYPE, JSON.stringify(readiness));
  });
  app.get('/openapi.json', (_request, response) => send(response, 200, JSON_TYPE, parts.openApi()));
  addDocs(app);
  if (parts.devnet !== null) addDevnet(app, parts.devnet);
  if (parts.routePage !== undefined) addRoutePage(app, parts.routePage);
  if (parts.switches !== undefined) {
    addSwitches(app, parts.switches, {
      json: (response, value) => send(response, 200, JSON_TYPE, JSON.stringify(value)),
      refuse: (response, message) => sendRefusal(response, 'invalid-request', message),
    });
  }
  app.use((_request: Request, response: Response) => sendRefusal(response, 'unknown-path', 'no such path on the internal listener'));
  app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    if (isCallersFault(error)) return sendRefusal(response, 'invalid-request', 'the request can not be read');
    parts.onFailure(error);
    sendRefusal(response, 'internal');
  });
  return app;
}

function addDocs(app: Express): void {
  const folder = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  // The package's own start script shows a pet shop.
  const start = `window.onload = () => { window.ui = SwaggerUIBundle({ url: '/openapi.json', dom_id: '#swagger-ui', deepLinking: true }); };\n`;
  const page = readFileSync(path.join(folder, 'index.html'), 'utf8');
  app.get('/docs', (_request, response) => response.redirect(308, '/docs/'));
  app.get('/docs/', (_request, response) => send(response, 200, 'text/html; charset=utf-8', page));
  app.get('/docs/swagger-initializer.js', (_request, response) => send(response, 200, 'text/javascript; charset=utf-8', start));
  app.use('/docs', express.static(folder, { index: false, etag: false, cacheControl: false, fallthrough: true }));
}

function addDevnet(app: Express, devnet: DevnetProvider): void {
  app.get('/devnet', (_request, response) => send(response, 200, JSON_TYPE, serialise(devnet.describe())));
  // Any content type, as curl -d sends a form's.
  app.post('/devnet/bots', express.text({ type: () => true, limit: LIMITS.http.internalBodyBytes }), async (request, response) => {
    const on = switchOf(request.body);
    if (on === null) return sendRefusal(response, 'invalid-request', 'the body must be {"on":true} or {"on":false}');
    await devnet.setBots(on);
    send(response, 200, JSON_TYPE, JSON.stringify({ on }));
  });
}

function switchOf(body: unknown): boolean | null {
  try {
    const value: unknown = JSON.parse(typeof body === 'string' ? body : '');
    return typeof value === 'object' && value !== null && 'on' in value && typeof value.on === 'boolean' ? value.on : null;
  } catch {
    return null;
  }
}

/** Express and its body parser mark what the caller did wrong with a status below 500. */
function isCallersFault(error: unknown): boolean {
  return error instanceof Error && 'status' in error && typeof error.status === 'number' && error.status < 500;
}

function sendRefusal(response: Response, refusal: Parameters<typeof refuse>[0], message?: string): void {
  const answer = refuse(refusal, message);
  send(response, answer.status, answer.contentType, answer.body ?? '');
}

function send(response: Response, status: number, contentType: string, text: string): void {
  response.status(status).set('Content-Type', contentType).send(Buffer.from(text));
}
