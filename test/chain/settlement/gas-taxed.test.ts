import { expect } from 'chai';
import { erc20Abi } from 'viem';
import { TRANSFER_GAS } from '../../../src/routing/transfers/transfer-gas.ts';
import { type Address, asWei } from '../../../src/units/units.ts';
import { useMeasuring } from '../../support/measuring.ts';
import { holdSnapshot, type Measured, measureGas, waitTenSeconds } from '../../support/settlement/gas-snapshot.ts';
import { contractOf, MAX, ONE, takerCall, termsOf, through, useGround } from '../../support/settlement/ground.ts';

/** How far what plans count may be from what these contracts take. */
const NEAR = 1_500;

const TOKENS = [
  ['plain', 'StandardToken', ['Plain', 'PLAIN', 18], null],
  ['pool-only tax', 'TaxedToken', ['Taxed', 'TAX'], [10_000n, 10_000n, 0n, 0n]],
  ['universal tax', 'TaxedToken', ['Taxed', 'TAX'], [10_000n, 10_000n, 10_000n, 0n]],
  ['shares', 'SharesToken', ['Shares', 'SHARE', 18], null],
] as const;

/** One pair against wrapped native; everybody holds some of the tokens. As in life, the pair has traded before. */
describe('gas of swaps of tokens that lose something on their way', function () {
  this.timeout(600_000);
  const here = useGround();
  const measuring = useMeasuring(here);
  const taxed: Record<string, Measured> = {};

  async function measureToken([name, contract, args, taxes]: (typeof TOKENS)[number]): Promise<void> {
    const ground = here.current();
    const { chain, accounts, allowanceHolder, contracts, tokens } = ground;
    const { token, pair } = await measuring.current().token(contract, args, 'pair-alone');
    if (taxes !== null) await measuring.current().write(contract, token, 'setTaxes', taxes);
    const { taker, recipient, collector, deployer } = accounts;
    await measuring.current().write(contract, token, 'mint', [[taker, recipient, collector, deployer], 100n * ONE]);
    for (const [sold, abi] of [
      [token, contractOf(contracts, contract).abi],
      [tokens.weth, erc20Abi],
    ] as const) {
      await chain.write(taker, sold, abi, 'approve', [allowanceHolder, MAX]);
    }
    /** `quoted`: what is above it is paid to the protocol. */
    const measure = async (what: string, sellToken: Address, buyToken: Address, isMeasured: boolean, quoted: bigint): Promise<void> => {
      const legs = [through('v2', pair, sellToken, buyToken, 10_000, isMeasured)];
      const terms = { sellToken, buyToken, legs, surplus: 'protocol', buyAmount: asWei(quoted), minBuyAmount: asWei(ONE / 4n) } as const;
      const call = takerCall(ground, termsOf(ground, terms));
      await waitTenSeconds(chain);
      await chain.mustSend(taker, call);
      taxed[`${name}, ${what}`] = await measureGas(ground, call);
    };
    if (name === 'plain') {
      await measure('sold', token, tokens.weth, false, ONE);
      await measure('bought', tokens.weth, token, false, ONE);
    }
    await measure('sold to a leg that measures', token, tokens.weth, true, ONE);
    await measure('sold to a leg that measures, some left over', token, tokens.weth, true, ONE / 2n);
    // What every transfer is taxed of is not bought.
    if (name !== 'universal tax') await measure('bought, some left over', tokens.weth, token, false, ONE / 2n);
  }

  it('is what plans count beyond plain swaps: for measuring, for what the margin leaves over, and for a tax on either side', async () => {
    for (const token of TOKENS) await measureToken(token);
    const gas = (name: string): number => taxed[name]?.gas ?? Number.NaN;
    const { measured, leftOver, taxSold, taxBought } = TRANSFER_GAS;
    expect(gas('plain, sold to a leg that measures') - gas('plain, sold')).to.be.closeTo(measured, 100);
    expect(gas('plain, sold to a leg that measures, some left over') - gas('plain, sold to a leg that measures')).to.be.closeTo(leftOver, NEAR);
    expect(gas('plain, bought, some left over') - gas('plain, bought')).to.be.closeTo(leftOver, NEAR);
    for (const kind of ['pool-only', 'universal']) {
      const sold = gas(`${kind} tax, sold to a leg that measures, some left over`) - gas('plain, sold');
      expect(sold, kind).to.be.closeTo(measured + leftOver + taxSold, NEAR);
    }
    expect(gas('pool-only tax, bought, some left over') - gas('plain, bought')).to.be.closeTo(leftOver + taxBought, NEAR);
    // Their transfers take what plain ones do, within what differs from token to token.
    expect(gas('shares, sold to a leg that measures, some left over') - gas('plain, sold')).to.be.closeTo(measured + leftOver, 3 * NEAR);
    expect(gas('shares, bought, some left over') - gas('plain, bought')).to.be.closeTo(leftOver, 4 * NEAR);
  });

  it('everything is as in contracts/gas-snapshot.json', () => {
    holdSnapshot({ taxed });
  });
});
