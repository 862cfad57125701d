import { readdirSync } from 'node:fs';
import type { Devnet } from '../../../src/devnet/devnet.ts';
import type { Activity, Transaction } from './activity.ts';

/** What can happen to the pools of one venue on the devnet. */
export type Operations = {
  /** Each mines one block by the activity's `mine`, and asks nothing afterwards: several are gathered into one block. */
  readonly usual: readonly (() => Promise<void>)[];
  /** One in ten: fees, pauses, ramps, rates, new pools. They mine the blocks that they need. */
  readonly rare: readonly (() => Promise<void>)[];
};

/** One file of the folder `operations` a venue, found by being there, exported as `openOperations`. */
export type OpenOperations = (devnet: Devnet, activity: Activity, random: () => number) => Promise<Operations>;

const FOLDER = new URL('./operations/', import.meta.url);
const RARELY = 0.1;
const MOST_IN_A_BLOCK = 9;

export type AllOperations = {
  /** The venues, by the names of their files. */
  readonly names: readonly string[];
  /** So many random operations of one venue: a block of usual ones, or a rare one with its own blocks. Returns how many they were. */
  some(name: string, atMost: number): Promise<number>;
};

export async function openAllOperations(devnet: Devnet, activity: Activity, random: () => number): Promise<AllOperations> {
  const opened = new Map<string, Operations>();
  let gathered: readonly Transaction[] | null = null;
  const gathering: Activity = {
    ...activity,
    async mine(transactions = []) {
      if (gathered === null) await activity.mine(transactions);
      else gathered = [...gathered, ...transactions];
    },
  };
  for (const file of readdirSync(FOLDER).sort()) {
    const { openOperations } = (await import(new URL(file, FOLDER).href)) as { readonly openOperations: OpenOperations };
    opened.set(file.replace(/\.ts$/, ''), await openOperations(devnet, gathering, random));
  }
  const draw = (from: readonly (() => Promise<void>)[]): Promise<void> | undefined => from[Math.floor(random() * from.length)]?.();
  return {
    names: [...opened.keys()],
    async some(name, atMost) {
      const { usual = [], rare = [] } = opened.get(name) ?? {};
      if (rare.length > 0 && random() < RARELY) {
        await draw(rare);
        return 1;
      }
      gathered = [];
      const count = Math.min(atMost, 1 + Math.floor(random() * MOST_IN_A_BLOCK));
      for (let done = 0; done < count; done++) await draw(usual);
      const transactions = gathered;
      gathered = null;
      await activity.mine(transactions);
      return count;
    },
  };
}
