import { expect } from 'chai';
import { findFirstBlocks } from '../../src/first-blocks/first-blocks.ts';
import { asAddress } from '../../src/units/units.ts';
import { startRpcProxy } from '../support/rpc-proxy.ts';

/** A chain of eight blocks, in whose fifth the contract was made. */
const ANSWERS: Readonly<Record<string, (params: readonly unknown[]) => unknown>> = {
  eth_getBlockByNumber: () => ({ hash: `0x${'ab'.repeat(32)}` }),
  eth_blockNumber: () => '0x8',
  eth_getCode: ([, block]) => (Number(block) < 5 ? '0x' : '0x00'),
};

describe('finding first blocks where no node is of the chain', () => {
  it('waits, and says what each of them answers, once for as long as it is the same', async () => {
    const nodes = [await startRpcProxy(() => ''), await startRpcProxy(() => ''), await startRpcProxy(() => '')] as const;
    try {
      let rounds = 0;
      nodes[0].setRule(async () => ({ status: 404, body: 'no such page' }));
      nodes[1].setRule(async ({ method, params }) => {
        if (method === 'eth_chainId') rounds++;
        return { json: { jsonrpc: '2.0', id: 1, result: method === 'eth_chainId' ? (rounds > 2 ? '0x2a' : '0x1') : ANSWERS[method]?.(params) } };
      });
      nodes[2].setRule(async () => ({ json: { jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'invalid api key: s3cret' } } }));
      const warnings: string[] = [];
      const found = await findFirstBlocks([{ factory: asAddress(`0x${'cd'.repeat(20)}`), fromBlock: null }], {
        chainId: 42,
        rpcUrls: [...nodes.map(({ url }) => url), 'http://127.0.0.1:1'],
        folder: null,
        signal: new AbortController().signal,
        warn: (message) => void warnings.push(message),
      });
      expect(found.map(({ fromBlock }) => fromBlock)).to.deep.equal([5]);
      expect(warnings).to.deep.equal([
        'no node of chain 42 answers, which is waited for: rpcUrls.0 answers HTTP 404; rpcUrls.1 serves chain 1; rpcUrls.2 refuses (JSON-RPC error -32000); rpcUrls.3 gives no answer',
      ]);
    } finally {
      for (const node of nodes) await node.stop();
    }
  }).timeout(60_000);
});
