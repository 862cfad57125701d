import { expect } from 'chai';
import { TRANSFER_GAS, transferGas } from '../../src/routing/transfers/transfer-gas.ts';
import { NO_LOSS } from '../../src/routing/transfers/transfer-loss.ts';

const [SOLD, BETWEEN, BOUGHT] = [1, 2, 3];
const hop = (tokenIn: number, tokenOut: number) => ({ tokenIn, tokenOut });
const TAX = { ppm: 10_100, units: 0 };
const ROUNDING = { ppm: 0, units: 2 };
const { measured, leftOver, taxSold, taxBought, taxedAgain } = TRANSFER_GAS;

describe('the gas that transfers of lossy ends add to a route', () => {
  const split = [hop(SOLD, BETWEEN), hop(SOLD, BETWEEN), hop(BETWEEN, BOUGHT), hop(SOLD, BOUGHT)];
  const of = (sell: typeof TAX, buy: typeof TAX) => transferGas(split, { sell: SOLD, buy: BOUGHT, losses: { sell, buy } });

  it('is none where nothing is lost', () => {
    expect(of(NO_LOSS, NO_LOSS)).to.deep.equal([0, 0, 0, 0]);
  });

  it('is that of a tax once, and a little for each further hop of its token; each hop of what is sold is measured', () => {
    expect(of(TAX, NO_LOSS)).to.deep.equal([measured + taxSold, measured + taxedAgain, 0, measured + taxedAgain + leftOver]);
    expect(of(NO_LOSS, TAX)).to.deep.equal([0, 0, taxedAgain, taxBought + leftOver]);
    expect(of(TAX, TAX)).to.deep.equal([measured + taxSold, measured + taxedAgain, taxedAgain, measured + taxedAgain + taxBought + leftOver]);
  });

  it('is that of measuring, and of what is left over, where rounding alone takes something', () => {
    expect(of(ROUNDING, NO_LOSS)).to.deep.equal([measured, measured, 0, measured + leftOver]);
    expect(of(NO_LOSS, ROUNDING)).to.deep.equal([0, 0, 0, leftOver]);
  });
});
