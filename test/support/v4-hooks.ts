import type { StateOverride } from 'viem';
import type { Address } from '../../src/units/units.ts';
import { HOOK_MODELS } from '../../src/venues/uniswap_v4/known-hooks.ts';
import { devnetContracts } from './devnet-contracts.ts';

const DEVNET = 31_337;
const CONTRACTS = { dynamic_fee: 'DynamicFeeHook', output_fee: 'OutputFeeHook' } as const;

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
