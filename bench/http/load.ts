// The load: keep-alive connections that each send one request, wait for its answer and send the next. Over bare sockets, because an HTTP client costs more
// processor time than the servers that are measured.
import net from 'node:net';
import type { LoadOrder, LoadReport } from './messages.ts';

process.on('message', (order: LoadOrder) => {
  void measure(order).then((report) => process.send?.(report));
});

async function measure({ port, payload, connections, warmUpMs, measureMs }: LoadOrder): Promise<LoadReport> {
  const times: number[] = [];
  const statuses = new Map<string, number>();
  let measuring = false;
  const clients = Array.from({ length: connections }, () =>
    keepAsking(port, Buffer.from(payload, 'latin1'), (status, ms) => {
      if (!measuring) return;
      times.push(ms);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }),
  );
  await sleep(warmUpMs);
  measuring = true;
  const startedAt = performance.now();
  const before = process.cpuUsage();
  await sleep(measureMs);
  measuring = false;
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(before);
  for (const socket of clients) socket.destroy();
  const sorted = Float64Array.from(times).sort();
  const at = (share: number) => sorted[Math.floor(share * sorted.length)] ?? Number.NaN;
  return {
    answers: times.length,
    seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    statuses: Object.fromEntries(statuses),
    ownShare: (user + system) / 1e6 / seconds,
  };
}

/** One connection's life: the load ends when the server ends a connection, which no server here does. */
function keepAsking(port: number, payload: Buffer, onAnswer: (status: string, ms: number) => void): net.Socket {
  const socket = net.connect({ host: '127.0.0.1', port, noDelay: true });
  let text = '';
  let askedAt = 0;
  const ask = () => {
    askedAt = performance.now();
    socket.write(payload);
  };
  socket.on('connect', ask);
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    if (!isWhole(text)) return;
    onAnswer(text.slice(9, 12), performance.now() - askedAt);
    text = '';
    ask();
  });
  socket.on('error', (error) => {
    throw error;
  });
  return socket;
}

function isWhole(text: string): boolean {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return false;
  const length = /content-length: ([0-9]+)/i.exec(text)?.[1];
  if (length === undefined) throw new Error(`an answer without a length: ${text.slice(0, 200)}`);
  return text.length >= head + 4 + Number(length);
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
