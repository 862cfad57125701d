// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ICoin, StableSwapPool} from "./StableSwapPool.sol";

interface IFactory {
    function admin() external view returns (address);
    function fee_receiver() external view returns (address);
}

/// A pool of two coins as the first factory makes them: amplifications with two decimals, an exchange that returns what it paid, to whom its caller says.
contract StableSwapTwo is StableSwapPool {
    IFactory public immutable factory;

    event AddLiquidity(address indexed provider, uint256[2] token_amounts, uint256[2] fees, uint256 invariant, uint256 token_supply);
    event RemoveLiquidity(address indexed provider, uint256[2] token_amounts, uint256[2] fees, uint256 token_supply);
    event RemoveLiquidityOne(address indexed provider, uint256 token_amount, uint256 coin_amount, uint256 token_supply);
    event RemoveLiquidityImbalance(address indexed provider, uint256[2] token_amounts, uint256[2] fees, uint256 invariant, uint256 token_supply);
    event ApplyNewFee(uint256 fee);

    constructor(address[] memory coins_, uint256[] memory multipliers_, uint256 amplification, uint256 fee_)
        StableSwapPool(coins_, multipliers_, amplification, fee_)
    {
        demand(coins_.length == 2, "two coins");
        factory = IFactory(msg.sender);
    }

    function exchange(int128 i, int128 j, uint256 dx, uint256 min_dy) external returns (uint256) {
        return trade(i, j, dx, min_dy, msg.sender);
    }

    function exchange(int128 i, int128 j, uint256 dx, uint256 min_dy, address receiver) external returns (uint256) {
        return trade(i, j, dx, min_dy, receiver);
    }

    function add_liquidity(uint256[2] calldata amounts, uint256 min_mint_amount) external returns (uint256) {
        (uint256[] memory fees, uint256 d1, uint256 minted) = add(listOf(amounts), min_mint_amount);
        emit AddLiquidity(msg.sender, amounts, [fees[0], fees[1]], d1, totalSupply);
        return minted;
    }

    function remove_liquidity(uint256 amount, uint256[2] calldata min_amounts) external {
        uint256[] memory amounts = remove(amount, listOf(min_amounts));
        uint256[2] memory none;
        emit RemoveLiquidity(msg.sender, [amounts[0], amounts[1]], none, totalSupply);
    }

    function remove_liquidity_imbalance(uint256[2] calldata amounts, uint256 max_burn_amount) external {
        (uint256[] memory fees, uint256 d1) = removeImbalance(listOf(amounts), max_burn_amount);
        emit RemoveLiquidityImbalance(msg.sender, amounts, [fees[0], fees[1]], d1, totalSupply);
    }

    function remove_liquidity_one_coin(uint256 burn_amount, int128 i, uint256 min_received) external returns (uint256 dy) {
        dy = removeOne(burn_amount, uint256(int256(i)), min_received);
        emit RemoveLiquidityOne(msg.sender, burn_amount, dy, totalSupply);
    }

    function set_new_fee(uint256 new_fee) external onlyAdmin {
        demand(new_fee <= FEE_DENOMINATOR / 2, "fee too high");
        fee = new_fee;
        emit ApplyNewFee(new_fee);
    }

    /// No log tells, and no balance changes.
    function withdraw_admin_fees() external {
        address receiver = factory.fee_receiver();
        for (uint256 k = 0; k < 2; k++) pay(coins[k], receiver, admin_balances(k));
    }

    function admin_balances(uint256 i) public view returns (uint256) {
        return ICoin(coins[i]).balanceOf(address(this)) - held[i];
    }

    function A_precise() external view returns (uint256) {
        return currentA();
    }

    function admin() public view override returns (address) {
        return factory.admin();
    }

    function admin_fee() public pure override returns (uint256) {
        return FEE_DENOMINATOR / 2;
    }

    function unitsPerA() internal pure override returns (uint256) {
        return 100;
    }

    function dividesOnce() internal pure override returns (bool) {
        return false;
    }

    function feeAt(uint256, uint256, uint256 base) internal pure override returns (uint256) {
        return base;
    }

    /// It is what the pool has beside its balances.
    function credit(uint256, uint256) internal override {}

    function listOf(uint256[2] calldata amounts) private pure returns (uint256[] memory list) {
        list = new uint256[](2);
        (list[0], list[1]) = (amounts[0], amounts[1]);
    }
}
