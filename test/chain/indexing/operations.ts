import { readdirSync } from 'node:fs';
import type { Devnet } from '../../../src/devnet/devnet.ts';
import type { Activity } from './activity.ts';

/** What can happen to the pools of one venue on the devnet. Each mines the blocks that it needs, one or more, by the activity. */
export type Operations = {
  readonly usual: readonly (() => Promise<void>)[];
  /** One in ten: fees, pauses, ramps, rates, new pools. */
  readonly rare: readonly (() => Promise<void>)[];
};

/** One file of the folder `operations` a venue, found by being there, exported as `openOperations`. */
export type OpenOperations = (devnet: Devnet, activity: Activity, random: () => number) => Promise<Operations>;

const FOLDER = new URL('./operations/', import.meta.url);
const RARELY = 0.1;

/** The venues, by the names of their files. */
export async function loadOperations(): Promise<ReadonlyMap<string, OpenOperations>> {
  const found = new Map<string, OpenOperations>();
  for (const file of readdirSync(FOLDER).sort()) {
    const { openOperations } = (await import(new URL(file, FOLDER).href)) as { readonly openOperations: OpenOperations };
    found.set(file.replace(/\.ts$/, ''), openOperations);
  }
  return found;
}

/** Does one of them. */
export async function someOperation({ usual, rare }: Operations, random: () => number): Promise<void> {
  const from = rare.length > 0 && random() < RARELY ? rare : usual;
  await from[Math.floor(random() * from.length)]?.();
}
