import { readFileSync } from 'node:fs';
import { type Abi, concatHex, encodeAbiParameters, padHex, size, sliceHex } from 'viem';
import { projectFile } from '../project-file.ts';
import type { Address } from '../units/units.ts';
import type { Hex } from './encode/packed.ts';

/** What contracts/artifacts/*.gen.json hold (scripts/build-contracts.ts). */
type Artifact = {
  readonly abi: Abi;
  readonly bytecode: Hex;
  readonly deployedBytecode: Hex;
  readonly immutables: Readonly<Record<string, readonly number[]>>;
};

/** What a Router is built with. */
export type RouterSettings = { readonly allowanceHolder: Address; readonly wrappedNative: Address; readonly feeCollector: Address };

/** Code of the settlement contracts. */
export type SettlementContracts = {
  readonly allowanceHolder: { readonly abi: Abi; readonly creationCode: Hex; readonly runtimeCode: Hex };
  readonly router: {
    readonly abi: Abi;
    creationCode(settings: RouterSettings): Hex;
    /** What `eth_getCode` has to answer for a Router of these settings. */
    runtimeCode(settings: RouterSettings): Hex;
  };
};

/** Reads the artifacts in git: starting the service compiles no Solidity. */
export function readSettlementContracts(): SettlementContracts {
  const holder = readArtifact('AllowanceHolder');
  const router = readArtifact('Router');
  return {
    allowanceHolder: { abi: holder.abi, creationCode: holder.bytecode, runtimeCode: holder.deployedBytecode },
    router: {
      abi: router.abi,
      creationCode: ({ allowanceHolder, wrappedNative, feeCollector }) => {
        const types = [{ type: 'address' }, { type: 'address' }, { type: 'address' }] as const;
        return concatHex([router.bytecode, encodeAbiParameters(types, [allowanceHolder, wrappedNative, feeCollector])]);
      },
      runtimeCode: (settings) => withImmutables(router, settings),
    },
  };
}

function readArtifact(name: string): Artifact {
  return JSON.parse(readFileSync(projectFile(`contracts/artifacts/${name}.gen.json`), 'utf8')) as Artifact;
}

const WORD = 32;

function withImmutables({ deployedBytecode, immutables }: Artifact, settings: RouterSettings): Hex {
  let code = deployedBytecode;
  for (const [name, value] of Object.entries(settings)) {
    for (const start of immutables[name] ?? []) {
      const rest = start + WORD < size(code) ? sliceHex(code, start + WORD) : '0x';
      code = concatHex([start === 0 ? '0x' : sliceHex(code, 0, start), padHex(value, { size: WORD }), rest]);
    }
  }
  return code;
}
