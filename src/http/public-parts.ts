import type { ServerResponse } from 'node:http';
import type { EventLoopDelay, InflightCounter } from '../admission/admission.ts';
import type { LegEncoder } from '../building/building.ts';
import type { BudgetStore, InstantMicros, KeyRing, ProxyTrust } from '../metering/metering.ts';
import type { Observer } from '../observe/observe.ts';
import type { Solving } from '../solving/solving.ts';
import type { FirmHops } from '../venues/venues.ts';
import type { HostedChains } from './hosted-chains.ts';

/** What the public app works with. */
export type PublicParts = {
  readonly chains: HostedChains;
  readonly solving: Solving;
  readonly budgets: BudgetStore;
  readonly keys: KeyRing;
  readonly trust: ProxyTrust;
  readonly inflight: InflightCounter;
  readonly eventLoop: Pick<EventLoopDelay, 'lateFor'>;
  /** Writes hops for the settlement contracts. */
  readonly legs: LegEncoder;
  /** How hops are firmed with makers, by chain id; none of a chain that has none. */
  readonly firmHops: ReadonlyMap<number, FirmHops>;
  readonly observer: Observer;
  /** Admits routerAddress and allowanceHolderAddress. */
  readonly developmentMode: boolean;
  /** Milliseconds since 1970. */
  readonly wallClock: () => number;
  /** The clock that budgets refill by. */
  readonly budgetClock: () => InstantMicros;
  /** Whether an answer is to close its connection: once the service stops, that to the last request which was taken of it. With an earlier one the others would be lost. */
  readonly endsConnection: (response: ServerResponse) => boolean;
};
