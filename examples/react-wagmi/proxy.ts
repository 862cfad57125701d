// The server's part: it holds the key, and passes on trades alone. `handle` is what fetch-based servers and frameworks take; give it /api/braid/*.
const ROUTES: ReadonlySet<string> = new Set(['quote', 'swap']);
/** What a page may choose. A fee, a recipient or who the user is would be the page's to forge. */
const PARAMETERS = ['chainId', 'mode', 'sellToken', 'buyToken', 'sellAmount', 'buyAmount', 'slippagePct', 'taker'];
const PASSED_ON = ['content-type', 'retry-after', 'x-request-id'];

export type ProxyOptions = { readonly braidUrl: string; readonly apiKey: string };

export async function handle(request: Request, { braidUrl, apiKey }: ProxyOptions): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  const route = pathname.replace(/^\/api\/braid\//, '');
  if (request.method !== 'GET' || !ROUTES.has(route))
    return new Response('{"error":"no such path"}', { status: 404, headers: { 'content-type': 'application/json' } });
  const query = new URLSearchParams(PARAMETERS.flatMap((name) => searchParams.getAll(name).map((value) => [name, value])));
  const answer = await fetch(`${braidUrl}/v1/${route}?${query}`, { headers: { 'x-api-key': apiKey }, redirect: 'error', signal: request.signal });
  const headers = PASSED_ON.flatMap((name): [string, string][] => {
    const value = answer.headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  // Prices must not be cached, on the way neither.
  return new Response(answer.body, { status: answer.status, headers: [...headers, ['cache-control', 'no-store']] });
}
