// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ICoin, StableSwapPool} from "./StableSwapPool.sol";

/// A pool of three coins as the oldest that are still in use: whole amplifications, an exchange that returns nothing and pays its caller, an owner who can kill it.
/// Unlike theirs its flag of being killed can be read.
contract StableSwapThree is StableSwapPool {
    address public immutable owner;
    bool public is_killed;
    uint256 private adminShare;
    uint256 private nextFee;
    uint256 private nextAdminFee;

    event AddLiquidity(address indexed provider, uint256[3] token_amounts, uint256[3] fees, uint256 invariant, uint256 token_supply);
    event RemoveLiquidity(address indexed provider, uint256[3] token_amounts, uint256[3] fees, uint256 token_supply);
    event RemoveLiquidityOne(address indexed provider, uint256 token_amount, uint256 coin_amount);
    event RemoveLiquidityImbalance(address indexed provider, uint256[3] token_amounts, uint256[3] fees, uint256 invariant, uint256 token_supply);
    event CommitNewFee(uint256 indexed deadline, uint256 fee, uint256 admin_fee);
    event NewFee(uint256 fee, uint256 admin_fee);

    constructor(address[] memory coins_, uint256 amplification, uint256 fee_, uint256 adminFee) StableSwapPool(coins_, amplification, fee_) {
        demand(coins_.length == 3, "three coins");
        (owner, adminShare) = (msg.sender, adminFee);
    }

    function exchange(int128 i, int128 j, uint256 dx, uint256 min_dy) external {
        trade(i, j, dx, min_dy, msg.sender);
    }

    function add_liquidity(uint256[3] calldata amounts, uint256 min_mint_amount) external {
        (uint256[] memory fees, uint256 d1,) = add(listOf(amounts), min_mint_amount);
        emit AddLiquidity(msg.sender, amounts, fixedOf(fees), d1, totalSupply);
    }

    function remove_liquidity(uint256 amount, uint256[3] calldata min_amounts) external {
        uint256[] memory amounts = remove(amount, listOf(min_amounts));
        uint256[3] memory none;
        emit RemoveLiquidity(msg.sender, fixedOf(amounts), none, totalSupply);
    }

    function remove_liquidity_imbalance(uint256[3] calldata amounts, uint256 max_burn_amount) external {
        (uint256[] memory fees, uint256 d1) = removeImbalance(listOf(amounts), max_burn_amount);
        emit RemoveLiquidityImbalance(msg.sender, amounts, fixedOf(fees), d1, totalSupply);
    }

    function remove_liquidity_one_coin(uint256 token_amount, int128 i, uint256 min_amount) external {
        uint256 dy = removeOne(token_amount, uint256(int256(i)), min_amount);
        emit RemoveLiquidityOne(msg.sender, token_amount, dy);
    }

    function commit_new_fee(uint256 new_fee, uint256 new_admin_fee) external onlyAdmin {
        demand(new_fee <= FEE_DENOMINATOR / 2 && new_admin_fee <= FEE_DENOMINATOR, "fee too high");
        (nextFee, nextAdminFee) = (new_fee, new_admin_fee);
        emit CommitNewFee(block.timestamp, new_fee, new_admin_fee);
    }

    function apply_new_fee() external onlyAdmin {
        (fee, adminShare) = (nextFee, nextAdminFee);
        emit NewFee(nextFee, nextAdminFee);
    }

    function kill_me() external onlyAdmin {
        is_killed = true;
    }

    function unkill_me() external onlyAdmin {
        is_killed = false;
    }

    /// What the admin would get becomes the pool's. No log tells.
    function donate_admin_fees() external onlyAdmin {
        for (uint256 k = 0; k < 3; k++) held[k] = ICoin(coins[k]).balanceOf(address(this));
    }

    function admin_balances(uint256 i) external view returns (uint256) {
        return ICoin(coins[i]).balanceOf(address(this)) - held[i];
    }

    function admin() public view override returns (address) {
        return owner;
    }

    function admin_fee() public view override returns (uint256) {
        return adminShare;
    }

    function unitsPerA() internal pure override returns (uint256) {
        return 1;
    }

    function dividesOnce() internal pure override returns (bool) {
        return false;
    }

    function rates() internal view override returns (uint256[] memory all) {
        all = new uint256[](3);
        for (uint256 k = 0; k < 3; k++) all[k] = 10 ** (36 - ICoin(coins[k]).decimals());
    }

    function feeAt(uint256, uint256, uint256 base) internal pure override returns (uint256) {
        return base;
    }

    /// It is what the pool has beside its balances.
    function credit(uint256, uint256) internal override {}

    function beforeTrade() internal view override {
        demand(!is_killed, "is killed");
    }

    function listOf(uint256[3] calldata amounts) private pure returns (uint256[] memory list) {
        list = new uint256[](3);
        for (uint256 k = 0; k < 3; k++) list[k] = amounts[k];
    }

    function fixedOf(uint256[] memory list) private pure returns (uint256[3] memory) {
        return [list[0], list[1], list[2]];
    }
}
