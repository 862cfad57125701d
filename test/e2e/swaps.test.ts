import { expect } from 'chai';
import { useBraid } from '../support/braid.ts';
import { checkRandomSwaps, takerOf } from './swap-check.ts';

describe('a swap’s transaction delivers exactly the quoted amount', function suite() {
  this.timeout(180_000);
  const braid = useBraid({ env: { FRESHNESS_BOUND_MS: '600000' } });

  it('25 random swaps, sell and buy, native on either side, with fees and recipients', async () => {
    const tally = await checkRandomSwaps(braid.current(), 25, 'swaps-slice');
    expect(tally.executed, JSON.stringify(tally)).to.be.at.least(20);
    expect(tally.buys).to.be.at.least(5);
  });
});

describe('/v1/swap', function suite() {
  this.timeout(60_000);
  const braid = useBraid();

  /** A good request, changed as told; undefined leaves a parameter out. */
  async function ask(changes: Readonly<Record<string, string | undefined>>) {
    const { publicUrl, devnet, apiKey } = braid.current();
    if (devnet === null || apiKey === null) throw new Error('only on the devnet');
    const of = (symbol: string) => devnet.tokens.find((token) => token.symbol === symbol)?.address ?? '';
    const base = { chainId: '31337', mode: 'sell', sellToken: of('USDC'), buyToken: of('WETH'), sellAmount: '1000000000', taker: devnet.accounts[0]?.address };
    const sent = Object.entries({ ...base, ...changes }).filter((pair): pair is [string, string] => pair[1] !== undefined);
    const response = await fetch(`${publicUrl}/v1/swap?${new URLSearchParams(sent)}`, { headers: { 'x-api-key': apiKey } });
    return { status: response.status, limit: response.headers.get('x-ratelimit-limit'), body: (await response.json()) as Record<string, unknown> };
  }

  const NATIVE = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';
  const refusals: readonly [string, () => Readonly<Record<string, string | undefined>>, number, RegExp][] = [
    ['taker missing on swap', () => ({ taker: undefined }), 400, /taker/],
    ['the zero address as taker (R11)', () => ({ taker: `0x${'0'.repeat(40)}` }), 400, /taker/],
    ['a recipient that is the router (R11)', () => ({ recipient: braid.current().devnet?.router }), 400, /router/],
    ['a recipient that is the allowance holder (R11)', () => ({ recipient: braid.current().devnet?.allowanceHolder }), 400, /allowance holder/],
    ['a feeRecipient that is the router (R11)', () => ({ feeBps: '5', feeRecipient: braid.current().devnet?.router }), 400, /router/],
    ['a deadline that has passed (R8)', () => ({ deadline: '1700000000' }), 400, /deadline/],
    ['a deadline of 0 (D26)', () => ({ deadline: '0' }), 400, /deadline/],
    ['a deadline that is no integer (D26)', () => ({ deadline: 'abc' }), 400, /deadline/],
    ['an unknown funding', () => ({ funding: 'allowance' }), 400, /funding/],
    ['funding=permit2 on an ERC-20 sell, until it is served', () => ({ funding: 'permit2' }), 500, /permit2/],
    ['a sell token without code', () => ({ sellToken: '0x00000000000000000000000000000000000c0de1' }), 404, /route/],
    ['a routerAddress override (R4)', () => ({ routerAddress: `0x${'1'.repeat(40)}` }), 400, /routerAddress/],
  ];
  for (const [title, changes, expected, message] of refusals) {
    it(`${title} answers ${expected} with error only`, async () => {
      const { status, body, limit } = await ask(changes());
      expect(status, JSON.stringify(body)).to.equal(expected);
      expect(Object.keys(body)).to.deep.equal(['error']);
      expect(body.error).to.match(message);
      expect(limit).to.equal('1000');
    });
  }

  it('ERC-20, allowanceHolder: to the allowance holder, value "0", allowanceTarget never the router (complaint 20)', async () => {
    const { devnet } = braid.current();
    const { status, body } = await ask({});
    const transaction = body.transaction as Record<string, string>;
    expect(status).to.equal(200);
    expect(Object.keys(transaction)).to.deep.equal(['from', 'to', 'data', 'value']);
    expect(transaction.to?.toLowerCase()).to.equal(devnet?.allowanceHolder);
    expect(transaction.value).to.equal('0');
    expect(String(body.allowanceTarget).toLowerCase()).to.equal(devnet?.allowanceHolder);
    expect(body).to.not.have.any.keys('permit2', 'rfqExpiry', 'driftExposedShareBps', 'warnings', 'gasLimit');
    const now = Math.floor(Date.now() / 1000);
    expect(Number(body.deadline)).to.be.within(now + 1190, now + 1215);
  });

  it('native sell: to the router, value sellAmount, allowanceTarget null, funding ignored (S15)', async () => {
    const { devnet } = braid.current();
    const { status, body } = await ask({ sellToken: NATIVE, sellAmount: '1000000000000000000', funding: 'permit2' });
    const transaction = body.transaction as Record<string, string>;
    expect(status, JSON.stringify(body)).to.equal(200);
    expect(transaction.to?.toLowerCase()).to.equal(devnet?.router);
    expect(transaction.value).to.equal('1000000000000000000');
    expect(body.allowanceTarget).to.equal(null);
    expect(body).to.not.have.property('permit2');
  });

  it('a deadline beyond 2^53 is written as an exact JSON integer (S3)', async () => {
    const { publicUrl, devnet, apiKey } = braid.current();
    const { ask: askRaw } = takerOf(braid.current());
    const of = (symbol: string) => devnet?.tokens.find((token) => token.symbol === symbol)?.address ?? '';
    const { status, text } = await askRaw({ mode: 'sell', sellToken: of('USDC'), buyToken: of('DAI'), sellAmount: '5000000', deadline: '9223372036854775807' });
    expect(status, `${publicUrl} ${apiKey}`).to.equal(200);
    expect(text).to.contain('"deadline":9223372036854775807');
  });
});
