/** Prices are of one whole asset in the dollar token, with so many decimals, which is also what both tokens have. */
export const DECIMALS = 18;

const WHOLE = 10n ** BigInt(DECIMALS);

/** What a quantity is worth in the dollar token, base units, as the desk reckons it both ways: rounded down. */
export function worthDown(quantity: bigint, price: bigint): bigint {
  return (quantity * price) / WHOLE;
}

/** Whole tokens of an amount in base units, as the issuer writes it: all decimals, no exponent. */
export function wholeTokens(amount: bigint): string {
  return `${amount / WHOLE}.${(amount % WHOLE).toString().padStart(DECIMALS, '0')}`;
}
