/** Gas units of a swap through a concentrated pool, as the first one of a transaction, storage still cold. */
export type ConcentratedGas = {
  /** The whole hop, where the price stays between its ticks and within its word of the tick bitmap. */
  readonly swap: number;
  /** Further, for each initialised tick crossed. */
  readonly tickCrossed: number;
  /** Further, for each word of the bitmap walked out of over a border without an initialised tick. */
  readonly wordWalked: number;
};

/** Gas units of a swap that went so far. */
export function concentratedGas(gas: ConcentratedGas, crossed: number, wordsWalked: number): number {
  return gas.swap + gas.tickCrossed * crossed + gas.wordWalked * wordsWalked;
}
