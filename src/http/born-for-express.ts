import { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';
import { type InstantMs, instantNow } from '../units/units.ts';

/** What node:http makes the messages of a server from. */
export type MessageClasses = { readonly IncomingMessage: typeof IncomingMessage; readonly ServerResponse: typeof ServerResponse };

/**
 * Classes whose instances have the prototypes that an app wants. Express gives every request and response its own prototypes when it gets them, and an
 * object whose prototype changes is slow for the rest of its life, inside Node as well: that cost more than everything else here together (bench/README.md, HTTP).
 * On instances of these classes the change finds nothing to do.
 */
export function bornForExpress(app: Express): MessageClasses {
  class AppRequest extends IncomingMessage {
    readonly arrival = instantNow();
  }
  class AppResponse<Asked extends IncomingMessage = IncomingMessage> extends ServerResponse<Asked> {}
  Object.setPrototypeOf(AppRequest.prototype, app.request);
  Object.setPrototypeOf(AppResponse.prototype, app.response);
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype });
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}

/** When the headers of a request were there, of a server with these classes: it may wait for its turn after that. */
export function arrivalOf(request: IncomingMessage): InstantMs {
  return (request as { readonly arrival?: InstantMs }).arrival ?? instantNow();
}
