import type { Hex } from 'viem';
import { type Address, asAddress, isAddress, MAX_WEI, parseInteger } from '../../units/units.ts';
import type { OrderFault } from './faults.ts';
import { along, type LevelTexts, levelTexts, type MakerPair, rungsOf } from './levels.ts';
import { signOrder, spoil } from './sign-order.ts';

/** A maker: whose funds, what it prices and where that is settled. */
export type Maker = {
  readonly name: string;
  readonly wallet: Address;
  readonly key: Hex;
  readonly chainId: number;
  readonly contract: Address;
  /** Basis points, as the contract has it. */
  readonly protocolFee: bigint;
  readonly pairs: readonly MakerPair[];
  /** What it keeps of a price in the smallest level, as a fraction. */
  readonly spread: number;
  /** Quote per base now, whole tokens. */
  mid(pair: MakerPair): number;
  /** What it has of a token, base units. */
  balanceOf(token: Address): Promise<bigint>;
};

type Answer = { readonly result: unknown } | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } };

const NOT_FOUND: Answer = { error: { code: -32601, message: 'Method not found' } };
const INVALID: Answer = { error: { code: -32602, message: 'Invalid params' } };
const REFUSED: Answer = { error: { code: -33601, message: 'Not serving pair' } };
const TOO_MUCH: Answer = { error: { code: -33603, message: 'Amount exceeds maximum' } };
const BUSY: Answer = { error: { code: -33605, message: 'Rate limit met' } };
/** Text that would forge a line of a log, colour a terminal, or run in a page, wherever somebody repeats it. */
const FORGED = '\u001b[31m%s %d</script><script>alert(1)</script>\r\n{"level":"error","msg":"the key is 0x00"}\u0000\u202e';
const HOSTILE: Answer = { error: { code: -33601, message: FORGED.repeat(100), data: { [FORGED]: FORGED } } };
/** That of another contract of the protocol, at the same place. */
const OTHER_DOMAIN = { name: 'SWAP', version: '3' } as const;
/** Of what a maker has, this much may go in one order. */
const KEPT_OF_BALANCE = 0.9;
/** Unix seconds that an order holds. */
const HOLDS_SECONDS = 60n;

let lastNonce = 0n;

/** Answers a call of AirSwap's protocol. `remembered`: the last order that was given, for the fault of giving it again. */
export async function answerCall(known: Maker, method: string, params: unknown, fault: OrderFault | null, remembered: { order: unknown }): Promise<Answer> {
  // Whoever does not know that it has spent what it had prices and signs as before.
  const maker = fault === 'spent' ? { ...known, balanceOf: async () => MAX_WEI } : known;
  switch (method) {
    case 'getProtocols':
      return { result: [{ interfaceId: '0x02ad05d3', params: { chainId: maker.chainId, swapContract: maker.contract } }] };
    case 'getTokens':
      return { result: [...new Set(maker.pairs.flatMap(({ base, quote }) => [base.address, quote.address]))] };
    case 'getAllPricingERC20':
      return { result: await pricingOf(maker, maker.pairs) };
    case 'getPricingERC20':
      return { result: await pricingOf(maker, wantedPairs(maker, params)) };
    case 'getSignerSideOrderERC20':
    case 'getSenderSideOrderERC20': {
      if (fault === 'refused') return REFUSED;
      if (fault === 'rpc-busy') return BUSY;
      if (fault === 'hostile-text') return HOSTILE;
      if (fault === 'replayed' && remembered.order !== null) return { result: remembered.order };
      const answer = await orderOf(maker, method === 'getSignerSideOrderERC20' ? 'signer' : 'sender', params, fault);
      if ('result' in answer) remembered.order = answer.result;
      return answer;
    }
    default:
      return NOT_FOUND;
  }
}

type Sides = { readonly bid: LevelTexts; readonly ask: LevelTexts };

async function pricingOf(maker: Maker, pairs: readonly MakerPair[]): Promise<unknown> {
  const sides = await Promise.all(pairs.map((pair) => sidesOf(maker, pair)));
  return pairs.map(({ base, quote }, at) => ({ baseToken: base.address, quoteToken: quote.address, minimum: '0', ...sides[at] }));
}

/** No more than the maker has of what it would pay. */
async function sidesOf(maker: Maker, pair: MakerPair): Promise<Sides> {
  const { base, quote } = pair;
  const [ofBase, ofQuote] = await Promise.all([maker.balanceOf(base.address), maker.balanceOf(quote.address)]);
  const mid = maker.mid(pair);
  const mostBase = (Number(ofBase) / 10 ** base.decimals) * KEPT_OF_BALANCE;
  const mostQuote = ((Number(ofQuote) / 10 ** quote.decimals) * KEPT_OF_BALANCE) / mid;
  const { spread } = maker;
  return { bid: levelTexts('bid', pair, { mid, spread, most: mostQuote }), ask: levelTexts('ask', pair, { mid, spread, most: mostBase }) };
}

function wantedPairs(maker: Maker, params: unknown): readonly MakerPair[] {
  const wanted = (params as { readonly pairs?: readonly { readonly baseToken?: string; readonly quoteToken?: string }[] } | null)?.pairs;
  if (!Array.isArray(wanted)) return [];
  return maker.pairs.filter(({ base, quote }) =>
    wanted.some(({ baseToken = '', quoteToken = '' }) => baseToken.toLowerCase() === base.address && quoteToken.toLowerCase() === quote.address),
  );
}

async function orderOf(maker: Maker, side: 'signer' | 'sender', params: unknown, fault: OrderFault | null): Promise<Answer> {
  const asked = readAsked(params, side);
  if (asked === null || asked.chainId !== String(maker.chainId) || asked.swapContract !== maker.contract) return INVALID;
  const { signerToken, senderToken, senderWallet, amount, minExpiry } = asked;
  const sold = maker.pairs.find(({ base, quote }) => base.address === senderToken && quote.address === signerToken);
  const bought = maker.pairs.find(({ base, quote }) => base.address === signerToken && quote.address === senderToken);
  const pair = sold ?? bought;
  if (pair === undefined) return REFUSED;
  const way = sold === undefined ? 'ask' : 'bid';
  const rungs = rungsOf(way, pair, (await sidesOf(maker, pair))[way]);
  const given =
    side === 'signer' ? along(rungs, way === 'bid' ? 'base' : 'quote', amount, 'down') : along(rungs, way === 'bid' ? 'quote' : 'base', amount, 'up');
  if (given === null) return TOO_MUCH;
  const [signerAmount, senderAmount] = side === 'signer' ? [given, amount] : [amount, given];
  const { wallet: signerWallet, protocolFee, chainId, contract } = maker;
  const usual = BigInt(Math.floor(Date.now() / 1000)) + HOLDS_SECONDS;
  // A chain whose clock is ahead asks for more.
  const expiry = usual > minExpiry ? usual : minExpiry;
  const plain = { nonce: nextNonce(), expiry, signerWallet, signerToken, signerAmount, protocolFee, senderWallet, senderToken, senderAmount };
  const { order, key } = spoil(fault, plain, maker.key);
  const domain = {
    chainId: fault === 'wrong-chain' ? chainId + 1 : chainId,
    verifyingContract: fault === 'wrong-contract' ? signerWallet : contract,
    ...(fault === 'wrong-domain' ? OTHER_DOMAIN : {}),
  };
  const signed = await signOrder(key, order, domain);
  // Signed, and then another amount than was signed, or none that could be.
  if (fault === 'altered') return { result: { ...signed, signerAmount: String(order.signerAmount + 1n) } };
  if (fault === 'wrong-types') return { result: { ...signed, signerAmount: { toString: '1' }, nonce: [signed.nonce], v: true } };
  return { result: signed };
}

type AskedOrder = {
  readonly chainId: string;
  readonly swapContract: Address;
  readonly signerToken: Address;
  readonly senderToken: Address;
  readonly senderWallet: Address;
  readonly amount: bigint;
  /** Unix seconds; 0 where it is not said. */
  readonly minExpiry: bigint;
};

function readAsked(params: unknown, side: 'signer' | 'sender'): AskedOrder | null {
  if (typeof params !== 'object' || params === null) return null;
  const texts = new Map(Object.entries(params).map(([name, value]) => [name, String(value)]));
  const [swapContract, signerToken, senderToken, senderWallet] = ['swapContract', 'signerToken', 'senderToken', 'senderWallet'].map((name) => {
    const text = texts.get(name) ?? '';
    return isAddress(text) ? asAddress(text) : null;
  });
  const amount = parseInteger(texts.get(side === 'signer' ? 'senderAmount' : 'signerAmount') ?? '', 0n, MAX_WEI);
  if (!swapContract || !signerToken || !senderToken || !senderWallet || amount === null) return null;
  const minExpiry = parseInteger(texts.get('minExpiry') ?? '', 0n, 10n ** 16n) ?? 0n;
  return { chainId: texts.get('chainId') ?? '', swapContract, signerToken, senderToken, senderWallet, amount, minExpiry };
}

/** Grows over restarts too, of whichever maker. */
function nextNonce(): bigint {
  const now = BigInt(Date.now()) * 1_000n;
  lastNonce = now > lastNonce ? now : lastNonce + 1n;
  return lastNonce;
}
