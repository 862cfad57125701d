import { expect } from 'chai';
import { type AbiItem, type Hex, hexToBytes, toEventSelector, toFunctionSelector } from 'viem';
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

  it('no code of ours hands itself over, makes or ends a contract: there is no such instruction in it (K27)', () => {
    const { allowanceHolder, routers } = readSettlementContracts();
    const zero = asAddress(`0x${'0'.repeat(40)}`);
    const settings = { allowanceHolder: zero, wrappedNative: zero, feeCollector: zero };
    for (const code of [allowanceHolder.runtimeCode, ...routers.map((router) => router.runtimeCode(settings))]) {
      const found = instructionsOf(code);
      // What it does have, so that the walk is known to be one.
      for (const [name, byte] of Object.entries({ CALL: 0xf1, TLOAD: 0x5c, TSTORE: 0x5d, REVERT: 0xfd })) expect(found.has(byte), name).to.equal(true);
      const never = { CREATE: 0xf0, CALLCODE: 0xf2, DELEGATECALL: 0xf4, CREATE2: 0xf5, SELFDESTRUCT: 0xff, SSTORE: 0x55, SLOAD: 0x54, ORIGIN: 0x32 };
      for (const [name, byte] of Object.entries(never)) expect(found.has(byte), name).to.equal(false);
    }
  });
});

/** Every instruction up to the metadata, whose length is in the last two bytes; what PUSH1 to PUSH32 carry is no instruction. */
function instructionsOf(code: Hex): ReadonlySet<number> {
  const bytes = hexToBytes(code);
  const end = bytes.length - 2 - (((bytes.at(-2) ?? 0) << 8) | (bytes.at(-1) ?? 0));
  const found = new Set<number>();
  for (let at = 0; at < end; at++) {
    const byte = bytes[at] ?? 0;
    found.add(byte);
    if (byte >= 0x60 && byte <= 0x7f) at += byte - 0x5f;
  }
  return found;
}
