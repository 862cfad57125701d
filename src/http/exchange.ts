import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BudgetState, Client } from '../metering/metering.ts';
import type { InstantMs } from '../units/units.ts';

/** Names of the public routes, as log and metrics know them: whatever a caller asks for, it is one of these. */
export type RouteName = 'quote' | 'swap' | 'sources' | 'healthz' | 'unknown';

/** One request and what is known of it so far. */
export type Exchange = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly route: RouteName;
  readonly requestId: string;
  /** Queue time counts against the request's budget, so it starts here. */
  readonly arrival: InstantMs;
  readonly client: Client;
  /** The budget as the last look showed it; null before the first. */
  budget: BudgetState | null;
  readonly facts: ExchangeFacts;
};

/** Whether there is nobody any more to answer. A response that waits behind an earlier one of its connection does not hear of the connection's end, so the connection is looked at too. */
export function hasLeft({ request, response }: Exchange): boolean {
  return response.destroyed || request.socket.destroyed;
}

/** For the request's log line. */
export type ExchangeFacts = {
  quoteId: string | null;
  chainId: number | null;
  queueMs: number | null;
  solveMs: number | null;
  /** Waited for tokens to be measured; null where none had to be. */
  measureMs: number | null;
  /** Waited for contracts to be asked again; null where none had to be. */
  requoteMs: number | null;
  /** Waited for hops to be signed; null where none had to be. */
  firmMs: number | null;
  buildMs: number | null;
  block: number | null;
};

export function noFacts(): ExchangeFacts {
  return { quoteId: null, chainId: null, queueMs: null, solveMs: null, measureMs: null, requoteMs: null, firmMs: null, buildMs: null, block: null };
}

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** The caller's own id when it is harmless in a header and a log, else a new one (decisions S14). */
export function requestIdOf(header: string | readonly string[] | undefined): string {
  return typeof header === 'string' && REQUEST_ID.test(header) ? header : randomUUID();
}
