/** The latest moment that a response can name: its times are integers of 64 bits with a sign (interface specification). No deadline of a request is later. */
const LATEST = 2n ** 63n - 1n;

/** The last second at which something holds, as a response can say it: what holds for longer, or for ever, holds until then. Unix seconds. */
export function lastSecond(second: bigint): bigint {
  return second < LATEST ? second : LATEST;
}
