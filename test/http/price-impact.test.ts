import { expect } from 'chai';
import type { SwapResponse } from '../../schemas/types.gen.ts';
import { type Edge, startEdge } from './support/edge.ts';
import { DAI, type RealSolving, realSolving, USDC, WETH } from './support/real-solving.ts';
import { expectSchema } from './support/schemas.ts';

const TAKER = '0x00000000000000000000000000000000000A11cE';
const MILLION = 10n ** 12n;

describe('HIGH_PRICE_IMPACT', () => {
  let real: RealSolving;
  let edge: Edge;

  before(async () => {
    real = await realSolving();
    const { solving } = real;
    edge = await startEdge({
      chains: [real.hosted],
      solve: (job, caller) => solving.solve(job, caller),
      certify: (job, caller) => solving.certify(job, caller),
    });
  });
  after(async () => {
    await edge.close();
    await real.solving.close();
  });

  async function ask(path: 'quote' | 'swap', buyToken: string, sellAmount: bigint): Promise<SwapResponse> {
    const query = new URLSearchParams({ chainId: '1', mode: 'sell', sellToken: USDC, buyToken, sellAmount: String(sellAmount), taker: TAKER });
    const response = await fetch(`${edge.url}/v1/${path}?${query}`, { headers: { 'x-api-key': edge.key(1000) } });
    const body: unknown = await response.json();
    expect(response.status, JSON.stringify(body)).to.equal(200);
    expectSchema(`${path}-response`, body);
    return body as SwapResponse;
  }

  it("The route gives up more than 15% of the trade's USD value (`amountOutUsd` below `amountInUsd` times 0.85), on swap alone (B16)", async () => {
    let [warned, quiet] = [0, 0];
    for (let size = 200_000n; size < 20n * MILLION; size = (size * 13n) / 10n) {
      const { warnings, amountInUsd, amountOutUsd, transaction } = await ask('swap', DAI, size * 10n);
      const high = Number(amountOutUsd) / Number(amountInUsd) < 0.85;
      expect(
        warnings?.map(({ code }) => code),
        String(size),
      ).to.deep.equal(high ? ['HIGH_PRICE_IMPACT'] : undefined);
      expect(transaction.data.length).to.be.greaterThan(100);
      if (high) warned++;
      else quiet++;
    }
    expect(
      [warned, quiet].every((count) => count >= 3),
      `${warned} warned, ${quiet} not`,
    ).to.equal(true);
    expect(await ask('quote', DAI, 50n * MILLION)).not.to.have.property('warnings');
  });

  it('Emitted only when both sides are priced', async () => {
    const { warnings, amountOutUsd, priceImpact } = await ask('swap', WETH, 200n * MILLION);
    expect([warnings, amountOutUsd, priceImpact]).to.deep.equal([undefined, null, null]);
  });
});
