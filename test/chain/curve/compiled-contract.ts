import { readFileSync } from 'node:fs';
import type { Abi, Hex } from 'viem';

/** A contract that Vyper compiled. */
export type CompiledVyper = { readonly bytecode: Hex; readonly abi: Abi };

/** Reads what `vyper -f combined_json` writes. Throws where no contract is in it. */
export function compiledVyper(path: string): CompiledVyper {
  const contracts = JSON.parse(readFileSync(path, 'utf8')) as Record<string, CompiledVyper>;
  const [contract] = Object.entries(contracts).flatMap(([name, one]) => (name === 'version' ? [] : [one]));
  if (contract === undefined) throw new Error(`no contract in ${path}`);
  return contract;
}
