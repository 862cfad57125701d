// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

interface ILiedToPair {
    function getReserves() external view returns (uint112, uint112, uint32);
    function token0() external view returns (address);
}

interface IWrapped {
    function balanceOf(address account) external view returns (uint256);
}

/// Moves what it is asked to between accounts, and lies in what a swap at one of its pools goes by.
contract LyingToken {
    enum Lie {
        None,
        /// Tells its pools alone nothing of what came since the lie began.
        PoolSeesNothingCome,
        /// Tells its pools alone a hundredth less of what came than did.
        PoolSeesLessCome,
        /// Refuses sales where the pool has the code that its owner saw.
        GenuinePoolsAlone,
        /// Tells a pool that has the code that its owner saw a hundredth less than came.
        GenuinePoolSeesLess,
        /// Who bought of a pair that had been paid can not sell.
        TrapsWhoPaid,
        /// Takes a fifth of what is sold, unless the amount is a whole number of millionths of what the pool has.
        TaxesNoMillionths,
        /// Takes a fifth of what is sold, unless that is near one of four parts of what the pool has.
        TaxesNoKnownSizes,
        /// Tells whoever asks with little gas the truth, and its pools nothing of what came.
        PoolSeesNothingWithMuchGas,
        /// Lets nobody sell but in the block in which it was bought.
        SameBlockAlone,
        /// Lets nobody sell after the block in which the lie began.
        ShutsNextBlock,
        /// Lets nobody sell what is little beside all that lies in a pool.
        LittleOfPool,
        /// Takes a fifth of what is sold to a pool that has the code that its owner saw, where a wallet left little gas.
        TaxesLittleGas,
        /// Takes a fifth of what such a pool gives, where a wallet left little gas.
        TaxesLittleGasOfBuyer,
        /// Lets nobody sell in a later block whose fees go where the chain's go.
        ShutsUsualBlocks,
        /// Lets nobody buy after the block in which the lie began.
        NoLaterPurchase,
        /// Takes a fifth of what is sold, unless the gas is paid by an eighth to three eighths above the base fee.
        TaxesOtherTips,
        /// Takes a fifth of what accounts that are no pools send each other, where the sender of the transaction has no code.
        TaxesPlainBetween,
        /// Takes a fifth of what is sold with little gas, where the sender of the transaction has no code.
        TaxesLittleGasOfPlain,
        /// Spends all gas of whoever buys after the block in which the lie began.
        SpendsLaterPurchase
    }

    string public constant name = "Lying";
    string public constant symbol = "LIE";
    uint8 public constant decimals = 18;
    address public immutable owner = msg.sender;
    uint256 public totalSupply;
    mapping(address => uint256) private has;
    mapping(address => mapping(address => uint256)) public allowance;

    Lie public lie;
    mapping(address => bool) public isPool;
    mapping(address => uint256) private hiddenFrom;
    mapping(address => bytes32) private codeHash;
    mapping(address => bool) private isTrapped;
    mapping(address => uint256) private boughtAt;
    uint256 private since;
    address private feeRecipient;
    address private wrapped;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    function mint(address[] calldata accounts, uint256 value) external {
        require(msg.sender == owner, "not the owner");
        totalSupply += value * accounts.length;
        for (uint256 i = 0; i < accounts.length; i++) {
            has[accounts[i]] += value;
            emit Transfer(address(0), accounts[i], value);
        }
    }

    function mark(address account, bool pool, bool) external {
        require(msg.sender == owner, "not the owner");
        isPool[account] = pool;
    }

    function setLie(Lie lie_, address wrapped_, address[] calldata pools) external {
        require(msg.sender == owner, "not the owner");
        (lie, wrapped, since, feeRecipient) = (lie_, wrapped_, block.number, block.coinbase);
        for (uint256 i = 0; i < pools.length; i++) {
            hiddenFrom[pools[i]] = 0;
            codeHash[pools[i]] = pools[i].codehash;
        }
    }

    function balanceOf(address account) external view returns (uint256) {
        uint256 held = has[account];
        if (msg.sender != account || !isPool[account]) return held;
        uint256 hidden = hiddenFrom[account];
        if (lie == Lie.PoolSeesNothingCome) return held - hidden;
        if (lie == Lie.PoolSeesNothingWithMuchGas && gasleft() > 150_000) return held - hidden;
        if (lie == Lie.PoolSeesLessCome || (lie == Lie.GenuinePoolSeesLess && account.codehash == codeHash[account])) return held - hidden / 100;
        return held;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        return moved(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        allowance[from][msg.sender] -= value;
        return moved(from, to, value);
    }

    function moved(address from, address to, uint256 value) private returns (bool) {
        if (isPool[from] && lie == Lie.TrapsWhoPaid && wasPaid(from)) isTrapped[to] = true;
        if (isPool[from]) {
            require(lie != Lie.NoLaterPurchase || block.number <= since, "no purchase");
            if (lie == Lie.SpendsLaterPurchase && block.number > since) while (true) {}
            boughtAt[to] = block.number;
        }
        if (isPool[to]) {
            require(lie != Lie.SameBlockAlone || boughtAt[from] == 0 || boughtAt[from] == block.number, "too late");
            require(lie != Lie.ShutsNextBlock || block.number <= since, "shut");
            require(lie != Lie.GenuinePoolsAlone || to.codehash != codeHash[to], "no sale here");
            require(!isTrapped[from], "trapped");
            require(lie != Lie.LittleOfPool || value > has[to] / 1_000_000, "too little");
            require(lie != Lie.ShutsUsualBlocks || block.number <= since || block.coinbase != feeRecipient, "shut");
        }
        bool taxed = (isPool[to] && isTaxed(to, value)) || (lie == Lie.TaxesLittleGasOfBuyer && hasLittleGas(from));
        if (lie == Lie.TaxesPlainBetween) taxed = !isPool[from] && !isPool[to] && tx.origin.code.length == 0;
        uint256 tax = taxed ? value / 5 : 0;
        has[from] -= value;
        has[to] += value - tax;
        if (isPool[to]) hiddenFrom[to] += value;
        has[owner] += tax;
        emit Transfer(from, to, value - tax);
        return true;
    }

    function isTaxed(address pool, uint256 value) private view returns (bool) {
        uint256 held = has[pool];
        if (lie == Lie.TaxesLittleGas) return hasLittleGas(pool);
        if (lie == Lie.TaxesLittleGasOfPlain) return gasleft() < 160_000 && tx.origin.code.length == 0;
        if (lie == Lie.TaxesOtherTips) return tx.gasprice * 1000 < block.basefee * 1120 || tx.gasprice * 1000 > block.basefee * 1380;
        if (lie == Lie.TaxesNoMillionths) {
            uint256 off = (value * 1_000_000) % (held + value);
            return off > 2_000_000 && held + value - off > 2_000_000;
        }
        if (lie != Lie.TaxesNoKnownSizes) return false;
        uint32[4] memory sizes = [uint32(10), 1_000, 50_000, 430_000];
        for (uint256 i = 0; i < 4; i++) {
            uint256 size = ((held + value) * sizes[i]) / 1_000_000;
            if (value >= size - size / 9 && value <= size + size / 9) return false;
        }
        return true;
    }

    function hasLittleGas(address pool) private view returns (bool) {
        return isPool[pool] && pool.codehash == codeHash[pool] && gasleft() < 160_000;
    }

    /// Whether wrapped money came to a pair since it last looked.
    function wasPaid(address pair) private view returns (bool) {
        (bool ok, bytes memory answer) = pair.staticcall(abi.encodeCall(ILiedToPair.getReserves, ()));
        if (!ok || answer.length < 96) return false;
        (uint112 first, uint112 second,) = abi.decode(answer, (uint112, uint112, uint32));
        uint256 others = ILiedToPair(pair).token0() == address(this) ? second : first;
        return IWrapped(wrapped).balanceOf(pair) > others;
    }
}
