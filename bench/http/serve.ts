// One server process: `serve.js SUBJECT`. Tells the run its port, and its costs whenever it is asked.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { startBraid } from './braid.ts';
import type { Cost, Serving, Subject } from './messages.ts';

/** 30 bytes. */
const BODY = { status: 'ok', chains: [1, 5] };

const subject = process.argv[2] as Subject;
process.send?.(await serve(subject));
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  const cost: Cost = { cpuMicros: user + system, residentBytes: process.memoryUsage.rss() };
  process.send?.(cost);
});
// The run is gone: so is the reason to be here.
process.on('disconnect', () => process.exit(0));

function serve(what: Subject): Promise<Serving> {
  switch (what) {
    case 'node':
      return listen(
        createServer((_request, response) => {
          const text = JSON.stringify(BODY);
          response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': Buffer.byteLength(text) });
          response.end(text);
        }),
      );
    case 'express': {
      const app = express();
      app.get('/v1/quote', (_request, response) => void response.json(BODY));
      return listen(createServer(app));
    }
    case 'braid-canned':
      return startBraid('canned');
    case 'braid-shed':
      return startBraid('shed');
    case 'braid-real':
      return startBraid('real');
    default:
      throw new TypeError(`unknown subject ${what satisfies never}`);
  }
}

function listen(server: Server): Promise<Serving> {
  return new Promise((resolve) => {
    server.listen({ host: '127.0.0.1', port: 0 }, () => resolve({ port: (server.address() as AddressInfo).port, apiKey: null }));
  });
}
