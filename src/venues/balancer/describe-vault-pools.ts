import { encodeFunctionData } from 'viem';
import { LIMITS } from '../../config/limits.ts';
import type { LegFacts } from '../../snapshot/snapshot.ts';
import { type Address, asAddress, ZERO_ADDRESS } from '../../units/units.ts';
import type { AnnouncedBy, ChainAnswer, DiscoveredPool, PinnedReader } from '../track.ts';
import { readAnswer } from './read-answer.ts';
import { POOL_ABI, VAULT_ABI } from './vault-abi.ts';
import { askPool, askPoolTokens, contractOf, type PoolView } from './vault-pool.ts';

/** What tells the pools of one kind from all others. */
export type PoolKind = {
  /** Views that its pools answer and those of other kinds do not all have: whoever reverts is none of them. */
  readonly views: readonly PoolView[];
  /** What loading needs beside, of the answers to those views, in their order. null: not one that can be followed. */
  traits(answers: readonly ChainAnswer[], tokens: readonly Address[]): LegFacts | null;
};

/** A pool's contract, and what it says of itself. */
type Candidate = { readonly contract: Address; readonly vault: Address; readonly poolId: `0x${string}`; readonly answers: readonly ChainAnswer[] };
type Registered = Candidate & { readonly tokens: readonly Address[] };

/** The factory's log names the contract; the contract names vault and id, the vault the tokens. Three rounds of questions, whatever the number of pools. */
export async function describeVaultPools(
  kind: PoolKind,
  announced: readonly AnnouncedBy[],
  read: PinnedReader,
): Promise<readonly (readonly DiscoveredPool[] | null)[]> {
  const candidates = await askContracts(
    kind,
    announced.map(({ announcement }) => asAddress(announcement.announces)),
    read,
  );
  const registered = await askTokens(candidates, read);
  const unmanaged = await withoutManagers(registered, read);
  return unmanaged.map((pool, at) => {
    const traits = pool === null ? null : kind.traits(pool.answers, pool.tokens);
    const family = announced[at]?.deployment.family;
    if (pool === null || traits === null || family === undefined) return null;
    const { contract, vault, poolId, tokens } = pool;
    return [
      {
        key: poolId,
        address: vault,
        emitters: [vault, contract],
        // The pool speaks of itself without naming itself, as the vault speaks of all.
        governors: [vault, contract],
        hook: null,
        protocol: family,
        source: family,
        tokens,
        traits,
      },
    ];
  });
}

async function askContracts(kind: PoolKind, contracts: readonly Address[], read: PinnedReader): Promise<readonly (Candidate | null)[]> {
  const views: readonly PoolView[] = ['getPoolId', 'getVault', ...kind.views];
  const answers = await read(contracts.flatMap((contract) => views.map((view) => askPool(contract, view))));
  return contracts.map((contract, at) => {
    const [idAnswer, vaultAnswer, ...own] = answers.slice(at * views.length, (at + 1) * views.length);
    const poolId = readAnswer(POOL_ABI, 'getPoolId', idAnswer);
    const vault = readAnswer(POOL_ABI, 'getVault', vaultAnswer);
    if (poolId === null || vault === null || own.some((answer) => answer === null || answer === '0x') || contractOf(poolId) !== contract) return null;
    return { contract, vault: asAddress(vault), poolId, answers: own };
  });
}

async function askTokens(candidates: readonly (Candidate | null)[], read: PinnedReader): Promise<readonly (Registered | null)[]> {
  const asked = candidates.filter((candidate) => candidate !== null);
  const answers = await read(asked.map(({ vault, poolId }) => askPoolTokens(vault, poolId, LIMITS.venues.tokensPerPool)));
  const byContract = new Map(asked.map(({ contract }, at) => [contract, readAnswer(VAULT_ABI, 'getPoolTokens', answers[at])]));
  return candidates.map((candidate) => {
    const [tokens] = (candidate === null ? null : byContract.get(candidate.contract)) ?? [];
    if (candidate === null || tokens === undefined || tokens.length < 2) return null;
    return { ...candidate, tokens: tokens.map(asAddress) };
  });
}

/** Of what a manager has taken out the vault can pay nothing, and the maths do not know it: such pools are left out. Pools of the kinds here have none unless somebody else's factory made them. */
async function withoutManagers(pools: readonly (Registered | null)[], read: PinnedReader): Promise<readonly (Registered | null)[]> {
  const asked = pools.flatMap((pool) => (pool === null ? [] : pool.tokens.map((token) => ({ pool, token }))));
  const answers = await read(
    asked.map(({ pool: { vault, poolId }, token }) => ({
      to: vault,
      data: encodeFunctionData({ abi: VAULT_ABI, functionName: 'getPoolTokenInfo', args: [poolId, token] }),
      answerBytes: 128,
    })),
  );
  const managed = new Set<Registered>();
  for (const [at, { pool }] of asked.entries()) {
    const manager = readAnswer(VAULT_ABI, 'getPoolTokenInfo', answers[at])?.[3];
    if (manager !== ZERO_ADDRESS) managed.add(pool);
  }
  return pools.map((pool) => (pool === null || managed.has(pool) ? null : pool));
}
