/** What the operator of a chain has switched off. Labels are lower-case, and one of a family stands for its variants too; pools go by their keys. */
export type SwitchedOff = { readonly venues: readonly string[]; readonly pools: readonly string[] };

export const NOTHING_OFF: SwitchedOff = Object.freeze({ venues: Object.freeze([]), pools: Object.freeze([]) });

/** `source` is a pool's label. */
export function isSwitchedOff(off: SwitchedOff, { source, key }: { readonly source: string; readonly key: string }): boolean {
  return isLabelOff(off, source) || off.pools.includes(key);
}

export function isLabelOff({ venues }: SwitchedOff, source: string): boolean {
  return venues.some((label) => source === label || source.startsWith(`${label}:`));
}
