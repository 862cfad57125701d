import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { expect } from 'chai';
import { scrape } from '../support/scrape.ts';
import { until } from '../support/until.ts';
import { type Edge, liveChain, noRoute, type Solve, startEdge } from './support/edge.ts';
import { sendRaw } from './support/raw.ts';
import { USDC, WETH } from './support/real-solving.ts';

const QUERY = `chainId=1&mode=sell&sellToken=${WETH}&buyToken=${USDC}&sellAmount=1000`;

describe('the life of the public listener', () => {
  let edge: Edge;
  beforeEach(async () => {
    edge = await startEdge({ budgetsStandStill: true });
  });
  afterEach(() => edge.close());

  /** One that solves nothing until it is released. */
  async function startHeld(): Promise<{ readonly other: Edge; readonly release: () => void }> {
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const solve: Solve = async (job) => {
      await gate;
      return noRoute(job);
    };
    return { other: await startEdge({ solve }), release };
  }

  it('stopping, accepts nothing more, finishes what is in flight, and closes idle connections', async () => {
    const { other, release } = await startHeld();
    const url = other.url;
    // A keep-alive connection that idles.
    await fetch(`${url}/healthz`);
    const held = fetch(`${url}/v1/quote?${QUERY}`);
    expect(await until(() => other.jobs.length === 1, 30_000), 'in flight').to.equal(true);
    let stopped = false;
    const stopping = other.publicServer.stop().then(() => {
      stopped = true;
    });
    const isRefused = async () => (await sendRaw(other.port, 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')).text === '';
    expect(await until(isRefused, 30_000), 'accepts nothing more').to.equal(true);
    expect(stopped).to.equal(false);
    release();
    const response = await held;
    expect(response.status).to.equal(404);
    expect(response.headers.get('connection')).to.equal('close');
    await stopping;
    await other.close();
  });

  it('stopping, answers every request that it took of a connection, and closes it with the last', async () => {
    const { other, release } = await startHeld();
    const client = net.connect({ host: '127.0.0.1', port: other.port });
    let text = '';
    client.on('data', (chunk) => {
      text += chunk.toString();
    });
    client.write(`GET /v1/quote?${QUERY} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(2));
    expect(await until(() => other.jobs.length === 2, 30_000), 'in flight').to.equal(true);
    const closed = once(client, 'close');
    const stopped = other.publicServer.stop();
    release();
    await closed;
    expect(text.match(/HTTP\/1\.1 [0-9]+|Connection: close/g)).to.deep.equal(['HTTP/1.1 404', 'HTTP/1.1 404', 'Connection: close']);
    await stopped;
    await other.close();
  });

  it('stopping under load resets nobody: a request on an idle connection that crosses the end is answered', async () => {
    const other = await startEdge();
    const agent = new http.Agent({ keepAlive: true, maxSockets: 40 });
    const failures: string[] = [];
    let answered = 0;
    const ask = () =>
      new Promise<void>((resolve) => {
        const request = http.get(`${other.url}/healthz`, { agent }, (response) => {
          answered++;
          response.resume().once('end', resolve);
        });
        request.once('error', (error: NodeJS.ErrnoException) => {
          // What is sent to a service that is gone is refused; what was taken is not reset.
          if (error.code !== 'ECONNREFUSED') failures.push(error.code ?? error.message);
          resolve();
        });
      });
    let asking = true;
    const clients = Array.from({ length: 40 }, async () => {
      while (asking) await ask();
    });
    while (answered < 400) await new Promise((resolve) => setImmediate(resolve));
    await other.publicServer.stop();
    asking = false;
    await Promise.all(clients);
    agent.destroy();
    expect(failures).to.deep.equal([]);
    await other.close();
  });

  it('with as many connections as it takes, it closes further ones at once and counts them, and takes another once one has left', async () => {
    const most = 2;
    const further = 5;
    edge.publicServer.server.maxConnections = most;
    const shown = async () => {
      const lines = (await scrape(edge.internalUrl)).split('\n');
      const amountOf = (name: string) => Number(lines.find((line) => line.startsWith(`${name} `))?.split(' ')[1]);
      return { open: amountOf('braid_http_connections'), dropped: amountOf('braid_http_connections_dropped_total') };
    };
    const sockets = Array.from({ length: most }, () => net.connect({ host: '127.0.0.1', port: edge.port }));
    for (const socket of sockets) {
      socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
      expect(String((await once(socket, 'data'))[0])).to.match(/^HTTP\/1\.1 200 /);
    }
    expect(await shown()).to.deep.equal({ open: most, dropped: 0 });
    const closed = Array.from({ length: further }, async () => {
      const socket = net.connect({ host: '127.0.0.1', port: edge.port });
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('error', () => undefined);
      await new Promise((resolve) => socket.once('close', resolve));
      return text;
    });
    expect(await Promise.all(closed)).to.deep.equal(Array(further).fill(''));
    expect(await shown()).to.deep.equal({ open: most, dropped: further });
    sockets[0]?.destroy();
    expect(await until(async () => (await shown()).open === most - 1, 30_000)).to.equal(true);
    expect((await sendRaw(edge.port, 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')).status).to.equal(200);
    expect((await shown()).dropped).to.equal(further);
    for (const socket of sockets) socket.destroy();
  });

  it('a port that is taken, a host that is not ours: a refusal that says so', async () => {
    const taken = await edge.publicServer.start({ host: '127.0.0.1', port: 0 }).catch((error: Error) => error);
    expect(taken, 'a listener listens once').to.be.instanceOf(Error);
    const other = await startEdge({ chains: [liveChain().hosted] });
    await other.publicServer.stop();
    expect(await other.publicServer.start({ host: '127.0.0.1', port: edge.port })).to.deep.equal({
      ok: false,
      wrong: 'port',
      message: `port ${edge.port} on 127.0.0.1 is taken by another program`,
    });
    expect(await other.publicServer.start({ host: '203.0.113.1', port: 0 })).to.deep.equal({
      ok: false,
      wrong: 'host',
      message: 'host 203.0.113.1 is not an address of this machine',
    });
    await other.close();
  });
});
