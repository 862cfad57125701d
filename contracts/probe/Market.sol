// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Moves} from "./Moves.sol";

/// A pool of two tokens that swaps as a pair of Uniswap V2 or as a pool of V3 does, with its own code.
struct Market {
    address token;
    address pool;
    /// What the token is traded against.
    address other;
    bool isFirst;
    /// Whether it is a pair, which is paid before it is told to swap.
    bool isPair;
    /// Less than a pair counts to.
    uint256 most;
    /// Has enough of the other token, and buys with it.
    address bank;
    /// May take what a trader approves, and sells it.
    address operator;
    /// Of each call of the token.
    uint256 gasOfCall;
    /// Of the call by which the pool sells the token; zero: more than anybody needs.
    uint256 gasOfPurchase;
}

/// How a market is told to swap, and what a pair gives.
library Markets {
    /// Of a pool's own views.
    uint256 private constant VIEW_GAS = 200_000;
    /// Of a pair that looks at its balances.
    uint256 private constant SYNC_GAS = 400_000;
    /// The price limits of V3, less one.
    uint160 private constant LOWEST = 4295128740;
    uint160 private constant HIGHEST = 1461446703485210103287273052203988822378723970341;

    /// The market at a pool; `other` is zero where it is none that this knows to use.
    function at(address token, address pool) internal view returns (Market memory market) {
        (bool hasFirst, uint256 first) = word(pool, abi.encodeWithSignature("token0()"));
        (bool hasSecond, uint256 second) = word(pool, abi.encodeWithSignature("token1()"));
        (market.token, market.pool, market.isFirst) = (token, pool, first == uint160(token));
        if (!hasFirst || !hasSecond || (!market.isFirst && second != uint160(token))) return market;
        (market.isPair,) = word(pool, abi.encodeWithSignature("getReserves()"));
        if (market.isPair) {
            // Those that say what they give count further than Uniswap's.
            (bool says,) = word(pool, abi.encodeWithSignature("getAmountOut(uint256,address)", uint256(1_000_000), token));
            market.most = says ? 2 ** 127 : 2 ** 112;
        }
        // Of a V3 pool without liquidity at its price there may be some beyond.
        (bool isPool,) = word(pool, abi.encodeWithSignature("liquidity()"));
        if (market.isPair || isPool) market.other = address(uint160(market.isFirst ? second : first));
    }

    /// A pair that has less than it last saw, as after a rebase, swaps nothing until somebody tells it to look; of one that has more, as of tokens that share out among their holders, nobody could tell what its fee is by what it lets pass. Where most of what it has came since, it is left as it is: its price
    /// would be another by far.
    function catchUp(Market memory market) internal {
        (uint256 reserve,) = reservesOf(market);
        (, uint256 has) = Moves.balance(market.token, market.pool);
        if (has == reserve || (has > reserve && has - reserve > reserve)) return;
        (address pool, bytes memory input) = (market.pool, abi.encodeWithSignature("sync()"));
        Moves.assureGas(SYNC_GAS);
        assembly ("memory-safe") {
            pop(call(400000, pool, 0, add(input, 0x20), mload(input), 0, 0))
        }
    }

    /// What of the token a pool's price is made with: by a pair's books, or as much as a V3 pool would have if the liquidity at its price reached over all prices. What else lies there, since somebody sent it, moves nothing. The largest number where it is not known.
    function depthOf(Market memory market) internal view returns (uint256 depth) {
        depth = type(uint256).max;
        if (market.other == address(0)) return depth;
        if (market.isPair) {
            (depth,) = reservesOf(market);
            return depth;
        }
        (bool known, uint256 root) = word(market.pool, abi.encodeWithSignature("slot0()"));
        (bool knownToo, uint256 liquidity) = word(market.pool, abi.encodeWithSignature("liquidity()"));
        if (!known || !knownToo || root == 0 || root >= 2 ** 160 || liquidity == 0 || liquidity >= 2 ** 128) return depth;
        return market.isFirst ? (liquidity << 96) / root : (liquidity * (root >> 32)) >> 64;
    }

    /// Whether a pair has more of the token than it last saw.
    function hasMore(Market memory market) internal view returns (bool) {
        (uint256 reserve,) = reservesOf(market);
        (, uint256 has) = Moves.balance(market.token, market.pool);
        return has > reserve;
    }

    /// How much of the other token, without a fee, moves `amount` of the token out of a pair; 0 where it can not.
    function priceOf(Market memory market, uint256 amount) internal view returns (uint256) {
        (uint256 reserve, uint256 others) = reservesOf(market);
        // A pair counts to there, and swaps nothing where it has more.
        (, uint256 has) = Moves.balance(market.token, market.pool);
        if (has >= market.most) return 0;
        return amount < reserve && reserve < market.most && others < market.most ? (others * amount) / (reserve - amount) + 1 : 0;
    }

    /// What a pair gives for what came since it last looked, as an account reads it, if it keeps so much of 10,000 of that.
    function outOfPair(Market memory market, bool isSale, uint256 kept) internal view returns (uint256) {
        (uint256 ins, uint256 outs) = reservesOf(market);
        if (!isSale) (ins, outs) = (outs, ins);
        address given = isSale ? market.token : market.other;
        (, uint256 has) = Moves.balance(given, market.pool);
        if (has <= ins || has >= market.most || outs >= market.most) return 0;
        uint256 came = has - ins;
        (bool says, uint256 said) = word(market.pool, abi.encodeWithSignature("getAmountOut(uint256,address)", came, given));
        // A base unit less, for what rounding may take.
        if (says) return said > 1 && said < outs ? said - 1 : 0;
        return (outs * came * kept) / (ins * 10_000 + came * kept);
    }

    /// Whether so much of the token is worth some base units of the other by a pair's books, whatever fee it takes and however it prices.
    function isWorth(Market memory market, uint256 amount) internal view returns (bool) {
        (uint256 reserve, uint256 others) = reservesOf(market);
        return amount < market.most && reserve < market.most && others < market.most && others * amount > 8 * (reserve + amount);
    }

    /// Tells a pair to give so much of one of its tokens.
    function swapPair(Market memory market, bool isSale, uint256 amount, address to) internal returns (bool ok) {
        (uint256 first, uint256 second) = market.isFirst == isSale ? (uint256(0), amount) : (amount, uint256(0));
        (ok,) = called(market, abi.encodeWithSignature("swap(uint256,uint256,address,bytes)", first, second, to, ""), isSale);
    }

    /// Has a V3 pool take so much of one of its tokens for the other, or give so much of it (`isGiven`); whoever calls this is asked to pay. `seen`: what it answered.
    function swapPool(Market memory market, bool isSale, bool isGiven, uint256 amount, address to) internal returns (bool ok, bytes memory seen) {
        bool zeroForOne = market.isFirst == isSale;
        int256 signed = isGiven ? -int256(amount) : int256(amount);
        uint160 limit = limitOf(market.pool, zeroForOne);
        return called(market, abi.encodeWithSignature("swap(address,bool,int256,uint160,bytes)", to, zeroForOne, signed, limit, ""), isSale);
    }

    /// Where there is next to no liquidity a pool walks as far as it is let, by words of 256 spacings, and with a narrow one that takes more gas than there is. A price's root doubled once for each tick of its spacing is 54 words away, of any: a price four times as high of the narrowest.
    function limitOf(address pool, bool zeroForOne) private view returns (uint160) {
        (bool known, uint256 root) = word(pool, abi.encodeWithSignature("slot0()"));
        (bool knownToo, uint256 spacing) = word(pool, abi.encodeWithSignature("tickSpacing()"));
        if (known && knownToo && root > LOWEST && root < HIGHEST && spacing > 0 && spacing < 96) {
            root = zeroForOne ? root >> spacing : root << spacing;
            if (root > LOWEST && root < HIGHEST) return uint160(root);
        }
        return zeroForOne ? LOWEST : HIGHEST;
    }

    /// Whether a V3 pool that undid a purchase had no gas left for it, or none to be paid with, of all that anybody needs: it may have come to more ticks than anybody pays for.
    function isSpent(Market memory market, bytes memory seen, uint256 gasUsed) internal pure returns (bool) {
        uint256 had = gasOf(market, false);
        bool isUnpaid = seen.length == 4 && bytes4(seen) == Moves.TooLittleGas.selector;
        return market.gasOfPurchase == 0 && (isUnpaid || (seen.length == 0 && gasUsed > had - had / 16));
    }

    /// What a V3 pool says that it gave of the token: that may be less than it was told to give, where less lies within reach of its price than it has.
    function gaveOf(Market memory market, bytes memory seen) internal pure returns (uint256) {
        if (seen.length < 64) return 0;
        (int256 first, int256 second) = abi.decode(seen, (int256, int256));
        int256 delta = market.isFirst ? first : second;
        return delta < 0 && delta > type(int256).min ? uint256(-delta) : 0;
    }

    /// What a pair has of the token and of the other, by itself.
    function reservesOf(Market memory market) private view returns (uint256 reserve, uint256 others) {
        bytes memory input = abi.encodeWithSignature("getReserves()");
        address pool = market.pool;
        Moves.assureGas(VIEW_GAS);
        assembly ("memory-safe") {
            let ok := staticcall(200000, pool, add(input, 0x20), mload(input), 0, 0x40)
            if and(ok, gt(returndatasize(), 0x3f)) {
                reserve := mload(0)
                others := mload(0x20)
            }
        }
        if (!market.isFirst) (reserve, others) = (others, reserve);
    }

    function word(address target, bytes memory input) private view returns (bool known, uint256 answer) {
        Moves.assureGas(VIEW_GAS);
        assembly ("memory-safe") {
            let ok := staticcall(200000, target, add(input, 0x20), mload(input), 0, 0x20)
            known := and(ok, gt(returndatasize(), 0x1f))
            if known { answer := mload(0) }
        }
    }

    /// A sale has more: it crosses what the purchase did, and the token's own call is within it.
    function gasOf(Market memory market, bool isSale) private pure returns (uint256) {
        if (isSale) return 3 * market.gasOfCall + 1_800_000;
        return market.gasOfPurchase > 0 ? market.gasOfPurchase : 2 * market.gasOfCall + 1_000_000;
    }

    /// At most four moves of what a revert says are kept.
    function called(Market memory market, bytes memory input, bool isSale) private returns (bool ok, bytes memory seen) {
        uint256 gasOfSwap = gasOf(market, isSale);
        address pool = market.pool;
        Moves.assureGas(gasOfSwap);
        assembly ("memory-safe") {
            ok := call(gasOfSwap, pool, 0, add(input, 0x20), mload(input), 0, 0)
            let size := returndatasize()
            if gt(size, 640) { size := 640 }
            seen := mload(0x40)
            mstore(seen, size)
            returndatacopy(add(seen, 0x20), 0, size)
            mstore(0x40, and(add(add(seen, 0x3f), size), not(0x1f)))
        }
    }
}
