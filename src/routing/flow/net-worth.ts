import type { Tolls } from '../gas/tolls.ts';
import type { Equilibrium } from './equilibrate.ts';
import { type FlowNetwork, tollOf } from './network.ts';

/** What a network at rest is worth net of its tolls; larger is better in both modes. Base units of the amount sought. */
export function netWorth({ problem, nodes, edges }: FlowNetwork, { amount }: Equilibrium, tolls: Tolls): number {
  return (problem.mode === 'sell' ? amount : -amount) - tollOf(nodes, edges, tolls);
}
