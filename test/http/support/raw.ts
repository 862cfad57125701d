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

/** Sends bytes as they are and reads until the server closes, or until `untilMs` have passed without a byte. */
export function sendRaw(port: number, payload: string | Buffer | readonly (string | Buffer)[], untilMs = 150): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const socket = net.connect({ host: '127.0.0.1', port });
    const startedAt = performance.now();
    let text = '';
    let ms = 0;
    const finish = () => {
      socket.destroy();
      resolve({ ...parse(text), ms });
    };
    let timer = setTimeout(finish, 3000);
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      ms = performance.now() - startedAt;
      clearTimeout(timer);
      timer = setTimeout(finish, untilMs);
    });
    socket.on('close', () => {
      clearTimeout(timer);
      finish();
    });
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
