// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {TaxedToken} from "../tokens/TaxedToken.sol";

/// Lets some of what is asked of it not happen.
contract GatedToken is TaxedToken {
    enum Gate {
        Open,
        /// Nobody but the owner may send to a pool.
        NoSelling,
        /// Nobody but the owner may approve: what needs an allowance can not be sold.
        NoApproving,
        /// Says of a sale that it went well, and moves nothing.
        SaysSold,
        /// An account may send once.
        OneTransfer,
        /// Nothing moves.
        Paused,
        /// Nothing moves, and every movement is answered by false.
        SaysFalse,
        /// Accounts other than pools can not send to each other.
        PoolsOnly,
        /// Nobody receives more than the limit at once.
        Limited,
        /// Spends all the gas that it gets.
        BurnsGas,
        /// Ends with an invalid instruction.
        Invalid,
        /// Reverts with a megabyte of reasons.
        RevertsBomb,
        /// Moves, and returns 100 kB that begins with true.
        ReturnsBomb,
        /// Gives the receiver twice what was sent.
        Multiplies,
        /// No contract receives but pools and whoever sent the transaction.
        NoContracts,
        /// Nobody sends to a V3 pool that is in the middle of a swap, as it is whenever it is paid for one.
        NoPaying
    }

    Gate public gate;
    uint256 public limit;
    mapping(address => bool) public hasSent;
    mapping(address => bool) public isBarred;

    constructor() TaxedToken("Gated", "GATE") {}

    function setGate(Gate gate_, uint256 limit_, address[] calldata barred) external {
        (gate, limit) = (gate_, limit_);
        for (uint256 i = 0; i < barred.length; i++) isBarred[barred[i]] = true;
    }

    function approve(address spender, uint256 value) external override returns (bool) {
        require(gate != Gate.NoApproving || msg.sender == owner, "no approving");
        _approve(spender, value);
        return true;
    }

    function transfer(address to, uint256 value) external override returns (bool) {
        return moved(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external override returns (bool) {
        require(!isBarred[msg.sender], "barred");
        _spend(from, value);
        return moved(from, to, value);
    }

    /// By the last word of a V3 pool's `slot0`: whether it is unlocked.
    function isSwapping(address pool) private view returns (bool) {
        (bool ok, bytes memory slot) = pool.staticcall(abi.encodeWithSignature("slot0()"));
        if (!ok || slot.length != 224) return false;
        uint256 unlocked;
        assembly {
            unlocked := mload(add(slot, 224))
        }
        return unlocked == 0;
    }

    function moved(address from, address to, uint256 value) private returns (bool) {
        if (gate == Gate.SaysFalse) return false;
        if (gate == Gate.SaysSold && isPool[to]) return true;
        if (gate == Gate.BurnsGas) while (true) {}
        if (gate == Gate.Invalid) {
            assembly {
                invalid()
            }
        }
        if (gate == Gate.RevertsBomb) {
            assembly {
                revert(0, 1000000)
            }
        }
        require(!isBarred[from] && !isBarred[to], "barred");
        require(gate != Gate.Paused, "paused");
        require(gate != Gate.NoSelling || !isPool[to] || from == owner, "no selling");
        require(gate != Gate.PoolsOnly || isPool[from] || isPool[to], "pools only");
        require(gate != Gate.Limited || value <= limit, "above the limit");
        require(gate != Gate.NoContracts || isPool[to] || to == tx.origin || to.code.length == 0, "no contracts");
        require(gate != Gate.NoPaying || !isPool[to] || !isSwapping(to), "no paying");
        if (gate == Gate.OneTransfer && !isPool[from]) {
            require(!hasSent[from], "sent before");
            hasSent[from] = true;
        }
        _move(from, to, value);
        if (gate == Gate.Multiplies && isPool[from]) balanceOf[to] += value;
        if (gate == Gate.ReturnsBomb) {
            assembly {
                mstore(0, 1)
                return(0, 100000)
            }
        }
        return true;
    }
}
