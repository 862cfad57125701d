import type { Address } from '../units/units.ts';
import type { HopToFirm } from './firm-up.ts';
import type { OutsideSource } from './outside.ts';

/** For whom a hop is, as whoever signs it is told: the user behind the taker where they meter users, the taker alone where they only screen. */
export function toldUser({ user, taker }: Pick<HopToFirm, 'user' | 'taker'>, { screens = false }: Pick<OutsideSource, 'screens'>): Address {
  return screens ? taker : user;
}
