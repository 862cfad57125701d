import type { IndexerReport } from './report.ts';
import type { Rpc } from './rpc/rpc.ts';

/** Tells, each time it is called, of the calls and the announced heads since it was told last, and of the endpoints where they changed. Of announcements nothing is said while no endpoint makes any; that the last one stopped is. */
export function createFlush(
  rpc: Pick<Rpc, 'drainCalls' | 'standing' | 'drainAnnounced'>,
  chainId: number,
  report: (report: IndexerReport) => void,
): () => void {
  let said = '';
  let wasAnnounced = false;
  return () => {
    for (const calls of rpc.drainCalls()) report({ kind: 'rpc', chainId, ...calls });
    const standing = rpc.standing();
    const now = JSON.stringify(standing);
    if (now !== said) report({ kind: 'endpoints', chainId, ...standing });
    said = now;
    const heads = rpc.drainAnnounced();
    const isAnnounced = heads.some((count) => count !== null);
    if (isAnnounced || wasAnnounced) report({ kind: 'announced', chainId, heads });
    wasAnnounced = isAnnounced;
  };
}
