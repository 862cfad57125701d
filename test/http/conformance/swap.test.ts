import { expect } from 'chai';
import { expectPlainRefusal } from '../support/checks.ts';
import { leaveOut, NATIVE, needsSwaps, useService, ZERO } from './support/service.ts';
import { askSwap, atOneBlock, buying, type Changes, permittedOf, quoteOf, swapOf } from './support/trades.ts';

const SOMEBODY = '0x00000000000000000000000000000000000000Ab';
const ETHER = '1000000000000000000';
const unixNow = () => Math.floor(Date.now() / 1000);

describe('Endpoints: GET {base_url}/v1/swap', () => {
  const service = useService();

  const refusals: readonly [string, () => Changes, RegExp][] = [
    ['`taker` missing on swap', () => ({ taker: undefined }), /taker/],
    ['the zero address as taker (R11)', () => ({ taker: ZERO }), /taker/],
    ['the zero address as userAddress (R11)', () => ({ userAddress: ZERO }), /userAddress/],
    ['a userAddress that is none', () => ({ userAddress: 'nobody' }), /userAddress/],
    ['a deadline that has passed (R8, D26)', () => ({ deadline: '1700000000' }), /deadline/],
    ['a deadline of 0 (D26)', () => ({ deadline: '0' }), /deadline/],
    ['a deadline of −1 (D26)', () => ({ deadline: '-1' }), /deadline/],
    ['a deadline that is no integer (D26)', () => ({ deadline: 'abc' }), /deadline/],
    ['a deadline that is empty (D26)', () => ({ deadline: '' }), /deadline/],
    ['a deadline beyond int64 (R8)', () => ({ deadline: '9223372036854775808' }), /deadline/],
    ['an unknown funding', () => ({ funding: 'allowance' }), /funding/],
    ['funding in other letters', () => ({ funding: 'Permit2' }), /funding/],
    ['a routerAddress override (R4)', () => ({ routerAddress: SOMEBODY }), /routerAddress/],
    ['an allowanceHolderAddress override (R4)', () => ({ allowanceHolderAddress: SOMEBODY }), /allowanceHolderAddress/],
  ];
  for (const [title, changes, message] of refusals) {
    it(`${title}: 400 with \`error\` only`, async () => expect(await expectPlainRefusal(await askSwap(service(), changes()), 400)).to.match(message));
  }

  it('a `recipient` or `feeRecipient` that is the router or the allowance holder: 400 (R11)', async function () {
    const { router, allowanceHolder } = needsSwaps(this, service());
    for (const receiver of [router, allowanceHolder, router.toUpperCase().replace('0X', '0x')]) {
      await expectPlainRefusal(await askSwap(service(), { recipient: receiver }), 400);
      await expectPlainRefusal(await askSwap(service(), { feeBps: '5', feeRecipient: receiver }), 400);
    }
  });

  it('no route: 404 with `error` only, on swap as on quote', async () => {
    await expectPlainRefusal(await askSwap(service(), { sellToken: '0x00000000000000000000000000000000000c0de1' }), 404);
  });

  it('All QuoteResponse fields at the top level (not nested), plus `transaction` and `deadline`; `permit2`, `rfqExpiry`, `driftExposedShareBps` and `warnings` omitted (S1)', async function () {
    needsSwaps(this, service());
    for (const changes of [{}, buying(service())]) {
      const quote = await quoteOf(service(), changes);
      const swap = await swapOf(service(), changes);
      expect(
        Object.keys(swap)
          .filter((name) => name !== 'warnings')
          .sort(),
      ).to.deep.equal([...Object.keys(quote), 'deadline', 'transaction'].sort());
    }
  });

  describe('Transaction target by funding shape', () => {
    it('ERC-20, `allowanceHolder`: to the allowance holder, value `"0"`, `allowanceTarget` never the router (complaint 20)', async function () {
      const { allowanceHolder, router } = needsSwaps(this, service());
      for (const changes of [{}, { funding: 'allowanceHolder' }, buying(service())]) {
        const { transaction, allowanceTarget, taker } = await swapOf(service(), changes);
        expect(transaction.to.toLowerCase()).to.equal(allowanceHolder.toLowerCase());
        expect(transaction.value).to.equal('0');
        expect(transaction.from).to.equal(taker);
        expect(allowanceTarget?.toLowerCase()).to.equal(allowanceHolder.toLowerCase()).and.not.to.equal(router.toLowerCase());
      }
    });

    it('Native sell: to the router, value `sellAmount`, approval none; funding ignored: Applies to ERC-20 sells only (S15)', async function () {
      const { router } = needsSwaps(this, service());
      for (const funding of [undefined, 'allowanceHolder', 'permit2']) {
        const swap = await swapOf(service(), { sellToken: NATIVE, sellAmount: ETHER, funding });
        expect(swap.transaction.to.toLowerCase()).to.equal(router.toLowerCase());
        expect(swap.transaction.value).to.equal(ETHER);
        expect(swap.allowanceTarget).to.equal(null);
        expect(swap).not.to.have.property('permit2');
      }
      const bought = await swapOf(service(), { ...buying(service()), sellToken: NATIVE });
      expect(bought.transaction.value).to.equal(bought.sellAmount);
    });

    it('ERC-20, `permit2`: to the router, value `"0"`, One-time approval to canonical Permit2', async function () {
      const { router } = needsSwaps(this, service());
      for (const changes of [{}, buying(service())]) {
        const { transaction, allowanceTarget, taker } = await permittedOf(service(), changes);
        expect([transaction.to.toLowerCase(), transaction.value, transaction.from]).to.deep.equal([router.toLowerCase(), '0', taker]);
        expect(allowanceTarget).to.equal('0x000000000022D473030F116dDEE9F6B43aC78BA3');
      }
    });
  });

  it('deadline: Default about now + 20 minutes', async function () {
    needsSwaps(this, service());
    const before = unixNow();
    const { deadline } = await swapOf(service());
    expect(Number(deadline)).to.be.within(before + 1190, unixNow() + 1215);
  });

  it('deadline: the request `deadline`, an exact JSON integer also beyond 2^53, and encoded in the calldata (S3)', async function () {
    needsSwaps(this, service());
    for (const deadline of [String(unixNow() + 3600), '9223372036854775807']) {
      const response = await askSwap(service(), { deadline });
      const text = await response.text();
      expect(response.status, text).to.equal(200);
      expect(text).to.match(new RegExp(`"deadline":${deadline}[,}]`));
      expect((JSON.parse(text) as { transaction: { data: string } }).transaction.data).to.contain(BigInt(deadline).toString(16));
    }
  });

  it('taker: Echoed as the transaction’s `from`; wrong checksum case, ALL-UPPER hex valid also through /v1/swap (D4, R14)', async function () {
    needsSwaps(this, service());
    const taker = '0xABCDEFABCDEFABCDEFABCDEFABCDEFABCDEFABCD';
    const sellToken = `0x${service().sellToken.slice(2).toUpperCase()}`;
    const swap = await swapOf(service(), { taker, sellToken, userAddress: taker, feeBps: '5', feeRecipient: '0xABCDEFABCDEFABCDEFABCDEFABCDEFABCDEFABCE' });
    expect([swap.taker, swap.recipient, swap.transaction.from, swap.sellToken]).to.deep.equal([taker, taker, taker, sellToken]);
  });

  it('The tag’s high 16 bytes are the `quoteId` of the response that produced the transaction: it is in the calldata (Events 2, B6)', async function () {
    needsSwaps(this, service());
    for (const changes of [{}, { sellToken: NATIVE, sellAmount: ETHER }]) {
      const { quoteId, transaction } = await swapOf(service(), changes);
      expect(transaction.data).to.contain(quoteId.replaceAll('-', ''));
    }
  });

  it('A `/v1/swap` call re-solves at its own block: it takes no quote, and `userAddress`, `deadline`, `funding` change no price', async function () {
    needsSwaps(this, service());
    const pair = await atOneBlock(
      () => swapOf(service()),
      () => swapOf(service(), { userAddress: SOMEBODY, deadline: String(unixNow() + 60) }),
    );
    if (pair === null) return leaveOut(this, 'the chain moves too fast for two answers of one block');
    const [plain, other] = pair;
    expect([other.buyAmount, other.minBuyAmount]).to.deep.equal([plain.buyAmount, plain.minBuyAmount]);
  });
});
