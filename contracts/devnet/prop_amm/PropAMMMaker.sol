// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// A proprietary market maker: trades out of what it holds, at prices that are pushed to it, with the interface that the makers' router knows. What a swap takes moves the price until the next
/// push; how, nobody outside is told.
contract PropAMMMaker {
    using SafeERC20 for IERC20;

    /// `price`: base units of the other token for UNIT base units. `depth`: base units of the other token; what is sold for a twentieth of it is what a swap may take.
    struct Offer {
        uint256 price;
        uint256 depth;
        uint256 pushedAt;
    }

    struct Push {
        address tokenIn;
        address tokenOut;
        uint256 price;
        uint256 depth;
    }

    struct TokenPair {
        address token0;
        address token1;
    }

    uint256 private constant UNIT = 1e36;
    uint256 private constant PARTS_OF_DEPTH = 20;

    address public immutable owner;
    /// Pushes prices like the owner.
    address public immutable pusher;
    address public immutable router;
    /// In how many blocks after its push a price ends; 0: in none.
    uint256 public life;
    TokenPair[] private pairs;
    mapping(address tokenIn => mapping(address tokenOut => Offer)) public offers;
    mapping(address token0 => mapping(address token1 => bool)) private listed;

    event Swapped(
        address indexed sender, address indexed tokenIn, address indexed tokenOut, uint256 amountIn, uint256 amountOut, address recipient
    );

    error NotTheOwner();
    error NotThePusher();
    error NotTheRouter();
    error NoOffer();
    error OfferEnded();
    error TooMuch();
    error TooLittle(uint256 amountOut);
    error Late();

    constructor(address owner_, address pusher_, address router_) {
        (owner, pusher, router) = (owner_, pusher_, router_);
    }

    function setLife(uint256 blocks) external {
        if (msg.sender != owner) revert NotTheOwner();
        life = blocks;
    }

    function push(Push[] calldata pushes) external {
        if (msg.sender != owner && msg.sender != pusher) revert NotThePusher();
        for (uint256 at = 0; at < pushes.length; at++) {
            Push calldata one = pushes[at];
            offers[one.tokenIn][one.tokenOut] = Offer(one.price, one.depth, block.number);
            (address token0, address token1) = one.tokenIn < one.tokenOut ? (one.tokenIn, one.tokenOut) : (one.tokenOut, one.tokenIn);
            if (listed[token0][token1]) continue;
            listed[token0][token1] = true;
            pairs.push(TokenPair(token0, token1));
        }
    }

    function getPairs() external view returns (TokenPair[] memory) {
        return pairs;
    }

    function isActive(address tokenIn, address tokenOut) external view returns (bool) {
        return offers[tokenIn][tokenOut].price > 0;
    }

    function quote(address tokenIn, address tokenOut, uint256 amountIn) public view returns (uint256 amountOut) {
        (amountOut,) = priced(tokenIn, tokenOut, amountIn);
    }

    /// The router has sent the input before.
    function swap(address tokenIn, address tokenOut, uint256 amountIn, uint256 minAmountOut, address recipient, uint256 deadline)
        external
        returns (uint256 amountOut)
    {
        if (msg.sender != router) revert NotTheRouter();
        if (block.timestamp > deadline) revert Late();
        uint256 left;
        (amountOut, left) = priced(tokenIn, tokenOut, amountIn);
        if (amountOut < minAmountOut) revert TooLittle(amountOut);
        offers[tokenIn][tokenOut].price = left;
        IERC20(tokenOut).safeTransfer(recipient, amountOut);
        emit Swapped(msg.sender, tokenIn, tokenOut, amountIn, amountOut, recipient);
    }

    /// What an input gives, and the price that is left after it.
    function priced(address tokenIn, address tokenOut, uint256 amountIn) private view returns (uint256 amountOut, uint256 left) {
        Offer memory offer = offers[tokenIn][tokenOut];
        if (offer.price == 0) revert NoOffer();
        if (life > 0 && block.number > offer.pushedAt + life) revert OfferEnded();
        uint256 gross = Math.mulDiv(amountIn, offer.price, UNIT);
        if (gross > offer.depth / PARTS_OF_DEPTH) revert TooMuch();
        amountOut = Math.mulDiv(gross, offer.depth, offer.depth + gross);
        if (amountOut > IERC20(tokenOut).balanceOf(address(this))) revert TooMuch();
        left = Math.mulDiv(Math.mulDiv(offer.price, offer.depth, offer.depth + gross), offer.depth, offer.depth + gross);
    }
}
