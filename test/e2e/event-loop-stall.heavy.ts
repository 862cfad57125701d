import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { useBraid } from '../support/braid.ts';
import { scrape } from '../support/scrape.ts';

/** Not near the time between two blocks, and not so long that a busy machine is stale without any stall. */
const FRESHNESS_MS = 10_000;
const STALL_MS = 500;
/** A machine that is busy with something else makes the loop late without us, and to shed is right then. */
const ROUNDS = 5;

type Answer = { readonly status: number; readonly code: string | undefined };

/** Asks from a thread of its own, which goes on while the main thread stands still. Tells when the first answer is there, and all answers at the end. */
const ASK = `
  const { parentPort, workerData: { url, headers, times, everyMs } } = require('node:worker_threads');
  const ask = async () => {
    const response = await fetch(url, { headers });
    const { code } = await response.json();
    return { status: response.status, code };
  };
  void (async () => {
    const answers = [await ask()];
    parentPort.postMessage('asking');
    const underWay = [];
    for (let i = 0; i < times; i++) {
      underWay.push(ask());
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
    parentPort.postMessage([...answers, ...(await Promise.all(underWay))]);
  })();`;

describe('B11: the main thread of a running service stands still for half a second', function suite() {
  this.timeout(300_000);
  const braid = useBraid({ devnetBots: true, env: { FRESHNESS_BOUND_MS: String(FRESHNESS_MS) } });

  it('nothing is refused or stale for it, and the metrics show it', async () => {
    const { publicUrl, internalUrl, devnet, apiKey } = braid.current();
    const [sell, buy] = ['USDC', 'WETH'].map((symbol) => devnet?.tokens.find((token) => token.symbol === symbol)?.address ?? '');
    const url = `${publicUrl}/v1/quote?chainId=${devnet?.chainId}&mode=sell&sellToken=${sell}&buyToken=${buy}&sellAmount=1000000000&timeLimitMs=5000`;
    const lagSeconds = async () => {
      const text = await scrape(internalUrl);
      return Number(/^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text)?.[1]);
    };
    const shed: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const asking = new Worker(ASK, { eval: true, workerData: { url, headers: { 'x-api-key': apiKey }, times: 40, everyMs: 25 } });
      await once(asking, 'message');
      // Each scrape begins anew.
      await lagSeconds();
      const told = once(asking, 'message');
      for (const until = performance.now() + STALL_MS; performance.now() < until; );
      expect(await lagSeconds()).to.be.at.least((0.8 * STALL_MS) / 1000);
      expect((await fetch(`${publicUrl}/healthz`)).status, 'not stale').to.equal(200);
      const [answers] = (await told) as [readonly Answer[]];
      await asking.terminate();
      expect(answers).to.have.length(41);
      for (const answer of answers) expect(answer).to.deep.include(answer.status === 503 ? { code: 'overloaded' } : { status: 200 });
      shed.push(answers.filter(({ status }) => status === 503).length);
      if (shed.at(-1) === 0) return;
    }
    expect.fail(`shed in each round: ${shed.join(', ')}`);
  });
});
