// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

struct SwapRequest {
    uint8 kind;
    address tokenIn;
    address tokenOut;
    uint256 amount;
    bytes32 poolId;
    uint256 lastChangeBlock;
    address from;
    address to;
    bytes userData;
}

interface IMinimalSwapInfoPool {
    function onSwap(SwapRequest calldata request, uint256 balanceIn, uint256 balanceOut) external returns (uint256);
}

interface IGeneralPool {
    function onSwap(SwapRequest calldata request, uint256[] calldata balances, uint256 indexIn, uint256 indexOut) external returns (uint256);
}

/// Put in place of the vault once the vault has created the pools: a pool answers a swap only to its vault, for whatever balances the vault says it has.
/// Asks for many swaps in one eth_call, each in a frame of its own.
contract BalancerOracle {
    struct Case {
        address pool;
        bytes32 poolId;
        /// 0 exact input, 1 exact output, as the vault numbers them.
        uint8 kind;
        address[] tokens;
        uint256[] balances;
        uint256 indexIn;
        uint256 indexOut;
        uint256 amount;
    }

    struct Answer {
        bool ok;
        uint256 amount;
    }

    uint256 private constant FRAME_GAS = 3_000_000;

    /// Pools that are told two balances.
    function answerMinimal(Case[] calldata cases) external returns (Answer[] memory answers) {
        answers = new Answer[](cases.length);
        for (uint256 i = 0; i < cases.length; i++) {
            Case calldata wanted = cases[i];
            IMinimalSwapInfoPool pool = IMinimalSwapInfoPool(wanted.pool);
            try pool.onSwap{gas: FRAME_GAS}(requestOf(wanted), wanted.balances[wanted.indexIn], wanted.balances[wanted.indexOut]) returns (uint256 amount) {
                answers[i] = Answer(true, amount);
            } catch {}
        }
    }

    /// Pools that are told all balances.
    function answerGeneral(Case[] calldata cases) external returns (Answer[] memory answers) {
        answers = new Answer[](cases.length);
        for (uint256 i = 0; i < cases.length; i++) {
            Case calldata wanted = cases[i];
            IGeneralPool pool = IGeneralPool(wanted.pool);
            try pool.onSwap{gas: FRAME_GAS}(requestOf(wanted), wanted.balances, wanted.indexIn, wanted.indexOut) returns (uint256 amount) {
                answers[i] = Answer(true, amount);
            } catch {}
        }
    }

    function requestOf(Case calldata wanted) private view returns (SwapRequest memory request) {
        request.kind = wanted.kind;
        request.tokenIn = wanted.tokens[wanted.indexIn];
        request.tokenOut = wanted.tokens[wanted.indexOut];
        request.amount = wanted.amount;
        request.poolId = wanted.poolId;
        request.lastChangeBlock = block.number;
    }
}

/// A token of any decimals. Anybody may mint it.
contract DecimalsToken {
    uint8 public immutable decimals;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    constructor(uint8 decimals_) {
        decimals = decimals_;
    }

    function mint(address to, uint256 value) external {
        balanceOf[to] += value;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        allowance[from][msg.sender] -= value;
        balanceOf[from] -= value;
        balanceOf[to] += value;
        return true;
    }
}

/// A rate that does not move.
contract FixedRate {
    uint256 public immutable getRate;

    constructor(uint256 rate) {
        getRate = rate;
    }
}
