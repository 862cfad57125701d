import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A folder of its own for each test of the surrounding suite, gone after it. */
export function useTemporaryFolder(): { current(): string } {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'braid-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return { current: () => folder };
}
