// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {CryptoMaths} from "./CryptoMaths.sol";
import {CryptoNewton} from "./CryptoNewton.sol";
import {CryptoRamps} from "./CryptoRamps.sol";
import {PoolCoins} from "./PoolCoins.sol";

/// What every change of a crypto pool leaves behind: averages, last prices, profit, and a step of the pool's own prices where the profit pays for it. Names are those of the contracts on public chains.
abstract contract CryptoPrices is PoolCoins {
    uint256 internal constant ONE = 10 ** 18;
    uint256 internal constant FEE_DENOMINATOR = 10 ** 10;

    /// The order of these is what tests write states by.
    uint256[3] public balances;
    uint256[2] public price_scale;
    uint256[2] public price_oracle;
    uint256[2] public last_prices;
    uint256 public last_prices_timestamp;
    /// The amplification in the high half of the word.
    uint256 public initial_A_gamma;
    uint256 public future_A_gamma;
    uint256 public initial_A_gamma_time;
    uint256 public future_A_gamma_time;
    uint256 public allowed_extra_profit;
    uint256 public fee_gamma;
    uint256 public adjustment_step;
    uint256 public ma_half_time;
    uint256 public mid_fee;
    uint256 public out_fee;
    uint256 public admin_fee;
    uint256 public D;
    uint256 public xcp_profit;
    uint256 public xcp_profit_a;
    uint256 public virtual_price;
    bool internal not_adjusted;
    uint256 public totalSupply;

    function parameters() internal view returns (CryptoRamps.Parameters memory) {
        return CryptoRamps.at(block.timestamp, initial_A_gamma, future_A_gamma, initial_A_gamma_time, future_A_gamma_time);
    }

    /// The worth of all shares, were the balances even.
    function evenWorth(uint256 d, uint256[2] memory prices) internal pure returns (uint256) {
        return CryptoMaths.geometricMean([d / 3, d * ONE / (3 * prices[0]), d * ONE / (3 * prices[1])]);
    }

    function feeAt(uint256[3] memory xp) internal view returns (uint256) {
        uint256 even = CryptoMaths.evenness(xp, fee_gamma);
        return (mid_fee * even + out_fee * (ONE - even)) / ONE;
    }

    function demandPackable(uint256[2] memory prices) private pure {
        for (uint256 k = 0; k < 2; k++) demand(prices[k] < type(uint128).max, "a price is too large");
    }

    function moveAverages() private {
        uint256 since = last_prices_timestamp;
        if (since >= block.timestamp) return;
        uint256 kept = CryptoNewton.halfPower((block.timestamp - since) * ONE / ma_half_time);
        uint256[2] memory averages;
        for (uint256 k = 0; k < 2; k++) averages[k] = (last_prices[k] * (ONE - kept) + price_oracle[k] * kept) / ONE;
        demandPackable(averages);
        (price_oracle, last_prices_timestamp) = (averages, block.timestamp);
    }

    /// `told`: the price of `coin` that the change tells, nothing where it is too small to. Of the first coin it is what the others are divided by.
    function keepPrices(CryptoRamps.Parameters memory p, uint256[3] memory xp, uint256 coin, uint256 told, uint256 d) private {
        uint256[2] memory prices = last_prices;
        if (told > 0 && coin > 0) {
            prices[coin - 1] = told;
        } else if (told > 0) {
            for (uint256 k = 0; k < 2; k++) prices[k] = prices[k] * ONE / told;
        } else {
            uint256 more = xp[0] / 10 ** 6;
            uint256[3] memory grown = [xp[0] + more, xp[1], xp[2]];
            for (uint256 k = 0; k < 2; k++) {
                prices[k] = price_scale[k] * more / (xp[k + 1] - CryptoMaths.balanceFor(p.a, p.gamma, grown, d, k + 1));
            }
        }
        demandPackable(prices);
        last_prices = prices;
    }

    /// `d`: the invariant, nothing where it is not computed yet.
    function tweak(CryptoRamps.Parameters memory p, uint256[3] memory xp, uint256 coin, uint256 told, uint256 d) internal {
        moveAverages();
        if (d == 0) d = CryptoMaths.invariantOf(p.a, p.gamma, xp);
        keepPrices(p, xp, coin, told, d);
        uint256 before = virtual_price;
        (uint256 profit, uint256 price) = (ONE, ONE);
        if (before > 0) {
            price = ONE * evenWorth(d, price_scale) / totalSupply;
            profit = xcp_profit * price / before;
            demand(price >= before || future_A_gamma_time != 0, "Loss");
            if (future_A_gamma_time == 1) future_A_gamma_time = 0;
        }
        xcp_profit = profit;
        if (!not_adjusted && price * 2 - ONE > profit + 2 * allowed_extra_profit) not_adjusted = true;
        if (not_adjusted && before > 0 && step(p, xp, profit)) return;
        (D, virtual_price) = (d, price);
    }

    /// Whether the pool's own prices moved towards the averages.
    function step(CryptoRamps.Parameters memory p, uint256[3] memory xp, uint256 profit) private returns (bool) {
        uint256[2] memory scale = price_scale;
        uint256[2] memory next;
        {
            uint256 norm;
            for (uint256 k = 0; k < 2; k++) norm += CryptoNewton.apart(price_oracle[k] * ONE / scale[k], ONE) ** 2;
            uint256 pace = adjustment_step;
            if (norm <= pace ** 2) return false;
            norm = CryptoMaths.squareRoot(norm / ONE);
            for (uint256 k = 0; k < 2; k++) next[k] = (scale[k] * (norm - pace) + pace * price_oracle[k]) / norm;
        }
        uint256 d = CryptoMaths.invariantOf(p.a, p.gamma, [xp[0], xp[1] * next[0] / scale[0], xp[2] * next[1] / scale[1]]);
        uint256 price = ONE * evenWorth(d, next) / totalSupply;
        if (price <= ONE || 2 * price - ONE <= profit) {
            not_adjusted = false;
            return false;
        }
        demandPackable(next);
        (price_scale, D, virtual_price) = (next, d, price);
        return true;
    }
}
