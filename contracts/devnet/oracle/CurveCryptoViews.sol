// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {CryptoMaths} from "../curve/CryptoMaths.sol";

interface IViewedPool {
    function A() external view returns (uint256);
    function gamma() external view returns (uint256);
    function D() external view returns (uint256);
    function balances(uint256 i) external view returns (uint256);
    function price_scale(uint256 k) external view returns (uint256);
    function fee_calc(uint256[3] memory xp) external view returns (uint256);
}

/// Stands where the recorded pool of USDT, WBTC and WETH asks for its view of a price: the recorded block has the pool and not that contract. Of the invariant of the last change, as there.
contract CurveCryptoViews {
    uint256 private constant ONE = 10 ** 18;

    function get_dy(uint256 i, uint256 j, uint256 dx) external view returns (uint256 dy) {
        IViewedPool pool = IViewedPool(msg.sender);
        require(i != j && i < 3 && j < 3 && dx > 0, "nothing to exchange");
        uint256[3] memory precisions = [uint256(10 ** 12), 10 ** 10, 1];
        uint256[3] memory xp;
        for (uint256 k = 0; k < 3; k++) {
            xp[k] = (pool.balances(k) + (k == i ? dx : 0)) * precisions[k];
            if (k > 0) xp[k] = xp[k] * pool.price_scale(k - 1) / ONE;
        }
        uint256 y = CryptoMaths.balanceFor(pool.A(), pool.gamma(), xp, pool.D(), j);
        dy = xp[j] - y - 1;
        xp[j] = y;
        if (j > 0) dy = dy * ONE / pool.price_scale(j - 1);
        dy /= precisions[j];
        dy -= pool.fee_calc(xp) * dy / 10 ** 10;
    }
}
