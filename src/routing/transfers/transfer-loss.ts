/** What one transfer of an end of a route is planned to lose: what was measured, and a margin. */
export type TransferLoss = {
  /** Parts per million of what is sent. */
  readonly ppm: number;
  /** Base units beside, of a token whose balances are shares. */
  readonly units: number;
};

export const NO_LOSS: TransferLoss = { ppm: 0, units: 0 };

/** What is lost of each transfer of the sell token to a pool, and of the buy token from one. */
export type EndLosses = { readonly sell: TransferLoss; readonly buy: TransferLoss };

/** The measured tax with its margin, max(1 bps, 1% of the tax) (decisions B15). A side that is not taxed has none. */
export function modelledPpm(measuredPpm: number): number {
  return measuredPpm === 0 ? 0 : Math.min(WHOLE_PPM, measuredPpm + Math.max(LEAST_MARGIN_PPM, Math.ceil(measuredPpm / MARGIN_PART)));
}

/** What arrives of an amount at least, in base units. */
export function arrivingDown(amount: bigint, { ppm, units }: TransferLoss): bigint {
  const lost = (amount * BigInt(ppm) + ROUND_UP) / WHOLE + BigInt(units);
  return lost >= amount ? 0n : amount - lost;
}

export function losesNothing({ ppm, units }: TransferLoss): boolean {
  return ppm === 0 && units === 0;
}

const LEAST_MARGIN_PPM = 100;
const MARGIN_PART = 100;
const WHOLE_PPM = 1_000_000;
const WHOLE = BigInt(WHOLE_PPM);
const ROUND_UP = WHOLE - 1n;
