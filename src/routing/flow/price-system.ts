/** A symmetric positive definite system over a handful of tokens, solved by Cholesky. Reused from step to step: nothing is allocated after creation. */
export type PriceSystem = { readonly size: number; readonly matrix: Float64Array; readonly right: Float64Array; readonly solution: Float64Array };

export function createPriceSystem(size: number): PriceSystem {
  return { size, matrix: new Float64Array(size * size), right: new Float64Array(size), solution: new Float64Array(size) };
}

export function clearSystem(system: PriceSystem): void {
  system.matrix.fill(0);
  system.right.fill(0);
}

/**
 * Adds what one edge says: a change of the price of its source (row i) and of its target (row j) changes its flow by (marginal · Δj − Δi + pull) · conductance.
 * A row of −1 is a price that does not move.
 */
export function addToSystem(system: PriceSystem, i: number, j: number, marginal: number, conductance: number, pull: number): void {
  const { size, matrix, right } = system;
  if (i >= 0) {
    matrix[i * size + i] = (matrix[i * size + i] as number) + conductance;
    right[i] = (right[i] as number) + conductance * pull;
  }
  if (j >= 0) {
    matrix[j * size + j] = (matrix[j * size + j] as number) + marginal * marginal * conductance;
    right[j] = (right[j] as number) - marginal * conductance * pull;
  }
  if (i >= 0 && j >= 0) {
    matrix[i * size + j] = (matrix[i * size + j] as number) - marginal * conductance;
    matrix[j * size + i] = (matrix[j * size + i] as number) - marginal * conductance;
  }
}

/** Factors in place and writes the solution. False when the matrix is not positive definite, which only numbers that are not finite make it. */
export function solveSystem({ size, matrix, right, solution }: PriceSystem): boolean {
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i * size + j] as number;
      if (i === j) sum += sum * ROUNDING;
      for (let k = 0; k < j; k++) sum -= (matrix[i * size + k] as number) * (matrix[j * size + k] as number);
      if (i === j) {
        if (!(sum > 0)) return false;
        matrix[i * size + i] = Math.sqrt(sum);
      } else matrix[i * size + j] = sum / (matrix[j * size + j] as number);
    }
  }
  for (let i = 0; i < size; i++) {
    let sum = right[i] as number;
    for (let k = 0; k < i; k++) sum -= (matrix[i * size + k] as number) * (solution[k] as number);
    solution[i] = sum / (matrix[i * size + i] as number);
  }
  for (let i = size - 1; i >= 0; i--) {
    let sum = solution[i] as number;
    for (let k = i + 1; k < size; k++) sum -= (matrix[k * size + i] as number) * (solution[k] as number);
    solution[i] = sum / (matrix[i * size + i] as number);
  }
  return true;
}

/** Keeps the factorisation above rounding where conductances differ by fifteen orders of magnitude. */
const ROUNDING = 1e-14;
