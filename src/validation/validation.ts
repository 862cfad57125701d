// The front door of the validation room: text in, TradeRequest out. Refusals are messages; which status they get is not decided here.
export { checkForChain, checkForTime } from './check-for-chain.ts';
export { type Decimal, decimalText, decodeDecimal } from './decimal.ts';
export { fundedByPermit2 } from './funded-by-permit2.ts';
export { type ParsedTradeRequest, parseTradeRequest } from './parse-trade-request.ts';
export { type ParsedQuery, parseQuery, type QueryPairs } from './query.ts';
export type { AddressEcho, TradeRequest } from './trade-request.ts';
