import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { projectFile } from './project-file.ts';

type Mode = 'devnet' | 'config' | 'pool-set';
type Part = { readonly modes: readonly Mode[]; readonly name: string; readonly from: string };

const EVERY: readonly Mode[] = ['devnet', 'config', 'pool-set'];
const DEVELOPMENT = 'npm ci (without --omit=dev)';
const SOURCES = 'the sources';

/** What lies beside the program in the project's folder, and where it comes from. */
const FILES: readonly Part[] = [
  { modes: EVERY, name: 'schemas/openapi.json', from: SOURCES },
  { modes: EVERY, name: 'src/http/page/route.html', from: SOURCES },
  { modes: EVERY, name: 'contracts/artifacts', from: `${SOURCES}, or npm run contracts` },
  { modes: ['devnet'], name: 'contracts/devnet/tokens', from: SOURCES },
];

/** Packages that a production install leaves out: the local chain alone needs them. */
const PACKAGES: readonly Part[] = [
  { modes: ['devnet'], name: '@foundry-rs/anvil', from: DEVELOPMENT },
  { modes: ['devnet'], name: 'solc', from: DEVELOPMENT },
];

export type Beside = { readonly hasFile: (name: string) => boolean; readonly hasPackage: (name: string) => boolean };

/** Why a start of that kind can not go on, in one line that names all that is not there; null: nothing is missing. Asked before anything is begun. */
export function missingParts(mode: Mode, { hasFile, hasPackage }: Beside = INSTALLED): string | null {
  const missing = [
    ...FILES.filter(({ modes, name }) => modes.includes(mode) && !hasFile(name)),
    ...PACKAGES.filter(({ modes, name }) => modes.includes(mode) && !hasPackage(name)),
  ];
  if (missing.length === 0) return null;
  const named = missing.map(({ name, from }) => `${name} (comes with ${from})`).join(', ');
  const instead = mode === 'devnet' ? '; that is for a local chain: --config FILE serves networks without one' : '';
  return `what a start needs is not there: ${named}${instead}`;
}

const INSTALLED: Beside = {
  hasFile: (name) => existsSync(projectFile(name)),
  hasPackage(name) {
    try {
      createRequire(import.meta.url).resolve(`${name}/package.json`);
      return true;
    } catch {
      return false;
    }
  },
};
