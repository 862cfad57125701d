/**
 * A symmetric positive definite system over a handful of tokens, solved by Cholesky. Kept from one network to the next: nothing is allocated but for a larger one. The row after the last is that of the token that worth is
 * measured in: its price does not move, and it has no equation.
 */
export type PriceSystem = { size: number; matrix: Float64Array; right: Float64Array; solution: Float64Array };

export function createPriceSystem(): PriceSystem {
  return { size: 0, matrix: new Float64Array(0), right: new Float64Array(0), solution: new Float64Array(0) };
}

export function resizeSystem(system: PriceSystem, size: number): void {
  system.size = size;
  if (system.right.length < size) {
    system.matrix = new Float64Array(4 * size * size);
    system.right = new Float64Array(2 * size);
    system.solution = new Float64Array(2 * size + 1);
  }
  system.solution[size] = 0;
}

export function clearSystem({ size, matrix, right }: PriceSystem): void {
  matrix.fill(0, 0, size * size);
  right.fill(0, 0, size);
}

/** Adds what one edge says: a change of the price of its source (row i) and of its target (row j) changes its flow by (marginal · Δj − Δi + pull) · conductance. */
export function addToSystem(system: PriceSystem, i: number, j: number, marginal: number, conductance: number, pull: number): void {
  const { size, matrix, right } = system;
  if (i < size) {
    matrix[i * size + i] = (matrix[i * size + i] as number) + conductance;
    right[i] = (right[i] as number) + conductance * pull;
  }
  if (j < size) {
    matrix[j * size + j] = (matrix[j * size + j] as number) + marginal * marginal * conductance;
    right[j] = (right[j] as number) - marginal * conductance * pull;
  }
  if (i < size && j < size) {
    matrix[i * size + j] = (matrix[i * size + j] as number) - marginal * conductance;
    matrix[j * size + i] = (matrix[j * size + i] as number) - marginal * conductance;
  }
}

/** Adds to it that a change of a third price (row k) changes the flow by `share` · Δk · conductance. */
export function addBeside(system: PriceSystem, i: number, j: number, k: number, marginal: number, share: number, conductance: number, pull: number): void {
  const { size, matrix, right } = system;
  matrix[k * size + k] = (matrix[k * size + k] as number) + share * share * conductance;
  right[k] = (right[k] as number) - share * conductance * pull;
  addBoth(system, i, k, -share * conductance);
  addBoth(system, j, k, marginal * share * conductance);
}

function addBoth({ size, matrix }: PriceSystem, i: number, k: number, value: number): void {
  if (i >= size) return;
  matrix[i * size + k] = (matrix[i * size + k] as number) + value;
  matrix[k * size + i] = (matrix[k * size + i] as number) + value;
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
