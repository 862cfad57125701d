// The front door of the building room: plan → transaction. Runs in the main thread.
export { type BuildResult, buildSwap } from './build-swap.ts';
export { checkPermit2 } from './check-permit2.ts';
export { checkSettlement, type SettlementCheck } from './check-settlement.ts';
export { CREATE2_FACTORY, CREATE2_FACTORY_CODE, deterministicAddress, factoryInput } from './deterministic-address.ts';
export { ALLOWANCE_HOLDER_ABI, ROUTER_ABI } from './encode/abi.ts';
export {
  encodeExec,
  encodePermit2Call,
  encodeSwapCall,
  encodeTakerCall,
  type SettlementAddresses,
  SIGNATURE_BYTES,
  SIGNATURE_OFFSET,
  type SwapCall,
} from './encode/encode-calls.ts';
export { encodePayload, type SurplusPolicy, type SwapTerms } from './encode/encode-payload.ts';
export { encodeRoute, type Leg } from './encode/encode-route.ts';
export { createLegEncoder, type LegEncoder } from './encode/leg-encoder.ts';
export { permit2Nonce } from './encode/permit2-nonce.ts';
export { type Permit2Domain, type Permit2TypedData, permit2Hash, permit2TypedData } from './encode/permit2-typed-data.ts';
export { swapTag } from './encode/swap-tag.ts';
export { NO_FIRM_HOPS, type SignedHop } from './firming/firm-hops.ts';
export { legsNeeded } from './legs-needed.ts';
export { type LocatedSettlement, locateSettlement } from './locate-settlement.ts';
export { type RouterCode, type RouterSettings, readSettlementContracts, type SettlementContracts } from './settlement-contracts.ts';
export type { BuildClock, SwapBuild, SwapRefusal } from './swap-build.ts';
export { hasTransientStorage } from './transient-storage.ts';
export type { BuiltSwap } from './write-swap.ts';
