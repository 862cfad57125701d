import { expect } from 'chai';
import { createSummary, decodeRow, jsonLine, type OfflineAnswer, printable, summaryText, tableLine } from '../../src/offline/offline.ts';
import type { Plan } from '../../src/routing/routing.ts';
import { asAddress, asBps, asWei, type EpochSeconds, ZERO_ADDRESS } from '../../src/units/units.ts';

const NATIVE = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';
const WETH = asAddress('0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2');
const USDC = asAddress('0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48');
const POOL = asAddress('0xb4e16d0168e52d35cacd2c6185b44281ec28c9dc');

function requestOf(mode: 'sell' | 'buy') {
  const row = decodeRow({ id: 'a', mode, sellToken: NATIVE, buyToken: USDC, sellAmount: '1000', buyAmount: '2' }, 0, { chainId: 1, defaults: {} });
  if (!row.ok) throw new Error(row.message);
  return row.request;
}

const PLAN: Plan = {
  hops: [
    {
      poolAddress: ZERO_ADDRESS,
      poolKey: '',
      venue: '',
      protocol: 'WRAP',
      source: 'WRAP',
      hook: null,
      legFacts: {},
      slotIn: 0,
      slotOut: 0,
      tokenIn: asAddress(NATIVE),
      tokenOut: WETH,
      amountIn: asWei(1000n),
      amountOut: asWei(1000n),
      bps: asBps(10_000),
      gas: 28_000,
    },
    {
      poolAddress: POOL,
      poolKey: POOL,
      venue: 'uniswap_v2',
      protocol: 'uniswap_v2',
      source: 'uniswap_v2',
      hook: null,
      legFacts: { feePpm: 3000 },
      slotIn: 0,
      slotOut: 1,
      tokenIn: WETH,
      tokenOut: USDC,
      amountIn: asWei(1000n),
      amountOut: asWei(2n ** 70n),
      bps: asBps(10_000),
      gas: 90_000,
    },
  ],
  sellAmount: asWei(1000n),
  grossAmount: asWei(2n ** 70n),
  gas: 183_000,
  gasMode: 'blind',
  gasPriceWei: null,
  maxHops: 3,
  block: { number: 9, hash: '0x00', timestamp: 1 as EpochSeconds, baseFeePerGas: null },
  prices: { sell: null, buy: null, native: null },
  facts: {
    steps: 1,
    pathsConsidered: 4,
    columnsGenerated: 2,
    phases: { subgraph: 0.12345, path: 1, columns: 0, gas: 0, exact: 0 },
    approxOutput: 1.5,
    stopped: 'converged',
  },
};
const solved = (millis: number, bound: number | null = null, mode: 'sell' | 'buy' = 'sell'): OfflineAnswer => ({
  id: 'a',
  ok: true,
  request: requestOf(mode),
  plan: PLAN,
  millis,
  bound,
});

describe('an answer of the offline solver', () => {
  it('is one JSON line with exact amounts and the route of the API, the caller’s own spelling included', () => {
    const line = jsonLine(solved(1.23456));
    expect(line).to.not.contain('\n');
    expect(JSON.parse(line)).to.deep.equal({
      id: 'a',
      ok: true,
      sellAmount: '1000',
      buyAmount: '1180591620717411303424',
      gas: 183_000,
      gasMode: 'blind',
      maxHops: 3,
      blockNumber: 9,
      route: [
        {
          poolAddress: ZERO_ADDRESS,
          protocol: 'WRAP',
          source: 'WRAP',
          hook: null,
          tokenIn: NATIVE,
          tokenOut: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
          amountIn: '1000',
          amountOut: '1000',
          bps: 10_000,
        },
        {
          poolAddress: '0xB4e16d0168e52d35CaCD2c6185b44281Ec28C9Dc',
          protocol: 'uniswap_v2',
          source: 'uniswap_v2',
          hook: null,
          tokenIn: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
          tokenOut: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
          amountIn: '1000',
          amountOut: '1180591620717411303424',
          bps: 10_000,
        },
      ],
      millis: 1.235,
      phases: { subgraph: 0.123, path: 1, columns: 0, gas: 0, exact: 0 },
      facts: { steps: 1, pathsConsidered: 4, columnsGenerated: 2, approxOutput: 1.5, stopped: 'converged' },
    });
  });

  it('tells in buy how much more than the bound the input is', () => {
    const answer = JSON.parse(jsonLine(solved(1, 999, 'buy')));
    expect(answer).to.include({ boundAmount: '999', lossBps: 10 });
  });

  it('tells the bound and the loss against it where a bound was computed', () => {
    const answer = JSON.parse(jsonLine(solved(1, Number(2n ** 70n) * 1.001)));
    expect(answer.boundAmount).to.match(/^11817722123381/);
    expect(answer.lossBps).to.be.closeTo(9.99, 0.001);
  });

  it('says why a request has no answer, with the amount that was asked', () => {
    const sell = JSON.parse(jsonLine({ id: 'b', ok: false, request: requestOf('sell'), reason: 'no-route', millis: 2 }));
    const buy = JSON.parse(jsonLine({ id: 'b', ok: false, request: requestOf('buy'), reason: 'no-route', millis: 2 }));
    const invalid = JSON.parse(jsonLine({ id: 'c', ok: false, request: null, reason: 'invalid-request', message: 'mode is missing' }));
    expect(sell).to.deep.equal({ id: 'b', ok: false, sellAmount: '1000', buyAmount: null, millis: 2, reason: 'no-route' });
    expect(buy).to.deep.equal({ id: 'b', ok: false, sellAmount: null, buyAmount: '2', millis: 2, reason: 'no-route' });
    expect(invalid).to.deep.equal({ id: 'c', ok: false, reason: 'invalid-request', message: 'mode is missing' });
  });

  it('is one line of text for people, whatever characters the file holds', () => {
    const line = tableLine({ ...solved(1.26), id: 'x\u001b[2J\n\u202e' }, () => 'T');
    expect(line).to.match(/^x\[2J +1000 T → 1180591620717411303424 T {2}2 hops {2}183000 gas {2}1\.3 ms$/);
    expect(printable('a\u0000b\r\nc\u200fd é漢')).to.equal('abcd é漢');
  });
});

describe('the summary of the offline solver', () => {
  it('counts the rows and gives nearest-rank percentiles of the solves', () => {
    const { add, summary } = createSummary();
    for (let i = 20; i >= 1; i--) add(solved(i));
    add({ id: 'c', ok: false, request: null, reason: 'invalid-request', message: 'x' });
    add({ id: 'd', ok: false, request: requestOf('sell'), reason: 'no-route', millis: 100 });
    expect(summary()).to.deep.equal({ count: 22, solved: 20, millis: { median: 11, p95: 20, max: 100 }, lossBps: null, stopped: { converged: 20 } });
    expect(summaryText(summary())).to.equal('22 requests, 20 solved; time median 11 p95 20 max 100 ms; search ended: converged 20');
  });

  it('is empty for an empty list', () => {
    expect(createSummary().summary()).to.deep.equal({ count: 0, solved: 0, millis: null, lossBps: null, stopped: {} });
    expect(summaryText(createSummary().summary())).to.equal('0 requests, 0 solved');
  });
});
