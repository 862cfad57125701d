import { expect } from 'chai';
import { encodeDeployData, encodeFunctionData, type Hex, parseAbi } from 'viem';
import { compileSolidity } from '../../scripts/solidity.ts';
import { createRandom } from '../../src/random.ts';
import { WordReader } from '../../src/snapshot/snapshot.ts';
import { type Address, asAddress } from '../../src/units/units.ts';
import { price } from '../../src/venues/erc4626/price.ts';
import { state, type VaultState } from '../../src/venues/erc4626/state.ts';
import { useDevnet } from '../support/devnet.ts';
import { MOMENT } from '../support/moment.ts';
import { FULL_SCALE, SEED } from '../support/seeded-random.ts';
import { type Activity, ERC20, openActivity } from './indexing/activity.ts';
import { openVaultActivity, VAULT, type VaultActivity } from './indexing/erc4626-activity.ts';
import { type Indexed, openIndexed, rebuiltHash } from './indexing/world.ts';

const OPERATIONS = FULL_SCALE ? 500 : 8;
const AMOUNTS_PER_WAY = FULL_SCALE ? 8 : 3;
const BURNT = asAddress('0x000000000000000000000000000000000000dead');
const ONE = 10n ** 18n;
const TRICK = parseAbi(['function set(uint8 temper)', 'function issue(address to, uint256 shares)']);
/** By number in TrickVault.sol. */
const TEMPERS = { honest: 0, previewReverts: 2, previewBurnsGas: 3, bent: 4, noDeposits: 5, endless: 7 } as const;

describe('following ERC-4626 vaults', function suite() {
  this.timeout(FULL_SCALE ? 1_800_000 : 300_000);
  const devnet = useDevnet({ blockTimeSeconds: 3600, bots: false });
  const random = createRandom(SEED).unit;
  let activity: Activity;
  let vaults: VaultActivity;
  let indexed: Indexed;

  before(async () => {
    activity = await openActivity(devnet.current(), random);
    vaults = await openVaultActivity(devnet.current(), activity, random);
    indexed = await openIndexed(devnet.current());
  });
  after(() => indexed?.close());

  const head = async () => (await activity.client.getBlock({ blockTag: 'latest' })).hash;
  const ask = (vault: Address, functionName: 'previewDeposit' | 'previewRedeem', amount: bigint) =>
    activity.client.readContract({ address: vault, abi: VAULT, functionName, args: [amount] });
  const me = () => devnet.current().accounts[0]?.address as Address;

  /** What is published of a vault. */
  const knownOf = (from: Indexed, vault: Address): VaultState | null =>
    from.look((view) => {
      for (let id = 0; id < view.poolCount; id++) {
        const pool = view.pool(id);
        if (pool?.address === vault) return state.unpack(new WordReader(pool.words));
      }
      return null;
    });

  /** Amounts from a unit to as much as is taken. */
  const amountsTo = (limit: bigint): readonly bigint[] =>
    limit === 0n
      ? []
      : [limit, 1n, ...Array.from({ length: AMOUNTS_PER_WAY }, () => limit / BigInt(Math.ceil(10 ** (random() * 20))) + 1n)].filter(
          (amount) => amount <= limit,
        );

  /** Every published vault gives for any amount what the vault itself previews, and takes no more than it allows. */
  async function expectContracts(): Promise<void> {
    await indexed.reach(await head());
    for (const { address } of vaults.vaults) {
      const known = knownOf(indexed, address);
      if (known === null) throw new Error(`${address} is not published`);
      for (const [slot, way, preview] of [
        [0, known.deposit, 'previewDeposit'],
        [1, known.redeem, 'previewRedeem'],
      ] as const) {
        const amounts = amountsTo(way.limit);
        const previews = await Promise.all(amounts.map((amount) => ask(address, preview, amount)));
        for (const [at, amount] of amounts.entries()) {
          const quote = price.exactIn(known, slot, 1 - slot, amount, MOMENT);
          expect(quote.ok ? quote.amountOut : 0n, `${address} ${preview} ${amount}, BRAID_SEED=${SEED}`).to.equal(previews[at]);
        }
      }
      const most = await activity.client.readContract({ address, abi: VAULT, functionName: 'maxDeposit', args: [me()] });
      expect(known.deposit.limit <= most, 'deposits').to.equal(true);
      expect(known.redeem.limit > 0n, 'redemptions').to.equal(true);
    }
  }

  it('finds the vaults that are named, each with its asset', async () => {
    await indexed.reach(await head());
    const found = indexed.look((view) => {
      const all = Array.from({ length: view.poolCount }, (_, id) => view.pool(id)).filter((pool) => pool?.protocol === 'erc4626');
      return all.map((pool) => [pool?.address, ...(pool?.tokens ?? []).map((id) => view.token(id).address)]);
    });
    const named = await Promise.all(
      vaults.vaults.map(async ({ address }) => [
        address,
        asAddress(await activity.client.readContract({ address, abi: VAULT, functionName: 'asset' })),
        address,
      ]),
    );
    expect(found).to.have.deep.members(named);
  });

  it(`gives what they preview after each of ${OPERATIONS} deposits, redemptions, gifts and changes of caps`, async () => {
    const amount = (): bigint => 10n ** BigInt(22 + Math.floor(random() * 5));
    const operations = [vaults.deposit, vaults.deposit, vaults.redeem, vaults.donate, vaults.donate, () => vaults.setCaps(amount(), amount())];
    await expectContracts();
    for (let done = 0; done < OPERATIONS; done++) {
      await operations[Math.floor(random() * operations.length)]?.();
      await expectContracts();
    }
    expect(indexed.hash()).to.equal(await rebuiltHash(devnet.current(), await head()));
  });

  it('takes no more than caps allow, and has no vault that is paused', async () => {
    const known = async () => {
      await indexed.reach(await head());
      return knownOf(indexed, vaults.capped);
    };
    await vaults.setCaps(10n ** 27n, 1000n * ONE);
    expect((await known())?.redeem.limit).to.equal(1000n * ONE);
    await vaults.setCaps(1n, 1000n * ONE);
    expect((await known())?.deposit.limit).to.equal(0n);
    await vaults.setCaps(10n ** 27n, 0n);
    expect((await known())?.redeem.limit).to.equal(0n);
    const burnt = await activity.client.readContract({ address: vaults.capped, abi: VAULT, functionName: 'balanceOf', args: [BURNT] });
    await vaults.setCaps(10n ** 27n, burnt + 1000n * ONE);
    expect((await known())?.redeem.limit, 'a cap that burnt shares do not reach').to.equal(burnt + 1000n * ONE);
    await vaults.setCaps(10n ** 27n, 2n ** 255n);
    expect(((await known())?.redeem.limit ?? 0n) > burnt + 1000n * ONE, 'no cap').to.equal(true);
    await vaults.setCaps(10n ** 27n, 10n ** 27n, true);
    expect(await known()).to.equal(null);
    await vaults.setCaps(10n ** 27n, 10n ** 27n);
    await expectContracts();
  });

  describe('a vault that is not to be trusted', () => {
    let vault: Address;
    let asset: Address;
    let watching: Indexed;

    before(async () => {
      const { TrickVault } = await compileSolidity('contracts/devnet/adversaries');
      asset = devnet.current().tokens.find(({ symbol }) => symbol === 'DAI')?.address as Address;
      if (TrickVault === undefined) throw new Error('TrickVault is not among the compiled contracts');
      vault = await deploy(encodeDeployData({ ...TrickVault, args: [asset] }));
      const approve = encodeFunctionData({ abi: ERC20, functionName: 'approve', args: [vault, 2n ** 256n - 1n] });
      const deposit = encodeFunctionData({ abi: VAULT, functionName: 'deposit', args: [1000n * ONE, me()] });
      await activity.mine([
        { to: asset, data: approve },
        { to: vault, data: deposit },
      ]);
      const deployment = { venue: 'erc4626', family: 'erc4626', factory: vault, fromBlock: 1 };
      watching = await openIndexed(devnet.current(), { deployments: [...devnet.current().deployments, deployment] });
    });
    after(() => watching?.close());

    async function deploy(data: Hex): Promise<Address> {
      const hash = await activity.request('eth_sendTransaction', { from: me(), data, gas: '0x600000', gasPrice: '0x2e90edd000' });
      await activity.request('evm_mine');
      const { contractAddress } = await activity.client.getTransactionReceipt({ hash: hash as Hex });
      return asAddress(contractAddress ?? '');
    }

    /** What is published of it once it has this temper; the other pools are there all the same. */
    async function becoming(temper: keyof typeof TEMPERS): Promise<VaultState | null> {
      await activity.mine([{ to: vault, data: encodeFunctionData({ abi: TRICK, functionName: 'set', args: [TEMPERS[temper]] }) }]);
      await watching.reach(await head());
      expect(knownOf(watching, vaults.capped)).to.not.equal(null);
      return knownOf(watching, vault);
    }

    it('is absent where its preview reverts, burns all gas or is not linear, and there again afterwards', async () => {
      for (const temper of ['previewReverts', 'previewBurnsGas', 'bent'] as const) {
        expect(await becoming('honest'), 'honest').to.not.equal(null);
        expect(await becoming(temper), temper).to.equal(null);
      }
    });

    it('is read as far as its answers are ones, and closed in the direction that it closes', async () => {
      expect((await becoming('endless'))?.deposit.ratios).to.deep.equal((await becoming('honest'))?.deposit.ratios);
      const open = await becoming('noDeposits');
      expect([open?.deposit.limit, open?.redeem.limit]).to.deep.equal([0n, 1000n * ONE]);
      // A vault that takes no deposits pays for shares all the same, and what was said of it.
      const held = () => activity.client.readContract({ address: asset, abi: VAULT, functionName: 'balanceOf', args: [me()] });
      const [shares, before] = [10n * ONE, await held()];
      const quote = price.exactIn(open as VaultState, 1, 0, shares, MOMENT);
      await activity.mine([{ to: vault, data: encodeFunctionData({ abi: VAULT, functionName: 'redeem', args: [shares, me(), me()] }) }]);
      expect(quote.ok && quote.amountOut).to.equal((await held()) - before);
      await activity.mine([{ to: vault, data: encodeFunctionData({ abi: TRICK, functionName: 'issue', args: [BURNT, 9n] }) }]);
      const shut = await becoming('noDeposits');
      expect([shut?.deposit.limit, shut?.redeem.limit]).to.deep.equal([0n, 990n * ONE + 9n]);
    });

    it('follows a jump of its rate at the block of the jump', async () => {
      const before = await becoming('honest');
      await activity.mine([
        { to: asset, data: encodeFunctionData({ abi: parseAbi(['function transfer(address to, uint256 value)']), args: [vault, 5000n * ONE] }) },
      ]);
      await watching.reach(await head());
      const after = knownOf(watching, vault);
      for (const known of [before, after]) expect(known).to.not.equal(null);
      const quote = price.exactIn(after as VaultState, 0, 1, 600n * ONE, MOMENT);
      expect(quote.ok && quote.amountOut).to.equal(await ask(vault, 'previewDeposit', 600n * ONE));
      expect(quote.ok && quote.amountOut < 101n * ONE).to.equal(true);
    });

    it('of whose balances nothing can be supposed gives no more than burnt shares are redeemed for', async () => {
      const { NarrowVault } = await compileSolidity('contracts/devnet/adversaries');
      if (NarrowVault === undefined) throw new Error('NarrowVault is not among the compiled contracts');
      const narrow = await deploy(encodeDeployData({ ...NarrowVault, args: [asset] }));
      const give = (assets: bigint, to: Address) => ({ to: narrow, data: encodeFunctionData({ abi: VAULT, functionName: 'deposit', args: [assets, to] }) });
      await activity.mine([
        { to: asset, data: encodeFunctionData({ abi: ERC20, functionName: 'approve', args: [narrow, 2n ** 256n - 1n] }) },
        give(5000n * ONE, me()),
      ]);
      const deployment = { venue: 'erc4626', family: 'erc4626', factory: narrow, fromBlock: 1 };
      const beside = await openIndexed(devnet.current(), { deployments: [deployment] });
      try {
        const limit = async () => {
          await beside.reach(await head());
          return knownOf(beside, narrow)?.redeem.limit;
        };
        expect(await limit()).to.equal(0n);
        await activity.mine([give(7n * ONE, BURNT)]);
        expect(await limit()).to.equal(7n * ONE);
        await activity.mine([give(3000n * ONE, BURNT)]);
        expect(await limit()).to.equal(1000n * ONE);
      } finally {
        beside.close();
      }
    });

    it('is absent while it has next to no shares, whose worth a gift can make anything', async () => {
      const held = await activity.client.readContract({ address: vault, abi: VAULT, functionName: 'balanceOf', args: [me()] });
      await activity.mine([{ to: vault, data: encodeFunctionData({ abi: VAULT, functionName: 'redeem', args: [held - 999_990n, me(), me()] }) }]);
      await watching.reach(await head());
      expect(knownOf(watching, vault)).to.equal(null);
      await activity.mine([{ to: vault, data: encodeFunctionData({ abi: TRICK, functionName: 'issue', args: [me(), 1n] }) }]);
      await watching.reach(await head());
      expect(knownOf(watching, vault)).to.not.equal(null);
    });
  });
});
