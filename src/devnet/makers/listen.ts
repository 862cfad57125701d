import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server of the local chain's surroundings: where it answers, and how it ends, with every connection. */
export type Listening = { readonly origin: string; stop(): Promise<void> };

/** Answers each request; where that throws, the connection is cut. `port` 0: any. Rejects where the address can not be listened at. */
export async function listen(answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>, host: string, port: number): Promise<Listening> {
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => resolve());
  });
  return {
    origin: `http://${host}:${(server.address() as AddressInfo).port}`,
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}
