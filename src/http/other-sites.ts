import type { IncomingMessage } from 'node:http';

/** What a Host header may say where only this machine can connect. Anything else is a name that somebody pointed here, so that pages of theirs count as ours (DNS rebinding). */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;
const CHANGES_NOTHING: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/**
 * Why a request is one that a page of another site makes in its reader's browser, or null. Whoever operates the service has a browser too, and the internal listener asks nobody who they are. By what browsers say and pages can not
 * forge (Fetch Metadata; the Fetch standard's Origin); curl, probes and Prometheus send none of it. `loopback`: the listener is bound to this machine alone.
 */
export function faultOfOrigin({ method = '', headers }: IncomingMessage, loopback: boolean): string | null {
  const { host, origin } = headers;
  if (loopback && host !== undefined && !LOOPBACK.test(host)) return 'the Host header names another machine than this one, which alone may connect';
  const site = headers['sec-fetch-site'];
  // A link that somebody follows is a navigation, and shows its page to nobody else.
  const follows = CHANGES_NOTHING.has(method) && headers['sec-fetch-mode'] === 'navigate';
  if (site !== undefined && site !== 'same-origin' && site !== 'none' && !follows) return 'pages of other sites may not ask this';
  if (origin !== undefined && hostOf(origin) !== host) return 'pages of other sites may not ask this';
  return null;
}

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}
