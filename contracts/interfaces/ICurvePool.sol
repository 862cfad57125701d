// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Pools of Curve name their coins by places. Some return what they paid and some nothing; some pay whom they are told to and some their caller; those of
/// volatile coins have other numbers for places.
interface ICurvePool {
    function exchange(int128 i, int128 j, uint256 dx, uint256 minDy) external;
}

interface ICurveReceiverPool {
    function exchange(int128 i, int128 j, uint256 dx, uint256 minDy, address receiver) external;
}

interface ICurveCryptoPool {
    function exchange(uint256 i, uint256 j, uint256 dx, uint256 minDy) external;
}

interface ICurveReceiverCryptoPool {
    function exchange(uint256 i, uint256 j, uint256 dx, uint256 minDy, address receiver) external;
}
