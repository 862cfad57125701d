import { expect } from 'chai';
import { utils } from 'ethers';
import fc from 'fast-check';
import { concatHex, hashTypedData, keccak256, sliceHex, stringToHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { encodePayload, encodePermit2Call, SIGNATURE_BYTES, SIGNATURE_OFFSET, type SwapTerms } from '../../src/building/building.ts';
import { writePermit2 } from '../../src/building/write-permit2.ts';
import { addressTextFor } from '../../src/quoting/quoting.ts';
import { type Address, asAddress, NATIVE_TOKEN } from '../../src/units/units.ts';
import { FULL_SCALE } from '../support/seeded-random.ts';
import { seeded } from '../validation/seeded.ts';
import { arbitraryTerms } from './arbitrary-terms.ts';

const CASES = FULL_SCALE ? 10_000 : 150;

/** Typed data as a client has it after JSON.parse. */
type TypedData = {
  readonly types: Record<string, { name: string; type: string }[]>;
  readonly domain: { readonly name: string; readonly chainId: number; readonly verifyingContract: string };
  readonly message: Record<string, unknown>;
};

const sold = arbitraryTerms.filter(({ sellToken }) => sellToken !== NATIVE_TOKEN);
const account = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => asAddress(`0x${Buffer.from(bytes).toString('hex')}`));
/** ethers takes no number from 2^53 − 1 on. */
const domain = fc.record({ chainId: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER - 1 }), permit2: account, router: account });

/** An address as some caller writes it: lower case, upper case, a checksum, or any mixture. */
const spelling = fc.constantFrom(
  (address: Address) => address,
  (address: Address) => `0x${address.slice(2).toUpperCase()}`,
  (address: Address) => utils.getAddress(address),
  (address: Address) => `0x${[...address.slice(2)].map((digit, i) => (i % 3 === 0 ? digit.toUpperCase() : digit)).join('')}`,
);

function echoed({ sellToken, buyToken, taker, recipient }: SwapTerms, spell: (address: Address) => string) {
  return addressTextFor({ sellToken: spell(sellToken), buyToken: spell(buyToken), taker: spell(taker), recipient: spell(recipient) });
}

describe('what a taker signs for Permit2', () => {
  it(`the hash that is sent is the one that viem and ethers compute of the typed data as JSON, ${CASES} of ${CASES} times`, () => {
    fc.assert(
      fc.property(sold, domain, spelling, (terms, where, spell) => {
        const { hash, eip712, ...rest } = writePermit2(terms, where, echoed(terms, spell));
        expect(rest).to.deep.equal({ type: 'Permit2', signatureOffset: SIGNATURE_OFFSET, signatureLength: SIGNATURE_BYTES });
        const { types, domain: signedDomain, message } = JSON.parse(JSON.stringify(eip712)) as TypedData;
        const { EIP712Domain, ...own } = types;
        expect(EIP712Domain?.map(({ name }) => name)).to.deep.equal(['name', 'chainId', 'verifyingContract']);
        expect(utils._TypedDataEncoder.hash(signedDomain, own, message)).to.equal(hash);
        expect(hashTypedData(JSON.parse(JSON.stringify(eip712)))).to.equal(hash);
      }),
      seeded(CASES),
    );
  });

  it('repeats the terms: tokens, amounts, recipient, floor, deadline; and binds the whole payload', () => {
    fc.assert(
      fc.property(sold, domain, (terms, where) => {
        const { eip712 } = writePermit2(terms, where, (address) => address);
        const quoteId = sliceHex(terms.tag, 0, 16);
        expect(eip712.message).to.deep.equal({
          permitted: { token: terms.sellToken, amount: String(terms.sellAmount) },
          spender: where.router,
          nonce: BigInt(keccak256(concatHex([stringToHex('permit2-nonce'), quoteId]))).toString(),
          deadline: String(terms.deadline),
          witness: {
            buyToken: terms.buyToken,
            recipient: terms.recipient,
            minBuyAmount: String(terms.mode === 'buy' ? terms.buyAmount : terms.minBuyAmount),
            payloadHash: keccak256(encodePayload(terms)),
          },
        });
      }),
      seeded(100),
    );
  });

  it('writing 65 bytes at the offset leaves every other byte of the calldata (complaint 18)', async () => {
    const key = privateKeyToAccount(`0x${'42'.repeat(32)}`);
    await fc.assert(
      fc.asyncProperty(sold, domain, async (terms, where) => {
        const { data } = encodePermit2Call(terms, where);
        const [before, place] = [sliceHex(data, 0, SIGNATURE_OFFSET), sliceHex(data, SIGNATURE_OFFSET, SIGNATURE_OFFSET + SIGNATURE_BYTES)];
        expect(place).to.equal(`0x${'00'.repeat(SIGNATURE_BYTES)}`);
        const after = sliceHex(data, SIGNATURE_OFFSET + SIGNATURE_BYTES);
        const payload = encodePayload(terms);
        expect(after.startsWith(payload)).to.equal(true);
        expect(after.slice(payload.length)).to.match(/^(00){0,31}$/);
        const signature = await key.signTypedData(writePermit2(terms, where, (address) => address).eip712 as never);
        const signed = Buffer.from(data.slice(2), 'hex');
        signed.set(Buffer.from(signature.slice(2), 'hex'), SIGNATURE_OFFSET);
        expect(`0x${signed.toString('hex')}`).to.equal(concatHex([before, signature, after]));
      }),
      seeded(15),
    );
  });
});
