import { expect } from 'chai';
import fc from 'fast-check';
import { concatHex, type Hex, numberToHex } from 'viem';
import { type CompiledContract, compileSolidity } from '../../../scripts/solidity.ts';
import { encodePayload, type Leg, type SwapTerms } from '../../../src/building/building.ts';
import { asAddress, asBps } from '../../../src/units/units.ts';
import { arbitraryTerms } from '../../building/arbitrary-terms.ts';
import { type OracleChain, startOracleChain } from '../../support/oracle-chain.ts';
import { FULL_SCALE } from '../../support/seeded-random.ts';
import { seeded } from '../../validation/seeded.ts';

const ROUNDS = FULL_SCALE ? 200 : 10;
const PAYLOADS_PER_CALL = 50;
const TAKER = asAddress(`0x${'11'.repeat(20)}`);
const POLICIES = ['protocol', 'taker', 'shared'] as const;
/** The kinds of the legs that are drawn (test/contracts/legs.test.ts holds them to their files). */
const KINDS: Readonly<Record<string, number>> = {
  ...{ uniswap_v2: 1, uniswap_v3: 2, wrap: 3, uniswap_v4: 4, uniswap_v4_path: 9, uniswap_v2_path: 10 },
  ...{ airswap: 12, uniswap_v4_attested: 13, ondo: 14 },
};
const LATE = 1n << 40n;

type ContractTerms = {
  readonly tag: Hex;
  readonly deadline: bigint;
  readonly sellToken: string;
  readonly buyToken: string;
  readonly sellAmount: bigint;
  readonly quotedNet: bigint;
  readonly minBuyAmount: bigint;
  readonly recipient: string;
  readonly partner: string;
  readonly feeBps: bigint;
  readonly partnerShareBps: bigint;
  readonly surplus: bigint;
  readonly buy: boolean;
};
type Read = { readonly terms: ContractTerms; readonly tokens: readonly string[]; readonly hops: Hex };

/** Terms that the contract takes: not expired, something sold, a fee within its bound. */
const accepted = arbitraryTerms
  .filter(({ sellAmount }) => sellAmount > 0n)
  .map((terms): SwapTerms => {
    const fee = terms.fee === null ? null : { ...terms.fee, feeBps: asBps(terms.fee.feeBps % 1_501) };
    return { ...terms, deadline: terms.deadline | LATE, fee };
  });

describe("the encoder of swaps against the Router's own reader", function () {
  this.timeout(FULL_SCALE ? 900_000 : 120_000);
  let chain: OracleChain;
  let reader: CompiledContract;
  let address: Hex;

  before(async () => {
    const compiled = (await compileSolidity('contracts/devnet/oracle')).PayloadReader;
    if (compiled === undefined) throw new Error('PayloadReader is not among the compiled contracts');
    reader = compiled;
    chain = await startOracleChain();
    address = await chain.deploy(reader.abi, reader.bytecode, []);
  });
  after(async () => {
    await chain?.stop();
  });

  const ask = async (payloads: readonly Hex[]) => (await chain.ask(address, reader.abi, 'readAll', [payloads, TAKER])) as readonly Read[];

  it(`what is written is what the contract reads, ${ROUNDS * PAYLOADS_PER_CALL} times`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(accepted, { minLength: PAYLOADS_PER_CALL, maxLength: PAYLOADS_PER_CALL }), async (swaps) => {
        const reads = await ask(swaps.map(encodePayload));
        for (const [i, swap] of swaps.entries()) {
          const read = reads[i];
          if (read === undefined) throw new Error('fewer answers than payloads');
          expect(told(read, swap)).to.deep.equal({ ...swap, minBuyAmount: swap.mode === 'buy' ? swap.buyAmount : swap.minBuyAmount });
          expect(read.hops).to.equal(hopsOf(swap, read.tokens));
        }
      }),
      seeded(ROUNDS),
    );
  });

  it('what is cut short in its terms the contract refuses, byte by byte', async () => {
    const [terms] = fc.sample(accepted, seeded(1));
    if (terms === undefined) throw new Error('nothing was drawn');
    const whole = encodePayload({ ...terms, legs: [] });
    for (let size = 0; size < whole.length / 2 - 1; size++) {
      const refused = await ask([whole.slice(0, 2 + 2 * size) as Hex]).then(
        () => false,
        () => true,
      );
      expect(refused, `${size} bytes`).to.equal(true);
    }
  });
});

/** What the contract read, in the words of the service; the hops are looked at apart. */
function told({ terms }: Read, { legs }: SwapTerms): SwapTerms {
  const { tag, deadline, sellAmount, quotedNet, minBuyAmount } = terms;
  const fee =
    terms.partner === asAddress(`0x${'0'.repeat(40)}`) && terms.feeBps === 0n
      ? null
      : { partner: asAddress(terms.partner), feeBps: asBps(Number(terms.feeBps)), partnerShareBps: asBps(Number(terms.partnerShareBps)) };
  return {
    mode: terms.buy ? 'buy' : 'sell',
    tag,
    deadline,
    sellToken: asAddress(terms.sellToken),
    buyToken: asAddress(terms.buyToken),
    sellAmount,
    buyAmount: quotedNet,
    minBuyAmount,
    taker: TAKER,
    recipient: asAddress(terms.recipient),
    fee,
    surplus: POLICIES[Number(terms.surplus)] ?? 'protocol',
    legs,
  } as SwapTerms;
}

/** Hops after the description in contracts/Router.sol, with the tokens at the places that the contract read. */
function hopsOf({ sellToken, buyToken, legs }: SwapTerms, between: readonly string[]): Hex {
  const places = [sellToken, buyToken, ...between].map((token) => asAddress(token));
  const placeOf = (token: Leg['tokenIn']) => numberToHex(places.indexOf(token), { size: 1 });
  return concatHex(
    legs.flatMap(({ leg, bps, tokenIn, tokenOut, pool, data }) => {
      const head = [numberToHex(KINDS[leg] ?? 0, { size: 1 }), numberToHex(bps, { size: 2 }), placeOf(tokenIn), placeOf(tokenOut)];
      return [...head, ...(pool === null ? [] : [pool]), data];
    }),
  );
}
