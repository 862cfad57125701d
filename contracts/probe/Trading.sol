// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Move, Moves, Pool} from "./Moves.sol";
import {FreshAccount} from "./FreshAccount.sol";

/// What every trial of a probe has in common.
struct Setting {
    address token;
    /// Where the puppet stands in for the pool.
    address holder;
    /// Which the puppet obeys.
    bytes32 secret;
    /// May take what a trader approves: the allowance holder's address, where that is known.
    address operator;
    /// The same for the trader that is the sender: Permit2's.
    address signer;
    /// Trades as the probe tells it: the Router's address, where that is known.
    address router;
    /// Makes accounts that no token has seen.
    bytes32 salt;
}

/// Lets the operator take what an account approved for it.
interface IOperator {
    function take(address token, address from, Pool calldata to, uint256 amount, uint256 gasOfCall) external returns (Move memory);
}

/// One trader's ways to buy from a pool and to sell to it, as the account that runs this.
library Trading {
    /// Buys, and sells all of it by an allowance, as a taker of a swap does.
    function direct(Setting memory setting, uint256 amount, uint256 gasOfCall) internal returns (Move[4] memory moves) {
        moves[0] = buy(setting, amount, gasOfCall);
        if (moves[0].ending != Moves.MOVED) return moves;
        uint256 bought = moves[0].credited;
        if (bought == 0) return moves;
        bytes memory input = abi.encodeWithSignature("approve(address,uint256)", setting.operator, bought);
        if (!Moves.confirmed(setting.token, setting.token, input, gasOfCall)) {
            moves[3].ending = Moves.REFUSED;
            return moves;
        }
        moves[3] = IOperator(setting.operator).take(setting.token, address(this), poolOf(setting), bought, gasOfCall);
    }

    /// Buys, sends all of it to an account that is new to the token, gets it back, and sells it by a transfer of its own.
    function round(Setting memory setting, uint256 amount, uint256 gasOfCall) internal returns (Move[4] memory moves) {
        address token = setting.token;
        moves[0] = buy(setting, amount, gasOfCall);
        if (moves[0].ending != Moves.MOVED) return moves;
        bytes memory code = abi.encodePacked(type(FreshAccount).creationCode, abi.encode(token, address(this), gasOfCall));
        address fresh = address(uint160(uint256(keccak256(abi.encodePacked(bytes1(0xff), address(this), setting.salt, keccak256(code))))));
        moves[1] = send(token, fresh, moves[0].credited, gasOfCall);
        if (moves[1].ending != Moves.MOVED || moves[1].credited == 0) return moves;
        moves[2] = comesBack(setting, fresh, code, moves[1].credited, gasOfCall);
        if (moves[2].ending != Moves.MOVED || moves[2].credited == 0) return moves;
        moves[3] = sell(setting, moves[2].credited, gasOfCall);
    }

    /// Buys, and sells all of it by a transfer of its own, as the Router does with what lies there between two hops.
    function passed(Setting memory setting, uint256 amount, uint256 gasOfCall) internal returns (Move[4] memory moves) {
        moves[0] = buy(setting, amount, gasOfCall);
        if (moves[0].ending != Moves.MOVED || moves[0].credited == 0) return moves;
        moves[3] = sell(setting, moves[0].credited, gasOfCall);
    }

    function buy(Setting memory setting, uint256 amount, uint256 gasOfCall) private returns (Move memory move) {
        bytes memory input = abi.encodePacked(setting.secret, setting.token, abi.encodeWithSignature("transfer(address,uint256)", address(this), amount));
        move = Moves.watched(poolOf(setting), setting.token, setting.holder, address(this), amount, setting.holder, input, gasOfCall);
        // So that a pair which goes by what it last saw is one that trades: tokens that sell taxes on the way do it through their own. A pool of another kind refuses, and that is all.
        bytes memory sync = abi.encodeWithSignature("sync()");
        address holder = setting.holder;
        Moves.assureGas(150_000);
        assembly ("memory-safe") {
            pop(call(150000, holder, 0, add(sync, 0x20), mload(sync), 0, 0))
        }
    }

    function poolOf(Setting memory setting) private pure returns (Pool memory) {
        return Pool(setting.holder, setting.secret);
    }

    function sell(Setting memory setting, uint256 amount, uint256 gasOfCall) private returns (Move memory) {
        (address token, address to) = (setting.token, setting.holder);
        bytes memory input = abi.encodeWithSignature("transfer(address,uint256)", to, amount);
        return Moves.watched(poolOf(setting), token, address(this), to, amount, token, input, gasOfCall);
    }

    function send(address token, address to, uint256 amount, uint256 gasOfCall) private returns (Move memory) {
        return Moves.measured(token, address(this), to, amount, token, abi.encodeWithSignature("transfer(address,uint256)", to, amount), gasOfCall);
    }

    /// The new account sends what it got while it is being created, when it has no code that a token could see.
    function comesBack(Setting memory setting, address fresh, bytes memory code, uint256 amount, uint256 gasOfCall) private returns (Move memory move) {
        (bool known, uint256 held) = Moves.balance(setting.token, address(this));
        Moves.assureGas(gasOfCall + 200_000);
        bytes32 salt = setting.salt;
        address made;
        assembly ("memory-safe") {
            made := create2(0, add(code, 0x20), mload(code), salt)
        }
        if (made != fresh) return move;
        move.asked = amount;
        (bool knownLeft, uint256 left) = Moves.balance(setting.token, fresh);
        (bool knownNow, uint256 has) = Moves.balance(setting.token, address(this));
        if (!known || !knownLeft || !knownNow) {
            move.ending = Moves.UNREADABLE;
            return move;
        }
        move.debited = amount > left ? amount - left : 0;
        move.credited = has > held ? has - held : 0;
        move.lost = held > has ? held - has : 0;
        move.ending = move.debited == 0 && move.credited == 0 ? Moves.REFUSED : Moves.MOVED;
    }
}
