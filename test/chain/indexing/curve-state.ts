import { type PublicClient, parseAbi } from 'viem';
import type { DevnetPool } from '../../../src/devnet/devnet.ts';
import type { CurveState } from '../../../src/venues/curve/curve-state.ts';

const VIEWS = parseAbi([
  'function balances(uint256 i) view returns (uint256)',
  'function fee() view returns (uint256)',
  'function admin_fee() view returns (uint256)',
  'function initial_A() view returns (uint256)',
  'function future_A() view returns (uint256)',
  'function initial_A_time() view returns (uint256)',
  'function future_A_time() view returns (uint256)',
  'function offpeg_fee_multiplier() view returns (uint256)',
  'function stored_rates() view returns (uint256[])',
  'function is_killed() view returns (bool)',
  'function decimals() view returns (uint8)',
]);
const ONE = 10n ** 18n;

export type CurveKind = 'two' | 'three' | 'ng';

/** The devnet's plain pools have a fee of 400 millionths. */
export function curveKindOf({ feePpm, tokens }: Pick<DevnetPool, 'feePpm' | 'tokens'>): CurveKind {
  if (feePpm !== 400) return 'ng';
  return tokens.length === 3 ? 'three' : 'two';
}

/** What a pool's contract says at the head; null while it does not trade. */
export async function curveStateOf(client: PublicClient, { address, tokens, feePpm }: DevnetPool): Promise<CurveState | null> {
  const kind = curveKindOf({ feePpm, tokens });
  const ask = (functionName: 'fee' | 'admin_fee' | 'initial_A' | 'future_A' | 'initial_A_time' | 'future_A_time') =>
    client.readContract({ address, abi: VIEWS, functionName });
  if (kind === 'three' && (await client.readContract({ address, abi: VIEWS, functionName: 'is_killed' }))) return null;
  const [fee, adminFee, from, to] = await Promise.all([ask('fee'), ask('admin_fee'), ask('initial_A'), ask('future_A')]);
  const [startsAt, endsAt] = await Promise.all([ask('initial_A_time'), ask('future_A_time')]);
  // The pool of three keeps whole amplifications.
  const unit = kind === 'three' ? 100n : 1n;
  const stored = kind === 'ng' ? await client.readContract({ address, abi: VIEWS, functionName: 'stored_rates' }) : null;
  const decimals = await Promise.all(tokens.map((token) => client.readContract({ address: token, abi: VIEWS, functionName: 'decimals' })));
  return {
    form: kind === 'ng' ? 'ng' : 'plain',
    balances: await Promise.all(tokens.map((_, at) => client.readContract({ address, abi: VIEWS, functionName: 'balances', args: [BigInt(at)] }))),
    scales: decimals.map((places, at) =>
      stored === null ? { numerator: 10n ** BigInt(18 - places), denominator: 1n } : { numerator: stored[at] ?? 0n, denominator: ONE },
    ),
    amplification: to * unit,
    ramp: from === to || endsAt <= startsAt ? null : { unit, from: from * unit, startsAt, endsAt },
    fee,
    adminFee,
    offpegFeeMultiplier: kind === 'ng' ? await client.readContract({ address, abi: VIEWS, functionName: 'offpeg_fee_multiplier' }) : 0n,
  };
}
