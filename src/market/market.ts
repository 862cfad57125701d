// The front door of the market room: what tokens and gas are worth, and what tokens say about themselves.
export { createTransferMeter, type Measured, type ProbedBlock, type TransferMeter } from './measure-transfers.ts';
export { type ProbeCode, readProbeCode } from './probe-code.ts';
export type { NodeAnswer, NodeCall, ProbeNode, StateOverrides } from './probe-node.ts';
export { readTokenFacts } from './token-metadata.ts';
export { type KeeperParts, type MeasuringFacts, VerdictKeeper, type VerdictsKept } from './verdict-keeper.ts';
