import { concatHex, decodeFunctionResult, encodeFunctionData, hexToString, numberToHex, parseAbi } from 'viem';
import type { Address } from '../../units/units.ts';
import { failed, failedBy, GivenOnce } from '../firm-answers.ts';
import type { FirmUpChain, FirmUpFacet, FirmUpFailure, HopToFirm } from '../firm-up.ts';
import { lastSecond } from '../last-second.ts';
import { leastExpiryOf } from '../least-expiry.ts';
import { toldUser } from '../told-user.ts';
import type { ChainAnswer, ChainCall } from '../track.ts';
import { readRpcAnswer, rpcCall } from './json-rpc.ts';
import { readOrder, type SentOrder } from './read-order.ts';
import { orderFacts, type SignedOrder } from './signed-order.ts';
import { type Standing, Standings } from './standings.ts';
import { type OrderTerms, orderHash, SWAP_ERC20_ABI, signatoryOf } from './typed-order.ts';

const WALLET_ABI = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)']);
const VALID_SIGNATURE = '0x1626ba7e';
/** Nothing that is asked for is longer: a list of eight faults. */
const ANSWER_BYTES = 320;
/** Faults of the sender: the Router has tokens and grants an allowance only while it settles. */
const SENDER_FAULTS: ReadonlySet<string> = new Set(['SenderAllowanceLow', 'SenderBalanceLow']);

/** Asks the maker of a hop for an order of exactly its amount, made out to the Router, and believes it only as far as it is what was asked for and its contract finds nothing against it. */
export const firmUp: FirmUpFacet = {
  signs: 'order',
  open(chain) {
    const given = new GivenOnce();
    const standings = new Standings();
    let asked = 0;
    return async (hop, signal, onOffered = () => undefined) => {
      const source = chain.sources.find(({ name }) => name === hop.legFacts.maker);
      if (source === undefined) return failed('unfit');
      if (source.contract !== hop.poolAddress) return failed('invalid');
      if ([hop.taker, hop.recipient, hop.router].includes(source.signer)) return failed('unfit');
      if (signal.aborted) return failed('unreachable');
      const id = `order-${++asked}`;
      const leastExpiry = leastExpiryOf(hop, chain.now());
      // Meanwhile, so that what the contract says of them costs no time after the maker's.
      const standing = standings.of(source.signer, hop.poolAddress, chain, signal);
      const answer = readRpcAnswer(await chain.ask(source, requestOf(id, hop, chain.chainId, { leastExpiry, proxyingFor: toldUser(hop, source) }), signal), id);
      if (!answer.ok) return failedBy(answer);
      const sent = readOrder(answer.result);
      if (sent === null) return failed('unreachable');
      const fault = faultOf(sent, hop, chain, { signer: source.signer, leastExpiry });
      if (fault === 'worse') return { ...failed(fault), offered: { amountIn: sent.order.senderAmount, amountOut: sent.order.signerAmount } };
      if (fault !== null) return failed(fault);
      const { order } = sent;
      const { senderAmount: amountIn, signerAmount: amountOut } = order;
      // A block at the order's end does not take it any more.
      const offer = { ok: true, amountIn, amountOut, legFacts: orderFacts(order), expiry: lastSecond(order.expiry - 1n) } as const;
      const checking = chain.read([checkCall(order, hop)], signal);
      onOffered(offer);
      const believed = await signerOf(sent, hop, chain, signal, { checking, standing });
      if (typeof believed === 'string') return failed(believed);
      // The contract uses up nonces of whoever signs, which may be one key for several wallets.
      if (!given.takes(`${hop.poolAddress} ${believed.signatory} ${order.nonce}`)) return failed('invalid');
      return offer;
    };
  },
};

function requestOf(
  id: string,
  { mode, amountIn, amountOut, tokenIn, tokenOut, poolAddress, router }: HopToFirm,
  chainId: number,
  { leastExpiry, proxyingFor }: { readonly leastExpiry: number; readonly proxyingFor: Address },
): string {
  const parts = {
    chainId: String(chainId),
    swapContract: poolAddress,
    signerToken: tokenOut,
    senderToken: tokenIn,
    senderWallet: router,
    minExpiry: String(leastExpiry),
    proxyingFor,
  };
  return mode === 'sell'
    ? rpcCall(id, 'getSignerSideOrderERC20', { ...parts, senderAmount: String(amountIn) })
    : rpcCall(id, 'getSenderSideOrderERC20', { ...parts, signerAmount: String(amountOut) });
}

/** What is wrong with an order whoever signed it; null: nothing. */
function faultOf(
  { order, says }: SentOrder,
  hop: HopToFirm,
  chain: FirmUpChain,
  { signer, leastExpiry }: { readonly signer: Address; readonly leastExpiry: number },
): FirmUpFailure | null {
  const { mode, amountIn, amountOut, tokenIn, tokenOut, leastOut, router, poolAddress } = hop;
  if (order.signerWallet !== signer) return 'invalid';
  if (order.signerToken !== tokenOut || order.senderToken !== tokenIn) return 'invalid';
  if (order.expiry < BigInt(leastExpiry)) return 'invalid';
  const asked = new Map([
    ['chainid', String(chain.chainId)],
    ['swapcontract', poolAddress],
    ['senderwallet', router],
  ]);
  for (const [name, value] of says) {
    const wanted = asked.get(name.toLowerCase());
    if (wanted !== undefined && said(value) !== wanted) return 'invalid';
  }
  // Of next to nothing a maker may round to nothing.
  if (order.signerAmount === 0n && mode === 'sell' && leastOut === 0n && order.senderAmount === amountIn) return 'worse';
  if (order.signerAmount === 0n || order.senderAmount === 0n) return 'invalid';
  if (mode === 'sell') {
    if (order.senderAmount !== amountIn) return 'invalid';
    return order.signerAmount < leastOut ? 'worse' : null;
  }
  if (order.signerAmount !== amountOut) return 'invalid';
  return order.senderAmount > amountIn ? 'worse' : null;
}

/** What a maker wrote where a word or a number belongs, lower-case; null where it wrote anything else, whose text would be for its sender to make. */
function said(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? value.slice(0, 80).toLowerCase() : null;
}

/** What a contract is asked about an order, and was asked about its maker. */
type Word = { readonly checking: Promise<readonly ChainAnswer[] | null>; readonly standing: Standing | Promise<Standing | null> };

/** Who signed, where the signature holds by our own reckoning and by the contract's, which also knows the maker's funds and which of its orders are used. */
async function signerOf(
  { order, says }: SentOrder,
  hop: HopToFirm,
  chain: FirmUpChain,
  signal: AbortSignal,
  word: Word,
): Promise<Pick<Standing, 'signatory'> | FirmUpFailure> {
  const { poolAddress: contract, router: senderWallet } = hop;
  const known = await word.standing;
  const signatory = known === null ? null : signatoryOf(order, { chainId: chain.chainId, contract, senderWallet, protocolFee: known.protocolFee });
  const checked = await word.checking;
  if (checked === null || known === null) return 'unverified';
  const faults = faultsOf(checked[0]);
  // Amounts that the contract can not reckon with make it revert.
  if (faults === null || faults.some((fault) => !SENDER_FAULTS.has(fault))) return 'invalid';
  const fee = says.get('protocolFee');
  if (fee !== undefined && said(fee) !== String(known.protocolFee)) return 'invalid';
  if (signatory === known.signatory) return known;
  // A wallet that is a contract says itself what it signed.
  const terms: OrderTerms = { chainId: chain.chainId, contract, senderWallet, protocolFee: known.protocolFee };
  const second = await chain.read([walletCall(known.signatory, order, terms)], signal);
  if (second === null) return 'unverified';
  return second[0]?.slice(0, VALID_SIGNATURE.length) === VALID_SIGNATURE ? known : 'invalid';
}

function checkCall(order: SignedOrder, { poolAddress: to, router: sender }: HopToFirm): ChainCall {
  const { nonce, expiry, signerWallet, signerToken, signerAmount, senderToken, senderAmount, v, r, s } = order;
  const args = [sender, nonce, expiry, signerWallet, signerToken, signerAmount, senderToken, senderAmount, v, r, s] as const;
  return { to, data: encodeFunctionData({ abi: SWAP_ERC20_ABI, functionName: 'check', args }), answerBytes: ANSWER_BYTES };
}

function walletCall(to: Address, order: SignedOrder, terms: OrderTerms): ChainCall {
  const signature = concatHex([order.r, order.s, numberToHex(order.v, { size: 1 })]);
  return { to, data: encodeFunctionData({ abi: WALLET_ABI, functionName: 'isValidSignature', args: [orderHash(order, terms), signature] }) };
}

/** null: the contract did not say. */
function faultsOf(answer: ChainAnswer | undefined): readonly string[] | null {
  if (answer === null || answer === undefined) return null;
  try {
    const words = decodeFunctionResult({ abi: SWAP_ERC20_ABI, functionName: 'check', data: answer });
    return words.map((word) => hexToString(word, { size: 32 }));
  } catch {
    return null;
  }
}
