// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Glutton} from "../../contracts/devnet/adversaries/Glutton.sol";
import {TrickToken} from "../../contracts/devnet/adversaries/TrickToken.sol";
import {NATIVE} from "../../contracts/lib/Addresses.sol";
import {HandWritten} from "./HandWritten.sol";

/// A token that needs nearly all that a transfer gets, and runs out of it where it gets less.
contract HeavyToken {
    uint256 private constant NEEDS = 290_000;

    function transfer(address, uint256) external view returns (bool) {
        uint256 start = gasleft();
        while (start - gasleft() < NEEDS) {}
        return true;
    }
}

/// Decision B21: a payment that its receiver may refuse is made with bounded gas, and whoever sets the gas of the transaction can not have it refused.
contract OffersTest is HandWritten {
    uint256 private constant NATIVE_GAS = 30_000;
    uint256 private constant TOKEN_GAS = 300_000;
    /// What is spent beside: the call, an account that is touched first, the value.
    uint256 private constant BESIDE = 40_000;
    bytes private constant REVERTS = hex"5f5ffd";

    function setUp() public {
        vm.deal(address(hand), 100 ether);
    }

    /// With whatever gas: it is taken, or the whole reverts; never is it called refused for want of gas.
    function test_native_is_never_refused_for_the_gas_of_the_transaction() public {
        address wallet = address(new Glutton(NATIVE_GAS - 2_000));
        (uint256 taken, uint256 starved, uint256 refused) = sweep(NATIVE, wallet, 30_000, 120_000, 250);
        assertEq(refused, 0);
        assertGt(taken, 100);
        assertGt(starved, 10);
    }

    function test_a_token_is_never_refused_for_the_gas_of_the_transaction() public {
        (uint256 taken, uint256 starved, uint256 refused) = sweep(address(new HeavyToken()), address(1), 200_000, 500_000, 1_000);
        assertEq(refused, 0);
        assertGt(taken, 100);
        assertGt(starved, 10);
    }

    /// Who burns all there is, is refused, where there is gas enough to tell; and it costs no more than was given.
    function test_what_burns_all_its_gas_is_refused_and_costs_little() public {
        address eater = address(new Glutton(2 ** 200));
        address token = address(hooked(eater));
        (address[2] memory offered, uint256[2] memory most) = ([NATIVE, token], [NATIVE_GAS, TOKEN_GAS]);
        for (uint256 i = 0; i < 2; i++) {
            for (uint256 gas = most[i] + BESIDE; gas < 3_000_000; gas = gas * 3 / 2) {
                uint256 before = gasleft();
                assertFalse(hand.offer{gas: gas}(offered[i], eater, 1 ether));
                assertLt(before - gasleft(), most[i] + BESIDE);
            }
        }
        assertEq(eater.balance + TrickToken(token).balanceOf(eater), 0);
    }

    /// A receiver that reverts at once leaves its gas, which tells nothing.
    function test_who_reverts_at_once_is_refused_only_where_there_was_gas() public {
        address grump = makeAddr("grump");
        vm.etch(grump, REVERTS);
        (uint256 taken, uint256 starved, uint256 refused) = sweep(NATIVE, grump, 30_000, 120_000, 250);
        assertEq(taken, 0);
        assertGt(starved, 10);
        assertGt(refused, 200);
        (, starved, refused) = sweep(grump, address(1), 100_000, 500_000, 1_000);
        assertEq(starved, 0);
        assertGt(refused, 390);
    }

    function hooked(address wallet) private returns (TrickToken token) {
        token = new TrickToken();
        address[] memory one = new address[](1);
        one[0] = address(hand);
        token.mint(one, 100 ether);
        token.set(TrickToken.Temper.Plain, 0, wallet);
    }

    function sweep(address token, address to, uint256 from, uint256 end, uint256 step) private returns (uint256 taken, uint256 starved, uint256 refused) {
        for (uint256 gas = from; gas < end; gas += step) {
            uint256 state = vm.snapshotState();
            try hand.offer{gas: gas}(token, to, 1) returns (bool ok) {
                if (ok) taken++;
                else refused++;
            } catch {
                starved++;
            }
            vm.revertToState(state);
        }
    }
}
