// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {CryptoMathsTwo} from "./CryptoMathsTwo.sol";
import {CryptoNewton} from "./CryptoNewton.sol";
import {CryptoRamps} from "./CryptoRamps.sol";
import {CryptoShare} from "./CryptoShare.sol";
import {PoolCoins} from "./PoolCoins.sol";

interface ICoinBalance {
    function balanceOf(address account) external view returns (uint256);
}

interface ICryptoFactory {
    function admin() external view returns (address);
    function fee_receiver() external view returns (address);
}

/// What every change of a crypto pool of two coins leaves behind: the average, the last price, profit, and a step of the pool's own price where the profit pays for it; where the way ends, the admin claims.
abstract contract CryptoPricesTwo is PoolCoins {
    uint256 internal constant ONE = 10 ** 18;
    uint256 internal constant FEE_DENOMINATOR = 10 ** 10;
    /// Of the way to the average, which a step covers at least.
    uint256 private constant LEAST_STEP_PART = 5;

    /// Kept unwrapped where it is one of the coins.
    address internal immutable wrappedNative;

    /// Each of these lies where the contract on public chains keeps it, which is how tests write the state of both.
    uint256 private entered;
    CryptoShare public token;
    address[2] public coins;
    uint256 public price_scale;
    uint256 internal storedAverage;
    uint256 public last_prices;
    uint256 public last_prices_timestamp;
    uint256 public initial_A_gamma;
    uint256 public future_A_gamma;
    uint256 public initial_A_gamma_time;
    uint256 public future_A_gamma_time;
    uint256 public allowed_extra_profit;
    uint256 public future_allowed_extra_profit;
    uint256 public fee_gamma;
    uint256 public future_fee_gamma;
    uint256 public adjustment_step;
    uint256 public future_adjustment_step;
    uint256 public ma_half_time;
    uint256 public future_ma_half_time;
    uint256 public mid_fee;
    uint256 public out_fee;
    uint256 public admin_fee;
    uint256 public future_mid_fee;
    uint256 public future_out_fee;
    uint256 public future_admin_fee;
    uint256[2] public balances;
    uint256 public D;
    ICryptoFactory public factory;
    uint256 public xcp_profit;
    uint256 public xcp_profit_a;
    uint256 public virtual_price;
    bool private not_adjusted;
    uint256 public admin_actions_deadline;
    /// Decimals that are missing to 18, a byte each.
    uint256 internal missingDecimals;

    event ClaimAdminFee(address indexed admin, uint256 tokens);

    constructor(address wrappedNative_) {
        wrappedNative = wrappedNative_;
    }

    modifier locked() {
        demand(entered == 0, "entered again");
        entered = 1;
        _;
        entered = 0;
    }

    function parameters() internal view returns (CryptoRamps.Parameters memory) {
        return CryptoRamps.at(block.timestamp, initial_A_gamma, future_A_gamma, initial_A_gamma_time, future_A_gamma_time);
    }

    function precisionOf(uint256 coin) internal view returns (uint256) {
        return 10 ** (coin == 0 ? missingDecimals & 255 : missingDecimals >> 8);
    }

    function worthOf(uint256 coin, uint256 balance) internal view returns (uint256) {
        uint256 scaled = balance * precisionOf(coin);
        return coin == 0 ? scaled : scaled * price_scale / ONE;
    }

    function upscaled() internal view returns (uint256[2] memory) {
        return [worthOf(0, balances[0]), worthOf(1, balances[1])];
    }

    function invariantOf(CryptoRamps.Parameters memory p, uint256[2] memory xp) internal pure returns (uint256) {
        return CryptoMathsTwo.invariantOf(p.a, p.gamma, xp);
    }

    /// The worth of all shares, were the balances even.
    function evenWorth(uint256 d, uint256 price) internal pure returns (uint256) {
        return CryptoMathsTwo.geometricMean([d / 2, d * ONE / (2 * price)]);
    }

    function feeAt(uint256[2] memory xp) internal view returns (uint256) {
        uint256 even = CryptoMathsTwo.evenness(xp, fee_gamma);
        return (mid_fee * even + out_fee * (ONE - even)) / ONE;
    }

    /// Of the block.
    function price_oracle() public view returns (uint256) {
        uint256 since = last_prices_timestamp;
        if (since >= block.timestamp) return storedAverage;
        uint256 kept = CryptoNewton.halfPower((block.timestamp - since) * ONE / ma_half_time);
        return (last_prices * (ONE - kept) + storedAverage * kept) / ONE;
    }

    /// `told`: the price that the change tells, nothing where it is too small to. `d`: the invariant, nothing where it is not computed yet.
    function tweak(CryptoRamps.Parameters memory p, uint256[2] memory xp, uint256 told, uint256 d) internal {
        uint256 average = price_oracle();
        if (last_prices_timestamp < block.timestamp) (storedAverage, last_prices_timestamp) = (average, block.timestamp);
        if (d == 0) d = invariantOf(p, xp);
        last_prices = told > 0 ? told : probedPrice(p, xp, d);
        uint256 before = virtual_price;
        (uint256 profit, uint256 worth) = (ONE, ONE);
        if (before > 0) {
            worth = ONE * evenWorth(d, price_scale) / token.totalSupply();
            profit = xcp_profit * worth / before;
            demand(worth >= before || future_A_gamma_time != 0, "Loss");
            if (future_A_gamma_time == 1) future_A_gamma_time = 0;
        }
        xcp_profit = profit;
        (bool moves, bool arrives) = follow(p, xp, average, before, worth);
        if (moves) return;
        (D, virtual_price) = (d, worth);
        if (arrives) claim();
    }

    function probedPrice(CryptoRamps.Parameters memory p, uint256[2] memory xp, uint256 d) private view returns (uint256) {
        uint256 more = xp[0] / 10 ** 6;
        return price_scale * more / (xp[1] - CryptoMathsTwo.balanceFor(p.a, p.gamma, [xp[0] + more, xp[1]], d, 1));
    }

    /// `moves`: the own price took a step towards the average. `arrives`: it was on its way, and is no longer.
    function follow(CryptoRamps.Parameters memory p, uint256[2] memory xp, uint256 average, uint256 before, uint256 worth)
        private
        returns (bool moves, bool arrives)
    {
        uint256 off = CryptoNewton.apart(average * ONE / price_scale, ONE);
        uint256 pace = CryptoNewton.larger(adjustment_step, off / LEAST_STEP_PART);
        bool far = off > pace && before > 0;
        bool was = not_adjusted;
        if (!was && !(worth * 2 - ONE > xcp_profit + 2 * allowed_extra_profit && far)) return (false, false);
        if (far && step(p, xp, (price_scale * (off - pace) + pace * average) / off)) {
            if (!was) not_adjusted = true;
            return (true, false);
        }
        not_adjusted = false;
        return (false, true);
    }

    /// Whether half of the profit stays.
    function step(CryptoRamps.Parameters memory p, uint256[2] memory xp, uint256 next) private returns (bool) {
        uint256 d = invariantOf(p, [xp[0], xp[1] * next / price_scale]);
        uint256 worth = ONE * evenWorth(d, next) / token.totalSupply();
        if (worth <= ONE || 2 * worth - ONE <= xcp_profit) return false;
        (price_scale, D, virtual_price) = (next, d, worth);
        return true;
    }

    /// Takes what the pool has of its coins for its balances, and makes shares out of the profit.
    function claim() internal {
        CryptoRamps.Parameters memory p = parameters();
        (uint256 profit, uint256 claimedBefore) = (xcp_profit, xcp_profit_a);
        for (uint256 k = 0; k < 2; k++) {
            balances[k] = coins[k] == wrappedNative ? address(this).balance : ICoinBalance(coins[k]).balanceOf(address(this));
        }
        uint256 fees = profit > claimedBefore ? (profit - claimedBefore) * admin_fee / (2 * FEE_DENOMINATOR) : 0;
        address receiver = fees > 0 ? factory.fee_receiver() : address(0);
        if (receiver != address(0)) {
            uint256 minted = token.mint_relative(receiver, virtual_price * ONE / (virtual_price - fees) - ONE);
            profit -= fees * 2;
            xcp_profit = profit;
            emit ClaimAdminFee(receiver, minted);
        }
        D = invariantOf(p, upscaled());
        virtual_price = ONE * evenWorth(D, price_scale) / token.totalSupply();
        if (profit > claimedBefore) xcp_profit_a = profit;
    }
}
