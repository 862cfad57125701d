import { createRequire } from 'node:module';
import {
  type Abi,
  CallExecutionError,
  createPublicClient,
  createTestClient,
  createWalletClient,
  decodeEventLog,
  encodeAbiParameters,
  type Hex,
  http,
  parseAbi,
} from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { type CompiledContract, compileSolidity } from '../../scripts/solidity.ts';
import type { OracleChain } from './oracle-chain.ts';

const require = createRequire(import.meta.url);
const TASKS = '@balancer-labs/v2-deployments/dist/tasks/';
const NOBODY = '0x0000000000000000000000000000000000000000';
const OWNER = '0x0000000000000000000000000000000000000001';
const MNEMONIC = 'test test test test test test test test test test test junk';

export type PoolToken = { readonly decimals: number /** 18-decimal; null without a rate provider. */; readonly rate: bigint | null };
export type PoolWish = {
  readonly tokens: readonly PoolToken[];
  /** 18-decimal, for weighted pools. */
  readonly weights?: readonly bigint[];
  /** Whole, for stable pools. */
  readonly amplification?: bigint;
  readonly swapFee: bigint;
};

/** A pool that a real factory built. `tokens` are in the vault's order; `wishOf` says which token of the wish each is, −1 for the pool's own. */
export type BuiltPool = {
  readonly address: Hex;
  readonly poolId: Hex;
  readonly tokens: readonly Hex[];
  readonly wishOf: readonly number[];
  /** As the pool says them; none of a stable pool. */
  readonly weights: readonly bigint[];
};

export type BalancerFactory =
  | 'weighted-2021'
  | 'weighted-two-tokens-2021'
  | 'bootstrapping-2021'
  | 'weighted-2022'
  | 'weighted-2023'
  | 'stable-2021'
  | 'meta-stable-2021'
  | 'phantom-2021'
  | 'stable-2022'
  | 'composable-2022'
  | 'composable-2023';

type FactoryFacts = { readonly place: string; readonly bytecode?: string; readonly feeProvider: boolean; readonly versions: boolean };

const FACTORIES: Readonly<Record<BalancerFactory, FactoryFacts>> = {
  'weighted-2021': facts('deprecated/20210418-weighted-pool/artifact/WeightedPoolFactory.json'),
  'weighted-two-tokens-2021': facts('deprecated/20210418-weighted-pool/artifact/WeightedPool2TokensFactory.json'),
  'bootstrapping-2021': facts('20211202-no-protocol-fee-lbp/artifact/NoProtocolFeeLiquidityBootstrappingPoolFactory.json'),
  'weighted-2022': facts('20220908-weighted-pool-v2/artifact/WeightedPoolFactory.json', { feeProvider: true }),
  'weighted-2023': facts('20230206-weighted-pool-v3/artifact/WeightedPoolFactory.json', { feeProvider: true, versions: true }),
  'stable-2021': facts('deprecated/20210624-stable-pool/artifact/StablePoolFactory.json'),
  'meta-stable-2021': facts('deprecated/20210727-meta-stable-pool/artifact/MetaStablePoolFactory.json'),
  'phantom-2021': {
    ...facts('deprecated/20211208-stable-phantom-pool/abi/StablePhantomPoolFactory.json'),
    bytecode: 'deprecated/20211208-stable-phantom-pool/bytecode/StablePhantomPoolFactory.json',
  },
  'stable-2022': facts('deprecated/20220609-stable-pool-v2/artifact/StablePoolFactory.json'),
  'composable-2022': facts('deprecated/20220906-composable-stable-pool/artifact/ComposableStablePoolFactory.json', { feeProvider: true }),
  'composable-2023': facts('20230206-composable-stable-pool-v3/artifact/ComposableStablePoolFactory.json', { feeProvider: true, versions: true }),
};

function facts(place: string, more: Partial<FactoryFacts> = {}): FactoryFacts {
  return { place, feeProvider: false, versions: false, ...more };
}

/** The real vault and the factories around it. */
export type BalancerChain = {
  readonly vault: Hex;
  build(factory: BalancerFactory, wish: PoolWish): Promise<BuiltPool>;
  /** Gives a pool without a token of its own these first balances, in the vault's order. */
  fill(pool: BuiltPool, balances: readonly bigint[]): Promise<void>;
  /** What the vault says a swap moves: amounts in and out. null where it reverts. */
  query(pool: BuiltPool, kind: 0 | 1, indexIn: number, indexOut: number, amount: bigint): Promise<readonly [bigint, bigint] | null>;
  /** Puts the oracle's code in the vault's place: pools then answer for any balances. */
  replaceVault(): Promise<void>;
  readonly oracleAbi: Abi;
};

/** Deploys the vault of mainnet from its authors' package. */
export async function startBalancer(chain: OracleChain): Promise<BalancerChain> {
  const compiled = await compileSolidity('contracts/devnet/oracle');
  const [oracle, token, rate] = [contractOf(compiled, 'BalancerOracle'), contractOf(compiled, 'DecimalsToken'), contractOf(compiled, 'FixedRate')];
  const account = mnemonicToAccount(MNEMONIC);
  const transport = http(chain.url, { timeout: 60_000, retryCount: 0 });
  const reader = createPublicClient({ chain: foundry, transport, pollingInterval: 20 });
  const wallet = createWalletClient({ chain: foundry, transport, account });
  const deploy = ({ abi, bytecode }: { readonly abi: Abi; readonly bytecode: Hex }, args: readonly unknown[]) => chain.deploy(abi, bytecode, args);

  const authorizer = await deploy(balancerArtifact(`20210418-authorizer/artifact/Authorizer.json`), [account.address]);
  const vaultArtifact = balancerArtifact(`20210418-vault/artifact/Vault.json`);
  const vault = await deploy(vaultArtifact, [authorizer, NOBODY, 0n, 0n]);
  const provider = await deploy(balancerArtifact(`20220725-protocol-fee-percentages-provider/artifact/ProtocolFeePercentagesProvider.json`), [
    vault,
    10n ** 18n,
    10n ** 18n,
  ]);
  const library = await deploy(balancerArtifact(`deprecated/20210727-meta-stable-pool/artifact/QueryProcessor.json`), []);
  const factories = new Map<BalancerFactory, { readonly abi: Abi; readonly address: Hex }>();

  async function send(address: Hex, abi: Abi, functionName: string, args: readonly unknown[]) {
    const hash = await wallet.writeContract({ address, abi, functionName, args: [...args], gas: 20_000_000n });
    const receipt = await reader.waitForTransactionReceipt({ hash });
    if (receipt.status !== 'success') throw new Error(`${functionName} reverted`);
    return receipt;
  }

  async function factoryOf(name: BalancerFactory): Promise<{ readonly abi: Abi; readonly address: Hex }> {
    const known = factories.get(name);
    if (known !== undefined) return known;
    const { feeProvider, versions } = FACTORIES[name];
    const { abi, bytecode } = factoryArtifact(name);
    const linked = bytecode.replaceAll(/__\$[0-9a-f]{34}\$__/g, library.slice(2)) as Hex;
    const address = await chain.deploy(abi, linked, [vault, ...(feeProvider ? [provider] : []), ...(versions ? ['1', '1'] : [])]);
    factories.set(name, { abi, address });
    return { abi, address };
  }

  async function build(name: BalancerFactory, wish: PoolWish): Promise<BuiltPool> {
    const tokens: { address: Hex; provider: Hex; wish: number }[] = [];
    for (const [index, wished] of wish.tokens.entries()) {
      const rateProvider = wished.rate === null ? NOBODY : await deploy(rate, [wished.rate]);
      tokens.push({ address: await deploy(token, [wished.decimals]), provider: rateProvider, wish: index });
    }
    tokens.sort((a, b) => (a.address.toLowerCase() < b.address.toLowerCase() ? -1 : 1));
    const factory = await factoryOf(name);
    const receipt = await send(factory.address, factory.abi, 'create', createArguments(name, wish, tokens));
    const address = createdPool(receipt.logs, factory);
    const poolId = (await chain.ask(address, POOL_ABI, 'getPoolId', [])) as Hex;
    const [registered] = (await chain.ask(vault, vaultArtifact.abi, 'getPoolTokens', [poolId])) as readonly [readonly Hex[]];
    const wishOf = registered.map((own) => tokens.find((one) => one.address.toLowerCase() === own.toLowerCase())?.wish ?? -1);
    const weights = wish.weights === undefined ? [] : ((await chain.ask(address, POOL_ABI, 'getNormalizedWeights', [])) as readonly bigint[]);
    return { address, poolId, tokens: registered, wishOf, weights };
  }

  async function fill({ poolId, tokens }: BuiltPool, balances: readonly bigint[]): Promise<void> {
    for (const [slot, own] of tokens.entries()) {
      await send(own, token.abi, 'mint', [account.address, balances[slot]]);
      await send(own, token.abi, 'approve', [vault, balances[slot]]);
    }
    const userData = encodeAbiParameters([{ type: 'uint256' }, { type: 'uint256[]' }], [0n, balances]);
    const request = { assets: tokens, maxAmountsIn: balances, userData, fromInternalBalance: false };
    await send(vault, vaultArtifact.abi, 'joinPool', [poolId, account.address, account.address, request]);
  }

  async function query({ poolId, tokens }: BuiltPool, kind: 0 | 1, indexIn: number, indexOut: number, amount: bigint) {
    const steps = [{ poolId, assetInIndex: BigInt(indexIn), assetOutIndex: BigInt(indexOut), amount, userData: '0x' }];
    const funds = { sender: account.address, fromInternalBalance: false, recipient: account.address, toInternalBalance: false };
    try {
      const deltas = (await chain.ask(vault, vaultArtifact.abi, 'queryBatchSwap', [kind, steps, tokens, funds])) as readonly bigint[];
      return [deltas[indexIn] ?? 0n, -(deltas[indexOut] ?? 0n)] as const;
    } catch (error) {
      if (error instanceof CallExecutionError) return null;
      throw error;
    }
  }

  async function replaceVault(): Promise<void> {
    await createTestClient({ mode: 'anvil', chain: foundry, transport }).setCode({ address: vault, bytecode: oracle.deployedBytecode });
  }

  return { vault, build, fill, query, replaceVault, oracleAbi: oracle.abi };
}

const POOL_ABI: Abi = parseAbi(['function getPoolId() view returns (bytes32)', 'function getNormalizedWeights() view returns (uint256[])']);

/** ABI and creation code of a contract as its authors deployed it. `place` is a file of their deployment tasks. */
function balancerArtifact(place: string): { readonly abi: Abi; readonly bytecode: Hex } {
  const { abi, bytecode } = require(TASKS + place) as { readonly abi: Abi; readonly bytecode: string };
  return { abi, bytecode: withPrefix(bytecode) };
}

function withPrefix(code: string): Hex {
  return code.startsWith('0x') ? (code as Hex) : `0x${code}`;
}

function contractOf(compiled: Readonly<Record<string, CompiledContract>>, name: string): CompiledContract {
  const found = compiled[name];
  if (found === undefined) throw new Error(`${name} is not among the compiled contracts`);
  return found;
}

/** Some deployments are published as ABI and creation code apart. */
function factoryArtifact(name: BalancerFactory): { readonly abi: Abi; readonly bytecode: Hex } {
  const { place, bytecode } = FACTORIES[name];
  if (bytecode === undefined) return balancerArtifact(place);
  const { creationCode } = require(TASKS + bytecode) as { readonly creationCode: string };
  return { abi: require(TASKS + place) as Abi, bytecode: withPrefix(creationCode) };
}

function createArguments(
  name: BalancerFactory,
  { weights = [], amplification, swapFee }: PoolWish,
  tokens: readonly { readonly address: Hex; readonly provider: Hex; readonly wish: number }[],
): readonly unknown[] {
  const addresses = tokens.map(({ address }) => address);
  const providers = tokens.map(({ provider }) => provider);
  const sorted = tokens.map(({ wish }) => weights[wish]);
  const durations = tokens.map(({ provider }) => (provider === NOBODY ? 0n : 86_400n));
  const named = ['pool', 'POOL', addresses] as const;
  switch (name) {
    case 'weighted-2021':
      return [...named, sorted, swapFee, OWNER];
    case 'weighted-two-tokens-2021':
      return [...named, sorted, swapFee, false, OWNER];
    case 'bootstrapping-2021':
      return [...named, sorted, swapFee, OWNER, true];
    case 'weighted-2022':
    case 'weighted-2023':
      return [...named, sorted, providers, swapFee, OWNER];
    case 'stable-2021':
    case 'stable-2022':
      return [...named, amplification, swapFee, OWNER];
    case 'meta-stable-2021':
      return [...named, amplification, providers, durations, swapFee, false, OWNER];
    case 'phantom-2021':
      return [...named, amplification, providers, durations, swapFee, OWNER];
    case 'composable-2022':
    case 'composable-2023':
      return [...named, amplification, providers, durations, tokens.map(() => false), swapFee, OWNER];
    default:
      return name satisfies never;
  }
}

function createdPool(
  logs: readonly { readonly address: Hex; readonly data: Hex; readonly topics: readonly Hex[] }[],
  factory: { abi: Abi; address: Hex },
): Hex {
  for (const { address, data, topics } of logs) {
    if (address.toLowerCase() !== factory.address.toLowerCase()) continue;
    const { args } = decodeEventLog({ abi: factory.abi, data, topics: topics as [Hex, ...Hex[]] });
    const pool = (args as unknown as { readonly pool?: Hex } | undefined)?.pool;
    if (pool !== undefined) return pool;
  }
  throw new Error('the factory announced no pool');
}
