import net from 'node:net';

export type RawAnswer = {
  /** Everything that came back. */
  readonly text: string;
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  /** From the start of the connection to the last byte that came, in ms. */
  readonly ms: number;
};

/** Echoed by the answer to the request that is sent behind the bytes. */
const LAST_ID = 'behind-the-raw-bytes';
/** Answered by anybody alive, and costs no budget. */
const LAST_REQUEST = `GET /healthz HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${LAST_ID}\r\n\r\n`;
/** After so long a connection on which nothing ends is given up: what came by then is the answer. */
const GIVE_UP_MS = 60_000;

/**
 * Sends bytes as they are and reads all that they are answered with: until the server closes or, on a connection that it keeps, until it answers a request sent behind
 * them.
 */
export function sendRaw(port: number, payload: string | Buffer | readonly (string | Buffer)[]): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const socket = net.connect({ host: '127.0.0.1', port });
    const startedAt = performance.now();
    let text = '';
    let ms = 0;
    let lastIsSent = false;
    const giveUp = setTimeout(finish, GIVE_UP_MS);
    function finish(): void {
      clearTimeout(giveUp);
      socket.destroy();
      resolve({ ...parse(text), ms });
    }
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      const last = text.indexOf(`X-Request-Id: ${LAST_ID}\r\n`);
      if (last >= 0) {
        text = text.slice(0, text.lastIndexOf('HTTP/1.1 ', last));
        return finish();
      }
      if (lastIsSent) return;
      ms = performance.now() - startedAt;
      const head = text.slice(0, text.indexOf('\r\n\r\n') + 4);
      if (head === '' || /^connection: close\r$/im.test(head)) return;
      lastIsSent = true;
      socket.write(LAST_REQUEST);
    });
    socket.on('close', finish);
    socket.on('error', () => {});
    for (const part of typeof payload === 'string' || Buffer.isBuffer(payload) ? [payload] : payload) socket.write(part);
  });
}

function parse(text: string): Omit<RawAnswer, 'ms'> {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = new Map(lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]));
  return { text, status: Number(statusLine.split(' ')[1]), headers, body: rest.join('\r\n\r\n') };
}
