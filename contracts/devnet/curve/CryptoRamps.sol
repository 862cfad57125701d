// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// How amplification and gamma of a crypto pool move: both lie in one word, the amplification in its high half.
library CryptoRamps {
    struct Parameters {
        uint256 a;
        uint256 gamma;
    }

    function at(uint256 time, uint256 from, uint256 to, uint256 startsAt, uint256 endsAt) internal pure returns (Parameters memory now_) {
        now_ = unpacked(to);
        if (time >= endsAt) return now_;
        Parameters memory first = unpacked(from);
        (uint256 whole, uint256 passed) = (endsAt - startsAt, time - startsAt);
        now_.a = (first.a * (whole - passed) + now_.a * passed) / whole;
        now_.gamma = (first.gamma * (whole - passed) + now_.gamma * passed) / whole;
    }

    function packed(uint256 a, uint256 gamma) internal pure returns (uint256) {
        return (a << 128) | gamma;
    }

    function unpacked(uint256 word) private pure returns (Parameters memory) {
        return Parameters(word >> 128, uint128(word));
    }
}
