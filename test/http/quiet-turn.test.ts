import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import { expect } from 'chai';
import { inQuietTurn } from '../../src/http/quiet-turn.ts';

const CONNECTIONS = 50;

describe('a quiet turn of the event loop', () => {
  let server: net.Server;
  const sockets: Socket[] = [];

  beforeEach(async () => {
    server = net.createServer();
    server.on('connection', (socket) => sockets.push(socket));
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });

  afterEach(async () => {
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets.splice(0)) socket.destroy();
    await closed;
  });

  const connect = () => {
    const socket = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => undefined);
    sockets.push(socket);
    return socket;
  };

  it('comes when every connection that the kernel holds was accepted, wherever in a turn it is asked for', async () => {
    for (const fromPoll of [false, true]) {
      let accepted = 0;
      const count = () => accepted++;
      server.on('connection', count);
      // Connected by the kernel at once: they all wait to be accepted, one a turn.
      for (let i = 0; i < CONNECTIONS; i++) connect();
      if (fromPoll) await once(server, 'connection');
      await new Promise<void>((resolve) => inQuietTurn(60_000, resolve));
      expect(accepted).to.equal(CONNECTIONS);
      server.off('connection', count);
    }
  });

  it('is not waited for beyond its limit', async () => {
    server.on('connection', (socket) => socket.on('data', (chunk) => socket.write(chunk)).on('error', () => undefined));
    const client = connect();
    // Something comes in every turn.
    let echoes = 0;
    client.on('data', (chunk) => {
      echoes++;
      client.write(chunk);
    });
    await once(client, 'connect');
    const talk = () => {
      client.write('a');
      if (!client.destroyed) setImmediate(talk);
    };
    talk();
    await once(client, 'data');
    const startedAt = performance.now();
    await new Promise<void>((resolve) => inQuietTurn(50, resolve));
    expect(performance.now() - startedAt).to.be.at.least(50);
    expect(echoes).to.be.greaterThan(0);
  });
});
