import { expect } from 'chai';
import { readSettlementContracts } from '../../src/building/building.ts';
import { asAddress } from '../../src/units/units.ts';
import { useGround } from '../support/settlement/ground.ts';

describe('the construction of a router', () => {
  const here = useGround();

  it('is refused with a fee collector that is nobody or the allowance holder', async () => {
    const { chain, allowanceHolder, wrappedNative, accounts } = here.current();
    const router = readSettlementContracts().routerFor(['wrap']);
    for (const feeCollector of [asAddress(`0x${'0'.repeat(40)}`), allowanceHolder]) {
      const outcome = await chain
        .deploy(accounts.deployer, router.creationCode({ allowanceHolder, wrappedNative, feeCollector }))
        .catch((error: unknown) => error);
      expect(outcome).to.be.instanceOf(Error);
    }
  });
});
