import { readdirSync } from 'node:fs';
import { type Abi, concatHex, encodeAbiParameters, padHex, size, sliceHex } from 'viem';
import { ARTIFACTS, readArtifact } from '../contract-artifacts.ts';
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

type RouterArtifact = Artifact & { readonly legSet: string; readonly legs: readonly string[] };

/** What a Router is built with. */
export type RouterSettings = { readonly allowanceHolder: Address; readonly wrappedNative: Address; readonly feeCollector: Address };

/** Code of a Router with one set of legs (contracts/leg-sets.json). */
export type RouterCode = {
  readonly legSet: string;
  /** Names of files in contracts/legs/. */
  readonly legs: readonly string[];
  readonly abi: Abi;
  creationCode(settings: RouterSettings): Hex;
  /** What `eth_getCode` has to answer for a Router of these settings. */
  runtimeCode(settings: RouterSettings): Hex;
};

/** Code of the settlement contracts. */
export type SettlementContracts = {
  readonly allowanceHolder: { readonly abi: Abi; readonly creationCode: Hex; readonly runtimeCode: Hex };
  /** By how many legs they have, fewest first. */
  readonly routers: readonly RouterCode[];
  /** The smallest Router that has these legs. Throws RangeError where none does. */
  routerFor(legs: readonly string[]): RouterCode;
};

/** Reads the artifacts in git: starting the service compiles no Solidity. */
export function readSettlementContracts(): SettlementContracts {
  const holder = readArtifact<Artifact>('AllowanceHolder');
  const routers = readdirSync(projectFile(ARTIFACTS))
    .filter((file) => file.startsWith('Router.'))
    .map((file) => routerOf(readArtifact<RouterArtifact>(file.replace('.gen.json', ''))))
    .sort((one, other) => one.legs.length - other.legs.length);
  return {
    allowanceHolder: { abi: holder.abi, creationCode: holder.bytecode, runtimeCode: holder.deployedBytecode },
    routers,
    routerFor(legs) {
      const router = routers.find((candidate) => legs.every((leg) => candidate.legs.includes(leg)));
      if (router === undefined) throw new RangeError(`no set in contracts/leg-sets.json has all of ${legs.join(', ')}`);
      return router;
    },
  };
}

function routerOf(artifact: RouterArtifact): RouterCode {
  return {
    legSet: artifact.legSet,
    legs: artifact.legs,
    abi: artifact.abi,
    creationCode: ({ allowanceHolder, wrappedNative, feeCollector }) => {
      const types = [{ type: 'address' }, { type: 'address' }, { type: 'address' }] as const;
      return concatHex([artifact.bytecode, encodeAbiParameters(types, [allowanceHolder, wrappedNative, feeCollector])]);
    },
    runtimeCode: (settings) => withImmutables(artifact, settings),
  };
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
