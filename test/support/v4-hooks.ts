import { type Hex, keccak256, numberToHex, type StateOverride } from 'viem';
import type { Address } from '../../src/units/units.ts';
import { HOOK_MODELS } from '../../src/venues/uniswap_v4/known-hooks.ts';
import { devnetContracts } from './devnet-contracts.ts';

const DEVNET = 31_337;
const CONTRACTS = { dynamic_fee: 'DynamicFeeHook', output_fee: 'OutputFeeHook', angstrom: 'AttestedHook' } as const;
/** Where the attested hook keeps the last block that was attested. */
const LAST_BLOCK_SLOT = numberToHex(3, { size: 32 });

/** Where the table of known hooks says that a variant of the devnet is. */
export function hookAddress(variant: keyof typeof CONTRACTS): Address {
  const found = HOOK_MODELS.get(variant)?.deployments.find(({ chainId }) => chainId === DEVNET);
  if (found === undefined) throw new Error(`no hook ${variant} on the devnet`);
  return found.address;
}

/** The compiled hooks of contracts/devnet/hooks by name. */
export async function compiledHooks() {
  return devnetContracts('uniswap_v4');
}

/** Puts the known hooks, and a passive one, where they belong, for one call. */
export async function hooksInPlace(passive: Address): Promise<StateOverride> {
  const compiled = await compiledHooks();
  const codeOf = (name: string) => {
    const code = compiled[name]?.deployedBytecode;
    if (code === undefined) throw new Error(`no contract ${name}`);
    return code;
  };
  const known = (['dynamic_fee', 'output_fee'] as const).map((variant) => ({ address: hookAddress(variant), code: codeOf(CONTRACTS[variant]) }));
  return [...known, { address: passive, code: codeOf('PassiveHook') }];
}

/** The attested hook where it belongs, for one call: in a block that was attested already, with the fees of a pair where the model reads them. */
export async function attestedHookInPlace(
  tokens: readonly [Address, Address],
  fees: readonly [unlocked: bigint, protocol: bigint],
  blockNumber: number,
): Promise<StateOverride> {
  const [hook, code] = [hookAddress('angstrom'), (await compiledHooks())[CONTRACTS.angstrom]?.deployedBytecode];
  const stateDiff = [
    { slot: feesSlotOf(hook, tokens), value: numberToHex(fees[0] + (fees[1] << 24n), { size: 32 }) },
    { slot: LAST_BLOCK_SLOT, value: numberToHex(blockNumber, { size: 32 }) },
  ];
  if (code === undefined) throw new Error('no attested hook');
  return [{ address: hook, code, stateDiff }];
}

/** Where the hook's model reads the fees of a pair. */
export function feesSlotOf(hook: Address, tokens: readonly [Address, Address]): Hex {
  const pool = { key: '0x', address: hook, hook, protocol: 'uniswap_v4', source: 'uniswap_v4:angstrom', tokens, traits: { native: 0 } };
  const [call] = HOOK_MODELS.get('angstrom')?.reading?.calls(pool, keccak256) ?? [];
  if (call === undefined) throw new Error('the model reads nothing');
  return `0x${call.data.slice(10)}`;
}
