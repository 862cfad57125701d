import { expect } from 'chai';
import { encodeFunctionData, type Hex, parseAbi } from 'viem';
import { deriveAccounts } from '../../src/devnet/accounts.ts';
import { plainMarket } from '../../src/devnet/devnet.ts';
import { type Address, asAddress, NATIVE_TOKEN } from '../../src/units/units.ts';
import { useBraid } from '../support/braid.ts';
import { FULL_SCALE, SEED, seededRandom } from '../support/seeded-random.ts';
import { expectGasNear } from './gas-errors.ts';
import { approveAll, type ModelledGas, settleHead, type Taker, takeBack, takerOf } from './swap-check.ts';

const GUARD = parseAbi(['function setGuard(bool trap, bool paused)', 'function mark(address account, bool pool, bool exempt)']);
const ROUTER = parseAbi([
  'function addLiquidity(address, address, uint256, uint256, uint256, uint256, address, uint256)',
  'function getPair(address, address) view returns (address)',
]);
const APPROVE = parseAbi(['function approve(address spender, uint256 value) returns (bool)']);

const GAS_RUNS = FULL_SCALE ? 200 : 24;

/** What the answers to a sale, a purchase, and a purchase of an exact amount say; null: it is served, and a text is part of the warning or of the refusal. */
const TOKENS = [
  ['TOLL', { status: 200, says: 'sell side 101 bps, buy side 0 bps' }, { status: 404, says: 'universal' }, { status: 404, says: 'mode=sell' }],
  ['EXIT', { status: 200, says: 'sell side 505 bps, buy side 0 bps' }, { status: 404, says: 'sell-only' }, { status: 404, says: 'mode=sell' }],
  [
    'FERRY',
    { status: 200, says: 'sell side 41 bps, buy side 0 bps' },
    { status: 200, says: 'sell side 0 bps, buy side 41 bps' },
    { status: 404, says: 'mode=sell' },
  ],
  ['GREED', { status: 404, says: '20%' }, { status: 404, says: '20%' }, { status: 404, says: '20%' }],
  ['TRAP', { status: 404, says: 'can not sell it again' }, { status: 404, says: 'can not sell it again' }, { status: 404, says: 'can not sell it again' }],
  ['HALT', { status: 404, says: 'paused' }, { status: 404, says: 'paused' }, { status: 404, says: 'paused' }],
  ['STAKE', { status: 200, says: null }, { status: 200, says: null }, { status: 404, says: 'rounding' }],
] as const;

type Answer = { readonly error?: string; readonly warnings?: readonly { readonly code: string; readonly detail: string }[] };

describe('the tokens of the local chain whose transfers are not plain', function suite() {
  this.timeout(FULL_SCALE ? 7_200_000 : 1_800_000);
  const braid = useBraid({ env: { FRESHNESS_BOUND_MS: '600000' } });
  let taker: Taker;
  before(async () => {
    taker = takerOf(braid.current());
    for (const { address } of taker.devnet.tokens.filter(({ oddTransfers }) => oddTransfers !== null)) {
      const data = encodeFunctionData({ abi: APPROVE, args: [taker.devnet.allowanceHolder, 2n ** 255n] });
      const hash = await taker.wallet.sendTransaction({ to: address, data, gas: 200_000n });
      await taker.reader.request({ method: 'evm_mine' } as never);
      expect((await taker.reader.waitForTransactionReceipt({ hash })).status).to.equal('success');
    }
  });

  const addressOf = (symbol: string): string => taker.devnet.tokens.find((token) => token.symbol === symbol)?.address ?? '';
  const trade = (sellToken: string, buyToken: string, amount: bigint, mode = 'sell') => ({ mode, sellToken, buyToken, [`${mode}Amount`]: String(amount) });

  it('are all that is not plain, and beside the wrapped native token alone: no route between others meets one', () => {
    const { devnet } = taker;
    const odd = devnet.tokens.filter(({ oddTransfers }) => oddTransfers !== null);
    expect(odd.map(({ symbol }) => symbol)).to.deep.equal(TOKENS.map(([symbol]) => symbol));
    const plain = plainMarket(devnet);
    expect(plain.tokens.length + odd.length).to.equal(devnet.tokens.length);
    for (const { tokens } of devnet.pools.filter((pool) => !plain.pools.includes(pool))) {
      expect(tokens).to.include(devnet.wrappedNative);
      expect(tokens.filter((token) => odd.some(({ address }) => address === token))).to.have.lengthOf(1);
    }
  });

  for (const [symbol, sale, purchase, exact] of TOKENS) {
    it(`${symbol}: measured as on any chain, and served or refused with what was found`, async () => {
      const [odd, usdc] = [addressOf(symbol), addressOf('USDC')];
      for (const [expected, query] of [
        [sale, trade(odd, usdc, 10n ** 18n)],
        [purchase, trade(usdc, odd, 25_000_000n)],
        [exact, trade(NATIVE_TOKEN, odd, 10n ** 18n, 'buy')],
      ] as const) {
        const { status, text } = await taker.ask(query);
        const answer = JSON.parse(text) as Answer;
        expect(status, `${symbol}: ${text}`).to.equal(expected.status);
        if (expected.status === 404) expect(answer.error).to.include(expected.says).and.include(odd.slice(2, 6));
        else if (expected.says === null) expect(answer.warnings, text).to.equal(undefined);
        else expect(answer.warnings?.find(({ code }) => code === 'FEE_ON_TRANSFER')?.detail, text).to.include(expected.says);
      }
    });
  }

  it('HALT: is sold a block after its owner lets it move (G6)', async () => {
    const data = encodeFunctionData({ abi: GUARD, functionName: 'setGuard', args: [false, false] });
    const from = deriveAccounts().house.deployer;
    await taker.rpc('evm_setIntervalMining', 0);
    await taker.rpc('eth_sendTransaction', { from, to: addressOf('HALT'), data, gas: '0x30d40' });
    await settleHead(braid.current(), taker);
    const { status, text } = await taker.ask(trade(addressOf('HALT'), addressOf('USDC'), 10n ** 18n));
    expect(status, text).to.equal(200);
    expect((JSON.parse(text) as Answer).warnings, text).to.equal(undefined);
  });

  it('HALT: what its owner shuts out of another pool than the deepest is traded at the deepest alone; of that one, nowhere', async () => {
    const { devnet, rpc, wallet, reader } = taker;
    const [halt, weth] = [addressOf('HALT') as Address, devnet.wrappedNative];
    const from = deriveAccounts().house.deployer;
    const asOwner = async (to: Address, data: Hex): Promise<void> => {
      const hash = (await rpc('eth_sendTransaction', { from, to, data, gas: '0x4c4b40' })) as Hex;
      await rpc('evm_mine');
      expect((await reader.waitForTransactionReceipt({ hash })).status).to.equal('success');
    };
    const guard = (trap: boolean) => asOwner(halt, encodeFunctionData({ abi: GUARD, functionName: 'setGuard', args: [trap, false] }));
    const pairs = devnet.pools.filter(({ tokens }) => tokens.includes(halt)).map(({ address }) => address);
    const mark = async (pair: Address, isPool: boolean) => asOwner(halt, encodeFunctionData({ abi: GUARD, functionName: 'mark', args: [pair, isPool, false] }));
    const sale = async () => {
      await settleHead(braid.current(), taker);
      const { status, swap, text } = await taker.ask(trade(halt, weth, 10n ** 17n));
      return { status, swap, text, through: status === 200 ? swap.route.map(({ protocol }) => protocol) : [] };
    };
    await rpc('evm_setIntervalMining', 0);
    await guard(false);
    // One that pays far more, for as long as it may be sold to.
    const router = devnet.contract('sushiswapV2Router');
    for (const token of [halt, weth]) await asOwner(token, encodeFunctionData({ abi: APPROVE, args: [router, 2n ** 255n] }));
    const args = [halt, weth, 10n ** 19n, 10n ** 18n, 0n, 0n, from, 2n ** 64n] as const;
    await asOwner(router, encodeFunctionData({ abi: ROUTER, functionName: 'addLiquidity', args }));
    const factory = devnet.deployments.find(({ family }) => family === 'sushiswap_v2')?.factory as Address;
    const small = asAddress(await reader.readContract({ address: factory, abi: ROUTER, functionName: 'getPair', args: [halt, weth] }));
    expect((await sale()).through).to.deep.equal(['sushiswap_v2']);
    const [main] = pairs;
    if (main === undefined) throw new Error('HALT has no pool');
    await mark(main, false);
    await mark(small, true);
    await guard(true);
    const { status, swap, text, through } = await sale();
    expect(status, text).to.equal(200);
    expect(through).to.deep.equal(['uniswap_v2']);
    const hash = await wallet.sendTransaction({ to: swap.transaction.to, data: swap.transaction.data, gas: 1_000_000n });
    await rpc('evm_mine');
    expect((await reader.waitForTransactionReceipt({ hash })).status).to.equal('success');
    await mark(main, true);
    await mark(small, false);
    const refused = await sale();
    expect(refused.status, refused.text).to.equal(404);
    expect(refused.text).to.include('can not sell it again');
    await guard(false);
    expect((await sale()).through).to.deep.equal(['sushiswap_v2']);
  });

  /** Swaps and executes the same twice: the second time the pools have just traded, as pools in life have. null where that takes other pools. */
  async function gasOf(query: Readonly<Record<string, string>>): Promise<ModelledGas | null> {
    const { rpc, wallet, reader } = taker;
    const snapshot = await rpc('evm_snapshot');
    const pools = new Set<string>();
    let gas: ModelledGas | null = null;
    for (const isFirst of [true, false]) {
      await settleHead(braid.current(), taker);
      const { status, swap, text } = await taker.ask(query);
      const context = `seed ${SEED}, ${JSON.stringify(query)}: ${text}`;
      expect(status, context).to.equal(200);
      const { to, data, value } = swap.transaction;
      const hash = await wallet.sendTransaction({ to, data, value: BigInt(value), gas: 8_000_000n, gasPrice: 20n * 10n ** 9n });
      await rpc('evm_mine');
      const { gasUsed, status: outcome } = await reader.waitForTransactionReceipt({ hash });
      expect(outcome, context).to.equal('success');
      const ported = swap.route.some(({ protocol }) => protocol === 'curve_crypto');
      if (!isFirst && swap.route.every(({ poolAddress }) => pools.has(poolAddress))) gas = { said: swap.gas, used: Number(gasUsed), context, ported };
      for (const { poolAddress } of swap.route) pools.add(poolAddress);
    }
    await takeBack(taker, snapshot);
    return gas;
  }

  it('the gas that answers say of their swaps is as near to what is taken as that of other swaps', async () => {
    const random = seededRandom('gas of odd tokens');
    const { devnet, rpc } = taker;
    const native = { symbol: 'ETH', address: NATIVE_TOKEN, decimals: 18, usd: 2500 };
    const others = [native, ...plainMarket(devnet).tokens];
    const sold = devnet.tokens.filter(({ symbol }) => ['TOLL', 'EXIT', 'FERRY', 'STAKE'].includes(symbol));
    const bought = devnet.tokens.filter(({ symbol }) => ['FERRY', 'STAKE'].includes(symbol));
    const pick = <Item>(items: readonly Item[]): Item => items[random.integer(0, items.length - 1)] as Item;
    await approveAll(taker);
    await rpc('evm_setIntervalMining', 0);
    const measured: ModelledGas[] = [];
    for (let run = 0; run < GAS_RUNS; run++) {
      const sells = random.chance(0.6);
      const [sell, buy] = sells ? [pick(sold), pick(others)] : [pick(others), pick(bought)];
      const whole = BigInt(Math.max(1, Math.round((10 ** (1 + random.unit() * 3.5) / sell.usd) * 1e6)));
      const gas = await gasOf(trade(sell.address, buy.address, (whole * 10n ** BigInt(sell.decimals ?? 18)) / 1_000_000n || 1n));
      if (gas !== null) measured.push(gas);
    }
    await rpc('evm_setIntervalMining', 1);
    expectGasNear(measured, GAS_RUNS / 2);
  });
});
