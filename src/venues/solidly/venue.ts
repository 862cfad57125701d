/** Gas units of one hop, before its own leg is measured. */
export const SOLIDLY_GAS = { volatile: 110_000, stable: 150_000 } as const;
