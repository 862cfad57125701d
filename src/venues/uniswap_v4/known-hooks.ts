import { readdirSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Address } from '../../units/units.ts';
import type { HookModel } from './hook-model.ts';
import { canTouchSwap } from './hook-permissions.ts';

/** Compiled code has .js files beside it, code under development .ts files. */
const EXTENSION = extname(fileURLToPath(import.meta.url));
const FOLDER = new URL('./hooks/', import.meta.url);

/** Hooks that can not touch a swap, whatever else they do. */
export const PASSIVE: HookModel = { variant: 'passive', deployments: [], gas: 0 };

/** Every model, by variant: `passive`, and one for each file of `hooks/`. */
export const HOOK_MODELS: ReadonlyMap<string, HookModel> = await loadModels();

const BY_PLACE: ReadonlyMap<string, HookModel> = new Map(
  [...HOOK_MODELS.values()].flatMap((model) => model.deployments.map(({ chainId, address }) => [placeOf(chainId, address), model])),
);

/** The model of a pool's hook; null where it can touch swaps and nothing is known of it: such a pool is never routed. */
export function modelOf(chainId: number, hook: Address, fee: number): HookModel | null {
  return BY_PLACE.get(placeOf(chainId, hook)) ?? (canTouchSwap(hook, fee) ? null : PASSIVE);
}

/** Hooks of a chain that have to be shown attestations. */
export function attestedHooks(chainId: number): readonly Address[] {
  const attested = [...HOOK_MODELS.values()].filter((model) => model.attested === true);
  return attested.flatMap(({ deployments }) => deployments.filter((one) => one.chainId === chainId).map(({ address }) => address));
}

async function loadModels(): Promise<ReadonlyMap<string, HookModel>> {
  const models = new Map([[PASSIVE.variant, PASSIVE]]);
  const files = readdirSync(FOLDER).filter((file) => file.endsWith(EXTENSION) && !file.endsWith('.d.ts'));
  for (const file of files.sort()) {
    const { hook }: { readonly hook?: HookModel } = await import(new URL(file, FOLDER).href);
    if (hook === undefined || models.has(hook.variant)) throw new Error(`src/venues/uniswap_v4/hooks/${file} has to export \`hook\` with a variant of its own`);
    models.set(hook.variant, hook);
  }
  return models;
}

function placeOf(chainId: number, address: Address): string {
  return `${chainId} ${address}`;
}
