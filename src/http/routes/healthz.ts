import type { HealthResponse } from '../../../schemas/types.gen.ts';
import { chainCondition } from '../../admission/admission.ts';
import type { HostedChain } from '../../chains/chains.ts';
import { serialise } from '../../quoting/quoting.ts';
import { type Answer, json } from '../answer.ts';

/** 200 while every hosted chain is fresh, else 503 (decisions B3). */
export function healthz(chains: readonly HostedChain[]): Answer {
  const entries = chains.map((hosted) => {
    const view = hosted.view();
    return {
      chain: hosted.chain.name,
      healthy: chainCondition(hosted, view) === 'fresh',
      phase: view.phase,
      blockNumber: view.phase === 'coming-up' ? null : view.block.number,
      ageMs: view.phase === 'coming-up' ? null : Math.round(view.age),
      unreadPools: view.phase === 'coming-up' ? null : (view.unreadPools ?? 0),
      broken: view.phase === 'coming-up' ? null : (view.broken ?? null),
    };
  });
  const ok = entries.every((entry) => entry.healthy);
  const body: HealthResponse = { status: ok ? 'ok' : 'degraded', chains: entries };
  return json(ok ? 200 : 503, serialise(body), body.status);
}
