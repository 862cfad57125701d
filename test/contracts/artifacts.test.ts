import { expect } from 'chai';
import { type AbiItem, toEventSelector, toFunctionSelector } from 'viem';
import { ALLOWANCE_HOLDER_ABI, ROUTER_ABI, readSettlementContracts } from '../../src/building/building.ts';
import { asAddress } from '../../src/units/units.ts';
import { useGround } from '../support/settlement/ground.ts';

describe('the artifacts of the settlement contracts', () => {
  const here = useGround();

  it('the code on the chain is what the artifacts say for these settings, and not for others', async () => {
    const { chain, router, allowanceHolder, wrappedNative, accounts } = here.current();
    const contracts = readSettlementContracts();
    const routerCode = contracts.routerFor(['uniswap_v2', 'uniswap_v3', 'wrap']);
    expect(await chain.rpc.request('eth_getCode', allowanceHolder, 'latest')).to.equal(contracts.allowanceHolder.runtimeCode);
    const settings = { allowanceHolder, wrappedNative, feeCollector: accounts.collector };
    const code = await chain.rpc.request('eth_getCode', router, 'latest');
    expect(code).to.equal(routerCode.runtimeCode(settings));
    for (const name of ['allowanceHolder', 'wrappedNative', 'feeCollector'] as const) {
      expect(code).to.not.equal(routerCode.runtimeCode({ ...settings, [name]: asAddress(`0x${'7'.repeat(40)}`) }));
    }
  });

  it('the calls and the event that the service knows are those of the compiled contracts', () => {
    const compiled = readSettlementContracts();
    const signatures = (abi: readonly unknown[]): readonly string[] =>
      (abi as readonly AbiItem[]).flatMap((item) => {
        if (item.type === 'function') return [toFunctionSelector(item)];
        return item.type === 'event' ? [`${toEventSelector(item)} ${item.inputs.map(({ indexed }) => (indexed ? 'i' : '-')).join('')}`] : [];
      });
    for (const router of compiled.routers) expect(signatures(router.abi)).to.include.members([...signatures(ROUTER_ABI)]);
    expect(signatures(compiled.allowanceHolder.abi)).to.include.members([...signatures(ALLOWANCE_HOLDER_ABI)]);
  });

  it('a router can not be built with a fee collector that is nobody or the allowance holder', async () => {
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
