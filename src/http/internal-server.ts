import { type InternalParts, internalApp } from './internal-app.ts';
import { createListener, type Listener } from './listener.ts';

/** The internal listener: metrics, probes, documentation, and the devnet's description. Bound to loopback unless told otherwise. */
export function createInternalServer(parts: InternalParts): Listener {
  return createListener(internalApp(parts), parts.onFailure);
}
