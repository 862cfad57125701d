import { expect } from 'chai';
import { utils } from 'ethers';
import { concatHex, getAddress, hashTypedData, keccak256, sliceHex, stringToHex } from 'viem';
import { NATIVE, needsSwaps, useService } from './support/service.ts';
import { buying, permittedOf } from './support/trades.ts';

const SOMEBODY = '0x00000000000000000000000000000000000000Ab';
const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3';

describe('Permit2Approval', () => {
  const service = useService();

  it('type constant `Permit2`, signatureLength constant 65; the signature bytes of `data` are zero at signatureOffset', async function () {
    needsSwaps(this, service());
    const { permit2, transaction } = await permittedOf(service());
    expect(Object.keys(permit2).sort()).to.deep.equal(['eip712', 'hash', 'signatureLength', 'signatureOffset', 'type']);
    expect([permit2.type, permit2.signatureLength]).to.deep.equal(['Permit2', 65]);
    const place = sliceHex(transaction.data, permit2.signatureOffset, permit2.signatureOffset + 65);
    expect(place).to.equal(`0x${'00'.repeat(65)}`);
  });

  it('hash: It must equal the hash of `eip712` computed by the client', async function () {
    needsSwaps(this, service());
    for (const changes of [{}, buying(service()), { recipient: SOMEBODY }, { buyToken: NATIVE }]) {
      const { permit2 } = await permittedOf(service(), changes);
      const { EIP712Domain: _domain, ...types } = permit2.eip712.types;
      expect(utils._TypedDataEncoder.hash(permit2.eip712.domain, types, permit2.eip712.message)).to.equal(permit2.hash);
      expect(hashTypedData(permit2.eip712 as never)).to.equal(permit2.hash);
    }
  });

  it('eip712: EIP-712 typed data with top-level keys `types`, `domain`, `message`, `primaryType`, ready for `eth_signTypedData_v4`', async function () {
    needsSwaps(this, service());
    const { permit2, sellAmount, minBuyAmount, recipient, sellToken, buyToken, transaction } = await permittedOf(service());
    const { eip712 } = permit2;
    expect(Object.keys(eip712).sort()).to.deep.equal(['domain', 'message', 'primaryType', 'types']);
    expect(eip712.types).to.have.property('EIP712Domain');
    expect(eip712.domain).to.deep.equal({ name: 'Permit2', chainId: service().chainId, verifyingContract: PERMIT2 });
    const { permitted, spender, nonce, deadline, witness } = eip712.message;
    for (const amount of [permitted.amount, nonce, deadline, witness.minBuyAmount]) expect(amount).to.match(/^[0-9]+$/);
    const lower = [permitted.token, witness.buyToken, witness.recipient, spender].map((address) => address.toLowerCase());
    expect(lower).to.deep.equal([sellToken, buyToken, recipient, transaction.to].map((address) => address?.toLowerCase()));
    expect([permitted.amount, witness.minBuyAmount]).to.deep.equal([sellAmount, minBuyAmount]);
  });

  it('The permit nonce is unordered, derived from `quoteId` and single-use (B7). The permit deadline equals the swap deadline', async function () {
    needsSwaps(this, service());
    const nonces = new Set<string>();
    for (const changes of [{}, {}]) {
      const { permit2, quoteId, deadline } = await permittedOf(service(), changes);
      const { message } = permit2.eip712;
      const digest = keccak256(concatHex([stringToHex('permit2-nonce'), `0x${quoteId.replaceAll('-', '')}`]));
      expect(message.nonce).to.equal(BigInt(digest).toString());
      expect(message.deadline).to.equal(String(deadline));
      nonces.add(message.nonce);
    }
    expect(nonces.size).to.equal(2);
  });

  it('an address that the caller wrote in a mixed case that is no checksum can be signed all the same', async function () {
    needsSwaps(this, service());
    const taker = '0xABCDEFABCDEFABCDEFABCDEFABCDEFABCDEFABCd';
    const { permit2 } = await permittedOf(service(), { taker, recipient: undefined });
    expect(permit2.eip712.message.witness.recipient).to.equal(getAddress(taker.toLowerCase()));
    expect(hashTypedData(permit2.eip712 as never)).to.equal(permit2.hash);
  });
});
