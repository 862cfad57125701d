import { expect } from 'chai';
import { parseTradeRequest, type TradeRequest } from '../../src/validation/validation.ts';

export const NATIVE = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';
export const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
export const WETH = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2';
export const TAKER = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
export const RECIPIENT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
export const ZERO = '0x0000000000000000000000000000000000000000';

type Endpoint = 'quote' | 'swap';

/** Parameters of a good request, then changed: undefined takes one out, a list sends it once for each entry. Values are sent as they are, not encoded. */
export type Changes = { readonly [name: string]: string | readonly string[] | undefined };

export function queryText(changes: Changes = {}): string {
  const parameters: Changes = { chainId: '1', mode: 'sell', sellToken: WETH, buyToken: USDC, sellAmount: '1000', ...changes };
  return Object.entries(parameters)
    .flatMap(([name, value]) => (value === undefined ? [] : typeof value === 'string' ? [`${name}=${value}`] : value.map((one) => `${name}=${one}`)))
    .join('&');
}

export function parse(changes: Changes, endpoint: Endpoint = 'quote', developmentMode = false) {
  const taker = endpoint === 'swap' ? { taker: TAKER } : {};
  return parseTradeRequest(endpoint, queryText({ ...taker, ...changes }), { developmentMode });
}

/** The request, which has to be accepted. */
export function accepted(changes: Changes, endpoint: Endpoint = 'quote', developmentMode = false): TradeRequest {
  const parsed = parse(changes, endpoint, developmentMode);
  if (!parsed.ok) throw new Error(`refused: ${parsed.message}`);
  return parsed.request;
}

/** The message of a refusal that has to happen. It has to be short, printable and name the parameter. */
export function refused(changes: Changes, endpoint: Endpoint = 'quote', developmentMode = false): string {
  const parsed = parse(changes, endpoint, developmentMode);
  if (parsed.ok) throw new Error(`accepted: ${JSON.stringify(changes)}`);
  expectReadable(parsed.message);
  return parsed.message;
}

/** Holds for every message: printable, bounded, without markup or the trace of a stack. */
export function expectReadable(message: string): void {
  expect(message).to.have.length.within(10, 260);
  expect(message).to.match(/expected /);
  expect(message).not.to.match(/[\p{Cc}\p{Cf}\p{Cs}]/u);
  expect(message).not.to.match(/ {4}at |\.ts:/);
}
