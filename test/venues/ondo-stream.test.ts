import { expect } from 'chai';
import sinon from 'sinon';
import { asAddress, type EpochSeconds } from '../../src/units/units.ts';
import { MAX_AMOUNT } from '../../src/venues/ladder/rungs.ts';
import { stream } from '../../src/venues/ondo/stream.ts';
import type { AskOutside, OutsideAnswer, OutsideSource } from '../../src/venues/venues.ts';

const ONE = 10n ** 18n;
const [DOLLAR, ASSET] = [asAddress(`0x${'22'.repeat(20)}`), asAddress(`0x${'11'.repeat(20)}`)];
const SOURCE: OutsideSource = {
  ...{ name: 'mint', origin: 'http://127.0.0.1:9', contract: asAddress(`0x${'41'.repeat(20)}`), signer: asAddress(`0x${'42'.repeat(20)}`) },
  issues: { chain: 'ethereum-1', dollar: DOLLAR, assets: [{ symbol: 'AAPLon', token: ASSET, sizes: [ONE, 10n * ONE, 100n * ONE] }] },
};

type Says = { current: OutsideAnswer | null; bid?: bigint };

/** An issuer that sells at 102 and buys at 98, up to ten assets; `says`: what it answers otherwise, and what it buys at. */
function issuer(says: Says) {
  const asked: string[] = [];
  const ask: AskOutside = async (_source, body, _signal, under) => {
    const { side, tokenAmount, symbol, chainId } = JSON.parse(body) as Readonly<Record<string, string>>;
    asked.push(`${under} ${chainId} ${symbol} ${side} ${tokenAmount}`);
    if (says.current !== null) return says.current;
    const quantity = BigInt((tokenAmount ?? '').replace('.', ''));
    if (quantity > 10n * ONE) return { ok: false, reason: 'refused' };
    const price = side === 'buy' ? 102n * ONE : (says.bid ?? 98n * ONE);
    const answer = { chainId: '1', symbol, assetAddress: ASSET, side: side === 'buy' ? '0' : '1', tokenAmount: String(quantity), price: String(price) };
    return { ok: true, text: JSON.stringify(answer) };
  };
  return { ask, asked };
}

describe('what an issuer indicates of its assets', () => {
  let clock: sinon.SinonFakeTimers;
  beforeEach(() => {
    clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
  });
  afterEach(() => clock.restore());

  function open(says: Says) {
    const { ask, asked } = issuer(says);
    const quoted: { state: { readonly until: number; readonly ladders: readonly unknown[] } | null } = { state: null };
    const heard: string[] = [];
    const opened = stream.open({ chainId: 1, ask, decimalsOf: () => null, now: () => (1_000 + Math.floor(Date.now() / 1000)) as EpochSeconds }, [SOURCE], {
      changed(pools) {
        for (const { pool, state, decimals } of pools) {
          expect([pool.tokens, pool.source, pool.traits, state === null ? 18 : decimals]).to.deep.equal([[ASSET, DOLLAR], 'ondo', { maker: 'mint' }, 18]);
          quoted.state = state;
        }
      },
      asked: (_source, outcome, { pausedMs }) => heard.push(`${outcome} ${pausedMs}`),
    });
    return { opened, asked, quoted, heard };
  }

  it('is both sides, asked for size after size until one is refused; it ends ten seconds after it was asked for, though the issuer is silent meanwhile', async () => {
    const says = { current: null as OutsideAnswer | null };
    const { opened, asked, quoted, heard } = open(says);
    await clock.tickAsync(1);
    const sizes = ['1.000000000000000000', '10.000000000000000000', '100.000000000000000000'];
    expect([...asked].sort()).to.deep.equal(
      ['buy', 'sell'].flatMap((side) => sizes.map((size) => `/v1/attestations/soft ethereum-1 AAPLon ${side} ${size}`)).sort(),
    );
    expect(quoted.state).to.deep.equal({
      until: 1_010,
      ladders: [
        [
          { amountIn: ONE, amountOut: 98n * ONE },
          { amountIn: 10n * ONE, amountOut: 980n * ONE },
        ],
        [
          { amountIn: 102n * ONE, amountOut: ONE },
          { amountIn: 1_020n * ONE, amountOut: 10n * ONE },
        ],
      ],
    });
    says.current = { ok: false, reason: 'unreachable' };
    await clock.tickAsync(9_998);
    expect(quoted.state).to.not.equal(null);
    await clock.tickAsync(1);
    expect(quoted.state).to.equal(null);
    expect(heard.slice(0, 2)).to.deep.equal(['ok 0', 'unreachable 0']);
    await opened.close();
  });

  it('is of amounts alone that can be traded: what would be worth more than anybody can have is left out', async () => {
    // Ten assets are worth more than a pool may hold, one is not.
    const { opened, quoted } = open({ current: null, bid: MAX_AMOUNT / 2n });
    await clock.tickAsync(1);
    expect(quoted.state?.ladders[0]).to.deep.equal([{ amountIn: ONE, amountOut: MAX_AMOUNT / 2n }]);
    await opened.close();
  });

  it('is nothing while all is refused, since the market is closed, which is asked for less often and is no failure', async () => {
    const says = { current: null as OutsideAnswer | null };
    const { opened, asked, quoted, heard } = open(says);
    await clock.tickAsync(1);
    says.current = { ok: false, reason: 'refused' };
    await clock.tickAsync(2_000);
    expect(quoted.state).to.equal(null);
    const before = asked.length;
    await clock.tickAsync(4_900);
    expect(asked.length).to.equal(before);
    says.current = null;
    await clock.tickAsync(200);
    expect(quoted.state).to.not.equal(null);
    expect(heard).to.deep.equal(['ok 0', 'closed 0', 'ok 0']);
    await opened.close();
  });

  it('leaves quotes at once where the issuer is busy, or a pause is asked for, and is back after it', async () => {
    const says = { current: null as OutsideAnswer | null };
    const { opened, asked, quoted } = open(says);
    await clock.tickAsync(1);
    says.current = { ok: false, reason: 'busy', retryAfterMs: 3_000 };
    await clock.tickAsync(2_000);
    expect(quoted.state).to.equal(null);
    says.current = null;
    await clock.tickAsync(3_001);
    expect(quoted.state).to.not.equal(null);
    opened.pause('mint', 4_000);
    expect(quoted.state).to.equal(null);
    const before = asked.length;
    await clock.tickAsync(3_990);
    expect(asked.length).to.equal(before);
    await clock.tickAsync(20);
    expect(quoted.state).to.not.equal(null);
    opened.pause('somebody', 4_000);
    expect(quoted.state).to.not.equal(null);
    await opened.close();
    const ended = asked.length;
    await clock.tickAsync(60_000);
    expect(asked.length).to.equal(ended);
  });
});
