// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {UniswapV3Leg} from "../../../contracts/legs/uniswap_v3.sol";
import {Calls} from "../../../contracts/lib/Calls.sol";
import {Cursor, Reading} from "../../../contracts/lib/Cursor.sol";
import {Hop} from "../../../contracts/lib/Hop.sol";
import {Ledger, Ledgers} from "../../../contracts/lib/Ledger.sol";
import {Offers} from "../../../contracts/lib/Offers.sol";
import {Pairs} from "../../../contracts/lib/Pairs.sol";
import {Permits} from "../../../contracts/lib/Permits.sol";
import {Terms} from "../../../contracts/lib/Terms.sol";
import {Tokens} from "../../../contracts/lib/Tokens.sol";
import {Transient} from "../../../contracts/lib/Transient.sol";
import {Unlocked} from "../../../contracts/lib/Unlocked.sol";

/// The libraries' own functions to be called from outside, on memory that is full of what was there before. Apart from the tests, which so need not be compiled anew for each change of a library.
contract ByHand {
    uint256 private constant DIRTY_BYTES = 0x800;

    modifier onDirtyMemory() {
        assembly ("memory-safe") {
            mstore(0, not(0))
            mstore(0x20, not(0))
            let start := mload(0x40)
            for { let i := 0 } lt(i, DIRTY_BYTES) { i := add(i, 0x20) } { mstore(add(start, i), not(0)) }
        }
        _;
    }

    function send(address to, uint256 value, bytes calldata input) external payable {
        bytes memory copy = input;
        sendOnDirtyMemory(to, value, copy);
    }

    function sendForWord(address to, bytes calldata input) external returns (uint256) {
        bytes memory copy = input;
        return sendForWordOnDirtyMemory(to, copy);
    }

    function readWord(address to, bytes calldata input) external view returns (uint256) {
        bytes memory copy = input;
        return readWordOnDirtyMemory(to, copy);
    }

    function sendOnDirtyMemory(address to, uint256 value, bytes memory input) private onDirtyMemory {
        Calls.send(to, value, input);
    }

    function sendForWordOnDirtyMemory(address to, bytes memory input) private onDirtyMemory returns (uint256) {
        return Calls.sendForWord(to, input);
    }

    function readWordOnDirtyMemory(address to, bytes memory input) private view onDirtyMemory returns (uint256) {
        return Calls.readWord(to, input);
    }

    function readPair(address to, bytes4 name) external view onDirtyMemory returns (uint256, uint256) {
        return Calls.readPair(to, name);
    }

    function swapPair(address to, uint256 amount0Out, uint256 amount1Out, address receiver) external onDirtyMemory {
        Calls.swapPair(to, amount0Out, amount1Out, receiver);
    }

    /// The reason of a call that reverts, and where memory is free afterwards, from where the reason begins.
    function reasonOf(address to) external onDirtyMemory returns (bytes memory reason, uint256 reserved) {
        (bool ok,) = to.call("x");
        require(!ok);
        uint256 before = freeMemory();
        reason = Calls.reason();
        reserved = freeMemory() - before;
    }

    function pay(address token, address to, uint256 amount) external onDirtyMemory {
        Tokens.pay(token, to, amount);
    }

    function pull(address token, address owner, address to, uint256 amount) external onDirtyMemory {
        Tokens.pull(token, owner, to, amount);
    }

    function approve(address token, address spender, uint256 amount) external onDirtyMemory {
        Tokens.approve(token, spender, amount);
    }

    function offer(address token, address to, uint256 amount) external onDirtyMemory returns (bool) {
        return Offers.offer(token, to, amount);
    }

    function balance(address token, address account) external view onDirtyMemory returns (uint256) {
        return Tokens.balance(token, account);
    }

    function allowance(address token, address owner, address spender) external view onDirtyMemory returns (uint256) {
        return Tokens.allowance(token, owner, spender);
    }

    /// Enters all, sets the amount of one place, and gives all back. `beside`: what was reserved after the ledger.
    function ledger(address[] memory tokens, uint256[] memory amounts, uint256 place, uint256 amount)
        external
        pure
        onDirtyMemory
        returns (uint256 count, address[] memory tokensFound, uint256[] memory amountsFound, bytes32[2] memory beside)
    {
        Ledger made = Ledgers.open(tokens.length);
        tokensFound = new address[](tokens.length);
        amountsFound = new uint256[](tokens.length);
        bytes32[2] memory after_ = [~bytes32(0), ~bytes32(0)];
        for (uint256 i = 0; i < tokens.length; i++) made.enter(i, tokens[i], amounts[i]);
        made.setAmount(place, amount);
        count = made.count();
        for (uint256 i = 0; i < tokens.length; i++) (tokensFound[i], amountsFound[i]) = (made.token(i), made.amount(i));
        beside = after_;
    }

    function aheadAt(bytes calldata data, uint256 place, uint256 size) external pure returns (uint256) {
        return Reading.open(data).ahead(place, size);
    }

    function integerAt(bytes calldata data, uint256 place, uint256 size) external pure returns (uint256 value, uint256 position) {
        Cursor memory cursor = Reading.open(data);
        uint256 start = cursor.position;
        cursor.position += place;
        value = cursor.integer(size);
        position = cursor.position - start;
    }

    function amountAt(bytes calldata data, uint256 place) external pure returns (uint256 value, uint256 position) {
        Cursor memory cursor = Reading.open(data);
        uint256 start = cursor.position;
        cursor.position += place;
        value = cursor.amount();
        position = cursor.position - start;
    }

    function venueOf(bytes calldata data, address holder, uint256 size) external view returns (address, uint256) {
        return Reading.open(data).venueWith(holder, size);
    }

    function witnessOf(address buyToken, address recipient, uint256 minBuyAmount, bytes calldata payload) external pure returns (bytes32) {
        Terms memory terms;
        (terms.buyToken, terms.recipient, terms.minBuyAmount) = (buyToken, recipient, minBuyAmount);
        return witnessOnDirtyMemory(terms, payload);
    }

    function witnessOnDirtyMemory(Terms memory terms, bytes calldata payload) private pure onDirtyMemory returns (bytes32) {
        return Permits.witnessOf(terms, payload);
    }

    /// `words`: the witness, r and s.
    function permit(bytes32 tag, uint256 deadline, uint256 signedAmount, uint8 v, bytes32[3] calldata words, address[3] calldata accounts, uint256 amount)
        external
    {
        Terms memory terms;
        (terms.tag, terms.deadline) = (tag, deadline);
        permitOnDirtyMemory(Permits.pack(terms, v), signedAmount, words, accounts, amount);
    }

    function permitOnDirtyMemory(uint256 signed, uint256 signedAmount, bytes32[3] calldata words, address[3] calldata accounts, uint256 amount)
        private
        onDirtyMemory
    {
        Permits.transfer(signed, signedAmount, words[0], words[1], words[2], accounts[0], accounts[1], accounts[2], amount);
    }

    /// What a pool's call back pays and how much it leaves. `data`: the call back's.
    function callback(address token, uint256 most, bytes calldata data) external returns (uint256 left) {
        Transient.expect(UniswapV3Leg.KIND, address(this), bytes4(data), token, address(this), most);
        (bool ok, bytes memory reason) = address(this).call(data);
        if (!ok) {
            assembly ("memory-safe") {
                revert(add(reason, 0x20), mload(reason))
            }
        }
        Transient.redeem(address(this), bytes4(data));
        return Transient.settle(address(this));
    }

    fallback() external {
        UniswapV3Leg.callback(address(0));
    }

    function runV3(bytes calldata data, uint256 amountIn) external returns (uint256) {
        Hop memory hop = Hop(address(1), address(2), amountIn, address(this), address(this), address(0), address(0), 0, address(3));
        return UniswapV3Leg.run(hop, Reading.open(data));
    }

    function requireFit(address manager, uint256 amountIn) external pure {
        Unlocked.requireFit(manager, amountIn);
    }

    function output(address pair, uint256 amountIn, uint256 reserveIn, uint256 reserveOut, uint256 data) external pure returns (uint256) {
        return Pairs.output(pair, amountIn, reserveIn, reserveOut, data);
    }

    function unbooked(address pair, address token, uint256 booked) external view returns (uint256) {
        return Pairs.unbooked(pair, token, booked);
    }

    function reserves(address pair, bool zeroForOne) external view returns (uint256, uint256) {
        return Pairs.reserves(pair, zeroForOne);
    }

    function freeMemory() private pure returns (uint256 start) {
        assembly ("memory-safe") {
            start := mload(0x40)
        }
    }
}
