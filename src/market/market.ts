// The front door of the market room: what tokens and gas are worth, and what tokens say about themselves.
export { readTokenFacts } from './token-metadata.ts';
