/** What of a maker goes wrong: nothing, the way of its answers, or its orders. Tests switch them; see maker-server. */
export type MakerFault = {
  readonly kind: TransportFault | OrderFault /** Of 'delay'. */;
  readonly ms?: number /** Of 'redirect'. */;
  readonly location?: string;
};

export const TRANSPORT_FAULTS = ['delay', 'silent', 'error', 'reset', 'busy', 'garbage', 'huge', 'nested', 'bomb', 'drip', 'redirect', 'half-closed'] as const;
export type TransportFault = (typeof TRANSPORT_FAULTS)[number];

export const ORDER_FAULTS = [
  'refused',
  'rpc-busy',
  'hostile-text',
  'wrong-types',
  'name-twice',
  'wrong-signer',
  'wrong-domain',
  'wrong-chain',
  'wrong-contract',
  'wrong-token',
  'wrong-amount',
  'swapped',
  'other-sender',
  'altered',
  'worse',
  'slightly-worse',
  'better',
  'zero',
  'expired',
  'expiring',
  'endless',
  'replayed',
  'unfunded',
  'spent',
] as const;
export type OrderFault = (typeof ORDER_FAULTS)[number];

export function isTransportFault(kind: MakerFault['kind']): kind is TransportFault {
  return (TRANSPORT_FAULTS as readonly string[]).includes(kind);
}

/** null: it is none. */
export function readFault(text: string): MakerFault | 'none' | null {
  try {
    const { kind, ms, location } = JSON.parse(text) as { readonly kind?: unknown; readonly ms?: unknown; readonly location?: unknown };
    if (kind === 'none') return 'none';
    const known = [...TRANSPORT_FAULTS, ...ORDER_FAULTS].find((fault) => fault === kind);
    if (known === undefined) return null;
    return { kind: known, ...(typeof ms === 'number' ? { ms } : {}), ...(typeof location === 'string' ? { location } : {}) };
  } catch {
    return null;
  }
}
