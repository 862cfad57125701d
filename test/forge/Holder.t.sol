// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {HandWritten} from "./HandWritten.sol";
import {IHolder, IRouter} from "./Interfaces.sol";
import {Recorder} from "./Recorder.sol";

/// K17: what the allowance holder writes by hand: the call to the target, and whose grant it is.
contract HolderTest is HandWritten {
    uint256 private constant MAX_REASON = 1_024;
    bytes32 private constant MAGIC = bytes32(IRouter.executeFrom.selector);

    error NotAnExecutor(address target);

    IHolder private holder = IHolder(deployCode("contracts/artifacts/AllowanceHolder.gen.json"));
    Recorder private target = new Recorder();
    Recorder private token = new Recorder();
    address private owner = makeAddr("owner");
    address private receiver = makeAddr("receiver");

    function test_the_target_gets_the_caller_and_the_payload_as_the_compiler_writes_them() public {
        target.tell(false, abi.encode(MAGIC));
        for (uint256 size = 0; size <= 97; size++) {
            bytes memory payload = bytesOf(size);
            vm.prank(owner);
            holder.exec(address(target), address(token), 1, payload);
            expectSeen(target, abi.encodeCall(IRouter.executeFrom, (owner, payload)), 0);
        }
    }

    function test_an_executor_says_its_selector_in_a_word_and_nothing_like_it() public {
        bytes memory refused = abi.encodeWithSelector(NotAnExecutor.selector, target);
        assertEq(ending(false, abi.encode(MAGIC)), "ok");
        assertEq(ending(false, abi.encode(MAGIC, type(uint256).max)), "ok");
        assertEq(ending(false, ""), refused);
        for (uint256 place = 0; place < 32; place++) {
            assertEq(ending(false, abi.encode(MAGIC ^ (bytes32(uint256(1)) << (8 * place)))), refused);
            assertEq(ending(false, cut(abi.encode(MAGIC), place)), refused);
        }
    }

    function test_the_reason_of_a_target_is_passed_on_up_to_a_bound() public {
        uint16[9] memory sizes = [0, 1, 31, 32, 33, 1_023, 1_024, 1_025, 1_100];
        for (uint256 i = 0; i < sizes.length; i++) {
            bytes memory reason = bytesOf(sizes[i]);
            assertEq(ending(true, reason), cut(reason, sizes[i] < MAX_REASON ? sizes[i] : MAX_REASON));
        }
    }

    /// A target, an owner or a token whose address differs in one byte, whichever, has no grant.
    function test_a_grant_is_of_one_target_one_owner_and_one_token() public {
        token.tell(false, abi.encode(true));
        vm.prank(owner);
        holder.exec(address(this), address(token), 2, "");
    }

    function executeFrom(address owner_, bytes calldata) external returns (bytes4) {
        assertEq(owner_, owner);
        for (uint256 place = 0; place < 20; place++) {
            address flipped = address(uint160(1 << (8 * place)));
            assertNoGrant(xor(address(this), flipped), owner, address(token));
            assertNoGrant(address(this), xor(owner, flipped), address(token));
            assertNoGrant(address(this), owner, xor(address(token), flipped));
        }
        holder.transferFrom(address(token), owner, receiver, 1);
        expectSeen(token, abi.encodeWithSignature("transferFrom(address,address,uint256)", owner, receiver, 1), 0);
        return IRouter.executeFrom.selector;
    }

    function assertNoGrant(address caller, address from, address of_) private {
        vm.prank(caller);
        (bool ok, bytes memory reason) = address(holder).call(abi.encodeCall(IHolder.transferFrom, (of_, from, receiver, 1)));
        assertFalse(ok);
        assertEq(reason, abi.encodeWithSelector(IHolder.GrantTooSmall.selector, caller, from, of_, 1, 0));
    }

    /// What becomes of a call whose target answers or reverts with that: its reason, or "ok".
    function ending(bool fails, bytes memory answer) private returns (bytes memory) {
        target.tell(fails, answer);
        vm.prank(owner);
        (bool ok, bytes memory reason) = address(holder).call(abi.encodeCall(IHolder.exec, (address(target), address(token), 1, "payload")));
        return ok ? bytes("ok") : reason;
    }

    function bytesOf(uint256 size) private pure returns (bytes memory data) {
        data = new bytes(size);
        for (uint256 i = 0; i < size; i++) data[i] = bytes1(uint8(i + 1));
    }

    function xor(address one, address two) private pure returns (address) {
        return address(uint160(one) ^ uint160(two));
    }
}
