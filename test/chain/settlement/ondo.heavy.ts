import { expect } from 'chai';
import { erc20Abi } from 'viem';
import type { SwapTerms } from '../../../src/building/building.ts';
import { type Address, asWei, ZERO_ADDRESS } from '../../../src/units/units.ts';
import type { Attestation } from '../../../src/venues/ondo/attestation.ts';
import { worthDown } from '../../../src/venues/ondo/worth.ts';
import { FULL_SCALE, SEED, seededRandom } from '../../support/seeded-random.ts';
import { hop, ONE, pairOutput, termsOf, useGround } from '../../support/settlement/ground.ts';
import { DESK_ABI, type IssuerGround, layIssuer } from '../../support/settlement/ondo.ts';
import { approvePermit2, settlePermitted } from '../../support/settlement/permit2.ts';
import { changes, mint, refuse, settle } from '../../support/settlement/swaps.ts';

const ROUNDS = FULL_SCALE ? 200 : 8;

describe('the leg of what an issuer attests, through the devnet’s contract of one', function () {
  this.timeout(300_000);
  const here = useGround();
  let laid: IssuerGround;

  before(async () => {
    laid = await layIssuer(here.current());
  });

  const approved = (token: Address) => laid.ground.chain.read(token, erc20Abi, 'allowance', [laid.ground.router, laid.desk]);

  /** A swap of one attestation, whose floor is what was attested. `more`: of the sell token, what the swap has beside. */
  const termsFor = (attestation: Attestation, changed: Partial<SwapTerms> = {}, more = 0n): SwapTerms => {
    const { side, quantity, price, asset } = attestation;
    const worth = worthDown(quantity, price);
    const [taken, given] = side === 'buy' ? [worth, quantity] : [quantity, worth];
    const tokens = side === 'buy' ? { sellToken: laid.ground.tokens.a, buyToken: asset } : { sellToken: asset, buyToken: laid.ground.tokens.a };
    const amounts = { sellAmount: asWei(taken + more), buyAmount: asWei(given), minBuyAmount: asWei(given) };
    return termsOf(laid.ground, { ...tokens, ...amounts, legs: [laid.leg(attestation)], ...changed });
  };

  it('mints and redeems what the venue reckons, to the wei, from the taker and by Permit2, direct and with custody; what is left of the share is the taker’s, and nothing stays approved', async () => {
    const { ground, desk, asset, attest } = laid;
    const { taker, recipient } = ground.accounts;
    const { a } = ground.tokens;
    await approvePermit2(ground, taker);
    await ground.chain.write(taker, asset, erc20Abi, 'approve', [ground.permit2, 2n ** 256n - 1n]);
    const random = seededRandom('attestations');
    for (let i = 0; i < ROUNDS; i++) {
      const side = random.pick(['buy', 'sell'] as const);
      const attestation = await attest({ side, price: 1n + random.logUniform(1_000n * ONE), quantity: 10n ** 15n + random.logUniform(100n * ONE) });
      const worth = worthDown(attestation.quantity, attestation.price);
      if (worth === 0n) continue;
      const more = random.integer(0, 1) === 0 ? 0n : 1n + random.logUniform(ONE);
      await mint(ground, a, taker, worth + more);
      const tag = `0x${(i + 1).toString(16).padStart(32, '0')}${'00'.repeat(16)}` as const;
      const terms = termsFor(attestation, { surplus: random.pick(['taker', 'protocol']), tag }, more);
      const permitted = random.chance(0.4);
      const moved = await changes(ground, { taker, recipient, router: ground.router, desk }, () =>
        permitted ? settlePermitted(ground, terms) : settle(ground, terms),
      );
      const expected =
        side === 'buy'
          ? { 'taker.a': -worth, 'recipient.asset': attestation.quantity, 'desk.a': worth }
          : { 'taker.asset': -attestation.quantity, 'recipient.a': worth, 'desk.a': -worth };
      expect(moved, `BRAID_SEED=${SEED} ${i} ${side}`).to.deep.equal(expected);
      expect([await approved(a), await approved(asset)]).to.deep.equal([0n, 0n]);
    }
  });

  it('in the middle of a route takes just what was attested: a wei more or less before it changes nothing', async () => {
    const { ground, asset, attest, leg } = laid;
    const { a, b } = ground.tokens;
    const { taker, recipient, router } = { ...ground.accounts, router: ground.router };
    await mint(ground, b, taker, 10n * ONE);
    const came = pairOutput(ONE);
    for (const spent of [came, came - 1n, came - came / 200n]) {
      const attestation = await attest({ price: ONE, quantity: spent });
      const legs = [hop(ground, 'v2', b, a), leg(attestation)];
      const terms = termsOf(ground, { sellToken: b, buyToken: asset, minBuyAmount: asWei(spent), legs });
      const moved = await ground.chain.apart(() => changes(ground, { taker, recipient, router }, () => settle(ground, terms)));
      expect(moved).to.deep.equal({ 'taker.b': -ONE, 'recipient.asset': spent, ...(spent === came ? {} : { 'taker.a': came - spent }) });
    }
    const dearer = await attest({ price: ONE, quantity: came + 1n });
    const legs = [hop(ground, 'v2', b, a), leg(dearer)];
    expect(await refuse(ground, termsOf(ground, { sellToken: b, buyToken: asset, legs }), 'AttestationNotFunded')).to.deep.equal([came, came + 1n]);
  });

  it('an attestation that was used, has expired, is another chain’s, contract’s or user’s, or is not what the issuer signed: the swap reverts', async () => {
    const { ground, desk, attest, leg } = laid;
    const { taker, stranger, deployer } = ground.accounts;
    await mint(ground, ground.tokens.a, taker, 100n * ONE);
    const used = await attest();
    await settle(ground, termsFor(used));
    await refuse(ground, termsFor(used), 'VenueReverted');
    expect(await ground.chain.read(desk, DESK_ABI, 'executedAttestationIds', [used.attestationId])).to.equal(true);
    const { timestamp } = (await ground.chain.rpc.request('eth_getBlockByNumber', 'latest', false)) as { readonly timestamp: string };
    for (const changed of [
      { expiration: BigInt(timestamp) - 1n },
      { key: `0x${'32'.repeat(32)}` },
      { domain: { chainId: 1 } },
      { domain: { verifyingContract: stranger } },
      { userId: `0x${'48'.repeat(32)}` },
      { asset: ground.tokens.b },
    ] as const)
      await refuse(ground, termsFor(await attest(changed)), 'VenueReverted');
    const attestation = await attest();
    const forged: Partial<Attestation>[] = [
      { attestationId: attestation.attestationId + 1_000n },
      { expiration: attestation.expiration + 1n },
      { quantity: attestation.quantity - 1n },
      { price: attestation.price - 1n },
      { additionalData: `0x${'01'.repeat(32)}` },
      { signature: `0x${'11'.repeat(65)}` },
    ];
    for (const part of forged) await refuse(ground, termsFor(attestation, { legs: [leg({ ...attestation, ...part })] }), 'VenueReverted');
    // The other side of the same.
    await refuse(ground, termsFor({ ...attestation, side: 'sell' }), 'VenueReverted');
    for (const none of [ZERO_ADDRESS, ground.allowanceHolder, ground.permit2, ground.router, stranger])
      await refuse(ground, termsFor(attestation, { legs: [{ ...leg(attestation), pool: none }] }), 'NotAVenue');
    await ground.chain.write(deployer, desk, DESK_ABI, 'pause', [true, true]);
    await refuse(ground, termsFor(attestation), 'VenueReverted');
    await ground.chain.write(deployer, desk, DESK_ABI, 'pause', [false, false]);
    await settle(ground, termsFor(attestation));
  });
});
