// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Move} from "./Moves.sol";
import {Order} from "./Orders.sol";

/// Who trades in a trial, and how.
enum Manner {
    /// An account without code, by an allowance.
    Direct,
    /// An account without code, over an account that is new to the token.
    Round,
    /// The sender of the transaction itself, by an allowance.
    AsSender,
    /// As Direct, or as Swapping, with little gas: what it finds counts, that it fails does not.
    Thrifty,
    /// A contract that is not the sender, without an allowance: the Router's address, and at every second size one that is new to the token; at the larger half of sizes over an account that is new to the token.
    AsContract,
    /// The sender of the transaction, with what a pool lends it: the pool has its own code then, and is locked. Counts as Thrifty does.
    Borrowing,
    /// By true swaps, of a pool that has its own code.
    Swapping
}

/// Has much of the other token of a pool: a puppet stands in for it. Zeros: nobody is known to.
struct Lender {
    address at;
    bytes32 secret;
    /// What true swaps are paid with, and with nothing else: what another token does would be held against the one that is measured. Zero: there are none.
    address token;
}

struct Trial {
    Manner manner;
    /// Of its size among those that are tried.
    uint8 place;
    /// False where the trial ended with anything but its moves: then nothing is known from it.
    bool told;
    uint256 amount;
    Move[4] moves;
}

/// What came of a size of true swaps.
struct Swapped {
    Order order;
    /// By the pool for the purchase; zero: nothing was bought.
    uint256 gasUsed;
}

/// What true swaps are made with.
struct Means {
    Lender lender;
    /// What the sender keeps of its own.
    uint256 owned;
    /// Of each call of the token, and of each in the thrifty manner.
    uint256[2] gases;
}
