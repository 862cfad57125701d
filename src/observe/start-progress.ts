import { MultiBar, Presets, type SingleBar } from 'cli-progress';
import type { IndexerReport } from '../indexing/indexing.ts';

type Progress = Extract<IndexerReport, { kind: 'progress' }>;

const WHAT: Readonly<Record<Progress['phase'], string>> = {
  'first-blocks': 'questions when contracts were made',
  logs: 'blocks searched for pools',
  pairs: 'pairs asked for',
  states: 'pools read',
};
/** A phase that is over before anybody could read its bar gets none. */
const SHORTEST_MS = 500;

/** Bars on a terminal, one for each chain and phase of a start that takes a while. They end with the chain's first block. */
export type StartProgress = { hear(chain: string, report: IndexerReport): void; end(): void };

export function createStartProgress(terminal: NodeJS.WritableStream): StartProgress {
  const bars = new MultiBar(
    {
      format: '{chain}: {bar} {percentage}% {what} ({value} of {total}, {eta_formatted} left)',
      stream: terminal,
      hideCursor: true,
      clearOnComplete: true,
      stopOnComplete: false,
    },
    Presets.shades_classic,
  );
  const known = new Map<string, { readonly since: number; bar: SingleBar | null }>();
  const over = new Set<string>();
  const remove = (chain: string): void => {
    for (const [key, { bar }] of known) {
      if (!key.startsWith(`${chain} `)) continue;
      if (bar !== null) bars.remove(bar);
      known.delete(key);
    }
  };
  const show = (chain: string, { phase, done, total }: Progress): void => {
    const key = `${chain} ${phase}`;
    const shown = known.get(key) ?? { since: performance.now(), bar: null };
    known.set(key, shown);
    if (shown.bar === null && done < total && performance.now() - shown.since >= SHORTEST_MS)
      shown.bar = bars.create(total, done, { chain, what: WHAT[phase] });
    shown.bar?.setTotal(total);
    shown.bar?.update(done);
    if (done < total || shown.bar === null) return;
    bars.remove(shown.bar);
    known.delete(key);
  };
  return {
    hear(chain, report) {
      if (over.has(chain)) return;
      if (report.kind === 'progress') show(chain, report);
      if (report.kind !== 'published') return;
      over.add(chain);
      remove(chain);
      // It draws on a timer, and hides the cursor as long as it does.
      if (known.size === 0) bars.stop();
    },
    end() {
      bars.stop();
    },
  };
}
