import { expect } from 'chai';
import fc from 'fast-check';
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { otherSignature, signQuote, spoilQuote, type UnsignedQuote } from '../../src/devnet/issuers/attest.ts';
import type { AttestationFault } from '../../src/devnet/issuers/faults.ts';
import { type Address, asAddress, type EpochSeconds } from '../../src/units/units.ts';
import { firmUp } from '../../src/venues/ondo/firm-up.ts';
import type { AskOutside, FirmHop, HopToFirm, OutsideSource } from '../../src/venues/venues.ts';
import { type IssuingContract, readIssuingContract, refusalOf } from '../support/issuing-contract.ts';
import { FULL_SCALE } from '../support/seeded-random.ts';
import { seeded } from '../validation/seeded.ts';

const NEVER = new AbortController().signal;
const CHAIN = 31_337;
const NOW = Math.floor(Date.now() / 1000);
/** Until when attestations hold. */
const LATER = NOW + 900;
const ONE = 10n ** 18n;
const [CONTRACT, ROUTER, TAKER, DOLLAR, ASSET] = ['41', '42', '43', '44', '45'].map((byte) => asAddress(`0x${byte.repeat(20)}`)) as [
  Address,
  Address,
  Address,
  Address,
  Address,
];
const KEY: Hex = `0x${'21'.repeat(32)}`;
const USER: Hex = `0x${'47'.repeat(32)}`;
const PRICE = 225_270_000_000_000_000_007n;
const SOURCE: OutsideSource = {
  ...{ name: 'mint', origin: 'http://127.0.0.1:9', contract: CONTRACT, signer: asAddress(privateKeyToAccount(KEY).address), apiKey: 'secret' },
  issues: { chain: 'ethereum-1', dollar: DOLLAR, assets: [{ symbol: 'AAPLon', token: ASSET, sizes: [ONE] }] },
};

function hopOf(changes: Partial<HopToFirm> = {}): HopToFirm {
  const parties = { taker: TAKER, recipient: TAKER, user: TAKER, router: ROUTER, deadline: (NOW + 1_200) as EpochSeconds };
  const pool = { family: 'ondo', poolAddress: CONTRACT, poolKey: '0x00', hook: null, legFacts: { maker: 'mint' }, slotIn: 0, slotOut: 1 };
  const amountOut = (4n * ONE * PRICE) / ONE;
  const trade = {
    tokenIn: ASSET,
    tokenOut: DOLLAR,
    leastOut: (amountOut * 995n) / 1000n,
    taxedInput: false,
    mode: 'sell',
    amountIn: 4n * ONE,
    amountOut,
  } as const;
  return { ...pool, ...parties, ...trade, ...changes };
}

/** The other way: so many dollars for the asset. */
function mintOf(amountIn: bigint, mode: 'sell' | 'buy' = 'sell', changes: Partial<HopToFirm> = {}): HopToFirm {
  const amountOut = (amountIn * ONE) / PRICE;
  const leastOut = mode === 'sell' ? (amountOut * 995n) / 1000n : amountOut;
  return hopOf({ tokenIn: DOLLAR, tokenOut: ASSET, mode, amountIn, amountOut, leastOut, ...changes });
}

type Ways = {
  readonly fault?: AttestationFault | null;
  readonly price?: bigint;
  readonly userId?: Hex;
  /** Epoch seconds. */
  readonly expiration?: number;
  /** What of the answer is another. */
  readonly changes?: Readonly<Record<string, unknown>>;
  /** What the contract says otherwise. */
  readonly contract?: Partial<IssuingContract>;
  /** Which time the node is silent, of those it is asked. */
  readonly silentAt?: number;
  readonly answer?: Awaited<ReturnType<AskOutside>>;
  /** A member before the answer's own, as JSON. */
  readonly beside?: string;
};

/** An issuer that attests what it is asked for but as a test has it, and a contract that finds nothing against it. */
function issuerOf({ fault = null, price = PRICE, userId = USER, expiration = LATER, changes = {}, contract = {}, silentAt = -1, answer, beside }: Ways = {}) {
  const asked: { readonly path: string | undefined; readonly body: Readonly<Record<string, string>> }[] = [];
  let [reads, id] = [0, 900n];
  const ask: AskOutside = async (_source, text, _signal, path) => {
    const body = JSON.parse(text) as Readonly<Record<string, string>>;
    asked.push({ path, body });
    if (answer !== undefined) return answer;
    const units = (decimal: string): bigint => BigInt(decimal.replace('.', ''));
    const quantity = body.tokenAmount === undefined ? (units(body.notionalValue ?? '0') * ONE) / price : units(body.tokenAmount);
    if (fault !== 'replayed') id++;
    const side = body.side === 'buy' ? 0 : 1;
    const facts = { attestationId: id, userId, asset: ASSET, price, quantity, side, additionalData: `0x${'0'.repeat(64)}` } as const;
    const plain: UnsignedQuote = { chainId: BigInt(CHAIN), ...facts, expiration: BigInt(expiration) };
    const { quote, key } = spoilQuote(fault, plain, KEY);
    const domain = { chainId: fault === 'wrong-chain' ? 1 : CHAIN, verifyingContract: fault === 'wrong-contract' ? TAKER : CONTRACT };
    const signed = await signQuote(key, quote, domain);
    const signature = fault === 'malleable' ? otherSignature(signed) : signed;
    const texts = Object.fromEntries(Object.entries(quote).map(([name, value]) => [name, String(value)]));
    const { asset, quantity: tokenAmount, additionalData: _zero, ...rest } = texts;
    const whole = JSON.stringify({ ...rest, symbol: 'AAPLon', assetAddress: asset, tokenAmount, signature, additionalData: '', ...changes });
    return { ok: true, text: beside === undefined ? whole : whole.replace('{', `{${beside},`) };
  };
  const firm = firmUp.open({
    ...{ chainId: CHAIN, sources: [SOURCE], ask, now: () => Math.floor(Date.now() / 1000) as EpochSeconds, blockNumber: () => null },
    read: async (calls) => (reads++ === silentAt ? null : calls.map((call) => readIssuingContract({ dollar: DOLLAR, userId: USER, ...contract }, call))),
  });
  return { firm, asked, reads: () => reads };
}

async function came(ways: Ways, hop = hopOf()): Promise<string> {
  const firmed = await issuerOf(ways).firm(hop, NEVER);
  return firmed.ok ? 'ok' : firmed.reason;
}

const signed = (firmed: FirmHop) => {
  if (!firmed.ok) throw new Error(firmed.reason);
  return firmed;
};

describe('an attestation of an issuer', () => {
  it('is asked for under the address of the configuration: assets that are given or wanted by their number, dollars that are spent by what they are', async () => {
    const dollars = 1_000n * ONE + 7n;
    for (const [hop, side, size] of [
      [hopOf(), 'sell', { tokenAmount: '4.000000000000000000' }],
      [mintOf(dollars), 'buy', { notionalValue: '1000.000000000000000007' }],
      [mintOf(dollars, 'buy', { amountOut: 4n * ONE }), 'buy', { tokenAmount: '4.000000000000000000' }],
      [hopOf({ mode: 'buy' }), 'sell', { tokenAmount: '4.000000000000000000' }],
    ] as const) {
      const { firm, asked } = issuerOf();
      await firm(hop, NEVER);
      expect(asked).to.deep.equal([{ path: '/v1/attestations', body: { chainId: 'ethereum-1', symbol: 'AAPLon', side, ...size, duration: 'short' } }]);
    }
  });

  it('is taken at what its contract reckons, both ways and in both modes, and holds until its last second', async () => {
    const amount = fc.bigInt({ min: ONE, max: 100_000n * ONE });
    await fc.assert(
      fc.asyncProperty(amount, fc.bigInt({ min: ONE / 100n, max: 5_000n * ONE }), async (dollars, price) => {
        const quantity = (dollars * ONE) / price;
        const minted = signed(await issuerOf({ price }).firm(mintOf(dollars, 'sell', { amountOut: quantity, leastOut: quantity }), NEVER));
        expect([minted.amountIn, minted.amountOut]).to.deep.equal([dollars, quantity]);
        expect(minted.expiry).to.equal(BigInt(LATER));
        const worth = (quantity * price) / ONE;
        const exactly = signed(await issuerOf({ price }).firm(mintOf(worth, 'buy', { amountOut: quantity, leastOut: quantity }), NEVER));
        expect([exactly.amountIn, exactly.amountOut]).to.deep.equal([worth, quantity]);
        for (const mode of ['sell', 'buy'] as const) {
          const redeemed = signed(await issuerOf({ price }).firm(hopOf({ mode, amountIn: quantity, amountOut: worth, leastOut: worth }), NEVER));
          expect([redeemed.amountIn, redeemed.amountOut]).to.deep.equal([quantity, worth]);
          expect(await came({ price }, hopOf({ mode, amountIn: quantity, amountOut: worth + 1n, leastOut: worth + 1n }))).to.equal('worse');
        }
        expect(await came({ price }, mintOf(worth - 1n, 'buy', { amountOut: quantity, leastOut: quantity }))).to.equal('worse');
      }),
      seeded(FULL_SCALE ? 1_000 : 8),
    );
  });

  for (const fault of [
    'wrong-signer',
    'wrong-chain',
    'wrong-contract',
    'wrong-asset',
    'wrong-side',
    'wrong-user',
    'malleable',
    'zero',
    'expired',
    'expiring',
  ] as const) {
    it(`is invalid, whoever would have it settled: ${fault}`, async () => {
      for (const hop of [hopOf(), mintOf(1_000n * ONE), mintOf(1_000n * ONE, 'buy')]) expect(await came({ fault }, hop)).to.equal('invalid');
    });
  }

  it('is invalid where it ends before the swap may be in a block: within half a minute, or by the deadline', async () => {
    expect(await came({ expiration: NOW + 20 })).to.equal('invalid');
    expect(await came({ expiration: NOW + 60 })).to.equal('ok');
    expect(await came({ expiration: NOW + 20 }, hopOf({ deadline: (NOW + 10) as EpochSeconds }))).to.equal('ok');
  });

  it('is invalid for another amount, and given out once', async () => {
    for (const hop of [hopOf(), mintOf(1_000n * ONE), mintOf(1_000n * ONE, 'buy')]) expect(await came({ fault: 'wrong-amount' }, hop)).to.equal('invalid');
    const { firm } = issuerOf({ fault: 'replayed' });
    expect((await firm(hopOf(), NEVER)).ok).to.equal(true);
    expect(await firm(hopOf(), NEVER)).to.deep.equal({ ok: false, reason: 'invalid' });
  });

  const nested = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  for (const name of [
    'attestationId',
    'userId',
    'price',
    'tokenAmount',
    'expiration',
    'signature',
    'assetAddress',
    'side',
    'symbol',
    'chainId',
    'additionalData',
  ]) {
    it(`is invalid, and nothing throws, whatever stands where its ${name} belongs`, async () => {
      const huge = '9'.repeat(79);
      for (const value of [{ toString: 1 }, nested, true, [], {}, -1, 1.5, '1e18', huge, '0x', 'ff', `${'A'.repeat(87)}=`, `0x${'ff'.repeat(65)}`]) {
        if (name === 'additionalData' && value === '0x') continue;
        expect(await came({ changes: { [name]: value } }), JSON.stringify(value).slice(0, 40)).to.equal('invalid');
      }
    });
  }

  it('needs no additional data: none, an empty text and an empty word are the word of zeros that was signed', async () => {
    for (const additionalData of [undefined, null, '', '0x', `0x${'0'.repeat(64)}`]) {
      expect(await came({ changes: { additionalData } }), String(additionalData)).to.equal('ok');
    }
  });

  it('that is worse than it may be says by how much; one that is a little worse or better is taken at what it says', async () => {
    const hop = hopOf();
    const worse = (hop.amountOut * 99n) / 100n;
    const price = (PRICE * 99n) / 100n;
    const firmed = await issuerOf({ price }).firm(hop, NEVER);
    expect(firmed).to.deep.equal({ ok: false, reason: 'worse', offered: { amountIn: hop.amountIn, amountOut: (hop.amountIn * price) / ONE } });
    expect((hop.amountIn * price) / ONE <= worse).to.equal(true);
    for (const fault of ['slightly-worse', 'better'] as const) {
      const { amountOut } = signed(await issuerOf({ fault }).firm(hop, NEVER));
      expect(amountOut > hop.amountOut).to.equal(fault === 'better');
    }
    // Nothing may be worse where the target is exact.
    expect(await came({ fault: 'slightly-worse' }, hopOf({ mode: 'buy' }))).to.equal('worse');
    // More dollars than were to be spent.
    expect(await came({ fault: 'slightly-worse' }, mintOf(1_000n * ONE))).to.equal('invalid');
  });

  const refusing = (error: string): Partial<IssuingContract> => ({
    trial: (outcome) => ({ ...outcome, served: false, refusal: refusalOf(error), taken: 0n, given: 0n }),
  });

  it('is invalid where its contract would never serve it: another’s, used, of an asset that it does not know, or at a price that it does not believe', async () => {
    for (const error of [
      'AttestationAlreadyExecuted()',
      'AttestationExpired()',
      'GMTokenNotRegistered()',
      'InvalidAttestationSigner()',
      'InvalidChainId()',
      'InvalidQuoteSide()',
      'PriceOutOfRange()',
      'UserNotRegistered()',
      'UserIdMismatch(bytes32,bytes32)',
    ])
      expect(await came({ contract: refusing(error) }), error).to.equal('invalid');
  });

  it('is barred where its contract would not serve it now, for whatever reason of its own', async () => {
    for (const error of ['OutsideMarketHours()', 'GlobalMintsPaused()', 'DepositAmountTooSmall()', 'StalePrice()', 'Whatever(uint256)'])
      for (const hop of [hopOf(), mintOf(1_000n * ONE)]) expect(await came({ contract: refusing(error) }, hop), error).to.equal('barred');
    const silently: Partial<IssuingContract> = { trial: (outcome) => ({ ...outcome, served: false, refusal: '0x00000000' }) };
    expect(await came({ contract: silently })).to.equal('barred');
  });

  it('is invalid where its contract would take or give anything else than was attested, or has another dollar token', async () => {
    for (const [taken, given] of [
      [1n, 0n],
      [-1n, 0n],
      [0n, 1n],
      [0n, -1n],
    ] as const) {
      const otherwise: Partial<IssuingContract> = { trial: (outcome) => ({ ...outcome, taken: outcome.taken + taken, given: outcome.given + given }) };
      for (const hop of [hopOf(), mintOf(1_000n * ONE)]) expect(await came({ contract: otherwise }, hop), `${taken} ${given}`).to.equal('invalid');
    }
    expect(await came({ contract: { dollar: TAKER } })).to.equal('invalid');
  });

  it('is unverified, and not the issuer’s fault, where the node does not answer, or nobody knows where a token keeps its balances', async () => {
    expect(await came({ silentAt: 0 })).to.equal('unverified');
    expect(await came({ silentAt: 1 })).to.equal('unverified');
    for (const held of [null, 0n, 1n, 2n ** 255n]) expect(await came({ contract: { held } }), String(held)).to.equal('unverified');
    expect(await came({ contract: { trial: () => null } })).to.equal('unverified');
  });

  it('has balances looked for once for each token, and again where they are no more where they were', async () => {
    let funded = true;
    const { firm, reads } = issuerOf({ contract: { trial: (outcome) => ({ ...outcome, funded }) } });
    const readsOf = async (hop: HopToFirm): Promise<readonly [boolean, number]> => {
      const before = reads();
      return [(await firm(hop, NEVER)).ok, reads() - before];
    };
    expect(await readsOf(hopOf())).to.deep.equal([true, 2]);
    expect(await readsOf(hopOf())).to.deep.equal([true, 1]);
    expect(await readsOf(mintOf(1_000n * ONE))).to.deep.equal([true, 2]);
    funded = false;
    expect(await firm(hopOf(), NEVER)).to.deep.equal({ ok: false, reason: 'unverified' });
    funded = true;
    expect(await readsOf(hopOf())).to.deep.equal([true, 2]);
  });

  it('that is refused, as a closed market or a limit is, and a busy issuer say so; what can not be read is no answer', async () => {
    expect(await came({ answer: { ok: false, reason: 'refused' } })).to.equal('refused');
    expect(await came({ answer: { ok: false, reason: 'busy', retryAfterMs: 3 } })).to.equal('busy');
    expect(await came({ answer: { ok: false, reason: 'crowded' } })).to.equal('throttled');
    expect(await came({ answer: { ok: true, text: '[]' } })).to.equal('unreachable');
    expect(await came({ answer: { ok: true, text: '{"price":' } })).to.equal('unreachable');
    // The rest is all that was asked for.
    for (const beside of ['"more":1', '"price":"1"', '"chainId":"1"'])
      expect(await came({ beside }), beside).to.equal(beside === '"more":1' ? 'ok' : 'unreachable');
    const aborted = await issuerOf().firm(hopOf(), AbortSignal.abort());
    expect(aborted).to.deep.equal({ ok: false, reason: 'unreachable' });
  });

  it('is not asked for where no asset of the issuer is between the tokens, or at another contract', async () => {
    for (const changes of [{ tokenIn: TAKER }, { tokenOut: TAKER }, { poolAddress: TAKER }, { legFacts: { maker: 'somebody' } }]) {
      const { firm, asked } = issuerOf();
      expect(await firm(hopOf(changes), NEVER)).to.deep.equal({ ok: false, reason: 'legFacts' in changes ? 'unfit' : 'invalid' });
      expect(asked).to.deep.equal([]);
    }
  });
});
