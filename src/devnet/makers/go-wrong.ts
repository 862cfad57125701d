import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { MakerFault, TransportFault } from './faults.ts';

const BODY_BYTES = 64 * 1024;
/** For how long whoever is busy wants to be left alone. */
export const RETRY_SECONDS = 2;
const HUGE_BYTES = 50 * 2 ** 20;
const NESTED = 100_000;
const DRIP_MS = 50;

/** Whether that was the answer: a delay alone is none. */
export async function goWrong(kind: TransportFault, { ms = 3_000, location = '/' }: MakerFault, response: ServerResponse): Promise<boolean> {
  const json = { 'content-type': 'application/json' };
  switch (kind) {
    case 'delay':
      await pause(ms, response);
      return response.destroyed;
    case 'silent':
      return true;
    case 'error':
      sendJson(response, 500, { error: 'out of order' });
      return true;
    case 'reset':
      response.socket?.resetAndDestroy();
      return true;
    case 'busy':
      response.writeHead(429, { ...json, 'retry-after': String(RETRY_SECONDS) }).end('{}');
      return true;
    case 'garbage':
      response.writeHead(200, json).end('<html>\u0000\u001b[31m{"jsonrpc":');
      return true;
    case 'huge':
      response.writeHead(200, json).end(Buffer.alloc(HUGE_BYTES, 0x20));
      return true;
    case 'nested':
      response.writeHead(200, json).end('['.repeat(NESTED) + ']'.repeat(NESTED));
      return true;
    case 'bomb':
      response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(HUGE_BYTES)));
      return true;
    case 'drip':
      response.writeHead(200, json);
      while (!response.destroyed) {
        response.write(' ');
        await pause(DRIP_MS, response);
      }
      return true;
    case 'redirect':
      response.writeHead(302, { location }).end();
      return true;
    case 'half-closed':
      response.writeHead(200, { ...json, 'content-length': '1000' });
      response.write('{"jsonrpc":"2.0",');
      response.socket?.end();
      return true;
    default:
      throw new TypeError(`unknown fault ${JSON.stringify(kind satisfies never)}`);
  }
}

/** Over at once where nobody waits for the answer any more. */
async function pause(ms: number, response: ServerResponse): Promise<void> {
  await new Promise<void>((resolve) => {
    const over = (): void => {
      clearTimeout(timer);
      response.off('close', over);
      resolve();
    };
    const timer = setTimeout(over, ms);
    response.once('close', over);
  });
}

export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > BODY_BYTES) throw new RangeError('too long a request');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  sendText(response, status, JSON.stringify(body));
}

/** Of a text that is JSON, or is said to be. */
export function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }).end(text);
}
