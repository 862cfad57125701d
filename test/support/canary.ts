import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server on the loopback that nobody is to ask. */
export type Canary = {
  readonly origin: string;
  /** How often it was asked. */
  hits(): number;
  stop(): Promise<void>;
};

/** `answer`: what whoever asks all the same is told, so that it would be believed. */
export async function startCanary(answer = '{}'): Promise<Canary> {
  let hits = 0;
  const server = createServer((_request, response) => {
    hits++;
    response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hits: () => hits,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
