import { expect } from 'chai';
import { erc20Abi, parseAbi } from 'viem';
import { type Leg, readSettlementContracts } from '../../../src/building/building.ts';
import type { CompiledContracts } from '../../../src/devnet/solidity.ts';
import { type Address, asAddress, asBps, asWei } from '../../../src/units/units.ts';
import { devnetContracts } from '../../support/devnet-contracts.ts';
import { FULL_SCALE, SEED, seededRandom } from '../../support/seeded-random.ts';
import { contractOf, type Ground, hop, ONE, termsOf, useGround } from '../../support/settlement/ground.ts';
import { changes, refuse, setToken, settle } from '../../support/settlement/swaps.ts';

const VAULT = parseAbi([
  'function deposit(uint256 assets, address receiver) returns (uint256)',
  'function previewDeposit(uint256 assets) view returns (uint256)',
  'function previewRedeem(uint256 shares) view returns (uint256)',
  'function set(uint8 temper)',
]);
const NOBODY = asAddress(`0x${'0'.repeat(40)}`);
const SEED_ASSETS = 100_000n * ONE;
/** By number in TrickVault.sol. */
const TEMPERS = { lying: 1, halving: 6 } as const;

describe('the leg of vaults, against OpenZeppelin’s', function () {
  this.timeout(FULL_SCALE ? 1_800_000 : 300_000);
  const here = useGround();
  let laid: { readonly ground: Ground; readonly vault: Address; readonly ofN: Address; readonly trick: Address };

  before(async () => {
    const plain = here.current();
    const { chain, accounts, allowanceHolder, wrappedNative, tokens, contracts } = plain;
    const { FeeVault } = await devnetContracts('erc4626');
    if (FeeVault === undefined) throw new Error('FeeVault is not among the compiled contracts');
    const routerCode = readSettlementContracts().routerFor(['erc4626', 'uniswap_v2', 'uniswap_v3', 'wrap']);
    chain.know(routerCode.abi);
    const router = await chain.deploy(accounts.deployer, routerCode.creationCode({ allowanceHolder, wrappedNative, feeCollector: accounts.collector }));
    const ground = { ...plain, router };
    const feeVault = (asset: Address, exitFee: bigint) => [asset, 'Vault', 'V', 3, 0n, exitFee, accounts.stranger] as const;
    const vault = await openVault(ground, FeeVault, feeVault(tokens.a, 37n), tokens.a);
    const ofN = await openVault(ground, FeeVault, feeVault(tokens.n, 0n), tokens.n);
    const trick = await openVault(ground, contractOf(contracts, 'TrickVault'), [tokens.a], tokens.a);
    laid = { ground, vault, ofN, trick };
  });

  /** A vault that has earned a third of what it got, with shares of the taker's, who lets the allowance holder take them. */
  async function openVault(ground: Ground, contract: CompiledContracts[string], args: readonly unknown[], asset: Address): Promise<Address> {
    const { chain, accounts, allowanceHolder, contracts } = ground;
    const { deployer, taker } = accounts;
    const vault = await chain.create(deployer, contract, args);
    await chain.write(deployer, asset, contractOf(contracts, 'TrickToken').abi, 'mint', [[deployer], 4n * SEED_ASSETS]);
    await chain.write(deployer, asset, erc20Abi, 'approve', [vault, 4n * SEED_ASSETS]);
    for (const receiver of [deployer, taker]) await chain.write(deployer, vault, VAULT, 'deposit', [SEED_ASSETS, receiver]);
    await chain.write(deployer, asset, parseAbi(['function transfer(address to, uint256 value)']), 'transfer', [vault, SEED_ASSETS / 3n]);
    await chain.write(taker, vault, erc20Abi, 'approve', [allowanceHolder, 2n ** 256n - 1n]);
    return vault;
  }

  /** A hop through a vault: the other token is its share. */
  function vaultHop(vault: Address, tokenIn: Address, tokenOut: Address, bps = 10_000): Leg {
    return { leg: 'erc4626', bps: asBps(bps), tokenIn, tokenOut, pool: vault, data: '0x' };
  }

  const preview = async (ground: Ground, vault: Address, name: 'previewDeposit' | 'previewRedeem', amount: bigint) =>
    (await ground.chain.read(vault, VAULT, name, [amount])) as bigint;
  const held = async (ground: Ground, token: Address, account: Address) => (await ground.chain.read(token, erc20Abi, 'balanceOf', [account])) as bigint;
  const approved = (ground: Ground, token: Address, vault: Address) => ground.chain.read(token, erc20Abi, 'allowance', [ground.router, vault]);

  it('deposits and redeems, from the taker and from the router, direct and with custody: what is delivered is the preview, to the wei', async () => {
    const { ground, vault } = laid;
    const { a, c } = ground.tokens;
    const { taker, recipient, deployer } = ground.accounts;
    const random = seededRandom('erc4626 leg');
    await ground.chain.write(deployer, a, contractOf(ground.contracts, 'TrickToken').abi, 'mint', [[taker], SEED_ASSETS]);
    for (let i = 0; i < (FULL_SCALE ? 1_000 : 16); i++) {
      const deposits = i % 2 === 0;
      const [sellToken, buyToken] = deposits ? [a, vault] : [vault, a];
      const sellAmount = 1_000_000n + random.logUniform((deposits ? 500n : 500_000n) * ONE);
      const given = await preview(ground, vault, deposits ? 'previewDeposit' : 'previewRedeem', sellAmount);
      const [soldBefore, boughtBefore] = [await held(ground, sellToken, taker), await held(ground, buyToken, recipient)];
      const amounts = { sellToken, buyToken, sellAmount: asWei(sellAmount), minBuyAmount: asWei(given), buyAmount: asWei(given + 1n) };
      await settle(ground, termsOf(ground, { ...amounts, surplus: random.pick(['taker', 'protocol']), legs: [vaultHop(vault, sellToken, buyToken)] }));
      const label = `BRAID_SEED=${SEED} ${deposits ? 'deposit' : 'redemption'} of ${sellAmount}`;
      expect(soldBefore - (await held(ground, sellToken, taker)), label).to.equal(sellAmount);
      expect((await held(ground, buyToken, recipient)) - boughtBefore, label).to.equal(given);
      for (const token of [a, vault]) expect([await held(ground, token, ground.router), await approved(ground, token, vault)]).to.deep.equal([0n, 0n]);
    }
    // In the middle of a route: the router pays, and is paid.
    const legs = [hop(ground, 'v3', c, a), vaultHop(vault, a, vault), vaultHop(vault, vault, a, 5000), hop(ground, 'v2', a, ground.tokens.b)];
    const before = await held(ground, vault, taker);
    const moved = await changes(ground, { taker, recipient, router: ground.router }, () => settle(ground, termsOf(ground, { sellToken: c, legs })));
    expect(Object.keys(moved)).to.deep.equal(['taker.c', 'recipient.b']);
    // The half of the shares that no hop took.
    expect((await held(ground, vault, taker)) > before).to.equal(true);
  });

  it('of an asset that returns nothing and refuses a second approval, twice in one route', async () => {
    const { ground, ofN } = laid;
    const { n } = ground.tokens;
    const { recipient } = ground.accounts;
    const given = await preview(ground, ofN, 'previewDeposit', ONE / 2n);
    const legs = [vaultHop(ofN, n, ofN, 5000), vaultHop(ofN, n, ofN)];
    const before = await held(ground, ofN, recipient);
    await settle(ground, termsOf(ground, { sellToken: n, buyToken: ofN, minBuyAmount: asWei(2n * given - 1n), legs }));
    expect((await held(ground, ofN, recipient)) - before >= 2n * given - 1n).to.equal(true);
    expect(await approved(ground, n, ofN)).to.equal(0n);
  });

  it('what a vault leaves of its input is the taker’s again, with nothing approved', async () => {
    const { ground, trick } = laid;
    const { a } = ground.tokens;
    const { taker } = ground.accounts;
    await ground.chain.write(taker, trick, VAULT, 'set', [TEMPERS.halving]);
    for (const [sellToken, buyToken] of [
      [a, trick],
      [trick, a],
    ] as const) {
      const before = await held(ground, sellToken, taker);
      const event = await settle(ground, termsOf(ground, { sellToken, buyToken, legs: [vaultHop(trick, sellToken, buyToken)] }));
      expect([before - (await held(ground, sellToken, taker)), event.sellAmount]).to.deep.equal([ONE / 2n, ONE / 2n]);
      expect([await held(ground, sellToken, ground.router), await approved(ground, sellToken, trick)]).to.deep.equal([0n, 0n]);
    }
  });

  it('a vault that gives less than it previewed is held by the floor', async () => {
    const { ground, trick } = laid;
    const { a } = ground.tokens;
    await ground.chain.write(ground.accounts.taker, trick, VAULT, 'set', [TEMPERS.lying]);
    for (const [sellToken, buyToken, name] of [
      [a, trick, 'previewDeposit'],
      [trick, a, 'previewRedeem'],
    ] as const) {
      const promised = await preview(ground, trick, name, ONE);
      await refuse(
        ground,
        termsOf(ground, { sellToken, buyToken, minBuyAmount: asWei(promised), legs: [vaultHop(trick, sellToken, buyToken)] }),
        'BelowMinimum',
      );
    }
  });

  it('a gift to the vault between quote and execution is held by the floor', async () => {
    const { ground, vault } = laid;
    const { a } = ground.tokens;
    const promised = await preview(ground, vault, 'previewDeposit', ONE);
    await ground.chain.write(ground.accounts.deployer, a, contractOf(ground.contracts, 'TrickToken').abi, 'mint', [[vault], ONE]);
    await refuse(ground, termsOf(ground, { buyToken: vault, minBuyAmount: asWei(promised), legs: [vaultHop(vault, a, vault)] }), 'BelowMinimum');
  });

  it('a taxed asset is deposited as far as it arrived, and one that does not arrive not at all', async () => {
    const { ground, vault } = laid;
    const { a } = ground.tokens;
    const { recipient } = ground.accounts;
    await setToken(ground, a, 0, 1000, NOBODY);
    const before = await held(ground, vault, recipient);
    await settle(ground, termsOf(ground, { buyToken: vault, legs: [vaultHop(vault, a, vault)] }));
    expect((await held(ground, vault, recipient)) > before).to.equal(true);
    expect(await approved(ground, a, vault)).to.equal(0n);
    await setToken(ground, a, 0, 10_000, NOBODY);
    await refuse(ground, termsOf(ground, { buyToken: vault, legs: [vaultHop(vault, a, vault)] }), 'InputMissing');
  });

  it('neither token being the vault, an account without code, what holds allowances: no venue', async () => {
    const { ground, vault } = laid;
    const { a, b } = ground.tokens;
    await refuse(ground, termsOf(ground, { legs: [vaultHop(vault, a, b)] }), 'NotTheVaultsToken');
    for (const none of [NOBODY, ground.allowanceHolder, ground.permit2, ground.router, ground.accounts.stranger]) {
      await refuse(ground, termsOf(ground, { legs: [vaultHop(none, a, b)] }), 'NotAVenue');
    }
    await refuse(here.current(), termsOf(ground, { buyToken: vault, legs: [vaultHop(vault, a, vault)] }), 'LegUnknown');
  });
});
