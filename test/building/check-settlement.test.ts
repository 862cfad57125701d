import { expect } from 'chai';
import { checkSettlement } from '../../src/building/building.ts';
import { hostDevnet } from '../../src/host-chains.ts';
import { testConfig } from '../support/braid.ts';
import { useDevnet } from '../support/devnet.ts';

describe('the service checks the bytecode of the settlement contracts at start', function suite() {
  this.timeout(300_000);
  const chain = useDevnet();

  function settings() {
    const { allowanceHolder, wrappedNative, feeCollector } = chain.current();
    return { allowanceHolder, wrappedNative, feeCollector };
  }

  it('takes the contracts that the devnet deployed', async () => {
    const { rpcUrl, router } = chain.current();
    expect(await checkSettlement([rpcUrl], router, settings())).to.deep.equal({ verdict: 'ok' });
  });

  it('refuses an address without code, other code, and a Router that was built with something else', async () => {
    const { rpcUrl, router, venues, accounts, permit2 } = chain.current();
    const wrong = async (address: typeof router, changes: Partial<ReturnType<typeof settings>> = {}) =>
      checkSettlement([rpcUrl], address, { ...settings(), ...changes });
    expect(await wrong(permit2)).to.have.property('verdict', 'wrong');
    expect(await wrong(venues.swapRouter)).to.have.property('verdict', 'wrong');
    expect((await wrong(accounts[0]?.address ?? router)) as unknown).to.deep.include({ verdict: 'wrong' });
    expect(await wrong(router, { feeCollector: permit2 })).to.have.property('verdict', 'wrong');
    expect(await wrong(router, { wrappedNative: permit2 })).to.have.property('verdict', 'wrong');
    expect(await wrong(router, { allowanceHolder: router })).to.have.property('verdict', 'wrong');
  });

  it('does not know while no node answers, or on another chain is asked through a failing endpoint first', async () => {
    const { rpcUrl, router } = chain.current();
    expect(await checkSettlement(['http://127.0.0.1:9'], router, settings())).to.have.property('verdict', 'unknown');
    expect(await checkSettlement(['http://127.0.0.1:9', rpcUrl], router, settings())).to.deep.equal({ verdict: 'ok' });
  });

  it('a chain builds no swaps before the check has passed', async () => {
    const hosting = hostDevnet(testConfig(), chain.current());
    expect(hosting.chains[0]?.contracts.router).to.equal(null);
    await hosting.verifySettlement(() => undefined);
    expect(hosting.chains[0]?.contracts.router).to.equal(chain.current().router);
    expect(hosting.chains[0]?.contracts.allowanceHolder).to.equal(chain.current().allowanceHolder);
  });
});
