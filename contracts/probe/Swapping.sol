// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Market} from "./Market.sol";
import {Move, Moves} from "./Moves.sol";

/// Buys at a market for others, with what it has of the other token.
interface IBank {
    /// What came of telling the market to give about `amount` to an account. `isPoor`: it was not told, since the bank has too little. `kept`: of 10,000 that come to a pair, what it reckons with.
    function purchase(Market calldata market, uint256 amount, address to) external returns (bool ok, bool isPoor, uint256 asked, uint256 kept);
}

/// Sells to a market what an account has, by the account's allowance where it is another.
interface ISeller {
    function sell(Market calldata market, address from, uint256 amount, uint256 kept) external returns (Move memory);
}

/// One trader's way over true swaps of a pool that has its own code, as the account that runs this.
library Swapping {
    /// Buys, and sells some of it by an allowance, or all of it as itself, for which it has to be an ISeller. Where nothing is bought since the bank has too little, nothing is tried.
    function traded(Market memory market, uint256 amount, bool byAllowance) internal returns (Move[4] memory moves) {
        address token = market.token;
        (bool known, uint256 had) = Moves.balance(token, market.pool);
        (bool knownToo, uint256 held) = Moves.balance(token, address(this));
        (bool ok, bool isPoor, uint256 asked, uint256 kept) = IBank(market.bank).purchase(market, amount, address(this));
        if (isPoor) return moves;
        (moves[0].asked, moves[0].ending) = (asked, ok ? Moves.MOVED : Moves.REFUSED);
        if (!ok) return moves;
        (bool knownNow, uint256 has) = Moves.balance(token, market.pool);
        (bool knownTooNow, uint256 holds) = Moves.balance(token, address(this));
        if (!known || !knownToo || !knownNow || !knownTooNow) {
            moves[0].ending = Moves.UNREADABLE;
            return moves;
        }
        moves[0].debited = had > has ? had - has : 0;
        moves[0].credited = holds > held ? holds - held : 0;
        moves[0].lost = held > holds ? held - holds : 0;
        uint256 credited = moves[0].credited;
        if (credited == 0) return moves;
        if (!byAllowance) {
            moves[3] = ISeller(address(this)).sell(market, address(this), credited, kept);
            return moves;
        }
        // Not all of it, as somebody may who has more: at least half.
        if (credited > 1000) credited -= credited / (2 + uint256(keccak256(abi.encode(market, amount))) % 1000);
        bytes memory input = abi.encodeWithSignature("approve(address,uint256)", market.operator, credited);
        if (Moves.confirmed(token, token, input, market.gasOfCall)) moves[3] = ISeller(market.operator).sell(market, address(this), credited, kept);
        else moves[3].ending = Moves.REFUSED;
    }
}
