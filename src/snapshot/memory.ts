import { instantNow } from '../units/units.ts';
import type { SnapshotBuffers, SnapshotCapacity } from './buffers.ts';
import { CONTROL, layOut, readLayout, type SnapshotLayout, stampLayout } from './layout.ts';

/** Typed views on the buffers of one snapshot, made once per thread. */
export type SnapshotMemory = {
  readonly layout: SnapshotLayout;
  readonly control: Int32Array;
  readonly directoryWords: Int32Array;
  readonly directoryDoubles: Float64Array;
  readonly directoryLimbs: BigUint64Array;
  readonly directories: SharedArrayBuffer;
  readonly arenaWords: Uint32Array;
  readonly arenaDoubles: Float64Array;
  readonly arenaLimbs: BigUint64Array;
  readonly arena: SharedArrayBuffer;
};

/** Reserves the memory of one chain's snapshot. The system commits pages when they are first written, so generous sizes cost little. */
export function allocateSnapshot(capacity: SnapshotCapacity): SnapshotBuffers {
  const layout = layOut(capacity);
  const control = new SharedArrayBuffer(layout.controlBytes);
  stampLayout(new Int32Array(control), layout);
  new Float64Array(control)[CONTROL.baseInstantDouble] = instantNow();
  return { control, directories: new SharedArrayBuffer(layout.directoriesBytes), arena: new SharedArrayBuffer(layout.arenaBytes) };
}

/** Opens the buffers in this thread. Throws when they do not fit together. */
export function openMemory(buffers: SnapshotBuffers): SnapshotMemory {
  return {
    layout: readLayout(buffers),
    control: new Int32Array(buffers.control),
    directoryWords: new Int32Array(buffers.directories),
    directoryDoubles: new Float64Array(buffers.directories),
    directoryLimbs: new BigUint64Array(buffers.directories),
    directories: buffers.directories,
    arenaWords: new Uint32Array(buffers.arena),
    arenaDoubles: new Float64Array(buffers.arena),
    arenaLimbs: new BigUint64Array(buffers.arena),
    arena: buffers.arena,
  };
}
