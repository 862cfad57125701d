import { execFile } from 'node:child_process';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { LIMITS } from '../../src/config/limits.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const HUGE_BYTES = 50 * 2 ** 20;
const MOST_MIB = 8;
const CHUNK = Buffer.alloc(64 * 1024, 0x20);

/** As much as the other side takes. */
function pour(response: ServerResponse): void {
  let left = HUGE_BYTES;
  const more = (): void => {
    while (left > 0 && !response.destroyed) {
      left -= CHUNK.length;
      if (!response.write(CHUNK)) return;
    }
    response.end();
  };
  response.on('drain', more);
  more();
}

describe('huge answers of others', () => {
  it(`of 50 MiB, sixteen at once, grow resident memory by no more than ${MOST_MIB} MiB beyond what the longest do that are taken (F5)`, async function test() {
    this.timeout(120_000);
    const server = createServer((request, response) => {
      request.resume();
      response.on('error', () => undefined);
      if (request.url === '/longest') response.end(Buffer.alloc(LIMITS.outbound.bodyBytes, 0x20));
      else {
        response.writeHead(200, request.url === '/huge' ? { 'content-length': String(HUGE_BYTES) } : {});
        pour(response);
      }
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    try {
      const script = ['--import', './scripts/typescript.mjs', 'test/outbound/ask-and-measure.ts'];
      const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const { stdout } = await promisify(execFile)(process.execPath, [...script, origin], { cwd: ROOT });
      const { mebibytes, reasons } = JSON.parse(stdout) as { readonly mebibytes: number; readonly reasons: readonly string[] };
      process.stdout.write(`      ${mebibytes.toFixed(1)} MiB\n`);
      expect(reasons).to.deep.equal([`/longest ${LIMITS.outbound.bodyBytes}`, '/huge garbled', '/unsaid garbled']);
      expect(mebibytes).to.be.at.most(MOST_MIB);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
