import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { type Hex, keccak256, sliceHex, stringToBytes } from 'viem';
import { issueKey } from '../../src/metering/metering.ts';
import { asAddress, NATIVE_TOKEN } from '../../src/units/units.ts';
import { useBraid } from '../support/braid.ts';
import { fetchPatiently } from '../support/fetch-patiently.ts';

const PARTNER = asAddress('0x00000000000000000000000000000000000000aa');
const folder = mkdtempSync(path.join(tmpdir(), 'braid-keys-'));
const issued = (['protocol', 'taker', 'shared'] as const).map((surplus, index) => ({
  surplus,
  bits: index,
  partnerId: `partner-${surplus}`,
  ...issueKey({ rps: 100, partnerId: `partner-${surplus}`, surplus, feePolicy: { feeBps: 12, partner: PARTNER, partnerShareBps: 7_000 } }, new Date(0)),
}));
const file = path.join(folder, 'keys.json');
writeFileSync(file, JSON.stringify({ keys: issued.map(({ entry }) => entry) }));

/** Calldata of swap(bytes): selector, offset, length, then the payload: a byte of flags (contracts/lib/Terms.sol) and the tag. */
const PAYLOAD = 4 + 64;

describe('what a key decides about a swap', function suite() {
  this.timeout(300_000);
  const braid = useBraid({ env: { KEYS_FILE: file } });
  after(() => rmSync(folder, { recursive: true }));

  async function data(key: string | null): Promise<{ body: Record<string, unknown>; data: Hex }> {
    const { publicUrl, devnet } = braid.current();
    const usdc = devnet?.tokens.find(({ symbol }) => symbol === 'USDC')?.address ?? '';
    const query = {
      chainId: '31337',
      mode: 'sell',
      sellToken: NATIVE_TOKEN,
      buyToken: usdc,
      sellAmount: '1000000000000000000',
      taker: devnet?.accounts[0]?.address ?? '',
    };
    const response = await fetchPatiently(`${publicUrl}/v1/swap?${new URLSearchParams(query)}`, key === null ? {} : { headers: { 'x-api-key': key } });
    const body = (await response.json()) as Record<string, unknown>;
    expect(response.status, JSON.stringify(body)).to.equal(200);
    return { body, data: (body.transaction as { data: Hex }).data };
  }

  for (const { surplus, bits, key, partnerId } of issued) {
    it(`surplus destination ${surplus}, its fee policy and its partner's hash go into the calldata`, async () => {
      const answer = await data(key);
      expect((Number(sliceHex(answer.data, PAYLOAD, PAYLOAD + 1)) >> 1) & 3).to.equal(bits);
      const tag = `0x${String(answer.body.quoteId).replaceAll('-', '')}${sliceHex(keccak256(stringToBytes(partnerId)), 0, 16).slice(2)}`;
      expect(sliceHex(answer.data, PAYLOAD + 1, PAYLOAD + 33)).to.equal(tag);
      expect(answer.body.fee).to.include({ feeBps: 12, partnerShareBps: 7_000 });
      expect(answer.data).to.contain(PARTNER.slice(2));
    });
  }

  it('the devnet’s own key is known beside those of a file that the operator named', async () => {
    const answer = await data(braid.current().apiKey);
    expect(answer.body).to.not.have.property('fee');
  });

  it('without a key: surplus to the protocol, partner part of the tag zero, 10 bps', async () => {
    const answer = await data(null);
    expect((Number(sliceHex(answer.data, PAYLOAD, PAYLOAD + 1)) >> 1) & 3).to.equal(0);
    expect(sliceHex(answer.data, PAYLOAD + 17, PAYLOAD + 33)).to.equal(`0x${'0'.repeat(32)}`);
    expect(answer.body.fee).to.include({ feeBps: 10, partnerAmount: '0' });
  });
});
