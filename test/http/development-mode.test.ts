import { expect } from 'chai';
import { type Edge, startEdge } from './support/edge.ts';

const QUOTE =
  '/v1/quote?chainId=1&mode=sell&sellToken=0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2&buyToken=0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48&sellAmount=1000';
const ADDRESS = '0x00000000000000000000000000000000000000Ab';

describe('routerAddress and allowanceHolderAddress (R4)', () => {
  let edge: Edge;
  afterEach(() => edge.close());
  const ask = (name: string) => fetch(`${edge.url}${QUOTE}&${name}=${ADDRESS}`);

  for (const name of ['routerAddress', 'allowanceHolderAddress']) {
    it(`${name} is admitted where developmentMode is on, and refused where it is not set`, async () => {
      // The solver of this edge finds nothing: 404 is what comes after the parameters.
      edge = await startEdge({ developmentMode: true });
      expect((await ask(name)).status).to.equal(404);
      await edge.close();
      edge = await startEdge();
      expect((await ask(name)).status).to.equal(400);
    });
  }
});
