import { randomBytes } from 'node:crypto';
import { concatHex, encodeFunctionData, type Hex, padHex } from 'viem';
import { creationCode } from '../../src/devnet/artifacts.ts';
import { UNISWAP_V2_PLACES, UNISWAP_V3_PLACES } from '../../src/devnet/kinds/uniswap-places.ts';
import { createProbeNode } from '../../src/indexing/probe-node.ts';
import { createRpc, type Rpc } from '../../src/indexing/rpc/rpc.ts';
import { createTransferMeter, type Measured, readProbeCode, type TransferMeter } from '../../src/market/market.ts';
import type { TransferVerdict } from '../../src/snapshot/snapshot.ts';
import type { Address } from '../../src/units/units.ts';
import { contractOf, type Ground, ONE } from './settlement/ground.ts';

/** Tokens that are made for a test, with real pools, and what measures them by the node itself. */
export type MeasuringGround = {
  readonly meter: TransferMeter;
  /** Makes a token of contracts/devnet with a pair and a V3 pool against wrapped native, or a token that its deployer mints, of `depth` base units each, which the token knows for pools. */
  token(
    name: string,
    args?: readonly unknown[],
    pools?: 'both' | 'pair-alone',
    against?: Address,
  ): Promise<{ readonly token: Address; readonly pair: Address; readonly pool: Address }>;
  /** A V3 pool of such a token without liquidity at its price, where so many base units are for sale above it; one of a factory of its own each time. */
  dryPool(token: Address, depth: bigint): Promise<Address>;
  /** `deepest`: the pool that it takes most USD to move; absent: unknown. `lenders`: who has what the token is traded against, beside wrapped native; null: nobody knows what that does. */
  measure(token: Address, holders: readonly Address[], deepest?: Address | null, lenders?: readonly Address[] | null): Promise<Measured>;
  /** Throws where there is no verdict. */
  verdict(token: Address, holders: readonly Address[]): Promise<TransferVerdict>;
  /** The same by a node that does not say what blocks to come would do. */
  verdictByCalls(token: Address, holders: readonly Address[]): Promise<TransferVerdict>;
  write(name: string, token: Address, functionName: string, args: readonly unknown[]): Promise<void>;
  close(): void;
};

/** What the pools of a test have of each token. */
export const DEPTH = 1_000n * ONE;

function openMeasuring(ground: Ground): MeasuringGround {
  const { chain, accounts, contracts, tokens } = ground;
  const rpc: Rpc = createRpc({ urls: [chain.url], chainId: 31_337, fetch, random: Math.random, onHead: () => undefined });
  const settlement = { router: ground.router, allowanceHolder: ground.allowanceHolder, permit2: ground.permit2 };
  const node = createProbeNode(rpc);
  const parts = { code: readProbeCode(), random: randomBytes, settlement, minimumGasPriceWei: 0n };
  const meter = createTransferMeter({ ...parts, node });
  const meterOfCalls = createTransferMeter({ ...parts, node: { ...node, simulate: async () => null } });
  const owner = accounts.deployer;
  const write: MeasuringGround['write'] = async (name, token, functionName, args) => {
    await chain.write(owner, token, contractOf(contracts, name).abi, functionName, args);
  };
  const newest = async () => {
    const { number, hash, baseFeePerGas } = (await chain.rpc.request('eth_getBlockByNumber', 'latest', false)) as Record<
      'number' | 'hash' | 'baseFeePerGas',
      Hex
    >;
    return { number: Number(number), hash, baseFeePerGas: BigInt(baseFeePerGas) };
  };
  const measure: MeasuringGround['measure'] = async (token, pools, deepest = null, lenders = []) =>
    await meter.measure(token, { pools, deepest }, await newest(), async () => lenders, null);
  const verdictIn = (measured: Measured): TransferVerdict => {
    if (measured.kind !== 'verdict') throw new Error(measured.message);
    return measured.verdict;
  };
  return {
    meter,
    measure,
    write,
    verdict: async (token, holders) => verdictIn(await measure(token, holders)),
    async verdictByCalls(token, pools) {
      return verdictIn(await meterOfCalls.measure(token, { pools, deepest: null }, await newest(), async () => [], null));
    },
    async token(name, args = [], pools = 'both', against = tokens.weth) {
      const seederContract = contractOf(contracts, 'PoolSeeder');
      const token = await chain.create(owner, contractOf(contracts, name), args);
      const seeder = await chain.create(owner, seederContract);
      const abi = contractOf(contracts, 'TrickToken').abi;
      const v2Factory = await chain.deploy(owner, concatHex([creationCode(UNISWAP_V2_PLACES.factory), padHex(owner, { size: 32 })]));
      const v3Factory = await chain.deploy(owner, creationCode(UNISWAP_V3_PLACES.factory));
      const amount = 4n * DEPTH;
      if (against === tokens.weth) {
        await chain.mustSend(owner, { to: tokens.weth, value: amount });
        await chain.write(owner, tokens.weth, abi, 'transfer', [seeder, amount]);
      } else await chain.write(owner, against, abi, 'mint', [[seeder], amount]);
      const mints = contractOf(contracts, name).abi.some((item) => item.type === 'function' && item.name === 'mint');
      if (mints) await chain.write(owner, token, abi, 'mint', [[seeder], amount]);
      else await chain.mustSend(owner, { to: token, data: encodeFunctionData({ abi, functionName: 'transfer', args: [seeder, amount] }) });
      await chain.write(owner, seeder, seederContract.abi, 'seedPair', [v2Factory, token, against, DEPTH]);
      // A V3 pool takes no deposit of which a wei is lost on the way.
      if (pools === 'both') await chain.write(owner, seeder, seederContract.abi, 'seedPool', [v3Factory, token, against, DEPTH]);
      const [pair, pool] = [
        (await chain.read(seeder, seederContract.abi, 'pairOf', [token, against])) as Address,
        (await chain.read(seeder, seederContract.abi, 'poolOf', [token, against])) as Address,
      ];
      const marks = contractOf(contracts, name).abi.some((item) => item.type === 'function' && item.name === 'mark');
      for (const place of marks ? [pair, pool] : []) await write(name, token, 'mark', [place, true, false]);
      return { token, pair, pool };
    },
    async dryPool(token, depth) {
      const seederContract = contractOf(contracts, 'PoolSeeder');
      const seeder = await chain.create(owner, seederContract);
      const factory = await chain.deploy(owner, creationCode(UNISWAP_V3_PLACES.factory));
      await chain.write(owner, token, contractOf(contracts, 'TrickToken').abi, 'mint', [[seeder], depth]);
      await chain.write(owner, seeder, seederContract.abi, 'placePool', [factory, token, tokens.weth, 10_000, 2n ** 96n, 200, 6000, depth]);
      return (await chain.read(seeder, seederContract.abi, 'placed')) as Address;
    },
    close: () => rpc.close(),
  };
}

/** Measures on a suite's ground, for as long as the suite runs. */
export function useMeasuring(here: { current(): Ground }): { current(): MeasuringGround } {
  let measuring: MeasuringGround | undefined;
  before(() => {
    measuring = openMeasuring(here.current());
  });
  after(() => measuring?.close());
  return {
    current() {
      if (measuring === undefined) throw new TypeError('nothing is measured before the suite runs');
      return measuring;
    },
  };
}
