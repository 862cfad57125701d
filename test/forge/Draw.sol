// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {NATIVE} from "../../contracts/lib/Addresses.sol";
import {Ground} from "./Ground.sol";
import {IPair, IPool} from "./Interfaces.sol";
import {Order, Payload} from "./Payload.sol";

/// Draws swaps, and asks the venues' own contracts what they bring.
abstract contract Draw is Ground {
    /// What a fuzzer may choose of a swap.
    struct Choice {
        bytes32 tag;
        uint256 sellAmount;
        uint256 tokens;
        uint256 shape;
        uint256 feeBps;
        uint256 partnerShareBps;
        uint256 surplus;
        uint256 quotedBps;
        uint256 floorBps;
        bool buy;
        bool hasFee;
    }

    /// What a swap has to bring to whom.
    struct Parts {
        uint256 received;
        uint256 partner;
        uint256 collector;
    }

    error Given(uint256 amount);

    /// One hop by V2 or V3, a split over both, two hops over a third token or two pairs in a row; native at the ends where that is wrapped.
    function draw(Choice memory choice) internal returns (Order memory order, uint256 gross) {
        uint256 count = tokens.length;
        uint256 sold = choice.tokens % count;
        uint256 bought = (sold + 1 + (choice.tokens / count) % (count - 1)) % count;
        (address one, address other) = (tokens[sold], tokens[bought]);
        order.sellAmount = bound(choice.sellAmount, 1_000, 10_000 ether);
        (order.sellToken, order.buyToken) = (one, other);
        (order.tag, order.deadline, order.recipient) = (choice.tag, block.timestamp, recipient);
        uint256 shape = choice.shape % 7;
        if (shape == 0) {
            order.route = abi.encodePacked(uint8(0), Payload.v2(10_000, 0, 1, pairOf[one][other]));
            gross = quoteV2(one, other, order.sellAmount);
        } else if (shape == 1) {
            order.route = abi.encodePacked(uint8(0), Payload.v3(10_000, 0, 1, poolOf[one][other]));
            gross = quoteV3(one, other, order.sellAmount);
        } else if (shape == 2) (order.route, gross) = split(one, other, order.sellAmount, 1_000 + choice.shape / 7 % 8_001);
        else if (shape == 3) (order.route, gross) = over(one, thirdOf(sold, bought), other, order.sellAmount);
        else if (shape == 6) (order.route, gross) = path(one, thirdOf(sold, bought), other, order.sellAmount);
        else (order.route, gross) = wrapped(order, shape == 4, one, other);
        terms(order, choice, gross);
    }

    function terms(Order memory order, Choice memory choice, uint256 gross) private view {
        if (choice.hasFee) {
            (order.partner, order.feeBps) = (partner, bound(choice.feeBps, 0, 1_500));
            order.partnerShareBps = bound(choice.partnerShareBps, 0, 10_000);
        }
        uint256 net = gross - gross * order.feeBps / 10_000;
        order.quotedNet = net * bound(choice.quotedBps, 1, 10_000) / 10_000;
        order.surplus = choice.surplus % 3;
        order.buy = choice.buy && order.quotedNet > 0 && grossFor(order.quotedNet, order.feeBps) <= gross;
        // Now and then more than the swap brings.
        order.minBuyAmount = order.buy ? order.quotedNet : order.quotedNet * bound(choice.floorBps, 0, 10_500) / 10_000;
    }

    /// Decisions of the fee and the surplus, in a wider order of steps than the contract's.
    function partsOf(Order memory order, uint256 gross) internal pure returns (Parts memory parts) {
        uint256 fee;
        uint256 captured;
        if (order.buy) {
            uint256 wanted = grossFor(order.quotedNet, order.feeBps);
            (fee, captured, parts.received) = (wanted - order.quotedNet, gross - wanted, order.quotedNet);
        } else {
            fee = gross * order.feeBps / 10_000;
            uint256 net = gross - fee;
            uint256 surplus = net > order.quotedNet ? net - order.quotedNet : 0;
            captured = order.surplus == 0 ? surplus : order.surplus == 1 ? 0 : surplus / 2;
            parts.received = net - captured;
        }
        parts.partner = fee * order.partnerShareBps / 10_000;
        parts.collector = fee - parts.partner + captured;
    }

    /// The smallest gross amount that leaves the target, found by going up to it.
    function grossFor(uint256 target, uint256 feeBps) internal pure returns (uint256 gross) {
        gross = target * 10_000 / (10_000 - feeBps);
        gross = gross > 2 ? gross - 2 : 0;
        while (gross - gross * feeBps / 10_000 < target) gross++;
    }

    function split(address one, address other, uint256 amount, uint256 bps) private returns (bytes memory route, uint256 gross) {
        uint256 first = amount * bps / 10_000;
        route = abi.encodePacked(uint8(0), Payload.v2(bps, 0, 1, pairOf[one][other]), Payload.v3(10_000, 0, 1, poolOf[one][other]));
        gross = quoteV2(one, other, first) + quoteV3(one, other, amount - first);
    }

    function over(address one, address middle, address other, uint256 amount) private returns (bytes memory route, uint256 gross) {
        route = abi.encodePacked(uint8(1), middle, Payload.v3(10_000, 0, 2, poolOf[one][middle]), Payload.v2(10_000, 2, 1, pairOf[middle][other]));
        gross = quoteV2(middle, other, quoteV3(one, middle, amount));
    }

    function path(address one, address middle, address other, uint256 amount) private view returns (bytes memory route, uint256 gross) {
        route = abi.encodePacked(uint8(0), Payload.v2Path(10_000, 0, 1, pairOf[one][middle], middle, pairOf[middle][other]));
        gross = quoteV2(middle, other, quoteV2(one, middle, amount));
    }

    /// Native sold for the other token, or bought for the first.
    function wrapped(Order memory order, bool sells, address one, address other) private returns (bytes memory route, uint256 gross) {
        if (sells) {
            if (other == weth) other = one;
            (order.sellToken, order.buyToken) = (NATIVE, other);
            route = abi.encodePacked(uint8(1), weth, Payload.wrap(10_000, 0, 2), Payload.v2(10_000, 2, 1, pairOf[weth][other]));
            gross = quoteV2(weth, other, order.sellAmount);
        } else {
            if (one == weth) one = other;
            (order.sellToken, order.buyToken) = (one, NATIVE);
            route = abi.encodePacked(uint8(1), weth, Payload.v3(10_000, 0, 2, poolOf[one][weth]), Payload.wrap(10_000, 2, 1));
            gross = quoteV3(one, weth, order.sellAmount);
        }
    }

    function thirdOf(uint256 sold, uint256 bought) private view returns (address) {
        for (uint256 i = 0;; i++) if (i != sold && i != bought) return tokens[i];
    }

    function quoteV2(address one, address other, uint256 amount) internal view returns (uint256) {
        (uint256 reserveIn, uint256 reserveOut,) = IPair(pairOf[one][other]).getReserves();
        if (one > other) (reserveIn, reserveOut) = (reserveOut, reserveIn);
        return v2Router.getAmountOut(amount, reserveIn, reserveOut);
    }

    /// The pool's own answer, of a swap that is taken back in its call back.
    function quoteV3(address one, address other, uint256 amount) internal returns (uint256) {
        bool up = one > other;
        uint160 limit = up ? 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_341 : 4_295_128_740;
        try IPool(poolOf[one][other]).swap(address(this), !up, int256(amount), limit, "") {
            revert("a pool asked for nothing");
        } catch (bytes memory reason) {
            require(bytes4(reason) == Given.selector, "the pool refuses");
            return uint256(bytes32(slice(reason, 4, 32)));
        }
    }

    function uniswapV3SwapCallback(int256 amount0, int256 amount1, bytes calldata) external pure {
        revert Given(uint256(amount0 < 0 ? -amount0 : amount1 < 0 ? -amount1 : int256(0)));
    }
}
