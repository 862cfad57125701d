import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { expect } from 'chai';
import { runIndexer } from '../../src/indexing/indexer-thread.ts';
import type { IndexerReport } from '../../src/indexing/report.ts';
import type { CommandListener } from '../../src/indexing/thread-data.ts';
import { allocateSnapshot } from '../../src/snapshot/snapshot.ts';
import type { DurationMs } from '../../src/units/units.ts';
import { NOTHING_OFF, type VenueDeployment } from '../../src/venues/venues.ts';
import { addressOf } from './made-up-singleton.ts';

const AN_HOUR = 3_600_000;

describe('the pause of an indexer thread between two looks at the head', () => {
  /** Runs one over a node that has no head, until `onLook` stops it. */
  const run = async (
    pollMs: number,
    onLook: (stop: () => void, command: CommandListener) => void,
    deployments: readonly VenueDeployment[] = [],
  ): Promise<readonly IndexerReport[]> => {
    const stopping = new AbortController();
    const reports: IndexerReport[] = [];
    let command: CommandListener = () => undefined;
    const server = http.createServer(async (request, response) => {
      const { id, method } = (await json(request)) as { id: number; method: string };
      const said = method === 'eth_chainId' ? { result: '0x1' } : { error: { code: -32000, message: 'header not found' } };
      if (method === 'eth_getBlockByNumber') onLook(() => stopping.abort(), command);
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...said }));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const data = {
      chainId: 1,
      rpcUrls: [`http://127.0.0.1:${(server.address() as AddressInfo).port}/`],
      deployments,
      buffers: allocateSnapshot({ arenaBytes: 2 ** 20, pools: 16, tokens: 8, slots: 8, readers: 2 }),
      wrappedNative: addressOf(1),
      pollMs: pollMs as DurationMs,
    };
    try {
      await runIndexer(
        data,
        (report) => reports.push(report),
        stopping.signal,
        (listener) => {
          command = listener;
        },
      );
    } finally {
      server.closeAllConnections();
      server.close();
    }
    return reports;
  };

  it('is never shorter than it is set, also after the first', async () => {
    const pollMs = 50;
    const looks: number[] = [];
    await run(pollMs, (stop) => {
      looks.push(performance.now());
      if (looks.length === 5) stop();
    });
    // A timer may be early by the part of a millisecond that it does not count.
    for (const [at, look] of looks.slice(1).entries()) expect(look - (looks[at] as number)).to.be.at.least(pollMs - 1);
  });

  it('ends at once where somebody commands, also before it began, and where the thread is to stop', async () => {
    let looks = 0;
    await run(AN_HOUR, (stop, command) => {
      looks++;
      if (looks === 1) command({ kind: 'switch-off', off: NOTHING_OFF });
      else stop();
    });
    expect(looks).to.equal(2);
  });

  it('is of a thread that says which deployments it leaves out, since it has no such venue', async () => {
    const deployment = { venue: 'uniswap_v2', family: 'uniswap_v2', factory: addressOf(2), fromBlock: 0 };
    const reports = await run(AN_HOUR, (stop) => stop(), [deployment, { ...deployment, venue: 'of-tomorrow' }]);
    expect(reports.flatMap((report) => (report.kind === 'log' && report.level === 'warn' ? [report.message] : [])).slice(0, 1)).to.deep.equal([
      'no venue of-tomorrow: its deployment is left out',
    ]);
  });
});
