// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

// Stands for the chain's native token in calldata, in the ledger and in events.
address constant NATIVE = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;

// Permit2 has the same address on every chain.
address constant PERMIT2 = 0x000000000022D473030F116dDEE9F6B43aC78BA3;

// Ethereum's precompiles and those of rollups (Arbitrum's begin at 0x64, RIP-7212's is 0x100) all lie at or below this.
uint160 constant LAST_PRECOMPILE = 0xffff;
