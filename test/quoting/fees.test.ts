import { expect } from 'chai';
import fc from 'fast-check';
import { feeOnGrossDown, grossTarget, splitFee } from '../../src/quoting/quoting.ts';
import { asAddress } from '../../src/units/units.ts';
import { accepted, RECIPIENT, TAKER } from '../validation/queries.ts';
import { seeded } from '../validation/seeded.ts';
import { COLLECTOR, feeFor } from './fixtures.ts';

describe('effectiveFee (R12, R13)', () => {
  const plain = accepted({});
  const asking = accepted({ feeBps: '25', feeRecipient: RECIPIENT });
  const askingZero = accepted({ feeBps: '0', feeRecipient: RECIPIENT });
  const policy = { feeBps: 7, partner: asAddress(TAKER), partnerShareBps: 6000 };
  const anonymous = { feeBps: 10, partner: COLLECTOR, partnerShareBps: 0 };
  const requested = { feeBps: 25, partner: asAddress(RECIPIENT), partnerShareBps: 8500 };

  it("without a key: the anonymous 10 bps, all of it the protocol's, unless the request asks for more than 0", () => {
    expect(feeFor(plain)).to.deep.equal(anonymous);
    expect(feeFor(askingZero)).to.deep.equal(anonymous);
    expect(feeFor(accepted({ feeRecipient: RECIPIENT }))).to.deep.equal(anonymous);
    expect(feeFor(asking)).to.deep.equal(requested);
    expect(feeFor(accepted({ feeBps: '1', feeRecipient: RECIPIENT }))?.feeBps).to.equal(1);
  });

  it('with a key without a policy: the fee of the request or none', () => {
    expect(feeFor(plain, null)).to.equal(null);
    expect(feeFor(askingZero, null)).to.equal(null);
    expect(feeFor(asking, null)).to.deep.equal(requested);
  });

  it('with a policy: the policy, whatever the request asks; 0 bps is no fee', () => {
    expect(feeFor(plain, policy)).to.deep.equal(policy);
    expect(feeFor(asking, policy)).to.deep.equal(policy);
    expect(feeFor(asking, { ...policy, feeBps: 0 })).to.equal(null);
  });
});

describe('fee arithmetic (S5)', () => {
  const left = (gross: bigint, feeBps: number) => gross - (gross * BigInt(feeBps)) / 10_000n;

  it('grossTarget is the first g that leaves the target, as counting up finds it, for each fee 0 to 1500', () => {
    for (let feeBps = 0; feeBps <= 1500; feeBps += 1) {
      let gross = 0n;
      for (let target = 0n; target <= 300n; target += 1n) {
        while (left(gross, feeBps) < target) gross += 1n;
        // No gross amount is skipped over: counting up always meets the target itself.
        if (left(gross, feeBps) !== target || grossTarget(target, feeBps) !== gross)
          expect.fail(`target ${target}, ${feeBps} bps: ${grossTarget(target, feeBps)}, counted ${gross}`);
      }
    }
  });

  it('grossTarget leaves exactly the target and one less does not, for every target to 10^30', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 30n }), fc.integer({ min: 0, max: 1500 }), (target, feeBps) => {
        const gross = grossTarget(target, feeBps);
        expect(left(gross, feeBps)).to.equal(target);
        expect(left(gross - 1n, feeBps)).to.equal(target - 1n);
      }),
      seeded(20_000),
    );
  });

  it('grossTarget asks for nothing where nothing is to be left, whatever a key takes', () => {
    for (let feeBps = 0; feeBps < 10_000; feeBps++) expect(grossTarget(0n, feeBps), String(feeBps)).to.equal(0n);
  });

  it('grossTarget refuses a fee that leaves nothing', () => {
    expect(() => grossTarget(1n, 10_000)).to.throw(RangeError, 'no gross output');
    for (const target of [0n, 1n]) expect(() => grossTarget(target, 10_001)).to.throw(RangeError, 'no gross output');
    expect(() => grossTarget(1n, -1)).to.throw(RangeError, 'no gross output');
  });

  it('the fee is the largest integer within its share of the gross output', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), fc.integer({ min: 0, max: 1500 }), (gross, feeBps) => {
        const fee = feeOnGrossDown(gross, feeBps);
        expect(fee * 10_000n <= gross * BigInt(feeBps) && (fee + 1n) * 10_000n > gross * BigInt(feeBps)).to.equal(true);
      }),
      seeded(2000),
    );
  });

  it('the parts of a fee sum to it, and the partner gets no more than its share', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), fc.integer({ min: 0, max: 10_000 }), (fee, share) => {
        const { partnerAmount, protocolAmount } = splitFee(fee, share);
        expect(partnerAmount + protocolAmount).to.equal(fee);
        expect(partnerAmount * 10_000n <= fee * BigInt(share) && (partnerAmount + 1n) * 10_000n > fee * BigInt(share)).to.equal(true);
      }),
      seeded(2000),
    );
    expect(splitFee(7n, 8500)).to.deep.equal({ partnerAmount: 5n, protocolAmount: 2n });
  });
});
