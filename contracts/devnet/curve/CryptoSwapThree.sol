// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {CryptoMaths} from "./CryptoMaths.sol";
import {CryptoNewton} from "./CryptoNewton.sol";
import {CryptoPrices} from "./CryptoPrices.sol";
import {CryptoRamps} from "./CryptoRamps.sol";
import {ICoin} from "./StableSwapPool.sol";

/// A crypto pool of three coins as the first on public chains, written after its published mathematics: functions and events have the names that they have there, so that whoever follows those follows this.
/// Unlike them it is its own share, and its owner's changes take effect at once.
contract CryptoSwapThree is CryptoPrices {
    uint256 private constant NOISE_FEE = 10 ** 5;
    uint256 private constant MIN_RAMP_TIME = 1 days;
    /// Smaller amounts tell no price.
    uint256 private constant LEAST_TELLING = 10 ** 5;

    address[3] public coins;
    uint256[3] private precisions;
    address public immutable owner;
    bool public is_killed;
    mapping(address => uint256) public balanceOf;

    event TokenExchange(address indexed buyer, uint256 sold_id, uint256 tokens_sold, uint256 bought_id, uint256 tokens_bought);
    event AddLiquidity(address indexed provider, uint256[3] token_amounts, uint256 fee, uint256 token_supply);
    event RemoveLiquidity(address indexed provider, uint256[3] token_amounts, uint256 token_supply);
    event RemoveLiquidityOne(address indexed provider, uint256 token_amount, uint256 coin_index, uint256 coin_amount);
    event NewParameters(
        uint256 admin_fee, uint256 mid_fee, uint256 out_fee, uint256 fee_gamma, uint256 allowed_extra_profit, uint256 adjustment_step, uint256 ma_half_time
    );
    event RampAgamma(uint256 initial_A, uint256 future_A, uint256 initial_gamma, uint256 future_gamma, uint256 initial_time, uint256 future_time);
    event StopRampA(uint256 current_A, uint256 current_gamma, uint256 time);
    event ClaimAdminFee(address indexed admin, uint256 tokens);
    event Transfer(address indexed sender, address indexed receiver, uint256 value);

    /// `fees`: mid, out, admin.
    constructor(address[3] memory coins_, uint256[3] memory precisions_, uint256 a, uint256 gamma_, uint256[3] memory fees, uint256[2] memory prices) {
        (coins, precisions, owner) = (coins_, precisions_, msg.sender);
        initial_A_gamma = CryptoRamps.packed(a, gamma_);
        future_A_gamma = initial_A_gamma;
        (mid_fee, out_fee, admin_fee) = (fees[0], fees[1], fees[2]);
        (allowed_extra_profit, fee_gamma, adjustment_step, ma_half_time) = (2 * 10 ** 12, 5 * 10 ** 14, 49 * 10 ** 13, 600);
        (price_scale, price_oracle, last_prices, last_prices_timestamp) = (prices, prices, prices, block.timestamp);
        xcp_profit_a = ONE;
    }

    modifier onlyOwner() {
        demand(msg.sender == owner, "owner only");
        _;
    }

    function token() external view returns (address) {
        return address(this);
    }

    function A() external view returns (uint256) {
        return parameters().a;
    }

    function gamma() external view returns (uint256) {
        return parameters().gamma;
    }

    function fee() external view returns (uint256) {
        return feeAt(upscaled(balances));
    }

    function get_virtual_price() external view returns (uint256) {
        return ONE * evenWorth(D, price_scale) / totalSupply;
    }

    /// By the invariant of the last change, also while the parameters move.
    function get_dy(uint256 i, uint256 j, uint256 dx) external view returns (uint256 dy) {
        demand(i != j && i < 3 && j < 3 && dx > 0, "nothing to exchange");
        (dy,) = priced(parameters(), D, i, j, dx);
    }

    function upscaled(uint256[3] memory held) private view returns (uint256[3] memory xp) {
        for (uint256 k = 0; k < 3; k++) xp[k] = worthOf(k, held[k]);
    }

    function worthOf(uint256 coin, uint256 balance) private view returns (uint256) {
        uint256 worth = balance * precisions[coin];
        return coin == 0 ? worth : worth * price_scale[coin - 1] / ONE;
    }

    /// What an exchange gives, and the balances that it leaves, brought to one worth, before the fee comes back to them.
    function priced(CryptoRamps.Parameters memory p, uint256 d, uint256 i, uint256 j, uint256 dx) private view returns (uint256 dy, uint256[3] memory xp) {
        xp = upscaled(balances);
        xp[i] = worthOf(i, balances[i] + dx);
        uint256 y = CryptoMaths.balanceFor(p.a, p.gamma, xp, d, j);
        dy = xp[j] - y - 1;
        xp[j] = y;
        if (j > 0) dy = dy * ONE / price_scale[j - 1];
        dy /= precisions[j];
        dy -= feeAt(xp) * dy / FEE_DENOMINATOR;
    }

    function exchange(uint256 i, uint256 j, uint256 dx, uint256 min_dy) external {
        demand(!is_killed && i != j && i < 3 && j < 3 && dx > 0, "nothing to exchange");
        CryptoRamps.Parameters memory p = parameters();
        if (future_A_gamma_time > 0) {
            D = CryptoMaths.invariantOf(p.a, p.gamma, upscaled(balances));
            if (block.timestamp >= future_A_gamma_time) future_A_gamma_time = 1;
        }
        (uint256 dy, uint256[3] memory xp) = priced(p, D, i, j, dx);
        demand(dy >= min_dy, "Slippage");
        balances[i] += dx;
        balances[j] -= dy;
        pull(coins[i], dx);
        pay(coins[j], msg.sender, dy);
        xp[j] = worthOf(j, balances[j]);
        (uint256 coin, uint256 told) = priceTold(i, j, dx, dy);
        tweak(p, xp, coin, told, 0);
        emit TokenExchange(msg.sender, i, dx, j, dy);
    }

    function priceTold(uint256 i, uint256 j, uint256 dx, uint256 dy) private view returns (uint256 coin, uint256 price) {
        if (dx <= LEAST_TELLING || dy <= LEAST_TELLING) return (j, 0);
        (uint256 sold, uint256 bought) = (dx * precisions[i], dy * precisions[j]);
        if (j == 0) return (i, bought * ONE / sold);
        return (j, i == 0 ? sold * ONE / bought : last_prices[i - 1] * sold / bought);
    }

    function add_liquidity(uint256[3] calldata amounts, uint256 min_mint_amount) external {
        demand(!is_killed && amounts[0] + amounts[1] + amounts[2] > 0, "nothing to add");
        CryptoRamps.Parameters memory p = parameters();
        uint256[3] memory old = upscaled(balances);
        for (uint256 k = 0; k < 3; k++) {
            balances[k] += amounts[k];
            if (amounts[k] > 0) pull(coins[k], amounts[k]);
        }
        uint256[3] memory xp = upscaled(balances);
        uint256 before = D;
        if (future_A_gamma_time > 0) {
            before = CryptoMaths.invariantOf(p.a, p.gamma, old);
            if (block.timestamp >= future_A_gamma_time) future_A_gamma_time = 1;
        }
        uint256 d = CryptoMaths.invariantOf(p.a, p.gamma, xp);
        uint256 minted;
        uint256 charged;
        if (before == 0) {
            minted = evenWorth(d, price_scale);
            (D, virtual_price, xcp_profit) = (d, ONE, ONE);
            mint(msg.sender, minted);
        } else {
            minted = totalSupply * d / before - totalSupply;
            charged = depositFee([xp[0] - old[0], xp[1] - old[1], xp[2] - old[2]], xp) * minted / FEE_DENOMINATOR + 1;
            minted -= charged;
            mint(msg.sender, minted);
            (uint256 coin, uint256 told) = depositPrice(amounts, minted);
            tweak(p, xp, coin, told, d);
        }
        demand(minted > 0 && minted >= min_mint_amount, "Slippage");
        emit AddLiquidity(msg.sender, amounts, charged, totalSupply);
    }

    /// A share with ten decimals: the more uneven the deposit, the more.
    function depositFee(uint256[3] memory added, uint256[3] memory xp) private view returns (uint256) {
        uint256 sum = added[0] + added[1] + added[2];
        uint256 off;
        for (uint256 k = 0; k < 3; k++) off += CryptoNewton.apart(added[k], sum / 3);
        return feeAt(xp) * 3 / 8 * off / sum + NOISE_FEE;
    }

    /// What a deposit of one coin tells of its price; nothing where it is of several.
    function depositPrice(uint256[3] calldata amounts, uint256 minted) private view returns (uint256 coin, uint256 price) {
        uint256 count;
        for (uint256 k = 0; k < 3; k++) {
            if (amounts[k] > 0) (coin, count) = (k, count + 1);
        }
        if (count != 1 || minted <= LEAST_TELLING) return (coin, 0);
        uint256 worth = othersWorth(coin) * minted / totalSupply;
        uint256 scaled = balances[coin] * precisions[coin];
        return (coin, worth * ONE / (amounts[coin] * precisions[coin] - minted * scaled / totalSupply));
    }

    /// Of the balances beside one, at the last prices.
    function othersWorth(uint256 coin) private view returns (uint256 worth) {
        for (uint256 k = 0; k < 3; k++) {
            if (k == coin) continue;
            uint256 scaled = balances[k] * precisions[k];
            worth += k == 0 ? scaled : scaled * last_prices[k - 1] / ONE;
        }
    }

    function remove_liquidity(uint256 amount, uint256[3] calldata min_amounts) external {
        uint256 supply = totalSupply;
        burn(msg.sender, amount);
        uint256[3] memory amounts;
        for (uint256 k = 0; k < 3; k++) {
            amounts[k] = balances[k] * (amount - 1) / supply;
            demand(amounts[k] >= min_amounts[k], "Slippage");
            balances[k] -= amounts[k];
            pay(coins[k], msg.sender, amounts[k]);
        }
        D -= D * (amount - 1) / supply;
        emit RemoveLiquidity(msg.sender, amounts, supply - amount);
    }

    function remove_liquidity_one_coin(uint256 amount, uint256 i, uint256 min_amount) external {
        demand(!is_killed && amount <= totalSupply && i < 3, "nothing to remove");
        CryptoRamps.Parameters memory p = parameters();
        uint256[3] memory xp = upscaled(balances);
        uint256 before = future_A_gamma_time > 0 ? CryptoMaths.invariantOf(p.a, p.gamma, xp) : D;
        uint256 taken = amount * before / totalSupply;
        uint256 d = before - (taken - (feeAt(xp) * taken / (2 * FEE_DENOMINATOR) + 1));
        uint256 y = CryptoMaths.balanceFor(p.a, p.gamma, xp, d, i);
        uint256 dy = (xp[i] - y) * ONE / (precisions[i] * (i == 0 ? ONE : price_scale[i - 1]));
        xp[i] = y;
        uint256 told;
        if (dy > LEAST_TELLING && amount > LEAST_TELLING) {
            uint256 scaled = taken * (balances[i] * precisions[i]) / before;
            told = othersWorth(i) * taken / before * ONE / (dy * precisions[i] - scaled);
        }
        demand(dy >= min_amount, "Slippage");
        if (block.timestamp >= future_A_gamma_time) future_A_gamma_time = 1;
        balances[i] -= dy;
        burn(msg.sender, amount);
        tweak(p, xp, i, told, d);
        pay(coins[i], msg.sender, dy);
        emit RemoveLiquidityOne(msg.sender, amount, i, dy);
    }

    /// Takes what the pool has of its coins for its balances too.
    function claim_admin_fees() public {
        CryptoRamps.Parameters memory p = parameters();
        for (uint256 k = 0; k < 3; k++) balances[k] = ICoin(coins[k]).balanceOf(address(this));
        uint256 profit = xcp_profit;
        bool grown = profit > xcp_profit_a;
        uint256 fees = grown ? (profit - xcp_profit_a) * admin_fee / (2 * FEE_DENOMINATOR) : 0;
        if (fees > 0) {
            uint256 claimed = totalSupply * (virtual_price * ONE / (virtual_price - fees) - ONE) / ONE;
            mint(owner, claimed);
            profit -= fees * 2;
            xcp_profit = profit;
            emit ClaimAdminFee(owner, claimed);
        }
        D = CryptoMaths.invariantOf(p.a, p.gamma, upscaled(balances));
        virtual_price = ONE * evenWorth(D, price_scale) / totalSupply;
        if (grown) xcp_profit_a = profit;
    }

    function ramp_A_gamma(uint256 future_A, uint256 future_gamma, uint256 future_time) external onlyOwner {
        demand(block.timestamp >= initial_A_gamma_time + MIN_RAMP_TIME && future_time >= block.timestamp + MIN_RAMP_TIME, "a ramp takes a day at least");
        CryptoRamps.Parameters memory now_ = parameters();
        demand(future_A <= now_.a * 10 && future_A * 10 >= now_.a && future_gamma <= now_.gamma * 10 && future_gamma * 10 >= now_.gamma, "too far");
        (initial_A_gamma, future_A_gamma) = (CryptoRamps.packed(now_.a, now_.gamma), CryptoRamps.packed(future_A, future_gamma));
        (initial_A_gamma_time, future_A_gamma_time) = (block.timestamp, future_time);
        emit RampAgamma(now_.a, future_A, now_.gamma, future_gamma, block.timestamp, future_time);
    }

    function stop_ramp_A_gamma() external onlyOwner {
        CryptoRamps.Parameters memory now_ = parameters();
        initial_A_gamma = CryptoRamps.packed(now_.a, now_.gamma);
        (future_A_gamma, initial_A_gamma_time, future_A_gamma_time) = (initial_A_gamma, block.timestamp, block.timestamp);
        emit StopRampA(now_.a, now_.gamma, block.timestamp);
    }

    /// Mid, out, admin, the gamma of fees, extra profit, step, half time.
    function apply_new_parameters(uint256[7] calldata next) external onlyOwner {
        demand(next[0] <= next[1] && next[1] <= FEE_DENOMINATOR && next[2] <= FEE_DENOMINATOR && next[6] > 0, "out of range");
        if (admin_fee != next[2]) claim_admin_fees();
        (mid_fee, out_fee, admin_fee, fee_gamma) = (next[0], next[1], next[2], next[3]);
        (allowed_extra_profit, adjustment_step, ma_half_time) = (next[4], next[5], next[6]);
        emit NewParameters(next[2], next[0], next[1], next[3], next[4], next[5], next[6]);
    }

    /// No log tells.
    function kill_me() external onlyOwner {
        is_killed = true;
    }

    function unkill_me() external onlyOwner {
        is_killed = false;
    }

    function mint(address account, uint256 value) private {
        totalSupply += value;
        balanceOf[account] += value;
        emit Transfer(address(0), account, value);
    }

    function burn(address account, uint256 value) private {
        totalSupply -= value;
        balanceOf[account] -= value;
        emit Transfer(account, address(0), value);
    }
}
