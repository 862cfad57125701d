// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {StableSwapPool} from "./StableSwapPool.sol";
import {IFactory} from "./StableSwapTwo.sol";

/// A pool of the new generation: two to eight coins, a fee that grows off the peg, rates that are asked of oracles. Without its averages of prices, by which no swap goes.
contract StableSwapNG is StableSwapPool {
    IFactory public immutable factory;
    uint256 public offpeg_fee_multiplier;
    uint256[] public admin_balances;
    /// Of each coin: the selector of its oracle's answer in the first four bytes, the oracle in the last twenty; nothing where its worth is fixed.
    uint256[] private oracles;

    event AddLiquidity(address indexed provider, uint256[] token_amounts, uint256[] fees, uint256 invariant, uint256 token_supply);
    event RemoveLiquidity(address indexed provider, uint256[] token_amounts, uint256[] fees, uint256 token_supply);
    event RemoveLiquidityOne(address indexed provider, int128 token_id, uint256 token_amount, uint256 coin_amount, uint256 token_supply);
    event RemoveLiquidityImbalance(address indexed provider, uint256[] token_amounts, uint256[] fees, uint256 invariant, uint256 token_supply);
    event ApplyNewFee(uint256 fee, uint256 offpeg_fee_multiplier);

    constructor(
        address[] memory coins_,
        uint256[] memory multipliers_,
        uint256 amplification,
        uint256 fee_,
        uint256 multiplier,
        uint256[] memory oracles_
    ) StableSwapPool(coins_, multipliers_, amplification, fee_)
    {
        factory = IFactory(msg.sender);
        offpeg_fee_multiplier = multiplier;
        admin_balances = new uint256[](coins_.length);
        oracles = oracles_;
    }

    function N_COINS() external view returns (uint256) {
        return coins.length;
    }

    function A_precise() external view returns (uint256) {
        return currentA();
    }

    function get_balances() external view returns (uint256[] memory) {
        return held;
    }

    function stored_rates() external view returns (uint256[] memory) {
        return rates();
    }

    function exchange(int128 i, int128 j, uint256 dx, uint256 min_dy) external returns (uint256) {
        return trade(i, j, dx, min_dy, msg.sender);
    }

    function exchange(int128 i, int128 j, uint256 dx, uint256 min_dy, address receiver) external returns (uint256) {
        return trade(i, j, dx, min_dy, receiver);
    }

    function add_liquidity(uint256[] calldata amounts, uint256 min_mint_amount) external returns (uint256) {
        demand(amounts.length == coins.length, "an amount of each coin");
        (uint256[] memory fees, uint256 d1, uint256 minted) = add(amounts, min_mint_amount);
        emit AddLiquidity(msg.sender, amounts, fees, d1, totalSupply);
        return minted;
    }

    function remove_liquidity(uint256 burn_amount, uint256[] calldata min_amounts) external {
        uint256[] memory amounts = remove(burn_amount, min_amounts);
        emit RemoveLiquidity(msg.sender, amounts, new uint256[](0), totalSupply);
        withdraw_admin_fees();
    }

    function remove_liquidity_imbalance(uint256[] calldata amounts, uint256 max_burn_amount) external {
        (uint256[] memory fees, uint256 d1) = removeImbalance(amounts, max_burn_amount);
        emit RemoveLiquidityImbalance(msg.sender, amounts, fees, d1, totalSupply);
    }

    function remove_liquidity_one_coin(uint256 burn_amount, int128 i, uint256 min_received) external returns (uint256 dy) {
        dy = removeOne(burn_amount, uint256(int256(i)), min_received);
        emit RemoveLiquidityOne(msg.sender, i, burn_amount, dy, totalSupply);
    }

    function set_new_fee(uint256 new_fee, uint256 multiplier) external onlyAdmin {
        demand(new_fee <= FEE_DENOMINATOR / 2 && multiplier * new_fee <= FEE_DENOMINATOR * FEE_DENOMINATOR / 2, "fee too high");
        (fee, offpeg_fee_multiplier) = (new_fee, multiplier);
        emit ApplyNewFee(new_fee, multiplier);
    }

    function withdraw_admin_fees() public {
        address receiver = factory.fee_receiver();
        if (receiver == address(0)) return;
        for (uint256 k = 0; k < admin_balances.length; k++) {
            uint256 amount = admin_balances[k];
            admin_balances[k] = 0;
            if (amount > 0) pay(coins[k], receiver, amount);
        }
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
        return true;
    }

    function rates() internal view override returns (uint256[] memory all) {
        all = multipliers;
        for (uint256 k = 0; k < all.length; k++) {
            if (oracles[k] == 0) continue;
            (bool ok, bytes memory answer) = address(uint160(oracles[k])).staticcall(abi.encodePacked(bytes4(bytes32(oracles[k]))));
            demand(ok && answer.length == 32, "no rate");
            all[k] = all[k] * abi.decode(answer, (uint256)) / PRECISION;
        }
    }

    function feeAt(uint256 xpi, uint256 xpj, uint256 base) internal view override returns (uint256) {
        uint256 multiplier = offpeg_fee_multiplier;
        if (multiplier <= FEE_DENOMINATOR) return base;
        return multiplier * base / ((multiplier - FEE_DENOMINATOR) * 4 * xpi * xpj / (xpi + xpj) ** 2 + FEE_DENOMINATOR);
    }

    function credit(uint256 coin, uint256 share) internal override {
        admin_balances[coin] += share;
    }
}
