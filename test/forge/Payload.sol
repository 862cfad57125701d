// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {NATIVE} from "../../contracts/lib/Addresses.sol";

/// A swap as its taker wants it. `route`: the intermediate tokens and the hops, packed.
struct Order {
    bytes32 tag;
    uint256 deadline;
    address sellToken;
    address buyToken;
    uint256 sellAmount;
    uint256 quotedNet;
    uint256 minBuyAmount;
    address recipient;
    address partner;
    uint256 feeBps;
    uint256 partnerShareBps;
    uint256 surplus;
    bool buy;
    bytes route;
}

/// Writes payloads after the description in contracts/Router.sol and contracts/lib/Terms.sol, apart from the service's encoder.
library Payload {
    function encode(Order memory order) internal pure returns (bytes memory) {
        bool sellsNative = order.sellToken == NATIVE;
        bool buysNative = order.buyToken == NATIVE;
        uint256 flags = (order.buy ? 1 : 0) | (order.surplus << 1) | 8 | (order.partner != address(0) ? 16 : 0) | (sellsNative ? 32 : 0)
            | (buysNative ? 64 : 0);
        bytes memory head = abi.encodePacked(
            uint8(flags),
            order.tag,
            amount(order.deadline),
            sellsNative ? bytes("") : abi.encodePacked(order.sellToken),
            buysNative ? bytes("") : abi.encodePacked(order.buyToken),
            amount(order.sellAmount),
            amount(order.quotedNet)
        );
        bytes memory fee =
            order.partner == address(0) ? bytes("") : abi.encodePacked(order.partner, uint16(order.feeBps), uint16(order.partnerShareBps));
        return abi.encodePacked(head, order.buy ? bytes("") : amount(order.minBuyAmount), order.recipient, fee, order.route);
    }

    function amount(uint256 value) internal pure returns (bytes memory packed) {
        uint8 size = 0;
        for (uint256 rest = value; rest > 0; rest >>= 8) size++;
        packed = abi.encodePacked(size);
        for (uint256 i = size; i > 0; i--) packed = abi.encodePacked(packed, uint8(value >> (8 * (i - 1))));
    }

    function v2(uint256 bps, uint8 tokenIn, uint8 tokenOut, address pair) internal pure returns (bytes memory) {
        return abi.encodePacked(uint8(1), uint16(bps), tokenIn, tokenOut, pair, uint24(3000));
    }

    /// A path of two pairs.
    function v2Path(uint256 bps, uint8 tokenIn, uint8 tokenOut, address first, address middle, address second) internal pure returns (bytes memory) {
        return abi.encodePacked(uint8(10), uint16(bps), tokenIn, tokenOut, first, uint24(3000), uint8(1), middle, second, uint24(3000));
    }

    function v3(uint256 bps, uint8 tokenIn, uint8 tokenOut, address pool) internal pure returns (bytes memory) {
        return abi.encodePacked(uint8(2), uint16(bps), tokenIn, tokenOut, pool, uint8(0));
    }

    function wrap(uint256 bps, uint8 tokenIn, uint8 tokenOut) internal pure returns (bytes memory) {
        return abi.encodePacked(uint8(3), uint16(bps), tokenIn, tokenOut);
    }
}
