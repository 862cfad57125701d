import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { expect } from 'chai';
import { runIndexer } from '../../src/indexing/indexer-thread.ts';
import type { IndexerReport } from '../../src/indexing/report.ts';
import { allocateSnapshot } from '../../src/snapshot/snapshot.ts';
import type { DurationMs } from '../../src/units/units.ts';
import { addressOf } from './made-up-singleton.ts';

describe('what an indexer thread tells of its nodes', () => {
  it('is told while a step is under way: the first of a chain may take an hour', async function test() {
    this.timeout(600_000);
    const server = http.createServer(async (request, response) => {
      const { id, method } = (await json(request)) as { id: number; method: string };
      // It says which chain it serves, and then nothing for as long as it is waited for.
      if (method === 'eth_chainId') response.end(JSON.stringify({ jsonrpc: '2.0', id, result: '0x1' }));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const stop = new AbortController();
    const kinds: string[] = [];
    const report = ({ kind }: IndexerReport): void => {
      kinds.push(kind);
      if (kind === 'endpoints' || kind === 'log') stop.abort();
    };
    const buffers = allocateSnapshot({ arenaBytes: 2 ** 20, pools: 16, tokens: 8, slots: 8, readers: 2 });
    const rpcUrls = [`http://127.0.0.1:${(server.address() as AddressInfo).port}/`];
    await runIndexer({ chainId: 1, rpcUrls, deployments: [], buffers, wrappedNative: addressOf(1), pollMs: 10 as DurationMs }, report, stop.signal);
    server.closeAllConnections();
    server.close();
    expect(kinds.slice(0, 2), 'before the step fails').to.deep.equal(['rpc', 'endpoints']);
  });
});
