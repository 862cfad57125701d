import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Hex } from 'viem';
import type { Address } from '../../units/units.ts';
import { isTransportFault, type MakerFault } from '../makers/faults.ts';
import { goWrong, readBody, sendJson } from '../makers/go-wrong.ts';
import { listen } from '../makers/listen.ts';
import { otherSignature, signQuote, spoilQuote, type UnsignedQuote } from './attest.ts';
import { type AttestationFault, type IssuerFault, readIssuerFault } from './faults.ts';
import { priceOf, quantityFor } from './quoted-price.ts';

/** An issuer: what it issues, at which contract, and for whom. */
export type Issuer = {
  readonly key: Hex;
  readonly apiKey: string;
  readonly chainId: number;
  /** What it calls the chain. */
  readonly chain: string;
  readonly contract: Address;
  /** As the contract's registry knows whoever has the key. */
  readonly userId: Hex;
  /** `usd`: of one whole asset, with 18 decimals. */
  readonly assets: readonly { readonly symbol: string; readonly token: Address; readonly usd: bigint }[];
};

/** An issuer that answers. */
export type IssuerServer = {
  readonly origin: string;
  /** Has something go wrong with attestations, or with every answer; null: nothing. Over its port: POST /faults with the fault, or {"kind": "none"}. */
  setFault(fault: IssuerFault | null, on?: 'attestations' | 'all'): void;
  /** The requests that came, in their order. Over its port: GET /calls. */
  calls(): readonly IssuerCall[];
  stop(): Promise<void>;
};

export type IssuerCall = { readonly path: string; readonly body: Readonly<Record<string, unknown>> };

const SOFT = '/v1/attestations/soft';
const FIRM = '/v1/attestations';
const KEPT_CALLS = 2_000;
const WHOLE = 10n ** 18n;
/** Unix seconds that an attestation holds. */
const HOLDS_SECONDS = 60n;
const ZERO_WORD: Hex = `0x${'0'.repeat(64)}`;

type Refusal = { readonly status: number; readonly body: object };
const refusal = (status: number, code: string): Refusal => ({ status, body: { code, message: code.toLowerCase().replaceAll('_', ' ') } });

export async function startIssuerServer(issuer: Issuer, host = '127.0.0.1', port = 0): Promise<IssuerServer> {
  let fault: IssuerFault | null = null;
  let faulty: 'attestations' | 'all' = 'attestations';
  const calls: IssuerCall[] = [];
  const remembered = { attestation: null as object | null };
  const setFault: IssuerServer['setFault'] = (next, on = 'attestations') => {
    fault = next;
    faulty = on;
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://issuer');
    if (request.method === 'GET' && pathname === '/calls') return sendJson(response, 200, calls);
    const text = await readBody(request);
    if (pathname === '/faults') {
      const next = readIssuerFault(text);
      if (next === null) return sendJson(response, 400, { error: 'no fault is called that' });
      setFault(next === 'none' ? null : next, searchParams.get('on') === 'all' ? 'all' : 'attestations');
      return sendJson(response, 200, { fault });
    }
    if (request.method !== 'POST' || (pathname !== SOFT && pathname !== FIRM)) return sendJson(response, 404, { code: 'NOT_FOUND' });
    const body = readObject(text);
    calls.push({ path: pathname, body: body ?? {} });
    if (calls.length > KEPT_CALLS) calls.shift();
    const now = faulty === 'all' || pathname === FIRM ? fault : null;
    if (now !== null && isTransportKind(now) && (await goWrong(now.kind, now, response))) return;
    if (request.headers['x-api-key'] !== issuer.apiKey) return sendJson(response, 401, { code: 'INVALID_API_KEY' });
    const attestationFault = now === null || isTransportKind(now) ? null : (now.kind as AttestationFault);
    const answered = body === null ? refusal(400, 'INVALID_REQUEST') : await answerTo(issuer, pathname === FIRM, body, attestationFault, remembered);
    sendJson(response, answered.status, answered.body);
  };
  const { origin, stop } = await listen(answer, host, port);
  return {
    origin,
    setFault,
    calls: () => [...calls],
    stop,
  };
}

function isTransportKind(
  fault: IssuerFault,
): fault is IssuerFault & { readonly kind: Extract<MakerFault['kind'], IssuerFault['kind']> & Parameters<typeof goWrong>[0] } {
  return isTransportFault(fault.kind as MakerFault['kind']);
}

async function answerTo(
  issuer: Issuer,
  isFirm: boolean,
  { chainId, symbol, side: sideText, tokenAmount, notionalValue }: Readonly<Record<string, unknown>>,
  fault: AttestationFault | null,
  remembered: { attestation: object | null },
): Promise<Refusal> {
  const asset = issuer.assets.find((each) => each.symbol === symbol);
  if (chainId !== issuer.chain || asset === undefined || (sideText !== 'buy' && sideText !== 'sell')) return refusal(400, 'INVALID_REQUEST');
  if (fault === 'closed') return refusal(403, 'MARKET_CLOSED');
  if (fault === 'over-limit') return refusal(400, 'USER_LIMIT_EXCEEDED');
  if (fault === 'replayed' && remembered.attestation !== null) return { status: 200, body: remembered.attestation };
  const side = sideText === 'buy' ? 0 : 1;
  const [amount, notional] = [baseUnits(tokenAmount), baseUnits(notionalValue)];
  const quantity = amount ?? (notional === null || side === 1 ? null : quantityFor(asset.usd, notional));
  const price = quantity === null ? null : priceOf(side, asset.usd, quantity, isFirm);
  if (quantity === null || price === null) return refusal(400, 'AMOUNT_NOT_SERVED');
  const facts = { chainId: String(issuer.chainId), symbol, ticker: String(symbol).replace(/on$/, ''), assetAddress: asset.token };
  if (!isFirm) return { status: 200, body: { ...facts, side: String(side), tokenAmount: String(quantity), price: String(price) } };
  const expiration = BigInt(Math.floor(Date.now() / 1000)) + HOLDS_SECONDS;
  const plain = { attestationId: nextId(), userId: issuer.userId, asset: asset.token, price, quantity, expiration, side, additionalData: ZERO_WORD } as const;
  const attestation = await attested(issuer, facts, { chainId: BigInt(issuer.chainId), ...plain }, fault);
  remembered.attestation = attestation;
  return { status: 200, body: attestation };
}

async function attested({ key: ownKey, chainId, contract }: Issuer, facts: object, plain: UnsignedQuote, fault: AttestationFault | null): Promise<object> {
  const { quote, key } = spoilQuote(fault, plain, ownKey);
  const domain = {
    chainId: fault === 'wrong-chain' ? chainId + 1 : chainId,
    verifyingContract: fault === 'wrong-contract' ? quote.asset : contract,
    ...(fault === 'wrong-domain' ? { name: 'OndoUSDonManager', version: '2' } : {}),
  };
  const signature = await signQuote(key, quote, domain);
  const { attestationId, userId, side, quantity, price, expiration } = quote;
  const texts = { attestationId: String(attestationId), userId, ...facts, assetAddress: quote.asset, side: String(side), tokenAmount: String(quantity) };
  const whole = {
    ...texts,
    price: String(price),
    expiration: expiration > 10n ** 15n ? String(expiration) : Number(expiration),
    signature,
    additionalData: '',
  };
  if (fault === 'altered') return { ...whole, price: String(side === 0 ? price - 1n : price + 1n) };
  if (fault === 'malleable') return { ...whole, signature: otherSignature(signature) };
  if (fault === 'numbers') return { ...whole, price: `${price}.5`, tokenAmount: '1e18', expiration: '-1' };
  return whole;
}

let lastId = 0n;

/** Grows over restarts too. */
function nextId(): bigint {
  const now = BigInt(Date.now()) * 1_000_000n;
  lastId = now > lastId ? now : lastId + 1n;
  return lastId;
}

/** Of a decimal number of whole tokens. null: it is none. */
function baseUnits(value: unknown): bigint | null {
  const [, whole, fraction = ''] = (typeof value === 'string' ? /^([0-9]{1,20})(?:\.([0-9]{1,18}))?$/.exec(value) : null) ?? [];
  return whole === undefined ? null : BigInt(whole) * WHOLE + BigInt(fraction.padEnd(18, '0'));
}

function readObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Readonly<Record<string, unknown>>) : null;
  } catch {
    return null;
  }
}
