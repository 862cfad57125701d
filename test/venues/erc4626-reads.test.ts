import { expect } from 'chai';
import { encodeFunctionData, type Hex, parseAbi } from 'viem';
import { asAddress, type EpochSeconds } from '../../src/units/units.ts';
import { price } from '../../src/venues/erc4626/price.ts';
import type { VaultState } from '../../src/venues/erc4626/state.ts';
import { track } from '../../src/venues/erc4626/track.ts';
import { momentOf } from '../../src/venues/quote-moment.ts';
import type { DiscoveredPool } from '../../src/venues/venues.ts';
import { MadeUpContracts, wordsOf } from './made-up-contracts.ts';

const ABI = parseAbi([
  'function asset() view returns (address)',
  'function decimals() view returns (uint8)',
  'function paused() view returns (bool)',
  'function totalAssets() view returns (uint256)',
  'function totalSupply() view returns (uint256)',
  'function convertToAssets(uint256 shares) view returns (uint256)',
  'function maxDeposit(address receiver) view returns (uint256)',
  'function maxRedeem(address owner) view returns (uint256)',
  'function balanceOf(address account) view returns (uint256)',
  'function previewDeposit(uint256 assets) view returns (uint256)',
  'function previewRedeem(uint256 shares) view returns (uint256)',
]);
const of = (digit: string) => asAddress(`0x${digit.repeat(40)}`);
const [VAULT, ASSET] = [of('1'), of('2')];
const ANYBODY = asAddress('0x0000000000000000000000000000000000004626');
const BURNT = asAddress('0x000000000000000000000000000000000000dead');
const DEPLOYMENT = { venue: 'erc4626', family: 'erc4626', factory: VAULT, fromBlock: 0 };
const NOW = momentOf({ number: 9, timestamp: 1000 as EpochSeconds });
const NONE = 2n ** 256n - 1n;

function asked(functionName: string, ...args: readonly unknown[]): Hex {
  return encodeFunctionData({ abi: ABI, functionName, args } as unknown as Parameters<typeof encodeFunctionData>[0]);
}

function poolOf(offset: number): DiscoveredPool {
  return { key: VAULT, address: VAULT, hook: null, protocol: 'erc4626', source: 'erc4626', tokens: [ASSET, VAULT], traits: { offset } };
}

describe('what a vault says it is', () => {
  const described = async (contracts: MadeUpContracts, known = false) =>
    (await track.describe?.([{ announcement: { announces: 'vault', facts: {} }, deployment: DEPLOYMENT }], contracts.read, () => known))?.[0];
  const vault = (asset: Hex | null, decimals: Hex | null, assetDecimals: Hex | null) =>
    new MadeUpContracts().says(VAULT, asked('asset'), asset).says(VAULT, asked('decimals'), decimals).says(ASSET, asked('decimals'), assetDecimals);

  it('its asset and itself, with the decimals that its shares have beyond its asset’s', async () => {
    const cases = [
      [6, 6, 0],
      [18, 6, 12],
      [7, 6, 1],
      [6, 7, 0],
      [36, 0, 36],
      [37, 0, 0],
      [200, 6, 0],
      [null, 6, 0],
      [20, null, 2],
      [18, null, 0],
      [null, null, 0],
    ] as const;
    const digits = (value: number | null) => (value === null ? null : wordsOf(value));
    for (const [own, assets, offset] of cases) {
      expect(await described(vault(wordsOf(ASSET), digits(own), digits(assets))), `${own} over ${assets}`).to.deep.equal([poolOf(offset)]);
    }
  });

  it('is no vault where it names no asset, or itself; one that is known is not asked', async () => {
    for (const asset of [null, '0x', wordsOf(0), wordsOf(VAULT), wordsOf(1n << 160n)] as const) {
      expect(await described(vault(asset, wordsOf(18), wordsOf(18))), String(asset)).to.equal(null);
    }
    const known = vault(wordsOf(ASSET), wordsOf(18), wordsOf(18));
    expect(await described(known, true)).to.deep.equal([]);
    expect(known.rounds.every((count) => count === 0)).to.equal(true);
  });
});

describe('what a vault says of its state', () => {
  // The first digits of π, in steps of three: what the code asks for has to be told, whatever it asks for.
  const amounts = Array.from({ length: 11 }, (_, at) => BigInt('3141592653589793238462643383279'.slice(0, 1 + 3 * at)));
  const [ASSETS, SUPPLY] = [1_234_567_890_123n, 1_000_000_000_000n];
  type Vault = { assets?: bigint; supply?: bigint; paused?: bigint | null; deposits?: bigint | null; maxBurnt?: bigint; burnt?: bigint; idle?: bigint };
  /** A vault as OpenZeppelin's is without virtual shares: both ways round down. */
  const vault = ({ assets = ASSETS, supply = SUPPLY, paused = null, deposits = NONE, maxBurnt = NONE, burnt = 1000n, idle = assets }: Vault = {}) => {
    const contracts = new MadeUpContracts()
      .says(VAULT, asked('totalAssets'), wordsOf(assets))
      .says(VAULT, asked('totalSupply'), wordsOf(supply))
      .says(VAULT, asked('paused'), paused === null ? null : wordsOf(paused))
      .says(VAULT, asked('maxDeposit', ANYBODY), deposits === null ? null : wordsOf(deposits))
      .says(VAULT, asked('maxRedeem', BURNT), wordsOf(maxBurnt))
      .says(VAULT, asked('balanceOf', BURNT), wordsOf(burnt))
      .says(ASSET, asked('balanceOf', VAULT), wordsOf(idle));
    for (const amount of amounts) {
      contracts.says(VAULT, asked('previewDeposit', amount), wordsOf((amount * supply) / assets));
      contracts.says(VAULT, asked('previewRedeem', amount), wordsOf((amount * assets) / supply));
    }
    return contracts;
  };
  const loaded = async (contracts: MadeUpContracts) => ((await track.load([poolOf(0)], contracts.read, NOW))[0] ?? null) as VaultState | null;
  const largest = amounts.at(-1) as bigint;

  it('both ways as it previews them, up to its limits, what it has at hand and what was asked for', async () => {
    const state = (await loaded(vault())) as VaultState;
    expect([state.deposit.limit, state.redeem.limit]).to.deep.equal([largest, SUPPLY]);
    for (const amountIn of [1n, 999n, 10n ** 9n + 7n]) {
      const [shares, back] = [price.exactIn(state, 0, 1, amountIn, NOW), price.exactIn(state, 1, 0, amountIn, NOW)];
      const [given, returned] = [(amountIn * SUPPLY) / ASSETS, (amountIn * ASSETS) / SUPPLY];
      expect(shares.ok ? shares.amountOut : 0n).to.equal(given);
      expect(back.ok ? back.amountOut : 0n).to.equal(returned);
    }
    expect((await loaded(vault({ deposits: 5n })))?.deposit.limit).to.equal(5n);
    expect((await loaded(vault({ deposits: largest - 1n })))?.deposit.limit).to.equal(largest - 1n);
    expect((await loaded(vault({ deposits: null })))?.deposit.limit, 'it does not say').to.equal(0n);
  });

  it('redeems what a holder may that is supposed to have enough, else what burnt shares may, and no more than it can pay', async () => {
    const redeemed = async (changes: Vault) => (await loaded(vault(changes)))?.redeem.limit;
    expect([await redeemed({ maxBurnt: 999n }), await redeemed({ maxBurnt: 0n }), await redeemed({ burnt: 0n })]).to.deep.equal([999n, 0n, SUPPLY]);
    const supposing = { ...poolOf(0), traits: { offset: 0, sharesAt: wordsOf(7) } };
    const supposed = async (most: bigint | null, maxBurnt = 5n) => {
      const contracts = vault({ maxBurnt }).says(VAULT, asked('maxRedeem', ANYBODY), most === null ? null : wordsOf(most));
      return ((await track.load([supposing], contracts.read, NOW))[0] as VaultState | null)?.redeem.limit;
    };
    expect([await supposed(77n), await supposed(0n), await supposed(NONE), await supposed(null)]).to.deep.equal([77n, 0n, SUPPLY, 5n]);
    const idle = 1_000_000n;
    const most = (await redeemed({ burnt: 5n, idle })) as bigint;
    expect([(most * ASSETS) / SUPPLY <= idle, ((most + 1n) * ASSETS) / SUPPLY > idle], 'all that lies in it, and no more').to.deep.equal([true, true]);
    expect(await redeemed({ burnt: 5_000_000n, idle }), 'burnt shares can always be').to.equal(5_000_000n);
  });

  it('has none where it is paused, has too few shares, or does not say what it has', async () => {
    expect(await loaded(vault({ paused: 1n }))).to.equal(null);
    for (const paused of [0n, null]) expect(await loaded(vault({ paused })), `${paused}`).not.to.equal(null);
    expect(await loaded(vault({ supply: 999_999n, assets: 999_999n }))).to.equal(null);
    expect(await loaded(vault({ supply: 1_000_000n, assets: 999_999n }))).not.to.equal(null);
    for (const view of ['totalAssets', 'totalSupply']) {
      for (const answer of [null, '0x'] as const) expect(await loaded(vault().says(VAULT, asked(view), answer)), view).to.equal(null);
    }
  });

  it('has as many shares and assets as an amount may be, and none more', async () => {
    const most = 2n ** 128n - 1n;
    for (const [assets, supply] of [
      [most, most],
      [most - 1n, most],
      [most, most - 1n],
    ] as const) {
      const state = await loaded(vault({ assets, supply }));
      expect([state?.deposit.limit, state?.redeem.limit], `${assets} ${supply}`).to.deep.equal([largest, largest]);
    }
    for (const [assets, supply] of [
      [most, most + 1n],
      [most + 1n, most],
    ] as const) {
      const state = await loaded(vault({ assets, supply }));
      expect([state?.deposit.limit, state?.redeem.limit], `${assets} ${supply}`).to.deep.equal([0n, 0n]);
    }
  });

  it('a way ends with the largest amount that is previewed; it is closed where previews are few, or follow no rate', async () => {
    const until = async (way: 'deposit' | 'redeem', last: number) => {
      const contracts = vault();
      const view = way === 'deposit' ? 'previewDeposit' : 'previewRedeem';
      for (const amount of amounts.slice(last + 1)) contracts.says(VAULT, asked(view, amount), null);
      return (await loaded(contracts))?.[way].limit;
    };
    for (const last of [3, 5, 10]) expect(await until('deposit', last)).to.equal(amounts[last]);
    expect(await until('redeem', 3)).to.equal(amounts[3]);
    for (const way of ['deposit', 'redeem'] as const) for (const last of [-1, 0, 2]) expect(await until(way, last), `${way} ${last}`).to.equal(0n);
    for (const [at, amount] of amounts.entries()) {
      const lying = vault().says(VAULT, asked('previewDeposit', amount), wordsOf((amount * SUPPLY) / ASSETS + 1n));
      const state = await loaded(lying);
      expect([state?.deposit.limit, state?.redeem.limit], `a unit more at ${at}`).to.deep.equal([0n, SUPPLY]);
    }
  });

  it('of several vaults each has its own answers', async () => {
    const other = { ...poolOf(0), key: of('9'), address: of('9') };
    const [first, second, third] = await track.load([poolOf(0), other, poolOf(0)], vault().read, NOW);
    expect([second, third]).to.deep.equal([null, first]);
    expect(first).not.to.equal(null);
  });
});
