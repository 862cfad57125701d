// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20, IERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// A pair that trades as PancakeSwap V2's do: the constant product with a fee of 25 ten-thousandths of what is paid in, written by us from the published formula,
/// since nobody publishes their pair compiled and Uniswap's has its own fee in its code. Left out is what no swap sees: price accumulators, the protocol's share
/// of new liquidity, loans within a swap, permits.
contract PancakeV2Pair is ERC20 {
    using SafeERC20 for IERC20;

    uint256 private constant BASE = 10_000;
    uint256 private constant FEE = 25;
    /// Burnt with the first liquidity, so that a share never becomes worth too much to be added to.
    uint256 private constant MINIMUM_LIQUIDITY = 1000;
    address private constant NOBODY = address(0xdead);

    IERC20 public immutable token0;
    IERC20 public immutable token1;
    uint112 private reserve0;
    uint112 private reserve1;
    uint32 private blockTimestampLast;
    bool private locked;

    event Mint(address indexed sender, uint256 amount0, uint256 amount1);
    event Burn(address indexed sender, uint256 amount0, uint256 amount1, address indexed to);
    event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to);
    event Sync(uint112 reserve0, uint112 reserve1);

    modifier lock() {
        require(!locked, "Pancake: LOCKED");
        locked = true;
        _;
        locked = false;
    }

    constructor(IERC20 token0_, IERC20 token1_) ERC20("Pancake LPs", "Cake-LP") {
        (token0, token1) = (token0_, token1_);
    }

    function getReserves() public view returns (uint112, uint112, uint32) {
        return (reserve0, reserve1, blockTimestampLast);
    }

    function mint(address to) external lock returns (uint256 liquidity) {
        (uint256 balance0, uint256 balance1) = balances();
        (uint256 amount0, uint256 amount1) = (balance0 - reserve0, balance1 - reserve1);
        uint256 supply = totalSupply();
        if (supply == 0) {
            liquidity = Math.sqrt(amount0 * amount1) - MINIMUM_LIQUIDITY;
            _mint(NOBODY, MINIMUM_LIQUIDITY);
        } else {
            liquidity = Math.min((amount0 * supply) / reserve0, (amount1 * supply) / reserve1);
        }
        require(liquidity > 0, "Pancake: INSUFFICIENT_LIQUIDITY_MINTED");
        _mint(to, liquidity);
        update(balance0, balance1);
        emit Mint(msg.sender, amount0, amount1);
    }

    function burn(address to) external lock returns (uint256 amount0, uint256 amount1) {
        (uint256 balance0, uint256 balance1) = balances();
        uint256 liquidity = balanceOf(address(this));
        (amount0, amount1) = ((liquidity * balance0) / totalSupply(), (liquidity * balance1) / totalSupply());
        require(amount0 > 0 && amount1 > 0, "Pancake: INSUFFICIENT_LIQUIDITY_BURNED");
        _burn(address(this), liquidity);
        token0.safeTransfer(to, amount0);
        token1.safeTransfer(to, amount1);
        (balance0, balance1) = balances();
        update(balance0, balance1);
        emit Burn(msg.sender, amount0, amount1, to);
    }

    function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes calldata) external lock {
        require(amount0Out > 0 || amount1Out > 0, "Pancake: INSUFFICIENT_OUTPUT_AMOUNT");
        require(amount0Out < reserve0 && amount1Out < reserve1, "Pancake: INSUFFICIENT_LIQUIDITY");
        require(to != address(token0) && to != address(token1), "Pancake: INVALID_TO");
        if (amount0Out > 0) token0.safeTransfer(to, amount0Out);
        if (amount1Out > 0) token1.safeTransfer(to, amount1Out);
        (uint256 amount0In, uint256 amount1In) = takeIn(amount0Out, amount1Out);
        emit Swap(msg.sender, amount0In, amount1In, amount0Out, amount1Out, to);
    }

    /// What came in beside what went out, if the invariant holds with the fee taken off it.
    function takeIn(uint256 amount0Out, uint256 amount1Out) private returns (uint256 amount0In, uint256 amount1In) {
        (uint256 before0, uint256 before1) = (reserve0, reserve1);
        (uint256 balance0, uint256 balance1) = balances();
        (amount0In, amount1In) = (paidIn(balance0, before0 - amount0Out), paidIn(balance1, before1 - amount1Out));
        require(amount0In > 0 || amount1In > 0, "Pancake: INSUFFICIENT_INPUT_AMOUNT");
        uint256 adjusted = (balance0 * BASE - amount0In * FEE) * (balance1 * BASE - amount1In * FEE);
        require(adjusted >= before0 * before1 * BASE ** 2, "Pancake: K");
        update(balance0, balance1);
    }

    function skim(address to) external lock {
        (uint256 balance0, uint256 balance1) = balances();
        token0.safeTransfer(to, balance0 - reserve0);
        token1.safeTransfer(to, balance1 - reserve1);
    }

    function sync() external lock {
        (uint256 balance0, uint256 balance1) = balances();
        update(balance0, balance1);
    }

    function balances() private view returns (uint256, uint256) {
        return (token0.balanceOf(address(this)), token1.balanceOf(address(this)));
    }

    function paidIn(uint256 balance, uint256 left) private pure returns (uint256) {
        return balance > left ? balance - left : 0;
    }

    function update(uint256 balance0, uint256 balance1) private {
        require(balance0 <= type(uint112).max && balance1 <= type(uint112).max, "Pancake: OVERFLOW");
        (reserve0, reserve1, blockTimestampLast) = (uint112(balance0), uint112(balance1), uint32(block.timestamp));
        emit Sync(reserve0, reserve1);
    }
}
