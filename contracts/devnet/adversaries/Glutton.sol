// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// Burns so much gas, or all that it has, whenever it is paid: in native token or, as the hook of a token, in that.
contract Glutton {
    uint256 private immutable appetite;

    constructor(uint256 appetite_) {
        appetite = appetite_;
    }

    receive() external payable {
        burn();
    }

    function onTransfer(address, address to, uint256) external view {
        if (to == address(this)) burn();
    }

    function burn() private view {
        uint256 stop = gasleft() > appetite ? gasleft() - appetite : 0;
        while (gasleft() > stop) {}
    }
}
