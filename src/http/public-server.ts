import type { Duplex } from 'node:stream';
import type { HostedChain } from '../chains/chains.ts';
import { type InstantMicros, microsNow } from '../metering/metering.ts';
import { bornForExpress } from './born-for-express.ts';
import { ConnectionRefuser } from './client-error.ts';
import { hostedChains } from './hosted-chains.ts';
import { createListener, type Listener } from './listener.ts';
import { publicApp } from './public-app.ts';
import type { PublicParts } from './public-parts.ts';
import { originForm } from './request-target.ts';

export type PublicServerDeps = Omit<PublicParts, 'chains' | 'endsConnection' | 'wallClock' | 'budgetClock'> & {
  readonly chains: readonly HostedChain[];
  readonly wallClock?: () => number;
  readonly budgetClock?: () => InstantMicros;
};

/** The public listener: the four routes and nothing else. */
export function createPublicServer(deps: PublicServerDeps): Listener {
  let draining = false;
  const parts: PublicParts = {
    wallClock: Date.now,
    budgetClock: microsNow,
    ...deps,
    chains: hostedChains(deps.chains),
    endsConnection: (response) => draining && listener.isLast(response),
  };
  const refuser = new ConnectionRefuser(parts);
  const app = publicApp(parts);
  const listener = createListener(
    (request, response) => {
      request.url = originForm(request.url);
      refuser.track(request, response);
      app(request, response);
    },
    (error) => deps.observer.failed(null, error),
    bornForExpress(app),
  );
  const refuse = (error: NodeJS.ErrnoException, socket: Duplex) => {
    refuser.refuse(error, socket).catch((failure: unknown) => {
      deps.observer.failed(null, failure);
      socket.destroy();
    });
  };
  listener.server.on('clientError', refuse);
  // CONNECT asks for a tunnel; without a listener Node would drop the connection without a word.
  listener.server.on('connect', (_request, socket) => {
    // Node lets go of such a socket, its own listener included: a reset that nobody hears of would end the process.
    socket.on('error', () => socket.destroy());
    refuse(new Error('CONNECT'), socket);
  });
  return {
    ...listener,
    stop() {
      draining = true;
      return listener.stop();
    },
  };
}
