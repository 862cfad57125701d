import { expect } from 'chai';
import { checkSettlement } from '../../src/building/building.ts';
import { type Address, asAddress } from '../../src/units/units.ts';
import { type SocketRule, startSocketNode } from '../support/socket-node.ts';

const [ROUTER, HOLDER, WRAPPED, COLLECTOR] = ['1', '2', '3', '4'].map((digit) => asAddress(`0x${digit.repeat(40)}`)) as [Address, Address, Address, Address];

async function withNode<Result>(rule: SocketRule, work: (nodes: { readonly rpcUrls: readonly string[]; readonly chainId: number }) => Promise<Result>) {
  const node = await startSocketNode(rule);
  try {
    return await work({ rpcUrls: [node.url], chainId: 7 });
  } finally {
    await node.stop();
  }
}

const settlementBy = (rule: SocketRule) =>
  withNode(rule, async (nodes) => {
    const settings = { allowanceHolder: HOLDER, wrappedNative: WRAPPED, feeCollector: COLLECTOR };
    return (await checkSettlement(nodes, ROUTER, settings, [])).verdict;
  });

describe('the settlement contracts, checked by a node behind a socket', () => {
  for (const text of ['<html>502 Bad Gateway</html>', 'null', '7', '{"jsonrpc":"2.0","id":1,"error":null}', '{"jsonrpc":"2.0","id":1,"error":{}}']) {
    it(`are not known where it sends what is no answer, and nothing else comes of it: ${text}`, async () => {
      expect(await settlementBy(() => text)).to.equal('unknown');
    });
  }

  it('are what it says they are, though it sends an error of null beside each answer', async () => {
    const says = ({ id, method }: Parameters<SocketRule>[0]) =>
      JSON.stringify({ jsonrpc: '2.0', id, error: null, result: method === 'eth_chainId' ? '0x7' : '0x6001' });
    expect(await settlementBy(says)).to.equal('wrong');
  });
});
