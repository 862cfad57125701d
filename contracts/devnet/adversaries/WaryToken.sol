// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {TaxedToken} from "../tokens/TaxedToken.sol";

/// Takes its tax of those that trade in earnest, and nothing where it believes to be measured.
contract WaryToken is TaxedToken {
    enum Clue {
        None,
        /// The trader owns nothing, or a fortune.
        Riches,
        /// More gas is left than any swap has.
        MuchGas,
        /// More gas is left than a wallet that estimates has.
        SomeGas,
        /// The trader did not send the transaction.
        Stranger,
        /// The trader has code.
        Code,
        /// The gas is paid below the base fee.
        FreeGas,
        /// The amount is a round one.
        RoundAmount,
        /// The trader was measured before: its address is one that the owner saw in a probe.
        KnownAddress,
        /// The pool does not have the code that it had.
        PoolCode,
        /// The trader did not send the transaction, or has code.
        StrangerOrCode,
        /// The trader sends all that it has.
        WholeBalance,
        /// Somebody looked at the pool's balance in the same transaction before.
        WarmBalance,
        /// The gas is paid with less than a tenth of a gwei.
        CheapGas
    }

    /// What reading a balance costs where nobody did before in the transaction, and less than the least of it.
    uint256 private constant COLD = 1500;

    Clue public clue;
    bool private wasCold;
    mapping(address => bytes32) public codeHash;
    mapping(address => bool) public known;

    constructor() TaxedToken("Wary", "WARY") {}

    function setClue(Clue clue_, address pool, address[] calldata seen) external {
        clue = clue_;
        codeHash[pool] = pool.codehash;
        for (uint256 i = 0; i < seen.length; i++) known[seen[i]] = true;
    }

    function _move(address from, address to, uint256 value) internal override {
        address pool = isPool[from] ? from : to;
        uint256 before = gasleft();
        uint256 has = balanceOf[pool];
        wasCold = before - gasleft() > COLD && has > 0;
        super._move(from, to, value);
        wasCold = false;
    }

    function taxPpm(address from, address to, uint256 value) internal view override returns (uint256) {
        uint256 ppm = super.taxPpm(from, to, value);
        if (ppm == 0) return 0;
        return isMeasured(isPool[from] ? to : from, isPool[from] ? from : to, value) ? 0 : ppm;
    }

    function isMeasured(address trader, address pool, uint256 value) private view returns (bool) {
        if (clue == Clue.Riches) return trader.balance == 0 || trader.balance > 100_000 ether;
        if (clue == Clue.MuchGas) return gasleft() > 1_000_000;
        if (clue == Clue.SomeGas) return gasleft() > 150_000;
        if (clue == Clue.Stranger) return trader != tx.origin;
        if (clue == Clue.Code) return trader.code.length > 0;
        if (clue == Clue.FreeGas) return tx.gasprice < block.basefee;
        if (clue == Clue.CheapGas) return tx.gasprice < 0.1 gwei;
        if (clue == Clue.RoundAmount) return value % 1000 == 0;
        if (clue == Clue.KnownAddress) return known[trader] || known[tx.origin];
        if (clue == Clue.PoolCode) return pool.codehash != codeHash[pool];
        if (clue == Clue.WholeBalance) return balanceOf[trader] == 0;
        if (clue == Clue.WarmBalance) return !wasCold;
        if (clue == Clue.StrangerOrCode) return trader != tx.origin || trader.code.length > 0;
        return false;
    }
}
