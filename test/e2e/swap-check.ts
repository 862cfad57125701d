import { expect } from 'chai';
import {
  bytesToHex,
  createPublicClient,
  createWalletClient,
  decodeEventLog,
  type Hex,
  hexToBytes,
  http,
  keccak256,
  numberToHex,
  parseAbi,
  size,
  sliceHex,
  stringToBytes,
  type TransactionReceipt,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { ROUTER_ABI } from '../../src/building/building.ts';
import { plainMarket } from '../../src/devnet/devnet.ts';
import type { Braid } from '../../src/main.ts';
import { NATIVE_TOKEN } from '../../src/units/units.ts';
import { validatorOf } from '../schemas/schema-validators.ts';
import { fetchPatiently } from '../support/fetch-patiently.ts';
import { SEED, type SeededRandom, seededRandom } from '../support/seeded-random.ts';
import { until } from '../support/until.ts';
import type { WireHop } from './replay.ts';
import { newRouteTally, type RouteTally, tallyRoute } from './route-facts.ts';

const ERC20 = parseAbi([
  'function approve(address, uint256)',
  'function allowance(address, address) view returns (uint256)',
  'function balanceOf(address) view returns (uint256)',
]);
const isSwapResponse = validatorOf('swap-response');

export type WireSwap = {
  readonly mode: 'sell' | 'buy';
  readonly quoteId: string;
  readonly sellToken: Hex;
  readonly buyToken: Hex;
  readonly sellAmount: string;
  readonly buyAmount: string;
  readonly minBuyAmount: string;
  readonly blockNumber: number;
  readonly gas: number;
  readonly allowanceTarget: Hex | null;
  readonly recipient: Hex;
  readonly route: readonly WireHop[];
  readonly transaction: { readonly from: Hex; readonly to: Hex; readonly data: Hex; readonly value: string };
  readonly warnings?: readonly { readonly code: string; readonly detail: string }[];
  readonly fee?: { readonly feeBps: number; readonly partnerShareBps: number; readonly feeAmount: string; readonly partnerAmount: string };
  readonly permit2?: { readonly eip712: unknown; readonly signatureOffset: number; readonly signatureLength: number };
};

export type SwapTally = RouteTally & {
  executed: number;
  unfunded: number;
  hops: number;
  noRoute: number;
  split: number;
  native: number;
  buys: number;
  /** Of executions through pools that have just traded the same way. */
  readonly gas: ModelledGas[];
};

/** Exchanges of our port of Curve's crypto pools take 219,000 to 584,000, those of the contract of two coins that Curve compiled 180,000 to 324,000 (decision 112). */
const DEARER_PORTS = new Set(['curve_crypto']);

/** Gas units that a response says and that the transaction took. */
export type ModelledGas = {
  readonly said: number;
  readonly used: number;
  readonly context: string;
  /** Through a pool whose contract is a port of ours that takes more gas than the venue's own, which the model goes by. */
  readonly ported: boolean;
};

export type SwapsOptions = {
  /** Parameters of all requests. */
  readonly always?: Readonly<Record<string, string>>;
  /** Symbols of the tokens; absent: all. */
  readonly among?: readonly string[] | undefined;
  /**
   * Whether each trade is made a second time on what the first left. Where that goes through the same pools they have just traded, as pools in life have: nothing is written for the first time, which the gas model
   * leaves out.
   */
  readonly again?: boolean;
};

/** A taker of the devnet with its clients, and the calls that the checks share. */
export function takerOf(braid: Pick<Braid, 'devnet' | 'apiKey' | 'publicUrl'>, index = 0) {
  const { devnet, apiKey } = braid;
  const account = devnet?.accounts[index];
  if (devnet === null || apiKey === null || account === undefined) throw new Error('only on the devnet');
  const transport = http(devnet.rpcUrl);
  const reader = createPublicClient({ chain: foundry, transport, pollingInterval: 50, cacheTime: 0 });
  const wallet = createWalletClient({ chain: foundry, transport, account: privateKeyToAccount(account.privateKey) });
  const rpc = (method: string, ...params: readonly unknown[]) => reader.transport.request({ method, params });
  const balance = (token: Hex, of: Hex) =>
    token.toLowerCase() === NATIVE_TOKEN
      ? reader.getBalance({ address: of })
      : reader.readContract({ address: token, abi: ERC20, functionName: 'balanceOf', args: [of] });
  const ask = async (query: Readonly<Record<string, string>>): Promise<{ status: number; swap: WireSwap; text: string }> => {
    const response = await fetchPatiently(`${braid.publicUrl}/v1/swap?${new URLSearchParams({ chainId: '31337', taker: account.address, ...query })}`, {
      headers: { 'x-api-key': apiKey },
    });
    const text = await response.text();
    return { status: response.status, swap: JSON.parse(text) as WireSwap, text };
  };
  return { devnet, account, reader, wallet, rpc, balance, ask };
}

export type Taker = ReturnType<typeof takerOf>;

/** Asks until a swap is as it is wanted: on a busy machine whoever signs may be late for one request, or not priced yet. Throws what was answered last. */
export async function askUntil<Swap extends WireSwap>(
  taker: Taker,
  query: Readonly<Record<string, string>>,
  isWanted: (swap: WireSwap) => boolean,
  patienceMs: number,
): Promise<Swap> {
  let last = '';
  let found: Swap | null = null;
  await until(async () => {
    const { status, swap, text } = await taker.ask(query);
    last = text;
    if (status === 200 && isWanted(swap)) found = swap as Swap;
    return found !== null;
  }, patienceMs);
  if (found === null) throw new Error(last);
  return found;
}

/** Approves the allowance holder, or Permit2, for every ERC-20 of the devnet, once. */
export async function approveAll(taker: Taker, spender: Hex = taker.devnet.allowanceHolder): Promise<void> {
  await approveTokens(
    taker,
    plainMarket(taker.devnet).tokens.map(({ address }) => address),
    spender,
  );
}

/** The same for some tokens. */
export async function approveTokens({ devnet, account, wallet, reader }: Taker, tokens: readonly Hex[], spender: Hex = devnet.allowanceHolder): Promise<void> {
  for (const address of tokens) {
    const args = [account.address, spender] as const;
    // Some tokens refuse to change what was approved.
    if ((await reader.readContract({ address, abi: ERC20, functionName: 'allowance', args })) > 0n) continue;
    const hash = await wallet.writeContract({ address, abi: ERC20, functionName: 'approve', args: [spender, 2n ** 255n], gas: 200_000n });
    await reader.request({ method: 'evm_mine' } as never);
    expect((await reader.waitForTransactionReceipt({ hash })).status).to.equal('success');
  }
}

/** A random trade: any pair of plain tokens, native on either side, from dust to sizes that force splits. `among`: symbols of the tokens; absent: all. */
export function randomTrade(
  { devnet }: Taker,
  random: SeededRandom,
  among?: readonly string[],
): Readonly<Record<string, string>> & { readonly mode: 'sell' | 'buy' } {
  const tokens = [
    ...plainMarket(devnet)
      .tokens.filter(({ symbol }) => among?.includes(symbol) ?? true)
      .map(({ address, decimals, usd }) => ({ address, decimals: decimals ?? 18, usd })),
    { address: NATIVE_TOKEN, decimals: 18, usd: 2500 },
  ];
  const first = random.integer(0, tokens.length - 1);
  const [sell, buy] = [tokens[first], tokens[(first + random.integer(1, tokens.length - 1)) % tokens.length]];
  if (sell === undefined || buy === undefined) throw new Error('no tokens');
  const mode = random.chance(0.5) ? 'sell' : 'buy';
  const anchor = mode === 'sell' ? sell : buy;
  const amount = (BigInt(Math.max(1, Math.round((10 ** (random.unit() * 6) / anchor.usd) * 1e6))) * 10n ** BigInt(anchor.decimals)) / 1_000_000n || 1n;
  return { mode, sellToken: sell.address, buyToken: buy.address, [`${mode}Amount`]: String(amount) };
}

/** Sends swaps one by one at the very state that they were quoted on, and holds what moved against the response, to the wei. All is taken back. */
export async function checkRandomSwaps(
  braid: Braid,
  count: number,
  name: string,
  { always = {}, among, again = false }: SwapsOptions = {},
): Promise<SwapTally> {
  const taker = takerOf(braid);
  const random = seededRandom(name);
  const tally: SwapTally = { ...newRouteTally(), executed: 0, unfunded: 0, hops: 0, noRoute: 0, split: 0, native: 0, buys: 0, gas: [] };
  await approveAll(taker, always.funding === 'permit2' ? taker.devnet.permit2 : taker.devnet.allowanceHolder);
  await taker.rpc('evm_setIntervalMining', 0);
  for (let i = 0; i < count; i++) {
    const trade = randomTrade(taker, random, among);
    const extra: Record<string, string> = { ...always };
    if (random.chance(0.3)) extra.recipient = taker.devnet.accounts[5]?.address ?? '';
    if (random.chance(0.3)) Object.assign(extra, { feeBps: String(random.integer(1, 1500)), feeRecipient: taker.devnet.accounts[6]?.address ?? '' });
    const query = { ...trade, ...extra };
    const context = `seed ${SEED}, ${name}, swap ${i}: ${JSON.stringify(query)}`;
    const snapshot = await taker.rpc('evm_snapshot');
    const first = await executeRandom(braid, taker, query, tally, context);
    if (again && first !== null) {
      const second = await executeRandom(braid, taker, query, tally, `${context}, again`);
      const traded = new Set(first.route.map(({ poolAddress }) => poolAddress));
      if (second?.route.every(({ poolAddress }) => traded.has(poolAddress))) {
        const ported = second.route.some(({ protocol }) => DEARER_PORTS.has(protocol));
        tally.gas.push({ said: second.gas, used: second.used, context, ported });
      }
    }
    await takeBack(taker, snapshot);
  }
  await taker.rpc('evm_setIntervalMining', 1);
  return tally;
}

/** One swap; null where there is no route, or too little to sell. */
async function executeRandom(
  braid: Braid,
  taker: Taker,
  query: ReturnType<typeof randomTrade>,
  tally: SwapTally,
  context: string,
): Promise<(WireSwap & { readonly used: number }) | null> {
  await settleHead(braid, taker);
  const { status, swap, text } = await taker.ask(query);
  if (status === 404) {
    tally.noRoute++;
    return null;
  }
  expect(status, `${context} ${text}`).to.equal(200);
  if (!(await canPay(taker, swap))) {
    tally.unfunded++;
    return null;
  }
  expect(isSwapResponse(swap), `${context} ${JSON.stringify(isSwapResponse.errors)}`).to.equal(true);
  const { gasUsed } = await executeExactly(taker, swap, context);
  tally.executed++;
  tallyRoute(tally, swap.route, taker.devnet.wrappedNative);
  tally.hops += swap.route.length;
  if (query.mode === 'buy') tally.buys++;
  if (swap.route.some(({ bps }) => bps !== 10_000)) tally.split++;
  if ([query.sellToken, query.buyToken].includes(NATIVE_TOKEN)) tally.native++;
  return { ...swap, used: Number(gasUsed) };
}

/** Whether the taker has what a swap sells: of a buy only the answer says how much that is. */
export async function canPay({ account, balance }: Taker, { sellToken, sellAmount }: WireSwap): Promise<boolean> {
  return (await balance(sellToken, account.address)) >= BigInt(sellAmount);
}

/** Reverts to a snapshot, and mines beyond all blocks that are gone: one of their numbers would be taken for one of them. */
export async function takeBack({ reader, rpc }: Taker, snapshot: unknown): Promise<void> {
  const gone = await reader.getBlockNumber();
  await rpc('evm_revert', snapshot);
  await rpc('anvil_mine', numberToHex(gone - (await reader.getBlockNumber()) + 1n));
}

/** Gas units that a node says the transaction takes, which is how a wallet finds out whether it would revert: throws then. */
export async function estimateGas(
  { account, rpc }: Taker,
  { transaction: { to, data, value } }: WireSwap,
  block: 'latest' | 'pending' = 'latest',
): Promise<bigint> {
  return BigInt((await rpc('eth_estimateGas', { from: account.address, to, data, value: numberToHex(BigInt(value)) }, block)) as Hex);
}

/**
 * Waits until the service has indexed the chain's head, so that a quote and the chain speak of the same state. Two blocks: after a trade of one block was taken back, the
 * first has the number of the block that is gone, and would be taken for it.
 */
export async function settleHead(braid: Braid, { reader, rpc }: Taker): Promise<void> {
  await rpc('evm_mine');
  await rpc('evm_mine');
  const head = await reader.getBlockNumber();
  const isReached = async () => {
    const { chains } = (await (await fetch(`${braid.publicUrl}/healthz`)).json()) as { chains: readonly { blockNumber: number }[] };
    return BigInt(chains[0]?.blockNumber ?? 0) >= head;
  };
  if (!(await until(isReached, 100_000))) throw new Error('the service does not reach the head');
}

/** Sends a swap and holds what moved against the response, to the wei. It stays on the chain. `mostLeft`: of the sell token, what an issuer's rounding may leave with the taker. */
export async function executeExactly(taker: Taker, swap: WireSwap, context: string, mostLeft = 0n): Promise<TransactionReceipt> {
  const { devnet, account, wallet, reader, rpc, balance } = taker;
  const watched = [swap.sellToken, swap.buyToken, ...devnet.tokens.map(({ address }) => address), NATIVE_TOKEN as Hex];
  const holdings = async (of: Hex) => Promise.all(watched.map((token) => balance(token, of)));
  const ours = [devnet.router, devnet.allowanceHolder];
  const [oursBefore, soldBefore, boughtBefore] = [
    await Promise.all(ours.map(holdings)),
    await balance(swap.sellToken, account.address),
    await balance(swap.buyToken, swap.recipient),
  ];
  const { to, value } = swap.transaction;
  const data = await signedData(taker, swap);
  const hash = await wallet.sendTransaction({ to, data, value: BigInt(value), gas: 8_000_000n, gasPrice: 20n * 10n ** 9n });
  await rpc('evm_mine');
  const receipt = await reader.waitForTransactionReceipt({ hash });
  expect(receipt.status, context).to.equal('success');
  const spentOnGas = receipt.gasUsed * receipt.effectiveGasPrice;
  const isNative = (token: Hex) => token.toLowerCase() === NATIVE_TOKEN;
  const own = swap.recipient.toLowerCase() === account.address;
  const sold = soldBefore - (await balance(swap.sellToken, account.address)) - (isNative(swap.sellToken) ? spentOnGas : 0n);
  const bought = (await balance(swap.buyToken, swap.recipient)) - boughtBefore + (isNative(swap.buyToken) && own ? spentOnGas : 0n);
  expect(bought, `${context}: delivered`).to.equal(BigInt(swap.buyAmount));
  const most = swap.mode === 'buy' ? takenBy(swap) : BigInt(swap.sellAmount);
  expect(sold <= most && most - sold <= mostLeft && most <= BigInt(swap.sellAmount), `${context}: sold ${sold}, of ${most}`).to.equal(true);
  expect(await Promise.all(ours.map(holdings)), `${context}: our contracts keep nothing`).to.deep.equal(oursBefore);
  checkEvent(taker, receipt, { ...swap, sellAmount: String(sold) }, context);
  return receipt;
}

/** What the hops of a purchase take of the sell token: an order that comes last may take less than is left for it, which then stays with the taker. */
function takenBy({ sellToken, route }: WireSwap): bigint {
  return route.filter(({ tokenIn }) => tokenIn.toLowerCase() === sellToken.toLowerCase()).reduce((sum, { amountIn }) => sum + BigInt(amountIn), 0n);
}

/** The calldata to send: where Permit2 moves the sell token, with the taker's signature written into it. By turns it is viem's, and that of a node asked for eth_signTypedData_v4. */
export async function signedData({ account, wallet, rpc }: Taker, { transaction, permit2 }: WireSwap): Promise<Hex> {
  if (permit2 === undefined) return transaction.data;
  const { eip712, signatureOffset, signatureLength } = permit2;
  const byNode = BigInt(keccak256(transaction.data)) % 2n === 0n;
  const signature = byNode ? ((await rpc('eth_signTypedData_v4', account.address, eip712)) as Hex) : await wallet.signTypedData(eip712 as never);
  expect(size(signature)).to.equal(signatureLength);
  const bytes = hexToBytes(transaction.data);
  bytes.set(hexToBytes(signature), signatureOffset);
  return bytesToHex(bytes);
}

function checkEvent({ devnet, account }: Taker, receipt: TransactionReceipt, swap: WireSwap, context: string): void {
  const events = receipt.logs.filter(({ address }) => address.toLowerCase() === devnet.router);
  expect(events, `${context}: one Swap event`).to.have.length(1);
  const log = events[0];
  if (log === undefined) return;
  const { args } = decodeEventLog({ abi: ROUTER_ABI, eventName: 'Swap', ...log });
  expect(args.tag, context).to.equal(`0x${swap.quoteId.replaceAll('-', '')}${sliceHex(keccak256(stringToBytes('devnet')), 0, 16).slice(2)}`);
  expect(args.taker.toLowerCase(), context).to.equal(account.address);
  expect(args.recipient.toLowerCase(), context).to.equal(swap.recipient.toLowerCase());
  expect([args.sellAmount, args.buyAmount], context).to.deep.equal([BigInt(swap.sellAmount), BigInt(swap.buyAmount)]);
}
