// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {PoolCoins} from "./PoolCoins.sol";
import {StableSwapMaths} from "./StableSwapMaths.sol";

interface ICoin {
    function balanceOf(address account) external view returns (uint256);
}

/// What the pools of Curve have in common, written after their published mathematics: coins, balances, exchanges, liquidity, the amplification's way. Names of
/// functions and events are those of the contracts on public chains, so that whoever follows those follows these.
abstract contract StableSwapPool is PoolCoins {
    uint256 internal constant FEE_DENOMINATOR = 10 ** 10;
    uint256 internal constant PRECISION = 10 ** 18;
    uint256 private constant MAX_A = 10 ** 6;
    uint256 private constant MAX_A_CHANGE = 10;
    uint256 private constant MIN_RAMP_TIME = 1 days;

    address[] public coins;
    uint256 public fee;
    uint256 public initial_A;
    uint256 public future_A;
    uint256 public initial_A_time;
    uint256 public future_A_time;

    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;

    /// What belongs to those who provide liquidity: without the admin's share of fees.
    uint256[] internal held;
    /// Of each coin 10^(36 − its decimals).
    uint256[] internal multipliers;

    event TokenExchange(address indexed buyer, int128 sold_id, uint256 tokens_sold, int128 bought_id, uint256 tokens_bought);
    event RampA(uint256 old_A, uint256 new_A, uint256 initial_time, uint256 future_time);
    event StopRampA(uint256 A, uint256 t);
    event Transfer(address indexed sender, address indexed receiver, uint256 value);


    constructor(address[] memory coins_, uint256[] memory multipliers_, uint256 amplification, uint256 fee_) {
        (coins, multipliers) = (coins_, multipliers_);
        held = new uint256[](coins_.length);
        (initial_A, future_A, fee) = (amplification * unitsPerA(), amplification * unitsPerA(), fee_);
    }

    modifier onlyAdmin() {
        demand(msg.sender == admin(), "admin only");
        _;
    }

    /// What the pool keeps an amplification of 1 as.
    function unitsPerA() internal pure virtual returns (uint256);

    function admin() public view virtual returns (address);

    /// Share of fees that is the admin's, with ten decimals.
    function admin_fee() public view virtual returns (uint256);

    /// What brings each coin to 18 decimals and a common worth, with 18 decimals.
    function rates() internal view virtual returns (uint256[] memory) {
        return multipliers;
    }

    /// Whether the invariant divides by n^n once for all balances.
    function dividesOnce() internal pure virtual returns (bool);

    /// The fee of a swap that leaves the two coins at these balances on the average.
    function feeAt(uint256 xpi, uint256 xpj, uint256 base) internal view virtual returns (uint256);

    /// What the pool does with the admin's share of a coin.
    function credit(uint256 coin, uint256 share) internal virtual;

    function beforeTrade() internal view virtual {}

    function A() external view returns (uint256) {
        return currentA() / unitsPerA();
    }

    function balances(uint256 i) external view returns (uint256) {
        return held[i];
    }

    function get_virtual_price() external view returns (uint256) {
        return invariant(held) * PRECISION / totalSupply;
    }

    function get_dy(int128 i, int128 j, uint256 dx) external view returns (uint256 dy) {
        (dy,) = priced(uint256(int256(i)), uint256(int256(j)), dx);
    }

    /// In the pool's own units.
    function currentA() internal view returns (uint256) {
        (uint256 from, uint256 to, uint256 starts, uint256 ends) = (initial_A, future_A, initial_A_time, future_A_time);
        if (block.timestamp >= ends) return to;
        uint256 passed = block.timestamp - starts;
        return to > from ? from + (to - from) * passed / (ends - starts) : from - (from - to) * passed / (ends - starts);
    }

    function amplification() internal view returns (uint256) {
        return currentA() * StableSwapMaths.A_PRECISION / unitsPerA();
    }

    function upscaled(uint256[] memory balances_) internal view returns (uint256[] memory xp) {
        xp = rates();
        for (uint256 k = 0; k < xp.length; k++) xp[k] = xp[k] * balances_[k] / PRECISION;
    }

    function invariant(uint256[] memory balances_) internal view returns (uint256) {
        return StableSwapMaths.invariantOf(upscaled(balances_), amplification(), dividesOnce());
    }

    /// What an exchange gives, and what the admin gets of its fee.
    function priced(uint256 i, uint256 j, uint256 dx) private view returns (uint256 dy, uint256 share) {
        uint256[] memory xp = upscaled(held);
        uint256[] memory rate = rates();
        uint256 amp = amplification();
        uint256 x = xp[i] + dx * rate[i] / PRECISION;
        uint256 y = StableSwapMaths.balanceAfter(i, j, x, xp, amp, StableSwapMaths.invariantOf(xp, amp, dividesOnce()));
        dy = xp[j] - y - 1;
        uint256 dyFee = dy * feeAt((xp[i] + x) / 2, (xp[j] + y) / 2, fee) / FEE_DENOMINATOR;
        dy = (dy - dyFee) * PRECISION / rate[j];
        share = dyFee * admin_fee() / FEE_DENOMINATOR * PRECISION / rate[j];
    }

    function trade(int128 i, int128 j, uint256 dx, uint256 min_dy, address receiver) internal returns (uint256 dy) {
        beforeTrade();
        demand(i != j && dx > 0, "nothing to exchange");
        (uint256 from, uint256 to) = (uint256(int256(i)), uint256(int256(j)));
        uint256 share;
        (dy, share) = priced(from, to, dx);
        demand(dy >= min_dy, "less than was asked for");
        held[from] += dx;
        held[to] -= dy + share;
        credit(to, share);
        pull(coins[from], dx);
        pay(coins[to], receiver, dy);
        emit TokenExchange(msg.sender, i, dx, j, dy);
    }

    /// The fees of a change of balances that is none of all coins alike, and the balances without them. The admin is credited.
    function chargeImbalance(uint256[] memory old, uint256[] memory next, uint256 d0, uint256 d1) internal returns (uint256[] memory fees) {
        uint256 n = old.length;
        fees = new uint256[](n);
        uint256 base = fee * n / (4 * (n - 1));
        uint256[] memory rate = rates();
        for (uint256 k = 0; k < n; k++) {
            uint256 ideal = d1 * old[k] / d0;
            uint256 xs = rate[k] * (old[k] + next[k]) / PRECISION;
            fees[k] = feeAt(xs, (d0 + d1) / n, base) * (ideal > next[k] ? ideal - next[k] : next[k] - ideal) / FEE_DENOMINATOR;
            uint256 share = fees[k] * admin_fee() / FEE_DENOMINATOR;
            credit(k, share);
            held[k] = next[k] - share;
            next[k] -= fees[k];
        }
    }

    function add(uint256[] memory amounts, uint256 least) internal returns (uint256[] memory fees, uint256 d1, uint256 minted) {
        beforeTrade();
        uint256[] memory old = held;
        uint256[] memory next = held;
        uint256 d0 = totalSupply == 0 ? 0 : invariant(old);
        for (uint256 k = 0; k < amounts.length; k++) {
            demand(totalSupply > 0 || amounts[k] > 0, "the first deposit is of all coins");
            next[k] += amounts[k];
            if (amounts[k] > 0) pull(coins[k], amounts[k]);
        }
        d1 = invariant(next);
        demand(d1 > d0, "nothing was added");
        fees = new uint256[](amounts.length);
        if (totalSupply == 0) {
            (held, minted) = (next, d1);
        } else {
            fees = chargeImbalance(old, next, d0, d1);
            minted = totalSupply * (invariant(next) - d0) / d0;
        }
        demand(minted >= least, "less than was asked for");
        mint(msg.sender, minted);
    }

    function remove(uint256 burned, uint256[] memory least) internal returns (uint256[] memory amounts) {
        amounts = new uint256[](held.length);
        for (uint256 k = 0; k < amounts.length; k++) {
            amounts[k] = held[k] * burned / totalSupply;
            demand(amounts[k] >= least[k], "less than was asked for");
            held[k] -= amounts[k];
            pay(coins[k], msg.sender, amounts[k]);
        }
        burn(msg.sender, burned);
    }

    function removeImbalance(uint256[] memory amounts, uint256 most) internal returns (uint256[] memory fees, uint256 d1) {
        beforeTrade();
        uint256[] memory old = held;
        uint256[] memory next = held;
        uint256 d0 = invariant(old);
        for (uint256 k = 0; k < amounts.length; k++) next[k] -= amounts[k];
        d1 = invariant(next);
        fees = chargeImbalance(old, next, d0, d1);
        uint256 burned = (d0 - invariant(next)) * totalSupply / d0 + 1;
        demand(burned > 1 && burned <= most, "more than was allowed");
        burn(msg.sender, burned);
        for (uint256 k = 0; k < amounts.length; k++) if (amounts[k] > 0) pay(coins[k], msg.sender, amounts[k]);
    }

    function removeOne(uint256 burned, uint256 i, uint256 least) internal returns (uint256 dy) {
        beforeTrade();
        (uint256 whole, uint256 paid) = priceOfOne(burned, i);
        uint256 rate = rates()[i];
        dy = paid * PRECISION / rate;
        uint256 share = (whole * PRECISION / rate - dy) * admin_fee() / FEE_DENOMINATOR;
        demand(dy >= least, "less than was asked for");
        held[i] -= dy + share;
        credit(i, share);
        burn(msg.sender, burned);
        pay(coins[i], msg.sender, dy);
    }

    /// What a share of the pool is of one coin, without fees and with them, brought to 18 decimals.
    function priceOfOne(uint256 burned, uint256 i) private view returns (uint256 whole, uint256 paid) {
        uint256[] memory xp = upscaled(held);
        uint256 amp = amplification();
        uint256 d0 = StableSwapMaths.invariantOf(xp, amp, dividesOnce());
        uint256 d1 = d0 - burned * d0 / totalSupply;
        uint256 y = StableSwapMaths.balanceFor(i, xp, amp, d1);
        uint256[] memory reduced = charged(xp, i, y, d0, d1);
        whole = xp[i] - y;
        paid = reduced[i] - StableSwapMaths.balanceFor(i, reduced, amp, d1) - 1;
    }

    /// Balances less the fees of taking one coin, which leaves y of it.
    function charged(uint256[] memory xp, uint256 i, uint256 y, uint256 d0, uint256 d1) private view returns (uint256[] memory reduced) {
        uint256 n = xp.length;
        reduced = new uint256[](n);
        uint256 base = fee * n / (4 * (n - 1));
        for (uint256 k = 0; k < n; k++) {
            uint256 expected = k == i ? xp[k] * d1 / d0 - y : xp[k] - xp[k] * d1 / d0;
            uint256 rate = feeAt(k == i ? (xp[k] + y) / 2 : xp[k], (d0 + d1) / (2 * n), base);
            reduced[k] = xp[k] - rate * expected / FEE_DENOMINATOR;
        }
    }

    function ramp_A(uint256 future, uint256 time) external onlyAdmin {
        demand(block.timestamp >= initial_A_time + MIN_RAMP_TIME && time >= block.timestamp + MIN_RAMP_TIME, "a ramp takes a day at least");
        uint256 now_ = currentA();
        uint256 to = future * unitsPerA();
        demand(future > 0 && future < MAX_A && to <= now_ * MAX_A_CHANGE && to * MAX_A_CHANGE >= now_, "amplification too far");
        (initial_A, future_A, initial_A_time, future_A_time) = (now_, to, block.timestamp, time);
        emit RampA(now_, to, block.timestamp, time);
    }

    function stop_ramp_A() external onlyAdmin {
        uint256 now_ = currentA();
        (initial_A, future_A, initial_A_time, future_A_time) = (now_, now_, block.timestamp, block.timestamp);
        emit StopRampA(now_, block.timestamp);
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
