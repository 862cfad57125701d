// Vyper's uint256: whoever leaves it reverts.

const MAX_UINT256 = (1n << 256n) - 1n;

/** Thrown by arithmetic that the contract would revert in. Whoever computes a whole exchange catches it: it never leaves the venue. */
export class Reverted extends Error {}

export function demand(right: boolean): void {
  if (!right) throw new Reverted();
}

export function add(a: bigint, b: bigint): bigint {
  return inRange(a + b);
}

export function subtract(a: bigint, b: bigint): bigint {
  return inRange(a - b);
}

export function multiply(a: bigint, b: bigint): bigint {
  return inRange(a * b);
}

/** Cut off. */
export function divide(a: bigint, b: bigint): bigint {
  demand(b !== 0n);
  return a / b;
}

export function mulDiv(a: bigint, b: bigint, divisor: bigint): bigint {
  return divide(multiply(a, b), divisor);
}

function inRange(value: bigint): bigint {
  demand(value >= 0n && value <= MAX_UINT256);
  return value;
}
