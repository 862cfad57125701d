import { type Devnet, type DevnetOptions, startDevnet } from '../../src/devnet/devnet.ts';

/** Where a suite finds its chain: `current()` throws outside of the suite's tests. */
export type DevnetHandle = { current(): Devnet };

const START_TIMEOUT_MS = 480_000;

/**
 * Gives the surrounding mocha suite a local chain of its own: started before its tests, ended after them, also when they fail. Bots are off unless asked for, so that
 * state stands still.
 */
export function useDevnet(options: Partial<DevnetOptions> = {}): DevnetHandle {
  let devnet: Devnet | undefined;
  before(async function start() {
    this.timeout(START_TIMEOUT_MS);
    devnet = await startDevnet({ rpcPort: 0, seed: 1, bots: false, ...options });
  });
  after(async () => {
    await devnet?.stop();
  });
  return {
    current() {
      if (devnet === undefined) throw new Error('the local chain is not up: use it inside tests only');
      return devnet;
    },
  };
}
