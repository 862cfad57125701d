import type { Address } from '../units/units.ts';

type Hex = `0x${string}`;

/** The block that is measured at. */
export type ProbedBlock = { readonly number: number; readonly hash: Hex; readonly baseFeePerGas: bigint | null };

/** What a call supposes of accounts while it runs. */
export type StateOverrides = Readonly<Record<Address, { readonly code?: Hex; readonly balance?: Hex }>>;
/** A call as eth_call takes it. Quantities in hex. */
export type NodeCall = { readonly from: Address; readonly to: Address; readonly data: Hex; readonly gas: Hex; readonly gasPrice?: Hex };

/** What came of asking a node. 'refused': it answered that it will not, which may be for what was asked; 'unreachable': no answer that means anything. */
export type NodeAnswer = { readonly kind: 'answer'; readonly data: Hex } | { readonly kind: 'refused' | 'unreachable'; readonly message: string };

/** Of a block and the one before it: what a block to come is made alike by. */
export type RecentBlocks = {
  readonly number: number;
  /** Seconds since 1970. */
  readonly timestamp: number;
  /** Seconds since the block before, at least one. */
  readonly step: number;
  readonly feeRecipient: Address;
  /** What both blocks have for randomness; null where they differ, as randomness does. */
  readonly prevRandao: Hex | null;
};

/** A block to come, with what is supposed from it on, and its transactions. */
export type SimulatedBlock = {
  readonly blockOverrides: Readonly<Record<string, Hex>>;
  readonly stateOverrides: StateOverrides;
  readonly calls: readonly NodeCall[];
};
/** By block and transaction: whether it went through, and what it returned. */
export type Simulated = readonly (readonly { readonly ok: boolean; readonly data: Hex }[])[];

/** The node of a chain, at one block each time. Never throws. */
export type ProbeNode = {
  call(call: NodeCall, blockHash: Hex, overrides: StateOverrides): Promise<NodeAnswer>;
  /** What blocks after one would do (eth_simulateV1); null where it does not say, as of a node that has no such method. */
  simulate(blocks: readonly SimulatedBlock[], blockHash: Hex): Promise<Simulated | null>;
  /** null: the node could not be asked, there is nothing before the block, or it simulates nothing. */
  recent(blockHash: Hex): Promise<RecentBlocks | null>;
  code(account: Address, blockHash: Hex): Promise<NodeAnswer>;
};
