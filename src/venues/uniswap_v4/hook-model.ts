import type { Address } from '../../units/units.ts';
import type { ChainAnswer, ChainCall, DiscoveredPool } from '../track.ts';

/**
 * What a known hook does to swaps, exactly. One file in `hooks/` for each variant, which may not import viem: solver threads load it. Whatever is absent the hook leaves alone. A model is for hooks that never refuse a swap that the pool
 * itself would make, and need no data of the caller, or an attestation of the block.
 */
export type HookModel = {
  /** The label is 'uniswap_v4:variant'. */
  readonly variant: string;
  /** Where contracts with this very code are. */
  readonly deployments: readonly { readonly chainId: number; readonly address: Address }[];
  /** Gas units that the hook adds to a swap. */
  readonly gas: number;
  /** Whether nobody swaps in a block before the hook was shown an attestation of it: firm-up.ts gets those of the next blocks, and the leg shows that of its own. Absent: anybody does. */
  readonly attested?: true;
  /** The hook's own state, which no log of the manager tells: it is read in every block. */
  readonly reading?: HookReading;
  /** What liquidity providers get of an input in millionths, in place of what the pool has stored; null: what is stored. Asked only of pools whose fee is the hook's. */
  lpFeePpm?(parameters: HookParameters, zeroForOne: boolean): number | null;
  /** What the hook takes of the token whose amount the swap did not specify, base units, for that amount: of an exact input's output, or on top of an exact output's input. null: it reverts. */
  takes?(parameters: HookParameters, amount: bigint, exact: 'in' | 'out'): bigint | null;
  /** The part of an output that is left by `takes`, for curves. A float. */
  approxKeeps?(parameters: HookParameters): number;
  /** The output, before `takes`, beyond which that reverts, for curves. A float. */
  approxMostOut?(parameters: HookParameters): number;
};

/** A hook's own state of one pool: uint256 each, in an order that its model knows. */
export type HookParameters = readonly bigint[];

export type HookReading = {
  /** `keccak256`: of hex, for places in a contract's storage. */
  calls(pool: DiscoveredPool & { readonly hook: Address }, keccak256: (data: `0x${string}`) => `0x${string}`): readonly ChainCall[];
  /** null: the pool can not be traded with now. */
  parameters(answers: readonly ChainAnswer[]): HookParameters | null;
};
