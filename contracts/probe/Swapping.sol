// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Market} from "./Market.sol";
import {Move, Moves} from "./Moves.sol";
import {Order} from "./Orders.sol";

/// What came of telling a market to sell something.
struct Purchase {
    bool ok;
    /// It was not told, or undid it, since the buyer has too little of the other token, or what it has gives too little of the token.
    bool isPoor;
    /// It undid it for want of gas, though it had more than anybody needs: which the pool may take, at the first time that it is tried.
    bool isSpent;
    /// Of the token.
    uint256 asked;
    /// Of 10,000 that come to a pair, what was reckoned with.
    uint256 kept;
    /// What the pool's call took.
    uint256 gasUsed;
}

/// Buys at a market for others, with what it has of the other token.
interface IBank {
    function purchase(Market calldata market, Order calldata order, address to) external returns (Purchase memory);
}

/// Sells to a market what an account has, by the account's allowance where it is another.
interface ISeller {
    function sell(Market calldata market, address from, uint256 amount, uint256 kept) external returns (Move memory);
}

/// One trader's way over true swaps of a pool that has its own code, as the account that runs this.
library Swapping {
    /// Buys, and sells some of it by an allowance, or all of it as itself, for which it has to be an ISeller. Where nothing is bought since the bank has too little, or the pool spent all gas, nothing is tried. `gasUsed`: by the pool for the purchase; zero where the bank has too little.
    function traded(Market memory market, Order memory order, bool byAllowance) internal returns (Move[4] memory moves, uint256 gasUsed) {
        address token = market.token;
        (bool known, uint256 had) = Moves.balance(token, market.pool);
        (bool knownToo, uint256 held) = Moves.balance(token, address(this));
        Purchase memory bought = IBank(market.bank).purchase(market, order, address(this));
        gasUsed = bought.isPoor ? 0 : bought.gasUsed;
        if (bought.isPoor || bought.isSpent) return (moves, gasUsed);
        (moves[0].asked, moves[0].ending) = (bought.asked, bought.ok ? Moves.MOVED : Moves.REFUSED);
        if (!bought.ok) return (moves, gasUsed);
        (bool knownNow, uint256 has) = Moves.balance(token, market.pool);
        (bool knownTooNow, uint256 holds) = Moves.balance(token, address(this));
        if (!known || !knownToo || !knownNow || !knownTooNow) {
            moves[0].ending = Moves.UNREADABLE;
            return (moves, gasUsed);
        }
        moves[0].debited = had > has ? had - has : 0;
        moves[0].credited = holds > held ? holds - held : 0;
        moves[0].lost = held > holds ? held - holds : 0;
        uint256 credited = moves[0].credited;
        if (credited == 0) return (moves, gasUsed);
        if (!byAllowance) {
            moves[3] = ISeller(address(this)).sell(market, address(this), credited, bought.kept);
            return (moves, gasUsed);
        }
        // Not all of it, as somebody may who has more: at least half.
        if (credited > 1000) credited -= credited / (2 + uint256(keccak256(abi.encode(market, order))) % 1000);
        bytes memory input = abi.encodeWithSignature("approve(address,uint256)", market.operator, credited);
        if (Moves.confirmed(token, token, input, market.gasOfCall)) moves[3] = ISeller(market.operator).sell(market, address(this), credited, bought.kept);
        else moves[3].ending = Moves.REFUSED;
    }
}
