import { expect } from 'chai';
import { createPublicClient, createWalletClient, type Hex, http, parseAbi } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { type BuildResult, buildSwap, createLegEncoder, NO_FIRM_HOPS } from '../../src/building/building.ts';
import { createNodeRpc } from '../../src/devnet/node-rpc.ts';
import { type Hosting, hostDevnet } from '../../src/host-chains.ts';
import { toSolveJob } from '../../src/quoting/quoting.ts';
import type { Plan } from '../../src/routing/routing.ts';
import { createSolving, type Solving } from '../../src/solving/solving.ts';
import { instantNow } from '../../src/units/units.ts';
import { parseTradeRequest } from '../../src/validation/validation.ts';
import { loadBuilderVenues } from '../../src/venues/venues.ts';
import { testConfig } from '../support/braid.ts';
import { useDevnet } from '../support/devnet.ts';
import { FULL_SCALE, SEED, seededRandom } from '../support/seeded-random.ts';
import { until } from '../support/until.ts';

const TRADING = parseAbi([
  'function approve(address, uint256)',
  'struct Single { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(Single params) payable returns (uint256)',
  'function swapExactTokensForTokens(uint256, uint256, address[], address, uint256) returns (uint256[])',
]);
const NEVER = { client: 'test', signal: new AbortController().signal };
/** A hundred is the figure; a slice of it is for every day. */
const MOVED = FULL_SCALE ? 100 : 3;
const QUOTE_ID = '22d547fd-026f-43ea-ab65-cfdcb93b8d35';

/** Venues whose pools the test knows how to move. */
const MOVED_HERE = 'uniswap_v2,sushiswap_v2,uniswap_v3';

describe('a chain that moves while a swap is built', function suite() {
  this.timeout(600_000);
  const chain = useDevnet();
  let hosting: Hosting;
  let solving: Solving;
  let stopIndexers: () => Promise<void>;

  before(async () => {
    hosting = hostDevnet(testConfig(), chain.current());
    await hosting.verifySettlement((message) => {
      throw new Error(message);
    });
    solving = await createSolving({
      threads: 1,
      workerFile: new URL('../../workers/solver.ts', import.meta.url),
      data: { chains: hosting.solverChains },
      onEvent: (event) => {
        // Nothing but answers: no thread lost, no job expired.
        if (event.kind !== 'ran') throw new Error(JSON.stringify(event));
      },
    });
    stopIndexers = hosting.startIndexers(
      () => undefined,
      () => undefined,
    );
    expect(await until(() => hosting.chains[0]?.view().phase === 'live', 120_000)).to.equal(true);
  });

  after(async () => {
    await stopIndexers?.();
    await solving?.close();
  });

  /** Builds a sell or a buy of WETH for USDC on the real threads; between the first solve and its certification, `move` happens. */
  async function build(mode: 'sell' | 'buy', move: (plan: Plan) => Promise<void>): Promise<{ first: Plan; built: BuildResult }> {
    const devnet = chain.current();
    const [hosted] = hosting.chains;
    const [weth, usdc] = ['WETH', 'USDC'].map((symbol) => devnet.tokens.find((token) => token.symbol === symbol)?.address);
    const amount = mode === 'sell' ? `sellAmount=${10n ** 18n}` : `buyAmount=${2_000n * 10n ** 6n}`;
    // Gas at next to nothing: a route with fewer hops may otherwise sell more for the same, and the two plans could not be compared.
    const trade = `chainId=31337&mode=${mode}&sellToken=${weth}&buyToken=${usdc}&${amount}&gasPriceGwei=0.000000001&timeLimitMs=5000&includeVenues=${MOVED_HERE}`;
    const query = `${trade}&taker=${devnet.accounts[0]?.address}`;
    const parsed = parseTradeRequest('swap', query, { developmentMode: false });
    if (!parsed.ok || hosted === undefined) throw new Error('the request is fine');
    const target = toSolveJob(parsed.request, null, 31_337, instantNow());
    if (!target.ok) throw new Error('the target is fine');
    const plans: Plan[] = [];
    const built = await buildSwap({
      request: parsed.request,
      hosted,
      fee: null,
      job: target.job,
      quoteId: QUOTE_ID,
      partnerId: null,
      surplus: 'protocol',
      deadline: BigInt(Math.floor(Date.now() / 1000) + 1200),
      solving: {
        async solve(job, caller) {
          const outcome = await solving.solve(job, caller);
          if (outcome.result.ok) {
            plans.push(outcome.result.plan);
            await move(outcome.result.plan);
          }
          return outcome;
        },
        solveAgain: (job, caller) => solving.solveAgain(job, caller),
        certify: (job, caller) => solving.certify(job, caller),
      },
      legs: createLegEncoder(await loadBuilderVenues()),
      firmHops: NO_FIRM_HOPS,
      clock: { now: instantNow, after: () => () => undefined },
      caller: NEVER,
      onSolved: () => undefined,
      onFirmed: () => undefined,
    });
    return { first: plans[0] as Plan, built };
  }

  /** Sells `whole` WETH into each pool of the plan that takes WETH, and waits until that is indexed. */
  async function sellInto(plan: Plan, whole: bigint): Promise<void> {
    const { accounts, rpcUrl, contract, wrappedNative, pools } = chain.current();
    const account = privateKeyToAccount(accounts[1]?.privateKey as Hex);
    const reader = createPublicClient({ chain: foundry, transport: http(rpcUrl), pollingInterval: 30, cacheTime: 0 });
    const wallet = createWalletClient({ chain: foundry, transport: http(rpcUrl), account });
    // At once: the swap that is built meanwhile has a budget.
    const done = async (hash: Hex) => {
      await createNodeRpc(rpcUrl).request('evm_mine');
      expect((await reader.waitForTransactionReceipt({ hash })).status).to.equal('success');
    };
    const amountIn = whole * 10n ** 18n;
    // A pool that is drained is walked to the end of its prices, word by word.
    const gas = 25_000_000n;
    for (const hop of plan.hops.filter(({ tokenIn }) => tokenIn === wrappedNative)) {
      const router = contract({ uniswap_v2: 'uniswapV2Router', sushiswap_v2: 'sushiswapV2Router' }[hop.protocol] ?? 'swapRouter');
      await done(await wallet.writeContract({ address: wrappedNative, abi: TRADING, functionName: 'approve', args: [router, amountIn], gas }));
      const fee = pools.find(({ address }) => address === hop.poolAddress)?.feePpm ?? 0;
      const single = {
        tokenIn: hop.tokenIn,
        tokenOut: hop.tokenOut,
        fee,
        recipient: account.address,
        deadline: 2n ** 40n,
        amountIn,
        amountOutMinimum: 0n,
        sqrtPriceLimitX96: 0n,
      };
      await done(
        router === contract('swapRouter')
          ? await wallet.writeContract({ address: router, abi: TRADING, functionName: 'exactInputSingle', args: [single], gas })
          : await wallet.writeContract({
              address: router,
              abi: TRADING,
              functionName: 'swapExactTokensForTokens',
              args: [amountIn, 0n, [hop.tokenIn, hop.tokenOut], account.address, 2n ** 40n],
              gas,
            }),
      );
    }
    const head = Number(await reader.getBlockNumber());
    expect(await until(() => blockOf() >= head, 60_000)).to.equal(true);
  }

  const blockOf = () => {
    const view = hosting.chains[0]?.view();
    return view === undefined || view.phase === 'coming-up' ? 0 : view.block.number;
  };

  async function expectExecutable(built: BuildResult): Promise<void> {
    if (!built.ok) throw new Error(built.refusal.reason);
    const { accounts, rpcUrl, allowanceHolder, wrappedNative } = chain.current();
    const account = privateKeyToAccount(accounts[0]?.privateKey as Hex);
    const reader = createPublicClient({ chain: foundry, transport: http(rpcUrl), pollingInterval: 30, cacheTime: 0 });
    const wallet = createWalletClient({ chain: foundry, transport: http(rpcUrl), account });
    const hash = await wallet.writeContract({
      address: wrappedNative,
      abi: TRADING,
      functionName: 'approve',
      args: [allowanceHolder, 2n ** 255n],
      gas: 100_000n,
    });
    await reader.waitForTransactionReceipt({ hash });
    const { to, data, value } = built.swap.transaction;
    expect((await reader.estimateGas({ account: account.address, to: to as Hex, data: data as Hex, value: BigInt(value) })) > 100_000n).to.equal(true);
  }

  it('Chain state committed while the swap was being built left the first plan under its floor: re-solved, certified, STALE_STATE_RESOLVED', async () => {
    const { first, built } = await build('sell', (plan) => sellInto(plan, 900n));
    if (!built.ok) throw new Error(built.refusal.reason);
    expect(built.swap.warnings?.map(({ code }) => code)).to.deep.equal(['STALE_STATE_RESOLVED']);
    expect(built.swap.blockNumber).to.be.greaterThan(first.block.number);
    expect(BigInt(built.swap.buyAmount) < first.grossAmount).to.equal(true);
    await expectExecutable(built);
  });

  it('a plan that still delivers its floor is handed out as it was solved, without a warning', async () => {
    const { first, built } = await build('sell', (plan) => sellInto(plan, 1n));
    if (!built.ok) throw new Error(built.refusal.reason);
    expect(built.swap.warnings).to.equal(undefined);
    expect(built.swap.blockNumber).to.equal(first.block.number);
    expect(built.swap.buyAmount).to.equal(String(first.grossAmount));
    await expectExecutable(built);
  });

  it('in buy any shortfall is solved again: the recipient receives exactly the requested amount or the transaction reverts', async () => {
    const { first, built } = await build('buy', (plan) => sellInto(plan, 1n));
    if (!built.ok) throw new Error(built.refusal.reason);
    expect(built.swap.warnings?.map(({ code }) => code)).to.deep.equal(['STALE_STATE_RESOLVED']);
    // Not that it takes more input: the fresher plan may save input and spend more gas.
    expect(built.swap.blockNumber).to.be.greaterThan(first.block.number);
    expect(built.swap.buyAmount).to.equal(String(2_000n * 10n ** 6n));
    await expectExecutable(built);
  });

  it(`B10: of ${MOVED} swaps between whose solve and certification the chain moves by chance, each is executable as handed out`, async () => {
    const random = seededRandom('moved while built');
    const node = createNodeRpc(chain.current().rpcUrl);
    const tally = { fresher: 0, asSolved: 0 };
    for (let at = 0; at < MOVED; at++) {
      const mode = random.pick(['sell', 'buy'] as const);
      // From what moves nothing to what moves every pool of the route, by its logarithm.
      const whole = BigInt(Math.round(10 ** (random.unit() * 2.3)));
      const context = `seed ${SEED}, swap ${at}: ${mode}, ${whole} WETH sold meanwhile`;
      const snapshot = await node.request('evm_snapshot');
      const { first, built } = await build(mode, (plan) => sellInto(plan, whole));
      if (!built.ok) throw new Error(`${context}: ${built.refusal.reason}`);
      const codes = built.swap.warnings?.map(({ code }) => code) ?? [];
      if (built.swap.blockNumber === first.block.number) expect(codes, context).to.deep.equal([]);
      else expect(codes, context).to.deep.equal(['STALE_STATE_RESOLVED']);
      tally[codes.length === 0 ? 'asSolved' : 'fresher']++;
      await expectExecutable(built);
      await node.request('evm_revert', snapshot);
      // What is taken back is followed once the chain is longer than it was.
      const gone = blockOf();
      const height = async () => Number(await node.request('eth_blockNumber'));
      while ((await height()) <= gone) await node.request('evm_mine');
      expect(await until(() => blockOf() > gone, 60_000), context).to.equal(true);
    }
    console.log(`      ${JSON.stringify(tally)}`);
    if (FULL_SCALE) expect(Math.min(tally.fresher, tally.asSolved)).to.be.at.least(MOVED / 10);
  });
});
