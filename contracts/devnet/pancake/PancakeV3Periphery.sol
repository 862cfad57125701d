// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

interface IPancakePool {
    function token0() external view returns (address);
    function token1() external view returns (address);
    function mint(address recipient, int24 lower, int24 upper, uint128 amount, bytes calldata data) external returns (uint256, uint256);
    function swap(address recipient, bool zeroForOne, int256 amountSpecified, uint160 limit, bytes calldata data) external returns (int256, int256);
}

interface IPaidToken {
    function transferFrom(address from, address to, uint256 amount) external;
}

/// Mints and swaps in PancakeSwap's V3 pools for whoever calls, and pays the pools out of the caller's approvals. PancakeSwap publishes no compiled periphery.
/// Positions are the caller's own in the pool, who burns and collects there: neither calls back.
contract PancakeV3Periphery {
    /// The pool that may call back, and who pays it. Zero outside of a call.
    address private pool;
    address private payer;

    error UnexpectedCallback(address caller);
    /// What a swap that is only asked about would come to.
    error Quoted(int256 amount0, int256 amount1);

    function mint(address to, int24 lower, int24 upper, uint128 liquidity) external returns (uint256 amount0, uint256 amount1) {
        (pool, payer) = (to, msg.sender);
        (amount0, amount1) = IPancakePool(to).mint(msg.sender, lower, upper, liquidity, "");
        (pool, payer) = (address(0), address(0));
    }

    function swap(address at, bool zeroForOne, int256 amountSpecified, uint160 limit) external returns (int256 amount0, int256 amount1) {
        (pool, payer) = (at, msg.sender);
        (amount0, amount1) = IPancakePool(at).swap(msg.sender, zeroForOne, amountSpecified, limit, "");
        (pool, payer) = (address(0), address(0));
    }

    /// What the pool would take (above zero) and give, without a payment: the pool's swap is undone in its call back.
    function quote(address at, bool zeroForOne, int256 amountSpecified, uint160 limit) external returns (int256 amount0, int256 amount1) {
        try IPancakePool(at).swap(address(this), zeroForOne, amountSpecified, limit, "quote") {} catch (bytes memory reason) {
            if (bytes4(reason) != Quoted.selector || reason.length != 68) revert("the pool refuses");
            assembly {
                amount0 := mload(add(reason, 0x24))
                amount1 := mload(add(reason, 0x44))
            }
        }
    }

    function pancakeV3MintCallback(uint256 amount0, uint256 amount1, bytes calldata) external {
        pay(amount0, amount1);
    }

    function pancakeV3SwapCallback(int256 amount0, int256 amount1, bytes calldata data) external {
        if (data.length > 0) revert Quoted(amount0, amount1);
        pay(amount0 > 0 ? uint256(amount0) : 0, amount1 > 0 ? uint256(amount1) : 0);
    }

    function pay(uint256 amount0, uint256 amount1) private {
        if (msg.sender != pool) revert UnexpectedCallback(msg.sender);
        if (amount0 > 0) IPaidToken(IPancakePool(pool).token0()).transferFrom(payer, pool, amount0);
        if (amount1 > 0) IPaidToken(IPancakePool(pool).token1()).transferFrom(payer, pool, amount1);
    }
}
