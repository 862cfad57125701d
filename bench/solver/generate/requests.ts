import type { Random } from '../random.ts';
import { type GeneratedToken, popularityOf, unitsWorth } from './tokens.ts';

export type GeneratedRequest = {
  readonly id: string;
  readonly mode: 'sell';
  readonly sellToken: string;
  readonly buyToken: string;
  readonly sellAmount: string;
  readonly usd: number;
};

const SMALLEST_USD = 100;
const LARGEST_USD = 1e7;
/** A request is drawn again while it is more than this part of what the pools hold of its tokens, some times. */
const LARGEST_PART = 0.1;
const DRAWS = 30;

/** Requests from $100 to $10M, as many in each tenfold of size; one in thirty asks for a token that no pool holds. */
export function generateRequests(
  random: Random,
  count: number,
  tokens: readonly GeneratedToken[],
  held: ReadonlyMap<string, number>,
): readonly GeneratedRequest[] {
  const traded = tokens.filter(({ address }) => held.has(address));
  const popularity = popularityOf(traded);
  const draw = (): GeneratedToken => traded[random.weighted(popularity)] as GeneratedToken;
  return Array.from({ length: count }, (_, index) => {
    const usd = random.logUniform(SMALLEST_USD, LARGEST_USD);
    const deepEnough = (token: GeneratedToken) => (held.get(token.address) ?? 0) * LARGEST_PART >= usd;
    let [sell, buy] = [draw(), draw()];
    for (let drawn = 0; drawn < DRAWS && (sell === buy || !deepEnough(sell) || !deepEnough(buy)); drawn++) [sell, buy] = [draw(), draw()];
    const unheld = random.chance(1 / 30) || sell === buy;
    const buyToken = unheld ? `0x${random.hex(40)}` : buy.address;
    return { id: `g${index}`, mode: 'sell', sellToken: sell.address, buyToken, sellAmount: String(unitsWorth(sell, usd) + 1n), usd };
  });
}
