// The front door of the metering room: who is calling, and how often.
export { digestOfSecret, formatApiKey, parseApiKey } from './api-key.ts';
export type { BudgetDecision, BudgetOwner, BudgetState, BudgetStore } from './budget-store.ts';
export { type Client, clientOf } from './client.ts';
export { clientAddress, type ProxyTrust, proxyTrustOf } from './client-address.ts';
export { issueKey, type KeyGrant } from './issue-key.ts';
export { type KeyEntry, type KeyFile, parseKeyFile } from './key-file.ts';
export { type KeyRing, keyRingOf, NO_KEYS, type RegisteredKey } from './key-ring.ts';
export { MemoryBudgetStore } from './memory-budget-store.ts';
export { type InstantMicros, microsNow } from './token-bucket.ts';
export { type WatchedKeys, type WatchedKeysOptions, watchKeys } from './watched-keys.ts';
