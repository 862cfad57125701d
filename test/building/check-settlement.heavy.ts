import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect } from 'chai';
import { checkSettlement } from '../../src/building/building.ts';
import { asAddress } from '../../src/units/units.ts';

describe('the check of the settlement contracts', () => {
  it('gives up a node that takes connections and answers nothing, over HTTP and over a socket, and keeps none open', async () => {
    const address = asAddress(`0x${'11'.repeat(20)}`);
    const settings = { allowanceHolder: address, wrappedNative: address, feeCollector: address };
    for (const scheme of ['http', 'ws']) {
      const silent = createServer((socket) => socket.on('error', () => undefined).resume()).listen(0, '127.0.0.1');
      await once(silent, 'listening');
      const { port } = silent.address() as AddressInfo;
      const check = await checkSettlement({ rpcUrls: [`${scheme}://127.0.0.1:${port}`], chainId: 1 }, address, settings, []);
      expect(check, scheme).to.have.property('verdict', 'unknown');
      // It closes when its last connection is.
      const closed = once(silent, 'close');
      silent.close();
      await closed;
    }
  });
});
