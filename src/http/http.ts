// The front door of the http room: request in, response out. The only room that knows Express and status codes.
export type { DevnetProvider, InternalParts, Readiness } from './internal-app.ts';
export { createInternalServer } from './internal-server.ts';
export { type Listener, type Listening, whyNotListening } from './listener.ts';
export { type DocumentFacts, publicDocument } from './public-document.ts';
export { createPublicServer, type PublicServerDeps } from './public-server.ts';
export type { SwitchesProvider, SwitchRequest } from './switch-routes.ts';
