// What the devnet's tokens that lie, refuse or look for measurements can be told to do, by the numbers of their contracts, and what is found of it.

/** In the order of GatedToken.Gate. */
export const GATES = {
  Open: 0,
  NoSelling: 1,
  NoApproving: 2,
  SaysSold: 3,
  OneTransfer: 4,
  Paused: 5,
  SaysFalse: 6,
  PoolsOnly: 7,
  Limited: 8,
  BurnsGas: 9,
  Invalid: 10,
  RevertsBomb: 11,
  ReturnsBomb: 12,
  Multiplies: 13,
  NoContracts: 14,
  NoPaying: 15,
} as const;

/** In the order of WaryToken.Clue. */
export const CLUES = {
  'what the trader owns': 1,
  'more gas than any swap has': 2,
  'more gas than a tight estimate leaves': 3,
  'a trader that did not send the transaction': 4,
  'code at the trader’s address': 5,
  'gas that is paid below the base fee': 6,
  'round amounts': 7,
  'addresses that were seen before': 8,
  'other code at the pool’s address': 9,
  'a sale of all that the trader has': 11,
  'gas that is paid with next to nothing where the base fee is nothing': 13,
} as const;

/** A gate, by one of two reasons where chance decides which, or the tax of what is sold; null: nothing. */
type Found = 'honeypot' | 'blacklist' | readonly ['refused', 'blacklist'] | number | null;

/** In the order of LyingToken.Lie, and what is found at a pair, and at a V3 pool. */
export const LIES: Readonly<Record<string, readonly [number, Found, Found]>> = {
  'tells its pools nothing of what came': [1, 'honeypot', 'honeypot'],
  'tells its pools a hundredth less than came': [2, 'honeypot', 'honeypot'],
  'refuses sales at pools that have their own code': [3, 'honeypot', 'honeypot'],
  'tells pools that have their own code a hundredth less than came': [4, 'honeypot', 'honeypot'],
  'lets nobody sell who bought of a pair that had been paid': [5, 'honeypot', null],
  'takes a fifth of what is no whole number of millionths of what the pool has': [6, 200_000, 200_000],
  'takes a fifth of what is not near the sizes that measurements had': [7, 200_000, 200_000],
  'tells its pools nothing of what came, where they ask with much gas': [8, 'honeypot', 'honeypot'],
  'lets nobody sell but in the block in which it was bought': [9, 'honeypot', 'honeypot'],
  'lets nobody sell from the next block on': [10, 'honeypot', 'honeypot'],
  'takes a fifth of what is sold with as little gas as a wallet leaves, at pools that have their own code': [12, 200_000, 200_000],
  'lets nobody sell in later blocks whose fees go where the chain’s go': [14, 'honeypot', 'honeypot'],
  'lets nobody buy from the next block on': [15, 'blacklist', 'blacklist'],
  // What is left of the gas that was drawn is enough to tell of it, or is not.
  'spends all gas of whoever buys from the next block on': [19, ['refused', 'blacklist'], ['refused', 'blacklist']],
};

/** Of LyingToken.Lie too. */
export const REFUSES_AT_GENUINE = 3;
export const LITTLE_OF_POOL = 11;
export const TAXES_LITTLE_GAS_OF_BUYER = 13;
export const TAXES_OTHER_TIPS = 16;
export const TAXES_PLAIN_BETWEEN = 17;
export const TAXES_LITTLE_GAS_OF_PLAIN = 18;

/** Of WaryToken.Clue too. */
export const STRANGER_OR_CODE = 10;
export const WARM_BALANCE = 12;
