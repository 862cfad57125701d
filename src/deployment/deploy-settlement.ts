import { createPublicClient, createWalletClient, defineChain, fallback, formatEther, type Hex, http, type PublicClient } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import {
  CREATE2_FACTORY,
  CREATE2_FACTORY_CODE,
  deterministicAddress,
  factoryInput,
  hasTransientStorage,
  readSettlementContracts,
} from '../building/building.ts';
import type { Address } from '../units/units.ts';
import type { DeployTarget } from './deploy-target.ts';
import type { Refused } from './refused.ts';

export type DeployLimits = { readonly rpcTimeoutMs: number; readonly minedMs: number };

type Contract = { readonly label: string; readonly address: Address; readonly creationCode: Hex; readonly runtimeCode: Hex };
type Done = { readonly ok: true } | Refused;

const POLL_MS = 250;
/** Part of the estimated gas that is offered on top of it: a block later something may cost more. */
const GAS_RESERVE = 10n;

/**
 * Brings both contracts to their addresses, and verifies the code that stands there. What is there already is left alone. `key` null: only looks. Everything that can be refused is
 * refused before anything is sent.
 */
export async function deploySettlement(target: DeployTarget, key: Hex | null, say: (line: string) => void, limits: DeployLimits): Promise<Done> {
  const transport = fallback(target.rpcUrls.map((url) => http(url, { timeout: limits.rpcTimeoutMs, retryCount: 0 })));
  const client = createPublicClient({ transport, pollingInterval: POLL_MS });
  try {
    const unfit = await refuseChain(client, target);
    if (unfit !== null) return { ok: false, message: unfit };
    const missing: Contract[] = [];
    for (const contract of contractsOf(target)) {
      const code = await codeAt(client, contract.address);
      if (code === contract.runtimeCode) say(`${target.name}: the ${contract.label} is at ${contract.address} already, its code is right`);
      else if (code !== '0x') return { ok: false, message: `at ${contract.address}, where the ${contract.label} belongs, stands other code` };
      else missing.push(contract);
    }
    if (key === null) {
      for (const { label, address } of missing) say(`${target.name}: the ${label} is not deployed; it would be at ${address}`);
      return { ok: true };
    }
    return await deployMissing({ client, target, missing, account: privateKeyToAccount(key), say, limits });
  } catch (error) {
    return { ok: false, message: firstLine(error) };
  }
}

/** In the order in which they have to come: a Router without its allowance holder could sell native token alone. */
function contractsOf({ settings, legs }: DeployTarget): readonly Contract[] {
  const contracts = readSettlementContracts();
  const allowanceHolder = deterministicAddress(contracts.allowanceHolder.creationCode);
  const all = { ...settings, allowanceHolder };
  const code = contracts.routerFor(legs);
  const creationCode = code.creationCode(all);
  return [
    { label: 'allowance holder', address: allowanceHolder, ...contracts.allowanceHolder },
    { label: `router (leg set ${code.legSet})`, address: deterministicAddress(creationCode), creationCode, runtimeCode: code.runtimeCode(all) },
  ];
}

/** Why nothing of ours can be on this chain; null where it can. Throws where no node answers. */
async function refuseChain(client: PublicClient, { chainId, settings }: DeployTarget): Promise<string | null> {
  const answered = await client.getChainId();
  if (answered !== chainId) return `the node is one of chain ${answered}, not ${chainId}`;
  const transient = await hasTransientStorage(client);
  if (transient === 'no') return 'the chain has no transient storage (EIP-1153, Cancun), without which the settlement contracts revert';
  if (transient === 'unknown') return 'the node runs no code by eth_call, so whether the chain has transient storage is not known';
  const factory = await codeAt(client, CREATE2_FACTORY);
  if (factory !== CREATE2_FACTORY_CODE) {
    const stands = factory === '0x' ? 'is not on this chain' : 'has other code on this chain';
    return `the CREATE2 factory ${CREATE2_FACTORY} ${stands}; it comes by its signed transaction (github.com/Arachnid/deterministic-deployment-proxy)`;
  }
  if ((await codeAt(client, settings.wrappedNative)) === '0x')
    return `wrappedNative ${settings.wrappedNative} has no code; the Router would be built for nothing`;
  return null;
}

type Deployment = {
  readonly client: PublicClient;
  readonly target: DeployTarget;
  readonly missing: readonly Contract[];
  readonly account: PrivateKeyAccount;
  readonly say: (line: string) => void;
  readonly limits: DeployLimits;
};

async function deployMissing({ client, target, missing, account, say, limits }: Deployment): Promise<Done> {
  if (missing.length === 0) return { ok: true };
  const chain = defineChain({
    id: target.chainId,
    name: target.name,
    nativeCurrency: { name: 'native', symbol: 'native', decimals: 18 },
    rpcUrls: { default: { http: [...target.rpcUrls] } },
  });
  const transport = fallback(target.rpcUrls.map((url) => http(url, { timeout: limits.rpcTimeoutMs, retryCount: 0 })));
  const wallet = createWalletClient({ chain, transport, account });
  const { maxFeePerGas, maxPriorityFeePerGas } = await client.estimateFeesPerGas();
  const calls: { readonly contract: Contract; readonly gas: bigint; readonly data: Hex }[] = [];
  for (const contract of missing) {
    const data = factoryInput(contract.creationCode);
    const estimate = await client.request({ method: 'eth_estimateGas', params: [{ from: account.address, to: CREATE2_FACTORY, data }] });
    calls.push({ contract, data, gas: BigInt(estimate) + BigInt(estimate) / GAS_RESERVE });
  }
  const most = calls.reduce((sum, { gas }) => sum + gas, 0n) * maxFeePerGas;
  const balance = await client.getBalance({ address: account.address });
  if (balance < most) {
    return { ok: false, message: `the account ${account.address} has ${formatEther(balance)} of the native token; this may take ${formatEther(most)}` };
  }
  for (const { contract, gas, data } of calls) {
    const hash = await wallet.sendTransaction({ to: CREATE2_FACTORY, data, gas, maxFeePerGas, maxPriorityFeePerGas });
    const { blockNumber, gasUsed } = await client.waitForTransactionReceipt({ hash, timeout: limits.minedMs });
    // Not the receipt's status: somebody else may have deployed the same in between, and all that counts is what stands there.
    if ((await codeAt(client, contract.address)) !== contract.runtimeCode) {
      return { ok: false, message: `transaction ${hash} is in block ${blockNumber}, and the ${contract.label} is not at ${contract.address}: run this again` };
    }
    say(`${target.name}: the ${contract.label} is at ${contract.address}, by transaction ${hash} in block ${blockNumber} (${gasUsed} gas), its code is right`);
  }
  return { ok: true };
}

async function codeAt(client: PublicClient, address: Address): Promise<Hex> {
  return (await client.getCode({ address })) ?? '0x';
}

/** Of viem's errors the short form: the long one repeats the node's URL, which may carry credentials. */
function firstLine(error: unknown): string {
  if (error instanceof Error && 'shortMessage' in error) return `the node failed: ${String(error.shortMessage).split('\n')[0]}`;
  throw error;
}
