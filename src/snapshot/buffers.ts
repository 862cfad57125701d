/** The shared memory of one chain's snapshot, as it is handed to threads. Allocated once, never grown. */
export type SnapshotBuffers = {
  /** Head epoch, reader rows, cancel words: Int32. */
  readonly control: SharedArrayBuffer;
  /** The ring of directories. */
  readonly directories: SharedArrayBuffer;
  /** The records. */
  readonly arena: SharedArrayBuffer;
};

/** Sizes fixed at allocation. */
export type SnapshotCapacity = {
  readonly arenaBytes: number;
  readonly pools: number;
  readonly tokens: number;
  /** Twice the solver threads: a replaced thread and its successor overlap. */
  readonly readers: number;
  /** Directories in the ring. */
  readonly slots: number;
};
