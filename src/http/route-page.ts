import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Express, Request, Response } from 'express';
import { retryAfterSeconds } from '../admission/admission.ts';
import type { HostedChain } from '../chains/chains.ts';
import { projectFile } from '../project-file.ts';
import { effectiveFee, serialise, toQuoteResponse, toSolveJob } from '../quoting/quoting.ts';
import type { Solving } from '../solving/solving.ts';
import { type DurationMs, instantNow } from '../units/units.ts';
import { type Answer, json } from './answer.ts';
import { refuse } from './errors.ts';
import { type HostedChains, hostedChains } from './hosted-chains.ts';
import { rawQueryOf } from './request-target.ts';
import { checkTrade } from './routes/check-trade.ts';
import { refusalOf } from './routes/refusal-of.ts';

export type RoutePageParts = {
  readonly chains: readonly HostedChain[];
  readonly solving: Pick<Solving, 'solve' | 'estimatedWaitMs'>;
  /** Base of the public routes; only on the devnet, where the page may send a swap to the chain. null elsewhere. */
  readonly publicUrl: (() => string) | null;
};

/** Who operates the service is one client of the solver threads among others. */
const CLIENT = 'internal:route';
const HTML_TYPE = 'text/html; charset=utf-8';
const SCRIPT_TYPE = 'text/javascript; charset=utf-8';
/** Nothing from elsewhere, and no script in the page's text: names of tokens are whatever their contracts say. */
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/**
 * A page that shows a route: GET /route; /route/chains tells what it can ask for, /route/answer solves a trade by the parameters of /v1/quote, unmetered, and says how long each phase took; /route/answer/unsplit is the
 * best single path for the same, to compare with.
 */
export function addRoutePage(app: Express, parts: RoutePageParts): void {
  const connect = parts.publicUrl === null ? "'self'" : "'self' http://127.0.0.1:* http://localhost:*";
  for (const { name, type, text } of pageFiles()) {
    app.get(`/route${name}`, (_request, response) => {
      response.set({ 'Content-Security-Policy': `${POLICY}; connect-src ${connect}`, 'Content-Type': type, 'Referrer-Policy': 'no-referrer' }).send(text);
    });
  }
  app.get('/route/chains', (_request, response) => send(response, json(200, serialise(describeChains(parts)), 'ok')));
  const chains = hostedChains(parts.chains);
  const answering = (unsplit: boolean) => async (request: Request, response: Response) => {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const answer = await answerOf(rawQueryOf(request.url), unsplit, chains, parts.solving, gone.signal);
    if (!response.destroyed) send(response, answer);
  };
  app.get('/route/answer', answering(false));
  app.get('/route/answer/unsplit', answering(true));
}

function describeChains({ chains, publicUrl }: RoutePageParts): unknown {
  return {
    publicUrl: publicUrl?.() ?? null,
    chains: chains.map(({ chain, wrappedNative, view }) => ({
      chainId: chain.chainId,
      name: chain.name,
      wrappedNative,
      venues: view().labels,
    })),
  };
}

/** The checks of a public quote, but for those of whoever asks: keys, budgets and admission. */
async function answerOf(query: string, unsplit: boolean, chains: HostedChains, solving: RoutePageParts['solving'], signal: AbortSignal): Promise<Answer> {
  const arrival = instantNow();
  const checked = checkTrade('quote', query, { chains, developmentMode: false, wallClock: Date.now });
  if (!checked.ok) return checked.refusal;
  const { request, hosted } = checked;
  const fee = effectiveFee(request, null, hosted.feeCollector);
  const target = toSolveJob(request, fee, hosted.chain.chainId, arrival, { gated: hosted.gatedVenues, opened: [] });
  if (!target.ok) return refuse('no-route');
  const { result, ...times } = await solving.solve({ ...target.job, ...(unsplit ? { unsplit } : {}) }, { client: CLIENT, signal });
  const waitSeconds = retryAfterSeconds(solving.estimatedWaitMs() as DurationMs);
  if (!result.ok) return refusalOf(result, waitSeconds);
  const { plan } = result;
  const quoted = toQuoteResponse({ plan, request, fee, hosted, quoteId: randomUUID() });
  if (!quoted.ok) return refusalOf(quoted, waitSeconds);
  const { sell, buy } = plan.prices;
  const decimals = { sell: sell?.decimals ?? null, buy: buy?.decimals ?? null };
  return json(200, serialise({ quote: quoted.response, facts: plan.facts, times: { ...times, totalMs: instantNow() - arrival }, decimals }), 'ok');
}

type PageFile = { readonly name: string; readonly type: string; readonly text: string };

/** What the page consists of: its own files, and d3-sankey with what that is made of. */
function pageFiles(): readonly PageFile[] {
  const own = (name: string, file: string, type: string): PageFile => ({ name, type, text: readFileSync(projectFile(`src/http/page/${file}`), 'utf8') });
  const sankey = createRequire(import.meta.url).resolve('d3-sankey');
  const shape = createRequire(sankey).resolve('d3-shape');
  const library = (name: string, file: string): PageFile => ({
    name: `/${name}.js`,
    type: SCRIPT_TYPE,
    text: readFileSync(path.join(path.dirname(file), `${name}.min.js`), 'utf8'),
  });
  return [
    own('', 'route.html', HTML_TYPE),
    own('/route.css', 'route.css', 'text/css; charset=utf-8'),
    ...['page', 'flow', 'amounts', 'execute'].map((name) => own(`/${name}.js`, `${name}.js`, SCRIPT_TYPE)),
    library('d3-array', createRequire(sankey).resolve('d3-array')),
    library('d3-path', createRequire(shape).resolve('d3-path')),
    library('d3-shape', shape),
    library('d3-sankey', sankey),
  ];
}

function send(response: Response, { status, body, contentType, headers }: Answer): void {
  response
    .status(status)
    .set({ ...headers, 'Content-Type': contentType })
    .send(Buffer.from(body ?? ''));
}
