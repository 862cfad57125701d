import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { ZERO_ADDRESS } from '../../src/units/units.ts';
import { useBraid } from '../support/braid.ts';
import { expectGasNear, WORST } from './gas-errors.ts';
import { checkShapes, SHAPE_KEYS, SOME_SHAPES } from './settlement-shapes.ts';
import { approveAll, checkRandomSwaps, executeExactly, type ModelledGas, settleHead, takeBack, takerOf } from './swap-check.ts';

const PAIRS = 'uniswap_v2,sushiswap_v2';

describe('a swap’s transaction delivers exactly the quoted amount', function suite() {
  this.timeout(300_000);
  const folder = mkdtempSync(path.join(tmpdir(), 'braid-swaps-'));
  const file = path.join(folder, 'keys.json');
  writeFileSync(file, SHAPE_KEYS);
  const braid = useBraid({ env: { KEYS_FILE: file, FRESHNESS_BOUND_MS: '600000' } });
  after(() => rmSync(folder, { recursive: true }));

  it('6 random trades, each twice, sell and buy, native on either side, with fees and recipients; the gas is near what is said', async () => {
    const tally = await checkRandomSwaps(braid.current(), 6, 'swaps-slice', { again: true });
    expect(tally.executed, JSON.stringify(tally)).to.be.at.least(5);
    expect(tally.buys).to.be.at.least(1);
    expectGasNear(tally.gas, 2);
  });

  it('4 random swaps whose taker signs a permit and writes its 65 bytes into the calldata', async () => {
    const tally = await checkRandomSwaps(braid.current(), 4, 'swaps-permit2', { always: { funding: 'permit2' } });
    expect(tally.executed, JSON.stringify(tally)).to.be.at.least(3);
    expect(tally.buys).to.be.at.least(1);
  });

  it('pairs of Uniswap V2 and a fork in a row are one leg, which gives what the route lists, to the wei, and takes near the gas that is said', async () => {
    const taker = takerOf(braid.current());
    const { devnet } = taker;
    const tokenNamed = (symbol: string) => devnet.tokens.find((token) => token.symbol === symbol)?.address ?? ZERO_ADDRESS;
    await approveAll(taker);
    await taker.rpc('evm_setIntervalMining', 0);
    const lengths = new Map<number, number>();
    const gas: ModelledGas[] = [];
    for (const [sell, buy, sellAmount] of [
      ['LINK', 'UNI', 10n ** 19n],
      ['CRV', 'LDO', 10n ** 20n],
      ['MKR', 'GUSD', 10n ** 16n],
      ['UNI', 'RPL', 10n ** 18n],
    ] as const) {
      const query = {
        mode: 'sell',
        sellToken: tokenNamed(sell),
        buyToken: tokenNamed(buy),
        sellAmount: String(sellAmount),
        includeVenues: PAIRS,
        maxHops: '4',
      };
      const snapshot = await taker.rpc('evm_snapshot');
      // The second time its pairs have traded before, as pairs in life have.
      for (const time of ['first', 'again']) {
        await settleHead(braid.current(), taker);
        const { status, swap, text } = await taker.ask(query);
        const context = `${sell} to ${buy}, ${time}: ${text}`;
        expect(status, context).to.equal(200);
        const { gasUsed } = await executeExactly(taker, swap, context);
        const [first] = swap.route;
        const head = new RegExp(`0a[0-9a-f]{8}${first?.poolAddress.slice(2).toLowerCase()}000bb8([0-9a-f]{2})`);
        const between = head.exec(swap.transaction.data.toLowerCase())?.[1];
        if (between !== undefined) lengths.set(Number.parseInt(between, 16) + 1, (lengths.get(Number.parseInt(between, 16) + 1) ?? 0) + 1);
        if (time === 'again') gas.push({ said: swap.gas, used: Number(gasUsed), context, ported: false });
      }
      await takeBack(taker, snapshot);
    }
    await taker.rpc('evm_setIntervalMining', 1);
    process.stdout.write(`      ${JSON.stringify([...lengths])}\n`);
    expect(lengths.get(2) ?? 0).to.be.at.least(4);
    expect(lengths.get(3) ?? 0).to.be.at.least(2);
    expectGasNear(gas, 4, WORST);
  });

  it('each funding × mode × native side, with fee and surplus policies in turn: every part to the wei, also where somebody else’s trade makes it give more; native for native is refused', async () => {
    const tally = await checkShapes(braid.current(), SOME_SHAPES);
    expect([tally.executed, tally.refused], JSON.stringify(tally)).to.deep.equal([12, 4]);
  });
});
