// What strains a server: malformed requests, connections whose headers never end, and clients that send and do not read.
import net from 'node:net';
import fc from 'fast-check';
import { malformedRequest } from '../../test/http/support/malformed.ts';
import { sendRaw } from '../../test/http/support/raw.ts';
import type { MalformedReport, SlowReport, StrainOrder } from './messages.ts';

process.on('message', (order: StrainOrder) => {
  void strainBy(order).then((report) => process.send?.(report));
});

function strainBy(order: StrainOrder): Promise<MalformedReport | SlowReport> {
  switch (order.kind) {
    case 'malformed':
      return sendMalformed(order);
    case 'slow-headers':
      return holdSlowly(order);
    case 'pipelined':
      return pipeline(order);
  }
}

/** Some requests at a time, each on a connection of its own. */
async function sendMalformed({ port, apiKey, count, atOnce, seed }: StrainOrder & { readonly kind: 'malformed' }): Promise<MalformedReport> {
  const requests = fc.sample(malformedRequest(apiKey), { numRuns: count, seed });
  const times: number[] = [];
  const statuses = new Map<number, number>();
  const send = async () => {
    for (let request = requests.pop(); request !== undefined; request = requests.pop()) {
      const { status, ms } = await sendRaw(port, request.bytes);
      times.push(ms);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, send));
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(share * times.length)] ?? Number.NaN;
  return { p50Ms: at(0.5), p99Ms: at(0.99), longestMs: times.at(-1) ?? Number.NaN, statuses: Object.fromEntries(statuses) };
}

/** New connections in a batch, and the time between batches: 1,500 within a second, so that their sender does not take the good client's processor. */
const BATCH = 15;
const BATCH_MS = 10;

/** A third says nothing, a third half a request line, a third another header twice a second. */
function holdSlowly({ port, sockets, patienceMs }: StrainOrder & { readonly kind: 'slow-headers' }): Promise<SlowReport> {
  return new Promise((resolve) => {
    const lives: number[] = [];
    const finish = () => resolve({ closed: lives.length, longestMs: Math.max(...lives) });
    const patience = setTimeout(finish, patienceMs);
    const open = (i: number) => {
      const startedAt = performance.now();
      const socket = net.connect({ host: '127.0.0.1', port });
      if (i % 3 > 0) socket.write(i % 3 === 1 ? 'GET /heal' : 'GET /healthz HTTP/1.1\r\n');
      const drip = i % 3 === 2 ? setInterval(() => socket.write('A: b\r\n'), 500) : undefined;
      socket.resume();
      socket.on('error', () => {});
      socket.on('close', () => {
        clearInterval(drip);
        if (lives.push(performance.now() - startedAt) < sockets) return;
        clearTimeout(patience);
        finish();
      });
    };
    let opened = 0;
    const opening = setInterval(() => {
      for (const until = Math.min(sockets, opened + BATCH); opened < until; opened++) open(opened);
      if (opened === sockets) clearInterval(opening);
    }, BATCH_MS);
  });
}

/** All that is asked for is sent at once. Where no answer is read, what the kernel of either side takes fills up, and the rest waits for room. */
function pipeline({ port, sockets, payload, reads, patienceMs }: StrainOrder & { readonly kind: 'pipelined' }): Promise<SlowReport> {
  return new Promise((resolve) => {
    const lives: number[] = [];
    const open: net.Socket[] = [];
    const finish = () => {
      clearTimeout(patience);
      for (const socket of open) socket.destroy();
      resolve({ closed: lives.length, longestMs: Math.max(0, ...lives) });
    };
    const patience = setTimeout(finish, patienceMs);
    for (let i = 0; i < sockets; i++) {
      const startedAt = performance.now();
      const socket = net.connect({ host: '127.0.0.1', port });
      open.push(socket);
      if (reads) socket.resume();
      else socket.pause();
      socket.write(payload);
      // A socket that is not read hears of its end by its writes alone.
      const look = setInterval(() => socket.write('\r\n'), 500);
      let ended = false;
      const end = () => {
        if (ended) return;
        ended = true;
        clearInterval(look);
        if (lives.push(performance.now() - startedAt) === sockets) finish();
      };
      socket.on('error', end);
      socket.on('close', end);
    }
  });
}
