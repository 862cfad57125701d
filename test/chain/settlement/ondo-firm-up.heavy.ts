import { expect } from 'chai';
import { encodeFunctionData, parseAbi } from 'viem';
import { createPinnedReader } from '../../../src/indexing/multicall.ts';
import { createRpc, type Rpc } from '../../../src/indexing/rpc/rpc.ts';
import { asWei, type EpochSeconds } from '../../../src/units/units.ts';
import type { Attestation } from '../../../src/venues/ondo/attestation.ts';
import { firmUp } from '../../../src/venues/ondo/firm-up.ts';
import { SIDE_NUMBERS } from '../../../src/venues/ondo/typed-quote.ts';
import { worthDown } from '../../../src/venues/ondo/worth.ts';
import type { FirmHopBy, HopToFirm, OutsideSource } from '../../../src/venues/venues.ts';
import { LATE, ONE, takerCall, termsOf, useGround } from '../../support/settlement/ground.ts';
import { type AttestationChanges, DESK_ABI, type IssuerGround, layIssuer } from '../../support/settlement/ondo.ts';
import { changes, mint } from '../../support/settlement/swaps.ts';

const NEVER = new AbortController().signal;
const PRICE = 2n * ONE;
const FAR = BigInt(LATE);
const NOBODY = `0x${'00'.repeat(32)}` as const;

type Side = 'buy' | 'sell';

describe('what an issuer attests, held against the devnet’s contract of one before it is believed', function () {
  this.timeout(300_000);
  const here = useGround();
  let laid: IssuerGround;
  let rpc: Rpc;
  let source: OutsideSource;
  /** What was attested last, and what is attested otherwise from now on. */
  let last: Attestation;
  let otherwise: AttestationChanges = {};
  let firm: FirmHopBy;

  before(async () => {
    laid = await layIssuer(here.current());
    const { ground, desk, signer, asset } = laid;
    rpc = createRpc({ urls: [ground.chain.url], chainId: 31_337, fetch, random: Math.random, onHead: () => undefined });
    source = {
      ...{ name: 'mint', origin: 'http://127.0.0.1:9', contract: desk, signer },
      issues: { chain: 'here', dollar: ground.tokens.a, assets: [{ symbol: 'ASSET', token: asset, sizes: [ONE] }] },
    };
    firm = firmWith(source);
    await mint(ground, ground.tokens.a, ground.accounts.taker, 1_000_000n * ONE);
  });
  after(() => rpc?.close());
  afterEach(() => {
    otherwise = {};
  });

  const firmWith = (its: OutsideSource): FirmHopBy =>
    firmUp.open({
      ...{ chainId: 31_337, sources: [its], now: () => 1 as EpochSeconds, blockNumber: () => null },
      async ask(_source, text) {
        const body = JSON.parse(text) as { readonly side: Side; readonly tokenAmount?: string; readonly notionalValue?: string };
        const units = BigInt((body.tokenAmount ?? body.notionalValue ?? '').replace('.', ''));
        const price = otherwise.price ?? PRICE;
        const quantity = body.tokenAmount === undefined ? (units * ONE) / price : units;
        last = await laid.attest({ side: body.side, price, quantity, ...otherwise });
        const { attestationId, userId, expiration, signature, additionalData } = last;
        const texts = { attestationId: String(attestationId), price: String(price), tokenAmount: String(quantity), expiration: String(expiration) };
        return { ok: true, text: JSON.stringify({ ...texts, userId, assetAddress: laid.asset, side: SIDE_NUMBERS[body.side], signature, additionalData }) };
      },
      async read(calls) {
        const { hash } = (await laid.ground.chain.rpc.request('eth_getBlockByNumber', 'latest', false)) as { readonly hash: `0x${string}` };
        return await createPinnedReader(rpc, hash)(calls);
      },
    });

  const hopOf = (side: Side, amountIn = 10n * ONE): HopToFirm => {
    const { ground, desk, asset } = laid;
    const { taker } = ground.accounts;
    const [tokenIn, tokenOut] = side === 'buy' ? [ground.tokens.a, asset] : [asset, ground.tokens.a];
    const pool = { family: 'ondo', poolAddress: desk, poolKey: '0x00', hook: null, legFacts: { maker: 'mint' }, slotIn: 0, slotOut: 1 };
    const parties = { taker, recipient: taker, user: taker, router: ground.router, deadline: 2 as EpochSeconds };
    return { ...pool, ...parties, tokenIn, tokenOut, taxedInput: false, mode: 'sell', amountIn, amountOut: 1n, leastOut: 1n };
  };
  const came = async (side: Side, by = firm): Promise<string> => {
    const firmed = await by(hopOf(side), NEVER);
    return firmed.ok ? 'ok' : firmed.reason;
  };
  /** Of the attestation that was made last. */
  const termsNow = () => {
    const { side, quantity, price, asset } = last;
    const worth = worthDown(quantity, price);
    const [sellToken, buyToken] = side === 'buy' ? [laid.ground.tokens.a, asset] : [asset, laid.ground.tokens.a];
    const [taken, given] = side === 'buy' ? [worth, quantity] : [quantity, worth];
    const amounts = { sellAmount: asWei(taken), buyAmount: asWei(given), minBuyAmount: asWei(given) };
    return termsOf(laid.ground, { sellToken, buyToken, ...amounts, legs: [laid.leg(last)] });
  };
  /** Whether a wallet's estimate goes through. */
  const isEstimated = async (): Promise<boolean> => {
    const { to, data } = takerCall(laid.ground, termsNow());
    const asked = laid.ground.chain.rpc.request('eth_estimateGas', { from: laid.ground.accounts.taker, to, data }, 'latest');
    return await asked.then(
      () => true,
      () => false,
    );
  };
  type Write = readonly [name: string, ...args: unknown[]];
  const set = async ([name, ...args]: Write): Promise<void> => {
    await laid.ground.chain.write(laid.ground.accounts.deployer, laid.desk, DESK_ABI, name, args);
  };

  it('is believed where the contract serves it, leaves nothing behind, and settles for just that, of any amount', async () => {
    const { ground, desk } = laid;
    for (const side of ['buy', 'sell'] as const) {
      for (const amount of [2n, 10n ** 9n + 7n, 10n * ONE + 1n, 100_000n * ONE]) {
        const firmed = await firm(hopOf(side, amount), NEVER);
        if (!firmed.ok) throw new Error(`${side} ${amount}: ${firmed.reason}`);
        expect(await ground.chain.read(desk, DESK_ABI, 'executedAttestationIds', [last.attestationId])).to.equal(false);
        expect(await isEstimated()).to.equal(true);
        const { taker } = ground.accounts;
        const moved = await changes(ground, { taker }, async () => {
          await ground.chain.mustSend(taker, takerCall(ground, { ...termsNow(), recipient: taker }));
        });
        const worth = worthDown(last.quantity, PRICE);
        expect(moved).to.deep.equal(side === 'buy' ? { 'taker.a': -worth, 'taker.asset': last.quantity } : { 'taker.asset': -last.quantity, 'taker.a': worth });
        expect(firmed.amountOut).to.equal(side === 'buy' ? last.quantity : worth);
      }
    }
  });

  const asset = () => laid.asset;
  const CHECKS: readonly (readonly [title: string, on: () => Write, off: () => Write, refused: Partial<Record<Side, 'barred' | 'invalid'>>])[] = [
    ['outside its market hours', () => ['close', true], () => ['close', false], { buy: 'barred', sell: 'barred' }],
    ['while mints are paused', () => ['pause', true, false], () => ['pause', false, false], { buy: 'barred' }],
    ['while redemptions are paused', () => ['pause', false, true], () => ['pause', false, false], { sell: 'barred' }],
    ['while mints of the asset are paused', () => ['pauseAsset', asset(), true, false], () => ['pauseAsset', asset(), false, false], { buy: 'barred' }],
    ['while redemptions of the asset are paused', () => ['pauseAsset', asset(), false, true], () => ['pauseAsset', asset(), false, false], { sell: 'barred' }],
    ['below the least deposit', () => ['setMinimums', 11n * ONE, 0n], () => ['setMinimums', 0n, 0n], { buy: 'barred' }],
    ['below the least redemption', () => ['setMinimums', 0n, 21n * ONE], () => ['setMinimums', 0n, 0n], { sell: 'barred' }],
    [
      'above the limit of all',
      () => ['limit', NOBODY, asset(), true, 9n * ONE],
      () => ['limit', NOBODY, asset(), false, 0n],
      { buy: 'barred', sell: 'barred' },
    ],
    [
      'above the limit of its user',
      () => ['limit', laid.userId, asset(), true, 15n * ONE],
      () => ['limit', laid.userId, asset(), false, 0n],
      { sell: 'barred' },
    ],
    [
      'at a price that is posted no more',
      () => ['postPrice', asset(), PRICE, 500n, 1n],
      () => ['postPrice', asset(), 0n, 0n, 0n],
      { buy: 'barred', sell: 'barred' },
    ],
    [
      'at a price far from what is posted',
      () => ['postPrice', asset(), 3n * ONE, 500n, FAR],
      () => ['postPrice', asset(), 0n, 0n, 0n],
      { buy: 'invalid', sell: 'invalid' },
    ],
    ['of an asset that is not accepted', () => ['accept', asset(), false], () => ['accept', asset(), true], { buy: 'invalid', sell: 'invalid' }],
    [
      'by an attester who is none any more',
      () => ['setSigner', laid.signer, false],
      () => ['setSigner', laid.signer, true],
      { buy: 'invalid', sell: 'invalid' },
    ],
    [
      'from a Router that is no user',
      () => ['register', laid.ground.router, NOBODY],
      () => ['register', laid.ground.router, laid.userId],
      { buy: 'invalid', sell: 'invalid' },
    ],
  ];
  for (const [title, on, off, refused] of CHECKS) {
    it(`is not believed ${title}, where a wallet's estimate fails; afterwards it is`, async () => {
      await set(on());
      for (const side of ['buy', 'sell'] as const) {
        const told = await came(side);
        expect([side, told]).to.deep.equal([side, refused[side] ?? 'ok']);
        expect(await isEstimated(), side).to.equal(told === 'ok');
      }
      await set(off());
      for (const side of ['buy', 'sell'] as const) expect([await came(side), await isEstimated()]).to.deep.equal(['ok', true]);
    });
  }

  it('is not believed for another user, nor where the configuration has another dollar token than the contract', async () => {
    otherwise = { userId: `0x${'48'.repeat(32)}` };
    expect([await came('buy'), await came('sell')]).to.deep.equal(['invalid', 'invalid']);
    otherwise = {};
    const { b } = laid.ground.tokens;
    const elsewhere = firmWith({ ...source, issues: { ...source.issues, chain: 'here', assets: source.issues?.assets ?? [], dollar: b } });
    const firmed = await elsewhere({ ...hopOf('buy'), tokenIn: b }, NEVER);
    expect(firmed).to.deep.equal({ ok: false, reason: 'invalid' });
  });

  it('was executed by somebody else meanwhile: what was shown twice is not believed', async () => {
    expect(await came('buy')).to.equal('ok');
    const used = last;
    await laid.ground.chain.mustSend(laid.ground.accounts.taker, takerCall(laid.ground, termsNow()));
    otherwise = { attestationId: used.attestationId };
    // Of a service that was started anew, and remembers none that it gave out.
    expect(await came('buy', firmWith(source))).to.equal('invalid');
  });

  it('is unverified where nobody knows how the token keeps what a Router has', async () => {
    const { ground } = laid;
    // Answers any call with one and the same number.
    const sealed = '0x00000000000000000000000000000000005ea1ed';
    await ground.chain.rpc.request('anvil_setCode', sealed, '0x600660005260206000f3');
    const held = await ground.chain.rpc.request('eth_call', {
      to: sealed,
      data: encodeFunctionData({ abi: parseAbi(['function balanceOf(address)']), args: [ground.router] }),
    });
    expect(Number(held)).to.equal(6);
    const dollar = sealed as typeof laid.asset;
    const elsewhere = firmWith({ ...source, issues: { chain: 'here', assets: source.issues?.assets ?? [], dollar } });
    expect(await elsewhere({ ...hopOf('buy'), tokenIn: dollar }, NEVER)).to.deep.equal({ ok: false, reason: 'unverified' });
  });
});
