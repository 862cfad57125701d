// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Market, Markets} from "./Market.sol";
import {Moves} from "./Moves.sol";

/// How much is bought, by one of two measures; the other is zero. Both are: nothing can be.
struct Order {
    /// Of the token.
    uint256 amount;
    /// As much as so much of the other token gives.
    uint256 paid;
    /// Where that gives less than this of the token, it is not bought.
    uint256 least;
}

/// Sizes of trades. How much of a token lies in a pool is its maker's to choose: who mints without end makes every part of that more than anybody trades. So parts are also taken of what the token is traded against.
library Orders {
    /// Of what a V3 pool has of the token.
    uint256 internal constant OF_HELD = 0;
    /// Of what it has of the other token.
    uint256 internal constant OF_OTHERS = 1;
    /// Of what the buyer has of the other token: a pool may have next to nothing of that.
    uint256 internal constant OF_PAYER = 2;
    uint256 internal constant BASES = 3;

    /// Of less of the other token rounding would decide.
    uint256 internal constant LEAST_PAID = 1000;

    /// `size`: in 2^128. `held`: of which a part is bought where it is one of what the pool has of the token. A pair's are parts of what its books say, by which its price is made, whatever came to it since.
    function at(Market memory market, uint256 held, uint256 size, uint256 least, uint256 basis) internal view returns (Order memory order) {
        order.least = least;
        (, uint256 owned) = Moves.balance(market.other, market.bank);
        if (market.isPair) {
            uint256 reserve = Markets.depthOf(market);
            uint256 amount = part(reserve, size, least);
            if (amount > reserve / 2) return order;
            if (Markets.priceOf(market, amount) <= owned) order.amount = amount;
            else order.paid = part(owned, size, 0);
        } else if (basis == OF_HELD) {
            order.amount = part(held, size, least);
        } else {
            uint256 others = owned;
            if (basis == OF_OTHERS) (, others) = Moves.balance(market.other, market.pool);
            order.paid = part(others, size, 0);
            if (order.paid < LEAST_PAID) order.paid = 0;
        }
    }

    function part(uint256 whole, uint256 size, uint256 least) internal pure returns (uint256 amount) {
        amount = whole < 2 ** 128 ? (whole * size) >> 128 : (whole >> 128) * size;
        if (amount < least) amount = least;
    }
}
