import { encodeFunctionData, erc20Abi } from 'viem';
import { type Leg, legsNeeded, readSettlementContracts } from '../../../src/building/building.ts';
import { type Devnet, plainMarket } from '../../../src/devnet/devnet.ts';
import { type Address, asBps } from '../../../src/units/units.ts';
import { loadBuilderVenues } from '../../../src/venues/venues.ts';
import { type OracleHop, venueOracle } from '../venue-oracle.ts';
import { MAX } from './ground.ts';
import { connectTestChain, type TestChain } from './test-chain.ts';

/** The settlement contracts on the devnet, and what the venues' own contracts say there. */
export type DevnetGround = {
  readonly chain: TestChain;
  readonly devnet: Devnet;
  readonly router: Address;
  readonly allowanceHolder: Address;
  readonly accounts: Readonly<Record<'taker' | 'recipient' | 'partner' | 'collector' | 'victim' | 'bystander', Address>>;
  /** Balances of every account in every token, and native by the sentinel. */
  balances(accounts: readonly Address[], tokens: readonly Address[]): Promise<ReadonlyMap<string, bigint>>;
  /** Output of a pool for an exact input, asked of the venue's own contracts: null where it reverts or would fill in part. */
  quote(hop: OracleHop, amountIn: bigint): Promise<bigint | null>;
};

const GAS_PRICE = 100n * 10n ** 9n;
export async function settleOnDevnet(devnet: Devnet): Promise<DevnetGround> {
  const chain = connectTestChain(devnet.rpcUrl, GAS_PRICE);
  await chain.rpc.request('evm_setAutomine', true);
  const [, taker, recipient, partner, victim, bystander, deployer] = devnet.accounts.map(({ address }) => address);
  if (!taker || !recipient || !partner || !victim || !bystander || !deployer) throw new Error('too few accounts');
  const settlement = readSettlementContracts();
  const routerCode = settlement.routerFor(legsNeeded(await loadBuilderVenues(), devnet.deployments));
  chain.know(routerCode.abi);
  chain.know(settlement.allowanceHolder.abi);
  const allowanceHolder = await chain.deploy(deployer, settlement.allowanceHolder.creationCode);
  const settings = { allowanceHolder, wrappedNative: devnet.wrappedNative, feeCollector: devnet.feeCollector };
  const router = await chain.deploy(deployer, routerCode.creationCode(settings));
  for (const { address } of plainMarket(devnet).tokens) {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [allowanceHolder, MAX] });
    for (const account of [taker, victim]) await chain.mustSend(account, { to: address, data });
  }
  return {
    chain,
    devnet,
    router,
    allowanceHolder,
    accounts: { taker, recipient, partner, collector: devnet.feeCollector, victim, bystander },
    async balances(accounts, tokens) {
      const places = accounts.flatMap((account) => tokens.map((token) => ({ account, token })));
      const read = await chain.balances(places);
      return new Map(places.map(({ account, token }, i) => [`${account} ${token}`, read[i] ?? 0n]));
    },
    async quote(hop, amountIn) {
      const oracle = await venueOracle(hop.pool.family);
      return oracle.exactIn((address, abi, name, args) => chain.read(address, abi, name, args), devnet, hop, amountIn).catch(() => null);
    },
  };
}

/** A hop through a pool of the devnet. */
export async function devnetHop(hop: OracleHop, bps: number): Promise<Leg> {
  const oracle = await venueOracle(hop.pool.family);
  return { bps: asBps(bps), tokenIn: hop.tokenIn, tokenOut: hop.tokenOut, pool: hop.pool.address, ...oracle.leg(hop) };
}
