/** What goes back to a caller, before the headers that every answer has. */
export type Answer = {
  readonly status: number;
  /** null: no content, and no content type. */
  readonly body: string | null;
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A word from a closed set for the log and the metrics. */
  readonly outcome: string;
};

export const JSON_TYPE = 'application/json; charset=utf-8';
export const TEXT_TYPE = 'text/plain; charset=utf-8';

const NO_HEADERS: Answer['headers'] = {};

/** An answer that is no refusal. `text` is JSON already. */
export function json(status: 200 | 503, text: string, outcome: string): Answer {
  return { status, body: text, contentType: JSON_TYPE, headers: NO_HEADERS, outcome };
}

/** An answer without a body: what OPTIONS gets. */
export function noContent(headers: Answer['headers']): Answer {
  return { status: 204, body: null, contentType: TEXT_TYPE, headers, outcome: 'options' };
}
