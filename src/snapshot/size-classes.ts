/** Sizes of the blocks that records are placed in, ascending: each unit up to 16, then four steps a doubling, so at most a fifth is wasted. */
export function sizeClasses(largest: number): Uint32Array {
  const sizes: number[] = [];
  for (let size = 1; size <= Math.min(16, largest); size++) sizes.push(size);
  for (let base = 16; base < largest; base *= 2) {
    for (let step = 1; step <= 4 && base + (base / 4) * step <= largest; step++) sizes.push(base + (base / 4) * step);
  }
  return Uint32Array.from(sizes);
}

/** Index of the smallest class that holds `units`, or the number of classes when none does. */
export function classHolding(sizes: Uint32Array, units: number): number {
  let low = 0;
  let high = sizes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sizes[middle] as number) < units) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Index of the largest class that a block of `units` can serve. */
export function classServedBy(sizes: Uint32Array, units: number): number {
  const holding = classHolding(sizes, units);
  return sizes[holding] === units ? holding : holding - 1;
}
