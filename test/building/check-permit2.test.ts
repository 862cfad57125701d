import { expect } from 'chai';
import { domainSeparator } from 'viem';
import { checkPermit2 } from '../../src/building/building.ts';
import { asAddress } from '../../src/units/units.ts';
import { startRpcProxy } from '../support/rpc-proxy.ts';
import { answering, type SocketRule, startSocketNode } from '../support/socket-node.ts';

const PERMIT2 = asAddress(`0x${'12'.repeat(20)}`);
const NEVER = new AbortController().signal;
const DOMAIN = domainSeparator({ domain: { name: 'Permit2', chainId: 7, verifyingContract: PERMIT2 } });

type Failure = { readonly code: number; readonly message: string };

/** What is found by a node that says of the call what it is told to, and of the code that there is some. */
async function found(call: string | Failure, code = '0x6001'): Promise<string> {
  const rule: SocketRule = ({ id, method }) => {
    if (method === 'eth_chainId') return answering({ id, method, params: [] }, '0x7');
    const result = method === 'eth_getCode' ? code : call;
    return typeof result === 'string' ? answering({ id, method, params: [] }, result) : JSON.stringify({ jsonrpc: '2.0', id, error: result });
  };
  const node = await startSocketNode(rule);
  const proxy = await startRpcProxy(() => '');
  proxy.setRule(async ({ method, params }) => ({ json: JSON.parse(String(await rule({ id: 1, method, params }, undefined as never))) }));
  try {
    const [one, other] = await Promise.all([node.url, proxy.url].map((url) => checkPermit2({ rpcUrls: [url], chainId: 7 }, PERMIT2, NEVER)));
    expect(one, 'by a socket as by HTTP').to.equal(other);
    return String(one);
  } finally {
    await node.stop();
    await proxy.stop();
  }
}

describe('whether Permit2 stands at its address', () => {
  it('it does where it has the domain by which typed data are written, and does not where there is no code, or other code', async () => {
    expect(await found(DOMAIN)).to.equal('ok');
    expect(await found(DOMAIN, '0x')).to.equal('absent');
    expect(await found(`0x${'00'.repeat(32)}`)).to.equal('absent');
    expect(await found('0x')).to.equal('absent');
    for (const message of ['execution reverted', 'VM Exception while processing transaction: revert', 'invalid opcode: INVALID', 'out of gas'])
      expect(await found({ code: 3, message }), message).to.equal('absent');
  });

  it('is not known where the node failed to say, so that it is looked at again: what is absent is not', async () => {
    for (const failure of [
      { code: -32603, message: 'Internal error' },
      { code: -32005, message: 'limit exceeded' },
      { code: 429, message: 'Too Many Requests' },
      { code: -32000, message: 'header not found' },
    ])
      expect(await found(failure), failure.message).to.equal('unknown');
  });
});
