// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// How one movement of a token ended, by balances alone: what the token returns or logs is believed only where it says that it failed.
struct Move {
    /// See Moves.
    uint256 ending;
    uint256 asked;
    /// What the sender has less.
    uint256 debited;
    /// What the receiver has more.
    uint256 credited;
    /// What of it the receiver has less instead: only where a token takes while it gives.
    uint256 lost;
}

/// Where a puppet stands in for a pool, and what it obeys.
struct Pool {
    address at;
    bytes32 secret;
}

/// Moves tokens that may answer anything, and measures what became of it. Every call has a bounded amount of gas, and at most a word of an answer is looked at.
library Moves {
    uint256 internal constant NOT_TRIED = 0;
    uint256 internal constant MOVED = 1;
    /// The call reverted, ran out of the gas it had, answered something other than true, or there is no code to call.
    uint256 internal constant REFUSED = 2;
    /// The token does not say who has how much.
    uint256 internal constant UNREADABLE = 3;

    /// Enough for balances that are computed from an index kept elsewhere.
    uint256 internal constant READ_GAS = 150_000;

    error TooLittleGas();

    /// A call gets at most 63/64 of what there is. Less than was promised would make a token fail for our want of gas: then the whole probe fails instead, which is the node's matter.
    function assureGas(uint256 wanted) internal view {
        if (gasleft() < wanted + wanted / 32 + 60_000) revert TooLittleGas();
    }

    function balance(address token, address account) internal view returns (bool known, uint256 amount) {
        assureGas(READ_GAS);
        bytes memory input = abi.encodeWithSignature("balanceOf(address)", account);
        uint256 size;
        assembly ("memory-safe") {
            known := staticcall(150000, token, add(input, 0x20), mload(input), 0, 0x20)
            size := returndatasize()
            amount := mload(0)
        }
        known = known && size >= 0x20;
        if (!known) amount = 0;
    }

    /// Whether a call went through, as the settlement contracts ask it: it returned exactly true, or nothing at all from an account with code.
    function confirmed(address target, address token, bytes memory input, uint256 gasOfCall) internal returns (bool) {
        assureGas(gasOfCall);
        bool ok;
        uint256 size;
        uint256 word;
        assembly ("memory-safe") {
            ok := call(gasOfCall, target, 0, add(input, 0x20), mload(input), 0, 0x20)
            size := returndatasize()
            word := mload(0)
        }
        return ok && (size == 0 ? token.code.length > 0 : size >= 0x20 && word == 1);
    }

    /// Whether a transfer went through that has what gas there is.
    function sent(address token, address to, uint256 amount) internal returns (bool ok) {
        bytes memory input = abi.encodeWithSignature("transfer(address,uint256)", to, amount);
        assembly ("memory-safe") {
            ok := call(gas(), token, 0, add(input, 0x20), mload(input), 0, 0)
        }
    }

    /// The same as the account itself is told it, where a puppet stands in for it: with as much gas as a pool has left when it looks.
    function ownBalance(address token, address account, bytes32 secret, uint256 gasOfRead) internal view returns (bool known, uint256 amount) {
        assureGas(gasOfRead + 20_000);
        bytes memory input = abi.encodePacked(secret, token, abi.encodeWithSignature("balanceOf(address)", account));
        uint256 size;
        assembly ("memory-safe") {
            known := staticcall(gasOfRead, account, add(input, 0x20), mload(input), 0, 0x20)
            size := returndatasize()
            amount := mload(0)
        }
        known = known && size >= 0x20;
        if (!known) amount = 0;
    }

    /// As measured, between an account and a pool that a puppet stands in for. A pool goes by what it is told itself: what it sees leave beyond what left has left, what it does not see come has not come.
    function watched(Pool memory pool, address token, address from, address to, uint256 amount, address target, bytes memory input, uint256 gasOfCall)
        internal
        returns (Move memory move)
    {
        (bool known, uint256 had) = ownBalance(token, pool.at, pool.secret, gasOfCall / 2);
        move = measured(token, from, to, amount, target, input, gasOfCall);
        if (move.ending != MOVED) return move;
        (bool knownNow, uint256 has) = ownBalance(token, pool.at, pool.secret, gasOfCall / 2);
        if (!known || !knownNow) {
            move.ending = UNREADABLE;
            return move;
        }
        uint256 left = had > has ? had - has : 0;
        uint256 came = has > had ? has - had : 0;
        if (from == pool.at && left > move.debited) move.debited = left;
        if (to == pool.at && came < move.credited) move.credited = came;
    }

    /// Has `target` move `amount` from one account to another by `input`, and says what changed hands.
    function measured(address token, address from, address to, uint256 amount, address target, bytes memory input, uint256 gasOfCall)
        internal
        returns (Move memory move)
    {
        move.asked = amount;
        (bool known, uint256 had) = balance(token, from);
        (bool knownToo, uint256 held) = balance(token, to);
        if (!known || !knownToo) {
            move.ending = UNREADABLE;
            return move;
        }
        if (!confirmed(target, token, input, gasOfCall)) {
            move.ending = REFUSED;
            return move;
        }
        (known, move.debited) = balance(token, from);
        (knownToo, move.credited) = balance(token, to);
        move.ending = known && knownToo ? MOVED : UNREADABLE;
        move.debited = had > move.debited ? had - move.debited : 0;
        move.lost = held > move.credited ? held - move.credited : 0;
        move.credited = move.credited > held ? move.credited - held : 0;
    }
}
