import { expect } from 'chai';
import { decodeFunctionData, type Hex } from 'viem';
import { ALLOWANCE_HOLDER_ABI, type BuiltSwap, ROUTER_ABI } from '../../../src/building/building.ts';
import { type Address, asAddress, NATIVE_TOKEN } from '../../../src/units/units.ts';
import { decodePayload } from '../decode-payload.ts';
import { feeOn, fractionOf, grossFor, isWithin, lessPercent, significantDigits, worth } from './figures.ts';
import type { World } from './made-up-world.ts';

/** Decisions S10: a value of 12 digits is off by half a unit of its last one at most, and a double by much less. */
const USD_PARTS = 199_000_000_000n;
const USD_DIGITS = 12;
const RATIO_PARTS = 10n ** 15n;

/**
 * Holds what an answer says of amounts, fee and worth against what follows from its route by the interface specification, and its transaction against the answer. `gross`: what the route gives as it was planned and signed. Gives whether
 * more than 15% of its value is given up.
 */
export function checkFigures(name: string, world: World, swap: BuiltSwap, gross: bigint): { readonly isHighImpact: boolean } {
  const { mode, amount, slippage, terms } = world;
  const feeBps = terms.fee?.feeBps ?? 0;
  const output = mode === 'sell' ? gross : grossFor(amount, feeBps);
  const feeAmount = feeOn(output, feeBps);
  const buyAmount = output - feeAmount;
  const minBuyAmount = mode === 'sell' ? lessPercent(buyAmount, slippage) : buyAmount;
  expect([swap.buyAmount, swap.minBuyAmount], `${name}: amounts`).to.deep.equal([String(buyAmount), String(minBuyAmount)]);
  if (mode === 'sell') expect(swap.sellAmount, name).to.equal(String(amount));
  else expect([swap.buyAmount, gross >= output], `${name}: target`).to.deep.equal([String(amount), true]);
  checkFee(name, world, swap, feeAmount);
  checkTransaction(name, world, swap);
  return checkWorth(name, world, swap);
}

function checkFee(name: string, { terms: { fee } }: World, swap: BuiltSwap, feeAmount: bigint): void {
  if (fee === null) {
    expect(swap, name).to.not.have.property('fee');
    return;
  }
  const { feeBps, partner, partnerShareBps } = fee;
  const partnerAmount = feeOn(feeAmount, partnerShareBps);
  const amounts = { feeAmount: String(feeAmount), partnerAmount: String(partnerAmount), protocolAmount: String(feeAmount - partnerAmount) };
  const told = { ...swap.fee, partner: swap.fee?.partner.toLowerCase() };
  expect(told, `${name}: fee`).to.deep.equal({ feeBps, feeToken: swap.buyToken, ...amounts, partnerShareBps, partner });
}

/** What the taker sends enforces what the answer says. */
function checkTransaction(name: string, { mode, taker, terms: { fee } }: World, swap: BuiltSwap): void {
  const { data, value } = swap.transaction;
  const sellsNative = swap.sellToken === NATIVE_TOKEN;
  expect(value, name).to.equal(sellsNative ? swap.sellAmount : '0');
  const { deadline, sellAmount, buyAmount, minBuyAmount, ...said } = decodePayload(payloadOf(name, data as Hex, swap, sellsNative), taker);
  const amounts = [swap.deadline, BigInt(swap.sellAmount), BigInt(swap.buyAmount), BigInt(swap.minBuyAmount)];
  expect([deadline, sellAmount, buyAmount, minBuyAmount], `${name}: enforced`).to.deep.equal(amounts);
  expect([said.mode, said.fee, said.recipient], name).to.deep.equal([mode, fee, taker]);
}

function payloadOf(name: string, data: Hex, { sellToken, sellAmount }: BuiltSwap, sellsNative: boolean): Hex {
  if (sellsNative) return decodeFunctionData({ abi: ROUTER_ABI, data }).args?.[0] as Hex;
  const [, token, most, payload] = decodeFunctionData({ abi: ALLOWANCE_HOLDER_ABI, data }).args as readonly [Address, Address, bigint, Hex];
  expect([asAddress(token), most], `${name}: what may be taken`).to.deep.equal([asAddress(sellToken), BigInt(sellAmount)]);
  return payload;
}

function checkWorth(name: string, { terms: { prices, gasPriceWei } }: World, swap: BuiltSwap): { readonly isHighImpact: boolean } {
  const { amountInUsd = null, amountOutUsd = null, priceImpact, gasUsd = null, gas } = swap;
  checkUsd(`${name}: amountInUsd`, amountInUsd, BigInt(swap.sellAmount), prices.sell);
  checkUsd(`${name}: amountOutUsd`, amountOutUsd, BigInt(swap.buyAmount), prices.buy);
  checkUsd(`${name}: gasUsd`, gasUsd, BigInt(gas) * (gasPriceWei ?? 0n), gasPriceWei === null ? null : prices.native);
  expect(swap.gasPriceWei, name).to.equal(gasPriceWei);
  if (amountInUsd === null || amountOutUsd === null) {
    expect(priceImpact, `${name}: priceImpact`).to.equal(null);
    return { isHighImpact: false };
  }
  const [input, output] = [fractionOf(amountInUsd), fractionOf(amountOutUsd)];
  const ratio = { over: output.over * input.under, under: output.under * input.over };
  expect(isWithin(fractionOf(Number(priceImpact)), ratio, RATIO_PARTS), `${name}: priceImpact ${priceImpact} of ${amountOutUsd} / ${amountInUsd}`).to.equal(
    true,
  );
  return { isHighImpact: ratio.over * 100n < ratio.under * 85n };
}

type Price = { readonly usd: number; readonly decimals: number };

function checkUsd(name: string, told: number | null, amount: bigint, price: Price | null): void {
  if (price === null) {
    expect(told, name).to.equal(null);
    return;
  }
  expect(told, name).to.be.a('number');
  const value = Number(told);
  expect(isWithin(fractionOf(value), worth(amount, price), USD_PARTS), `${name}: ${value} for ${amount} at ${price.usd}`).to.equal(true);
  expect(significantDigits(value), name).to.be.at.most(USD_DIGITS);
}
