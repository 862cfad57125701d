import express, { type Express, type Request, type Response } from 'express';
import { LIMITS } from '../config/config.ts';

/** A venue label or a pool of a chain, as an operator names it. */
export type SwitchRequest = { readonly chain: string; readonly venue?: string; readonly pool?: string; readonly on: boolean };

/** What operators switch off and on. */
export type SwitchesProvider = {
  /** What is off, by chain. JSON-safe. */
  describe(): unknown;
  /** The message says what would be right. */
  change(request: SwitchRequest): { readonly ok: true } | { readonly ok: false; readonly message: string };
};

export type SwitchAnswers = { readonly json: (response: Response, value: unknown) => void; readonly refuse: (response: Response, message: string) => void };

const SHAPE = 'the body must be {"chain":"…","venue":"…","on":false} or {"chain":"…","pool":"…","on":false}';

/** GET /switches tells what is off; POST /switches switches a label or a pool, and answers when nothing is routed through it any more. */
export function addSwitches(app: Express, switches: SwitchesProvider, answers: SwitchAnswers): void {
  app.get('/switches', (_request, response) => answers.json(response, switches.describe()));
  // Any content type, as curl -d sends a form's.
  app.post('/switches', express.text({ type: () => true, limit: LIMITS.http.internalBodyBytes }), (request: Request, response) => {
    const asked = requestOf(request.body);
    if (asked === null) return answers.refuse(response, SHAPE);
    const changed = switches.change(asked);
    if (!changed.ok) return answers.refuse(response, changed.message);
    answers.json(response, switches.describe());
  });
}

function requestOf(body: unknown): SwitchRequest | null {
  let value: unknown;
  try {
    value = JSON.parse(typeof body === 'string' ? body : '');
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const { chain, venue, pool, on } = value as Readonly<Record<string, unknown>>;
  const names = [venue, pool].filter((name) => name !== undefined);
  if (typeof chain !== 'string' || typeof on !== 'boolean' || names.length !== 1 || typeof names[0] !== 'string') return null;
  return venue === undefined ? { chain, pool: names[0], on } : { chain, venue: names[0], on };
}
