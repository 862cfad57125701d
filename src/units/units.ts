// The front door of the room of units: branded types, each made in one file.
export { type Address, asAddress, isAddress, NATIVE_TOKEN, ZERO_ADDRESS } from './address.ts';
export { asciiLowerCase, asciiTrim } from './ascii.ts';
export { asBlockNumber, type BlockNumber } from './block-number.ts';
export { decodeInteger, parseInteger, parseSafeInteger } from './integer.ts';
export { asBps, BPS_WHOLE, type Bps } from './ratio.ts';
export { type DurationMs, type EpochSeconds, type InstantMs, instantNow } from './time.ts';
export { asWei, MAX_WEI, type Wei } from './wei.ts';
