import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readBody } from '../../src/devnet/makers/go-wrong.ts';

/** What nobody else says: wherever it shows, what others sent went there. */
export const CANARY = 'CANARY';

/** What a terminal obeys, what begins a line of a log or of metrics, and what a template or a format would fill in. */
export const HOSTILE = `${CANARY}\u001b[2J\u001b]0;${CANARY}\u0007\r\n{"level":"fatal","msg":"${CANARY}","maker":"${CANARY}"}\u0000\u009b31m\u2028\u202e%s %j \${${CANARY}} {{${CANARY}}}\nbraid_${CANARY}{maker="${CANARY}"} 1\n`;

const HEADERS = {
  'content-type': `${CANARY}/json; {}="${CANARY}"`,
  server: `${CANARY} {}`,
  'x-canary': CANARY,
  'set-cookie': `${CANARY}=${CANARY}`,
  'retry-after': CANARY,
  'x-request-id': CANARY,
  link: `<http://${CANARY}.invalid/>; rel=preload`,
};

/** Answers a call, whose members are those of its JSON. */
export type Answer = (asked: Readonly<Record<string, unknown>>, response: ServerResponse) => void | Promise<void>;

export const says =
  (of: (asked: Readonly<Record<string, unknown>>) => unknown): Answer =>
  async (asked, response) =>
    void response.writeHead(200, HEADERS).end(JSON.stringify(await of(asked)));
const rpc = (of: object): Answer => says(({ id }) => ({ jsonrpc: '2.0', id, ...of, [HOSTILE]: HOSTILE }));

/** Members of all that makers, attesters and issuers say, each of which is this. */
const membersOf = (value: unknown) =>
  Object.fromEntries(
    [
      ...['nonce', 'expiry', 'signerWallet', 'signerToken', 'signerAmount', 'senderToken', 'senderAmount', 'v', 'r', 's', 'chainId', 'swapContract'],
      ...['attestationId', 'userId', 'price', 'tokenAmount', 'expiration', 'signature', 'assetAddress', 'side', 'symbol', 'additionalData'],
      ...['blockNumber', 'unlockData', 'baseToken', 'quoteToken', 'bid', 'ask', 'minimum', 'error', 'message', 'name', 'maker', '__proto__', HOSTILE],
    ].map((name) => [name, value]),
  );
const throws = { toString: CANARY, valueOf: CANARY, toJSON: CANARY };

/** Whatever may come, by what it is. None of it is what was asked for. */
export const HOSTILE_ANSWERS: ReadonlyMap<string, Answer> = new Map([
  ['an error with a message', rpc({ error: { code: -33_601, message: HOSTILE, data: { [HOSTILE]: [HOSTILE] }, stack: HOSTILE } })],
  ['an error of being busy', rpc({ error: { code: -33_605, message: HOSTILE, data: HOSTILE } })],
  ['an error whose code is a text', rpc({ error: { code: HOSTILE, message: { [HOSTILE]: HOSTILE } } })],
  ['an error that is a text', rpc({ error: HOSTILE })],
  ['a result that is a text', rpc({ result: HOSTILE })],
  ['results whose members are texts', rpc({ result: membersOf(HOSTILE) })],
  ['results whose members are of wrong types', rpc({ result: [membersOf(throws), membersOf([HOSTILE]), membersOf(true)] })],
  ['another id', says(() => ({ jsonrpc: HOSTILE, id: HOSTILE, result: membersOf(HOSTILE) }))],
  ['a refusal with reasons', says(() => ({ success: false, error: HOSTILE, message: HOSTILE, attestations: HOSTILE, reason: { [HOSTILE]: HOSTILE } }))],
  ['attestations that are texts', says(() => ({ success: true, attestations: [membersOf(HOSTILE), HOSTILE] }))],
  ['members that are texts', says(() => membersOf(HOSTILE))],
  ['members of wrong types', says(() => membersOf(throws))],
  ['a text', (_asked, response) => void response.writeHead(200, HEADERS).end(HOSTILE)],
  ['no text', (_asked, response) => void response.writeHead(200, HEADERS).end(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(HOSTILE)]))],
  ['another encoding', (_asked, response) => void response.writeHead(200, { ...HEADERS, 'content-encoding': CANARY }).end(HOSTILE)],
  ['an error of HTTP', (_asked, response) => void response.writeHead(500, `${CANARY} {}`, HEADERS).end(HOSTILE)],
  ['too many requests', (_asked, response) => void response.writeHead(429, CANARY, HEADERS).end(HOSTILE)],
  ['a redirect', (_asked, response) => void response.writeHead(302, CANARY, { ...HEADERS, location: `http://${CANARY}.invalid/${CANARY}` }).end()],
  ['no HTTP', (_asked, response) => void response.socket?.end(`${HOSTILE}\r\n\r\n`)],
  ['half an answer', (_asked, response) => void response.writeHead(200, { ...HEADERS, 'content-length': '9999' }).write(HOSTILE, () => response.socket?.end())],
]);

/** Somebody who answers as a test has it, on a free port of this machine. */
export async function listenTo(
  answer: Answer,
): Promise<{ readonly origin: string; readonly asked: () => number; answerBy(next: Answer): void; stop(): Promise<void> }> {
  let [current, asked] = [answer, 0];
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    asked++;
    const by = current;
    // Whoever has left meanwhile is answered all the same.
    response.on('error', () => undefined);
    void readBody(request)
      .then((text) => by(JSON.parse(text), response))
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: () => asked,
    answerBy(next) {
      current = next;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
