import { NATIVE_TOKEN } from '../units/units.ts';
import type { TradeRequest } from './trade-request.ts';

/** Whether a Permit2 signature moves the sell token. A native sell comes with its value, whatever was asked (decisions S15). */
export function fundedByPermit2({ funding, sellToken }: Pick<TradeRequest, 'funding' | 'sellToken'>): boolean {
  return funding === 'permit2' && sellToken !== NATIVE_TOKEN;
}
