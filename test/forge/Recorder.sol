// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Takes any call, and answers or reverts with what it was told. Told nothing, it answers with hashes of what it was called with, also where it may keep nothing.
contract Recorder {
    uint256 private constant TOUCH_GAS = 5_000;

    bytes private last;
    uint256 private value;
    bool private told;
    bool private fails;
    bytes private answer;

    function tell(bool fails_, bytes calldata answer_) external {
        (told, fails, answer) = (true, fails_, answer_);
    }

    function forget() external {
        told = false;
    }

    /// The last call: its data and its native token.
    function seen() external view returns (bytes memory, uint256) {
        return (last, value);
    }

    /// Reverts where nothing may be changed.
    function touch() external {
        assembly ("memory-safe") {
            tstore(0, 1)
        }
    }

    fallback(bytes calldata input) external payable returns (bytes memory) {
        // A change that is not allowed takes all the gas there is.
        (bool mayChange,) = address(this).call{gas: TOUCH_GAS}(abi.encodeCall(this.touch, ()));
        if (mayChange) (last, value) = (input, msg.value);
        if (!told) return abi.encode(keccak256(input), keccak256(abi.encode(keccak256(input))));
        bytes memory data = answer;
        if (!fails) return data;
        assembly ("memory-safe") {
            revert(add(data, 0x20), mload(data))
        }
    }
}
