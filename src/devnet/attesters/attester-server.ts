import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Address } from '../../units/units.ts';
import type { DevnetAccount } from '../accounts.ts';
import { goWrong, readBody, sendJson } from '../makers/go-wrong.ts';
import { listen } from '../makers/listen.ts';
import { attest } from './attest.ts';
import { type AttestationFault, type AttesterFault, isOfTransport, readAttesterFault } from './faults.ts';

/** Who attests blocks for a hook, and how it knows them. */
export type Attester = {
  readonly nodes: readonly DevnetAccount[];
  readonly chainId: number;
  readonly hook: Address;
  /** Whoever asks has to know it. */
  readonly apiKey: string;
  /** Of the newest block. */
  blockNumber(): Promise<number>;
};

/** An attester that answers. */
export type AttesterServer = {
  readonly origin: string;
  readonly path: string;
  /** Has something go wrong with every answer; null: nothing. Over its port: POST /faults with the fault, or {"kind": "none"}. */
  setFault(fault: AttesterFault | null): void;
  /** How many attestations were asked for, each time that it was asked. Over its port: GET /calls. */
  calls(): readonly AttesterCall[];
  stop(): Promise<void>;
};

export type AttesterCall = { readonly blocksInFuture: number };

const PATH = '/getAttestations';
const KEPT_CALLS = 1_000;
const MOST_BLOCKS = 32;

export async function startAttesterServer(attester: Attester, host = '127.0.0.1', port = 0): Promise<AttesterServer> {
  let fault: AttesterFault | null = null;
  const calls: AttesterCall[] = [];
  const setFault: AttesterServer['setFault'] = (next) => {
    fault = next;
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method === 'GET' && request.url === '/calls') return sendJson(response, 200, calls);
    const text = await readBody(request);
    if (request.url === '/faults') {
      const next = readAttesterFault(text);
      if (next === null) return sendJson(response, 400, { error: 'no fault is called that' });
      setFault(next === 'none' ? null : next);
      return sendJson(response, 200, { fault });
    }
    if (request.method !== 'POST' || request.url !== PATH) return sendJson(response, 404, { success: false });
    const blocks = blocksWanted(text);
    calls.push({ blocksInFuture: blocks ?? 0 });
    if (calls.length > KEPT_CALLS) calls.shift();
    const now: AttesterFault | null = fault;
    if (now !== null && isOfTransport(now) && (await goWrong(now.kind, now, response))) return;
    if (request.headers['x-api-key'] !== attester.apiKey) return sendJson(response, 401, { success: false });
    if (blocks === null) return sendJson(response, 400, { success: false });
    const spoiled = now === null || isOfTransport(now) ? null : (now.kind as AttestationFault);
    sendJson(response, 200, await attest(attester, (await attester.blockNumber()) + 1, blocks, spoiled));
  };
  const { origin, stop } = await listen(answer, host, port);
  return {
    origin,
    path: PATH,
    setFault,
    calls: () => [...calls],
    stop,
  };
}

/** null: so many are not attested. */
function blocksWanted(text: string): number | null {
  try {
    const { blocks_in_future: blocks } = JSON.parse(text) as { readonly blocks_in_future?: unknown };
    return typeof blocks === 'number' && Number.isInteger(blocks) && blocks >= 1 && blocks <= MOST_BLOCKS ? blocks : null;
  } catch {
    return null;
  }
}
