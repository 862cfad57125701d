import { expect } from 'chai';
import type { Hex } from 'viem';
import type { QuoteResponse, SwapResponse } from '../../../../schemas/types.gen.ts';
import { expectCommonHeaders, expectQuote } from '../../support/checks.ts';
import { expectSchema } from '../../support/schemas.ts';
import type { Ask } from './client.ts';
import { type Service, TAKER } from './service.ts';

/** Parameters to send instead of, or beside, those of an ordinary trade; undefined leaves one out. */
export type Changes = Readonly<Record<string, string | undefined>>;

export function sellOf({ chainId, sellToken, buyToken, sellAmount }: Service): Readonly<Record<string, string>> {
  return { chainId: String(chainId), mode: 'sell', sellToken, buyToken, sellAmount };
}

export function buyOf({ chainId, sellToken, buyToken, buyAmount }: Service): Readonly<Record<string, string>> {
  return { chainId: String(chainId), mode: 'buy', sellToken, buyToken, buyAmount };
}

export function queryOf(parameters: Changes): string {
  const sent = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return sent.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
}

/** Asks for a quote of the service's ordinary sell, changed. */
export function askQuote(service: Service, changes: Changes = {}, options: Ask = {}): Promise<Response> {
  return service.client.ask(`/v1/quote?${queryOf({ ...sellOf(service), ...changes })}`, options);
}

export function askSwap(service: Service, changes: Changes = {}, options: Ask = {}): Promise<Response> {
  return service.client.ask(`/v1/swap?${queryOf({ ...sellOf(service), taker: TAKER, ...changes })}`, options);
}

/** Changes that make of the ordinary sell the ordinary buy. */
export function buying(service: Service): Changes {
  return { mode: 'buy', sellAmount: undefined, buyAmount: service.buyAmount };
}

export async function quoteOf(service: Service, changes: Changes = {}, options: Ask = {}): Promise<QuoteResponse> {
  return expectQuote(await askQuote(service, changes, options));
}

/** The body of a 200 of /v1/swap, checked against its schema. */
export async function swapOf(service: Service, changes: Changes = {}, options: Ask = {}): Promise<SwapResponse> {
  return expectSwap(await askSwap(service, changes, options));
}

export async function expectSwap(response: Response): Promise<SwapResponse> {
  const text = await response.text();
  expect(response.status, text).to.equal(200);
  expectCommonHeaders(response);
  expect(text).not.to.match(/[:,[]-?[0-9.]+[eE]/);
  const body: unknown = JSON.parse(text);
  expectSchema('swap-response', body);
  return body as SwapResponse;
}

/** Typed data as the specification has clients read it: every uint of the message is text. */
export type TypedData = {
  readonly types: Readonly<Record<string, { readonly name: string; readonly type: string }[]>>;
  readonly domain: { readonly name: string; readonly chainId: number; readonly verifyingContract: string };
  readonly primaryType: string;
  readonly message: {
    readonly permitted: { readonly token: string; readonly amount: string };
    readonly spender: string;
    readonly nonce: string;
    readonly deadline: string;
    readonly witness: { readonly buyToken: string; readonly recipient: string; readonly minBuyAmount: string; readonly payloadHash: Hex };
  };
};

export type PermittedSwap = SwapResponse & {
  readonly transaction: { readonly data: Hex };
  readonly permit2: {
    readonly hash: Hex;
    readonly eip712: TypedData;
    readonly signatureOffset: number;
    readonly signatureLength: number;
    readonly type: string;
  };
};

/** A swap that Permit2 funds. */
export async function permittedOf(service: Service, changes: Changes = {}): Promise<PermittedSwap> {
  const swap = await swapOf(service, { ...changes, funding: 'permit2' });
  expect(swap).to.have.property('permit2');
  return swap as PermittedSwap;
}

export type RateHeaders = { readonly limit: number; readonly remaining: number };

export function rateOf(response: Response): RateHeaders {
  const [limit, remaining] = ['x-ratelimit-limit', 'x-ratelimit-remaining'].map((name) => response.headers.get(name));
  for (const text of [limit, remaining]) expect(text, 'rate headers').to.match(/^[0-9]+$/);
  return { limit: Number(limit), remaining: Number(remaining) };
}

/** Two answers of one block, so that they can be compared; null where the chain moved in between each time. */
export async function atOneBlock<Body extends { readonly blockNumber: number }>(
  first: () => Promise<Body>,
  second: () => Promise<Body>,
): Promise<readonly [Body, Body] | null> {
  for (let tries = 0; tries < 20; tries++) {
    const pair = [await first(), await second()] as const;
    if (pair[0].blockNumber === pair[1].blockNumber) return pair;
  }
  return null;
}

/** The longest chain of venue hops: `WRAP` hops do not count (R17). */
export function depthOf({ route }: QuoteResponse): number {
  const depth = new Map<string, number>();
  for (const { protocol, tokenIn, tokenOut } of route) {
    const reached = (depth.get(tokenIn.toLowerCase()) ?? 0) + (protocol === 'WRAP' ? 0 : 1);
    depth.set(tokenOut.toLowerCase(), Math.max(reached, depth.get(tokenOut.toLowerCase()) ?? 0));
  }
  return Math.max(...depth.values());
}

/** Executes a route by its shares: each hop takes floor(balance × bps / 10000) of what is left of its source token. What is left of any other token than `buyToken` is a fault (S6, S7). */
export function expectReplay({ route, sellToken, buyToken, sellAmount }: QuoteResponse): void {
  const held = new Map([[sellToken.toLowerCase(), BigInt(sellAmount)]]);
  for (const { tokenIn, tokenOut, amountIn, amountOut, bps } of route) {
    const balance = held.get(tokenIn.toLowerCase()) ?? 0n;
    expect(amountIn).to.equal(String((balance * BigInt(bps)) / 10_000n));
    held.set(tokenIn.toLowerCase(), balance - BigInt(amountIn));
    held.set(tokenOut.toLowerCase(), (held.get(tokenOut.toLowerCase()) ?? 0n) + BigInt(amountOut));
  }
  held.delete(buyToken.toLowerCase());
  expect([...held].filter(([, left]) => left !== 0n)).to.deep.equal([]);
}
