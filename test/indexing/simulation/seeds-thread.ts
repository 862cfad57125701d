import { failuresOf, MODES } from './modes.ts';

/** Some seeds of a mode, for a thread of their own. */
export type SomeSeeds = { readonly mode: keyof typeof MODES; readonly seeds: readonly number[]; readonly steps: number };

/** What failed of them. */
export default async ({ mode, seeds, steps }: SomeSeeds): Promise<readonly string[]> => await failuresOf(MODES[mode], seeds, steps);
