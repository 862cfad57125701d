// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {CryptoMathsTwo} from "./CryptoMathsTwo.sol";
import {CryptoNewton} from "./CryptoNewton.sol";
import {CryptoPricesTwo, ICryptoFactory} from "./CryptoPricesTwo.sol";
import {CryptoRamps} from "./CryptoRamps.sol";
import {CryptoShare} from "./CryptoShare.sol";

interface IWrappedNative {
    function deposit() external payable;
    function withdraw(uint256 amount) external;
}

/// A crypto pool of two coins as the first factory makes them, written after its published mathematics: functions and events have the names that they have there, so that whoever follows those follows this.
/// Unlike them it neither takes nor gives the native token itself (`use_eth`).
contract CryptoSwapTwo is CryptoPricesTwo {
    uint256 private constant NOISE_FEE = 10 ** 5;
    uint256 private constant MIN_FEE = 5 * 10 ** 5;
    uint256 private constant MIN_RAMP_TIME = 1 days;
    uint256 private constant ADMIN_ACTIONS_DELAY = 3 days;
    /// Smaller amounts tell no price.
    uint256 private constant LEAST_TELLING = 10 ** 5;

    event TokenExchange(address indexed buyer, uint256 sold_id, uint256 tokens_sold, uint256 bought_id, uint256 tokens_bought);
    event AddLiquidity(address indexed provider, uint256[2] token_amounts, uint256 fee, uint256 token_supply);
    event RemoveLiquidity(address indexed provider, uint256[2] token_amounts, uint256 token_supply);
    event RemoveLiquidityOne(address indexed provider, uint256 token_amount, uint256 coin_index, uint256 coin_amount);
    event NewParameters(
        uint256 admin_fee, uint256 mid_fee, uint256 out_fee, uint256 fee_gamma, uint256 allowed_extra_profit, uint256 adjustment_step, uint256 ma_half_time
    );
    event RampAgamma(uint256 initial_A, uint256 future_A, uint256 initial_gamma, uint256 future_gamma, uint256 initial_time, uint256 future_time);
    event StopRampA(uint256 current_A, uint256 current_gamma, uint256 time);

    /// The one that others are clones of is nobody's.
    constructor(address wrappedNative_) CryptoPricesTwo(wrappedNative_) {
        mid_fee = 1;
    }

    /// What unwrapping gives.
    receive() external payable {}

    /// `numbers`: A, gamma, mid fee, out fee, extra profit, gamma of fees, step, admin fee, half time, price.
    function initialize(uint256[10] calldata numbers, CryptoShare share, address[2] calldata coins_, uint256 missing) external {
        demand(mid_fee == 0, "made already");
        factory = ICryptoFactory(msg.sender);
        initial_A_gamma = CryptoRamps.packed(numbers[0], numbers[1]);
        future_A_gamma = initial_A_gamma;
        (mid_fee, out_fee, allowed_extra_profit, fee_gamma) = (numbers[2], numbers[3], numbers[4], numbers[5]);
        (adjustment_step, admin_fee, ma_half_time) = (numbers[6], numbers[7], numbers[8]);
        (price_scale, storedAverage, last_prices, last_prices_timestamp) = (numbers[9], numbers[9], numbers[9], block.timestamp);
        (xcp_profit_a, token, coins, missingDecimals) = (ONE, share, coins_, missing);
    }

    modifier onlyAdmin() {
        demand(msg.sender == factory.admin(), "admin only");
        _;
    }

    function A() external view returns (uint256) {
        return parameters().a;
    }

    function gamma() external view returns (uint256) {
        return parameters().gamma;
    }

    function fee() external view returns (uint256) {
        return feeAt(upscaled());
    }

    function get_virtual_price() external view returns (uint256) {
        return ONE * evenWorth(D, price_scale) / token.totalSupply();
    }

    function get_dy(uint256 i, uint256 j, uint256 dx) external view returns (uint256 dy) {
        demand(i != j && i < 2 && j < 2, "no such coins");
        CryptoRamps.Parameters memory p = parameters();
        uint256 d = future_A_gamma_time > 0 ? invariantOf(p, upscaled()) : D;
        (dy,) = priced(p, d, i, j, dx);
    }

    /// What an exchange gives, and the balances that it leaves, brought to one worth, before the fee comes back to them.
    function priced(CryptoRamps.Parameters memory p, uint256 d, uint256 i, uint256 j, uint256 dx) private view returns (uint256 dy, uint256[2] memory xp) {
        xp[j] = worthOf(j, balances[j]);
        xp[i] = worthOf(i, balances[i] + dx);
        uint256 y = CryptoMathsTwo.balanceFor(p.a, p.gamma, xp, d, j);
        dy = xp[j] - y - 1;
        xp[j] = y;
        if (j > 0) dy = dy * ONE / price_scale;
        dy /= precisionOf(j);
        dy -= feeAt(xp) * dy / FEE_DENOMINATOR;
    }

    function exchange(uint256 i, uint256 j, uint256 dx, uint256 min_dy) external payable returns (uint256) {
        return exchange(i, j, dx, min_dy, false, msg.sender);
    }

    function exchange(uint256 i, uint256 j, uint256 dx, uint256 min_dy, bool use_eth) external payable returns (uint256) {
        return exchange(i, j, dx, min_dy, use_eth, msg.sender);
    }

    function exchange(uint256 i, uint256 j, uint256 dx, uint256 min_dy, bool use_eth, address receiver) public payable locked returns (uint256 dy) {
        demand(!use_eth && msg.value == 0, "wrapped alone");
        demand(i != j && i < 2 && j < 2 && dx > 0, "nothing to exchange");
        CryptoRamps.Parameters memory p = parameters();
        enterRamp(p);
        uint256[2] memory xp;
        (dy, xp) = priced(p, D, i, j, dx);
        demand(dy >= min_dy, "Slippage");
        balances[i] += dx;
        balances[j] -= dy;
        take(i, dx);
        give(j, receiver, dy);
        xp[j] = worthOf(j, balances[j]);
        tweak(p, xp, priceTold(i, j, dx, dy), 0);
        emit TokenExchange(msg.sender, i, dx, j, dy);
    }

    /// While parameters move the invariant is that of now; where they have arrived, the next change says so.
    function enterRamp(CryptoRamps.Parameters memory p) private {
        if (future_A_gamma_time == 0) return;
        D = invariantOf(p, upscaled());
        if (block.timestamp >= future_A_gamma_time) future_A_gamma_time = 1;
    }

    function priceTold(uint256 i, uint256 j, uint256 dx, uint256 dy) private view returns (uint256) {
        if (dx <= LEAST_TELLING || dy <= LEAST_TELLING) return 0;
        (uint256 sold, uint256 bought) = (dx * precisionOf(i), dy * precisionOf(j));
        return i == 0 ? sold * ONE / bought : bought * ONE / sold;
    }

    function take(uint256 coin, uint256 amount) private {
        if (amount == 0) return;
        pull(coins[coin], amount);
        if (coins[coin] == wrappedNative) IWrappedNative(wrappedNative).withdraw(amount);
    }

    function give(uint256 coin, address receiver, uint256 amount) private {
        if (coins[coin] == wrappedNative) IWrappedNative(wrappedNative).deposit{value: amount}();
        pay(coins[coin], receiver, amount);
    }

    function add_liquidity(uint256[2] calldata amounts, uint256 min_mint_amount) external payable locked returns (uint256 minted) {
        demand(msg.value == 0 && amounts[0] + amounts[1] > 0, "nothing to add");
        CryptoRamps.Parameters memory p = parameters();
        uint256[2] memory old = upscaled();
        enterRamp(p);
        uint256 before = D;
        for (uint256 k = 0; k < 2; k++) {
            balances[k] += amounts[k];
            take(k, amounts[k]);
        }
        uint256[2] memory xp = upscaled();
        uint256 d = invariantOf(p, xp);
        uint256 charged;
        if (before == 0) {
            minted = evenWorth(d, price_scale);
            (D, virtual_price, xcp_profit) = (d, ONE, ONE);
            token.mint(msg.sender, minted);
        } else {
            uint256 supply = token.totalSupply();
            minted = supply * d / before - supply;
            demand(minted > 0, "nothing minted");
            charged = depositFee([xp[0] - old[0], xp[1] - old[1]], xp) * minted / FEE_DENOMINATOR + 1;
            minted -= charged;
            token.mint(msg.sender, minted);
            tweak(p, xp, depositPrice(amounts, minted, supply + minted), d);
        }
        demand(minted >= min_mint_amount, "Slippage");
        emit AddLiquidity(msg.sender, amounts, charged, token.totalSupply());
    }

    /// A share with ten decimals: the more uneven the deposit, the more.
    function depositFee(uint256[2] memory added, uint256[2] memory xp) private view returns (uint256) {
        uint256 sum = added[0] + added[1];
        uint256 off = CryptoNewton.apart(added[0], sum / 2) + CryptoNewton.apart(added[1], sum / 2);
        return feeAt(xp) / 2 * off / sum + NOISE_FEE;
    }

    /// What a deposit of one coin tells; nothing where it is of both.
    function depositPrice(uint256[2] calldata amounts, uint256 minted, uint256 supply) private view returns (uint256) {
        if (minted <= LEAST_TELLING || (amounts[0] > 0 && amounts[1] > 0)) return 0;
        uint256 coin = amounts[0] == 0 ? 1 : 0;
        uint256 worth = balances[1 - coin] * precisionOf(1 - coin) * minted / supply;
        uint256 precision = precisionOf(coin);
        return oriented(coin, worth * ONE / (amounts[coin] * precision - minted * balances[coin] * precision / supply));
    }

    /// A price of one coin in the other, as that of the second in the first.
    function oriented(uint256 coin, uint256 price) private pure returns (uint256) {
        return coin == 0 ? ONE ** 2 / price : price;
    }

    function remove_liquidity(uint256 amount, uint256[2] calldata min_amounts) external locked {
        uint256 supply = token.totalSupply();
        token.burnFrom(msg.sender, amount);
        uint256[2] memory amounts;
        for (uint256 k = 0; k < 2; k++) {
            amounts[k] = balances[k] * (amount - 1) / supply;
            demand(amounts[k] >= min_amounts[k], "Slippage");
            balances[k] -= amounts[k];
            give(k, msg.sender, amounts[k]);
        }
        D -= D * (amount - 1) / supply;
        emit RemoveLiquidity(msg.sender, amounts, supply - amount);
    }

    function remove_liquidity_one_coin(uint256 amount, uint256 i, uint256 min_amount) external locked returns (uint256 dy) {
        CryptoRamps.Parameters memory p = parameters();
        uint256[2] memory xp = upscaled();
        uint256 before = future_A_gamma_time > 0 ? invariantOf(p, xp) : D;
        uint256 taken = amount * before / token.totalSupply();
        uint256 d = before - (taken - (feeAt(xp) * taken / (2 * FEE_DENOMINATOR) + 1));
        uint256 y = CryptoMathsTwo.balanceFor(p.a, p.gamma, xp, d, i);
        dy = (xp[i] - y) * ONE / (precisionOf(i) * (i == 0 ? ONE : price_scale));
        demand(dy >= min_amount, "Slippage");
        xp[i] = y;
        uint256 told = dy > LEAST_TELLING && amount > LEAST_TELLING ? withdrawalPrice(i, dy, taken, before) : 0;
        if (block.timestamp >= future_A_gamma_time) future_A_gamma_time = 1;
        balances[i] -= dy;
        token.burnFrom(msg.sender, amount);
        give(i, msg.sender, dy);
        tweak(p, xp, told, d);
        emit RemoveLiquidityOne(msg.sender, amount, i, dy);
    }

    function withdrawalPrice(uint256 i, uint256 dy, uint256 taken, uint256 before) private view returns (uint256) {
        uint256 worth = balances[1 - i] * precisionOf(1 - i) * taken / before;
        uint256 precision = precisionOf(i);
        return oriented(i, worth * ONE / (dy * precision - taken * balances[i] * precision / before));
    }

    function claim_admin_fees() external locked {
        claim();
    }

    function ramp_A_gamma(uint256 future_A, uint256 future_gamma, uint256 future_time) external onlyAdmin {
        demand(block.timestamp >= initial_A_gamma_time + MIN_RAMP_TIME && future_time >= block.timestamp + MIN_RAMP_TIME, "a ramp takes a day at least");
        CryptoRamps.Parameters memory now_ = parameters();
        CryptoMathsTwo.demandParameters(future_A, future_gamma);
        demand(isNear(future_A, now_.a) && isNear(future_gamma, now_.gamma), "too far");
        (initial_A_gamma, future_A_gamma) = (CryptoRamps.packed(now_.a, now_.gamma), CryptoRamps.packed(future_A, future_gamma));
        (initial_A_gamma_time, future_A_gamma_time) = (block.timestamp, future_time);
        emit RampAgamma(now_.a, future_A, now_.gamma, future_gamma, block.timestamp, future_time);
    }

    /// Within ten times and a tenth.
    function isNear(uint256 next, uint256 now_) private pure returns (bool) {
        uint256 ratio = ONE * next / now_;
        return ratio <= 10 * ONE && ratio >= ONE / 10;
    }

    function stop_ramp_A_gamma() external onlyAdmin {
        CryptoRamps.Parameters memory now_ = parameters();
        initial_A_gamma = CryptoRamps.packed(now_.a, now_.gamma);
        (future_A_gamma, initial_A_gamma_time, future_A_gamma_time) = (initial_A_gamma, block.timestamp, block.timestamp);
        emit StopRampA(now_.a, now_.gamma, block.timestamp);
    }

    /// `next`: mid, out, admin, the gamma of fees, extra profit, step, half time. Three days before they can be applied.
    function commit_new_parameters(uint256[7] calldata next) external onlyAdmin {
        demand(admin_actions_deadline == 0, "committed already");
        demand(next[0] <= next[1] && next[1] >= MIN_FEE && next[1] <= FEE_DENOMINATOR && next[2] <= FEE_DENOMINATOR, "fees out of range");
        demand(next[3] > 0 && next[3] < ONE && next[4] <= ONE && next[5] <= ONE && next[6] > 0 && next[6] < 7 days, "out of range");
        admin_actions_deadline = block.timestamp + ADMIN_ACTIONS_DELAY;
        (future_mid_fee, future_out_fee, future_admin_fee, future_fee_gamma) = (next[0], next[1], next[2], next[3]);
        (future_allowed_extra_profit, future_adjustment_step, future_ma_half_time) = (next[4], next[5], next[6]);
    }

    function apply_new_parameters() external locked onlyAdmin {
        demand(admin_actions_deadline != 0 && block.timestamp >= admin_actions_deadline, "not yet");
        admin_actions_deadline = 0;
        if (admin_fee != future_admin_fee) claim();
        (mid_fee, out_fee, admin_fee, fee_gamma) = (future_mid_fee, future_out_fee, future_admin_fee, future_fee_gamma);
        (allowed_extra_profit, adjustment_step, ma_half_time) = (future_allowed_extra_profit, future_adjustment_step, future_ma_half_time);
        emit NewParameters(admin_fee, mid_fee, out_fee, fee_gamma, allowed_extra_profit, adjustment_step, ma_half_time);
    }
}
