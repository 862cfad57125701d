// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ISeededFactories, PoolSeeder} from "../../contracts/devnet/adversaries/PoolSeeder.sol";
import {TrickToken} from "../../contracts/devnet/adversaries/TrickToken.sol";
import {NATIVE, PERMIT2} from "../../contracts/lib/Addresses.sol";
import {Test} from "forge-std/Test.sol";
import {IHolder, IRouter, IV2Router} from "./Interfaces.sol";
import {Order, Payload} from "./Payload.sol";

/// The artifacts of the settlement contracts with real pools of Uniswap, three tokens and wrapped native.
abstract contract Ground is Test {
    uint256 internal constant DEPTH = 1_000_000 ether;
    uint256 internal constant FUNDS = 100_000_000 ether;
    /// Uniswap's test deployer carries Permit2's runtime code: where it starts, how long it is.
    uint256 private constant PERMIT2_START = 484;
    uint256 private constant PERMIT2_BYTES = 9_152;

    IHolder internal holder;
    IRouter internal router;
    IV2Router internal v2Router;
    address internal weth;
    /// The first three are plain tokens, the last is wrapped native.
    address[] internal tokens;
    mapping(address => mapping(address => address)) internal pairOf;
    mapping(address => mapping(address => address)) internal poolOf;

    uint256 internal constant TAKER_KEY = 0xA11CE;
    address internal taker = vm.addr(TAKER_KEY);
    address internal recipient = makeAddr("recipient");
    address internal partner = makeAddr("partner");
    address internal collector = makeAddr("collector");
    address internal stranger = makeAddr("stranger");
    /// Approves what a taker approves, and sends nothing.
    address internal victim = makeAddr("victim");

    function setUp() public virtual {
        // Permit2's code keeps the domain of forge's own chain number, where it was deployed at another address. On any other chain it computes its own.
        vm.chainId(1);
        weth = deploy("node_modules/canonical-weth/build/contracts/WETH9.json", "");
        holder = IHolder(deploy("contracts/artifacts/AllowanceHolder.gen.json", ""));
        router = IRouter(deploy("contracts/artifacts/Router.every.gen.json", abi.encode(holder, weth, collector)));
        bytes memory carrier = vm.getDeployedCode("node_modules/@uniswap/v4-periphery/foundry-out/DeployPermit2.sol/DeployPermit2.json");
        vm.etch(PERMIT2, slice(carrier, PERMIT2_START, PERMIT2_BYTES));
        for (uint256 i = 0; i < 3; i++) tokens.push(address(new TrickToken()));
        tokens.push(weth);
        layPools();
        address[2] memory owners = [taker, victim];
        for (uint256 i = 0; i < owners.length; i++) {
            vm.deal(owners[i], 2 * FUNDS);
            for (uint256 j = 0; j < tokens.length; j++) {
                fund(tokens[j], owners[i], FUNDS);
                vm.startPrank(owners[i]);
                TrickToken(tokens[j]).approve(address(holder), type(uint256).max);
                TrickToken(tokens[j]).approve(PERMIT2, type(uint256).max);
                vm.stopPrank();
            }
        }
    }

    function layPools() private {
        ISeededFactories v2 = ISeededFactories(deployV2());
        ISeededFactories v3 =
            ISeededFactories(deploy("node_modules/@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json", ""));
        v2Router = IV2Router(
            create(
                abi.encodePacked(
                    plainCode("node_modules/@uniswap/v2-periphery/build/UniswapV2Router02.json"), abi.encode(v2, weth)
                )
            )
        );
        PoolSeeder seeder = new PoolSeeder();
        for (uint256 i = 0; i < tokens.length; i++) fund(tokens[i], address(seeder), 12 * DEPTH);
        for (uint256 i = 0; i < tokens.length; i++) {
            for (uint256 j = i + 1; j < tokens.length; j++) {
                (address one, address other) = (tokens[i], tokens[j]);
                seeder.seedPair(v2, one, other, DEPTH);
                seeder.seedPool(v3, one, other, DEPTH);
                (pairOf[one][other], pairOf[other][one]) = (seeder.pairOf(one, other), seeder.pairOf(one, other));
                (poolOf[one][other], poolOf[other][one]) = (seeder.poolOf(one, other), seeder.poolOf(one, other));
            }
        }
    }

    function deployV2() private returns (address) {
        return create(abi.encodePacked(plainCode("node_modules/@uniswap/v2-core/build/UniswapV2Factory.json"), abi.encode(address(this))));
    }

    function deploy(string memory artifact, bytes memory arguments) internal returns (address) {
        return create(abi.encodePacked(vm.getCode(artifact), arguments));
    }

    /// Of an artifact that gives its code twice and without 0x, which the cheat code for artifacts can not read.
    function plainCode(string memory artifact) private view returns (bytes memory) {
        return vm.parseBytes(string.concat("0x", vm.parseJsonString(vm.readFile(artifact), ".evm.bytecode.object")));
    }

    function create(bytes memory code) private returns (address made) {
        assembly ("memory-safe") {
            made := create(0, add(code, 0x20), mload(code))
        }
        require(made != address(0), "not deployed");
    }

    function slice(bytes memory from, uint256 start, uint256 size) internal pure returns (bytes memory part) {
        part = new bytes(size);
        for (uint256 i = 0; i < size; i++) part[i] = from[start + i];
    }

    function fund(address token, address account, uint256 amount) internal {
        if (token == weth) {
            vm.deal(address(this), amount);
            (bool ok,) = weth.call{value: amount}("");
            require(ok && TrickToken(weth).transfer(account, amount), "not funded");
        } else {
            address[] memory accounts = new address[](1);
            accounts[0] = account;
            TrickToken(token).mint(accounts, amount);
        }
    }

    function balance(address token, address account) internal view returns (uint256) {
        return token == NATIVE ? account.balance : TrickToken(token).balanceOf(account);
    }

    /// Runs the order as the taker does, by native value, the allowance holder or Permit2.
    function send(Order memory order, bool permitted) internal returns (bool ok, bytes memory answer) {
        (address to, uint256 value, bytes memory data) = callOf(order, permitted);
        vm.prank(taker);
        return to.call{value: value}(data);
    }

    function callOf(Order memory order, bool permitted) internal view returns (address to, uint256 value, bytes memory data) {
        bytes memory payload = Payload.encode(order);
        if (order.sellToken == NATIVE) return (address(router), order.sellAmount, abi.encodeCall(IRouter.swap, (payload)));
        if (!permitted) {
            return (address(holder), 0, abi.encodeCall(IHolder.exec, (address(router), order.sellToken, order.sellAmount, payload)));
        }
        return (address(router), 0, abi.encodeCall(IRouter.swapPermit2, (abi.encodePacked(sign(order, payload), payload))));
    }

    function sign(Order memory order, bytes memory payload) internal view returns (bytes memory) {
        bytes32 witness = keccak256(
            abi.encode(
                keccak256("Swap(address buyToken,address recipient,uint256 minBuyAmount,bytes32 payloadHash)"),
                order.buyToken,
                order.recipient,
                order.buy ? order.quotedNet : order.minBuyAmount,
                keccak256(payload)
            )
        );
        bytes32 permitted = keccak256(
            abi.encode(keccak256("TokenPermissions(address token,uint256 amount)"), order.sellToken, order.sellAmount)
        );
        bytes32 permit = keccak256(
            abi.encode(
                keccak256(
                    "PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,Swap witness)Swap(address buyToken,address recipient,uint256 minBuyAmount,bytes32 payloadHash)TokenPermissions(address token,uint256 amount)"
                ),
                permitted,
                router,
                uint256(keccak256(abi.encodePacked("permit2-nonce", bytes16(order.tag)))),
                order.deadline,
                witness
            )
        );
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,uint256 chainId,address verifyingContract)"), keccak256("Permit2"), block.chainid, PERMIT2
            )
        );
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(TAKER_KEY, keccak256(abi.encodePacked(hex"1901", domain, permit)));
        return abi.encodePacked(r, s, v);
    }
}
