/** A symmetric positive definite system that is filled edge by edge. Rows are kept as maps: the graphs here are stars around a few hubs. */
export class SparseSystem {
  readonly #rows: Map<number, number>[];
  readonly #diagonal: Float64Array;

  constructor(size: number) {
    this.#rows = Array.from({ length: size }, () => new Map<number, number>());
    this.#diagonal = new Float64Array(size);
  }

  addDiagonal(row: number, value: number): void {
    this.#diagonal[row] = (this.#diagonal[row] as number) + value;
  }

  addPair(a: number, b: number, value: number): void {
    for (const [row, column] of [
      [a, b],
      [b, a],
    ] as const) {
      const cells = this.#rows[row] as Map<number, number>;
      cells.set(column, (cells.get(column) ?? 0) + value);
    }
  }

  diagonal(row: number): number {
    return this.#diagonal[row] as number;
  }

  /** Solves for the right-hand side in place, eliminating rows with the fewest neighbours first. Rows without a positive pivot get 0. Destroys the system. */
  solve(rhs: Float64Array): void {
    const rows = this.#rows;
    const diagonal = this.#diagonal;
    const next = fewestNeighboursFirst(rows);
    const eliminated: { row: number; cells: [number, number][] }[] = [];
    for (let row = next(); row >= 0; row = next()) {
      const cells = [...(rows[row] as Map<number, number>)];
      const pivot = diagonal[row] as number;
      for (const [column] of cells) (rows[column] as Map<number, number>).delete(row);
      if (!(pivot > 0)) {
        rhs[row] = 0;
        eliminated.push({ row, cells: [] });
        continue;
      }
      for (let i = 0; i < cells.length; i++) {
        const [a, value] = cells[i] as [number, number];
        const factor = value / pivot;
        diagonal[a] = (diagonal[a] as number) - factor * value;
        rhs[a] = (rhs[a] as number) - factor * (rhs[row] as number);
        for (let j = i + 1; j < cells.length; j++) {
          const [b, other] = cells[j] as [number, number];
          this.addPair(a, b, -factor * other);
        }
      }
      eliminated.push({ row, cells });
    }
    for (const { row, cells } of eliminated.reverse()) {
      const pivot = diagonal[row] as number;
      if (!(pivot > 0)) continue;
      let value = rhs[row] as number;
      for (const [column, cell] of cells) value -= cell * (rhs[column] as number);
      rhs[row] = value / pivot;
    }
  }
}

/** Buckets by number of neighbours, re-read lazily: a row that gained neighbours since is put where it belongs. −1 when all are done. */
function fewestNeighboursFirst(rows: readonly Map<number, number>[]): () => number {
  const buckets: number[][] = [];
  const put = (row: number, size: number): void => {
    const bucket = buckets[size] ?? [];
    buckets[size] = bucket;
    bucket.push(row);
  };
  for (const [row, cells] of rows.entries()) put(row, cells.size);
  const done = new Uint8Array(rows.length);
  return () => {
    for (let size = 0; size < buckets.length; size++) {
      for (let row = buckets[size]?.pop(); row !== undefined; row = buckets[size]?.pop()) {
        if (done[row] === 1) continue;
        const now = rows[row]?.size ?? 0;
        if (now > size) {
          put(row, now);
          continue;
        }
        done[row] = 1;
        return row;
      }
    }
    return -1;
  };
}
