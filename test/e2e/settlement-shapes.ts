import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { decodeEventLog, encodeFunctionData, erc20Abi, type Hex } from 'viem';
import { ROUTER_ABI } from '../../src/building/building.ts';
import type { Braid } from '../../src/main.ts';
import { issueKey } from '../../src/metering/metering.ts';
import { type Address, asAddress, NATIVE_TOKEN } from '../../src/units/units.ts';
import { fetchPatiently } from '../support/fetch-patiently.ts';
import { connectTestChain, type Receipt, type TestChain } from '../support/settlement/test-chain.ts';
import { approveAll, settleHead, signedData, takerOf, type WireSwap } from './swap-check.ts';

const FUNDINGS = ['allowanceHolder', 'permit2'] as const;
const MODES = ['sell', 'buy'] as const;
const NATIVE_SIDES = ['none', 'in', 'out', 'both'] as const;
/** What a fee comes from. All are taken on the buy token: the interface has no other. */
const FEES = ['none', 'request', 'key', 'anonymous'] as const;
const SURPLUSES = ['protocol', 'taker', 'shared'] as const;
/** By turns, so that what pays the first hop differs: before the call, in a call back of the pool or of a singleton, by an approval. */
const VENUES = ['uniswap_v2', 'uniswap_v3', 'uniswap_v4', 'balancer_v2'] as const;

export type Shape = {
  readonly funding: (typeof FUNDINGS)[number];
  readonly mode: (typeof MODES)[number];
  readonly nativeSide: (typeof NATIVE_SIDES)[number];
  readonly fee: (typeof FEES)[number];
  readonly surplus: (typeof SURPLUSES)[number];
};
export type ShapeTally = { executed: number; refused: number; readonly byVenue: Record<string, number> };

/** Every funding × mode × native side × fee policy × surplus policy. */
export const SHAPES: readonly Shape[] = FUNDINGS.flatMap((funding) =>
  MODES.flatMap((mode) =>
    NATIVE_SIDES.flatMap((nativeSide) => FEES.flatMap((fee) => SURPLUSES.map((surplus): Shape => ({ funding, mode, nativeSide, fee, surplus })))),
  ),
);

/** One of each funding × mode × native side, with fees and surplus policies in turn. */
export const SOME_SHAPES: readonly Shape[] = SHAPES.filter(({ funding, mode, nativeSide, fee, surplus }) => {
  const at = FUNDINGS.indexOf(funding) + 2 * MODES.indexOf(mode) + NATIVE_SIDES.indexOf(nativeSide);
  return FEES.indexOf(fee) === at % FEES.length && SURPLUSES.indexOf(surplus) === (at + MODES.indexOf(mode)) % SURPLUSES.length;
});

const REQUEST_FEE = { feeBps: 37, partnerShareBps: 8_500, partner: asAddress('0x00000000000000000000000000000000000000a1') };
const KEY_FEE = { feeBps: 12, partnerShareBps: 7_000, partner: asAddress('0x00000000000000000000000000000000000000a2') };
const ANONYMOUS = { feeBps: 10, partnerShareBps: 0 };
const RECIPIENT = asAddress('0x00000000000000000000000000000000000000a3');
const GAS_PRICE = 100n * 10n ** 9n;
/** What somebody else sells, in ether or 2,500 USDC each: so much that every pool of the venue's moves, and no more than it takes. */
const MOVE: Readonly<Record<string, bigint>> = { uniswap_v2: 1_500n, uniswap_v3: 1_500n, uniswap_v4: 1_500n, balancer_v2: 60n };
const ETHER = 10n ** 18n;
/** Later than the last transaction of the table is sent. */
const HOURS_SECONDS = 36_000;

const keys = new Map(
  SURPLUSES.flatMap((surplus) =>
    ([null, KEY_FEE] as const).map((feePolicy) => {
      const grant = { rps: 1000, partnerId: `shapes-${surplus}`, surplus, ...(feePolicy === null ? {} : { feePolicy }) };
      return [`${surplus} ${feePolicy === null ? 'none' : 'key'}`, issueKey(grant, new Date(0))] as const;
    }),
  ),
);
/** The text of a key file with a key for each surplus policy, with a fee policy and without: the service has to know it. */
export const SHAPE_KEYS = JSON.stringify({ keys: [...keys.values()].map(({ entry }) => entry) });

type World = { readonly taker: ReturnType<typeof takerOf>; readonly chain: TestChain; readonly braid: Braid; readonly mover: Address; readonly usdc: Hex };
type ShapeSwap = { readonly shape: Shape; readonly venue: string; readonly swap: WireSwap };
type Moved = { readonly recipient: bigint; readonly partner: bigint; readonly collector: bigint };

/**
 * Asks for each shape through the HTTP service, all at one state of the chain, and sends each transaction twice from there: as the state was, and after a trade of somebody else that makes it give more.
 * Held to the wei: what recipient, partner and collector get, what the taker pays, the event, and that the contracts keep nothing. What the interface does not offer has to be refused by its error.
 */
export async function checkShapes(braid: Braid, shapes: readonly Shape[]): Promise<ShapeTally> {
  const taker = takerOf(braid);
  const usdc = taker.devnet.tokens.find(({ symbol }) => symbol === 'USDC')?.address;
  const mover = taker.devnet.accounts[9]?.address;
  if (usdc === undefined || mover === undefined) throw new Error('no USDC, or no account for it');
  const world: World = { taker, chain: connectTestChain(taker.devnet.rpcUrl, GAS_PRICE), braid, mover, usdc };
  await approveAll(taker, taker.devnet.allowanceHolder);
  await approveAll(taker, taker.devnet.permit2);
  await taker.rpc('evm_setIntervalMining', 0);
  await taker.rpc('evm_setAutomine', true);
  for (const address of [usdc, taker.devnet.wrappedNative]) {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [taker.devnet.allowanceHolder, 2n ** 255n] });
    await world.chain.mustSend(mover, { to: address, data });
  }
  try {
    await settleHead(braid, taker);
    const { asked, refused } = await askAll(world, shapes);
    const moves = new Map<string, WireSwap>();
    for (const { shape, venue } of asked) {
      const name = `${shape.nativeSide} ${venue}`;
      if (!moves.has(name)) moves.set(name, await askMove(world, shape, venue));
    }
    const tally: ShapeTally = { executed: 0, refused, byVenue: {} };
    for (const one of asked) {
      const label = `${JSON.stringify(one.shape)} by ${one.venue}`;
      await executeShape(world, one, null, label);
      await executeShape(world, one, moves.get(`${one.shape.nativeSide} ${one.venue}`) ?? null, `${label}, with surplus`);
      tally.executed++;
      tally.byVenue[one.venue] = (tally.byVenue[one.venue] ?? 0) + 1;
    }
    return tally;
  } finally {
    await taker.rpc('evm_setAutomine', false);
    await taker.rpc('evm_setIntervalMining', 1);
  }
}

async function askAll(world: World, shapes: readonly Shape[]): Promise<{ readonly asked: readonly ShapeSwap[]; readonly refused: number }> {
  const head = Number(await world.taker.reader.getBlockNumber());
  const asked: ShapeSwap[] = [];
  let refused = 0;
  for (const [index, shape] of shapes.entries()) {
    const venue = VENUES[index % VENUES.length] ?? 'uniswap_v2';
    const label = `${JSON.stringify(shape)} by ${venue}`;
    const { status, body } = await ask(world, shape, venue, index);
    if (shape.nativeSide === 'both') {
      expect([status, Object.keys(body)], label).to.deep.equal([400, ['error']]);
      expect(String(body.error), label).to.match(/sellToken.*buyToken|buyToken.*sellToken/);
      refused++;
      continue;
    }
    expect(status, `${label}: ${JSON.stringify(body)}`).to.equal(200);
    const swap = body as unknown as WireSwap;
    expect(swap.blockNumber, label).to.equal(head);
    checkTransaction(world, shape, swap, label);
    asked.push({ shape, venue, swap });
  }
  return { asked, refused };
}

/** The funding table of the interface, and whose fee it is. */
function checkTransaction({ taker: { devnet } }: World, { funding, nativeSide, fee }: Shape, swap: WireSwap, label: string): void {
  const { to, value } = swap.transaction;
  const permitted = funding === 'permit2' && nativeSide !== 'in';
  expect(swap.permit2 !== undefined, label).to.equal(permitted);
  expect(to.toLowerCase(), label).to.equal(permitted || nativeSide === 'in' ? devnet.router : devnet.allowanceHolder);
  expect(value, label).to.equal(nativeSide === 'in' ? swap.sellAmount : '0');
  const spender = nativeSide === 'in' ? null : permitted ? devnet.permit2 : devnet.allowanceHolder;
  expect(swap.allowanceTarget?.toLowerCase() ?? null, label).to.equal(spender);
  const terms = feeOf(fee);
  expect(swap.fee === undefined ? null : [swap.fee.feeBps, swap.fee.partnerShareBps], label).to.deep.equal(
    terms === null ? null : [terms.feeBps, terms.partnerShareBps],
  );
}

function feeOf(fee: Shape['fee']): { readonly feeBps: number; readonly partnerShareBps: number; readonly partner?: Address } | null {
  return { none: null, request: REQUEST_FEE, key: KEY_FEE, anonymous: ANONYMOUS }[fee];
}

function tokensOf({ taker: { devnet }, usdc }: World, nativeSide: Shape['nativeSide']): readonly [Hex, Hex] {
  const [native, wrapped] = [NATIVE_TOKEN as Hex, devnet.wrappedNative as Hex];
  return ({ none: [wrapped, usdc], in: [native, usdc], out: [usdc, native], both: [native, native] } as const)[nativeSide];
}

async function ask(world: World, shape: Shape, venue: string, index: number): Promise<{ readonly status: number; readonly body: Record<string, unknown> }> {
  const { funding, mode, nativeSide, fee, surplus } = shape;
  const [sellToken, buyToken] = tokensOf(world, nativeSide);
  const fixed = mode === 'sell' ? sellToken : buyToken;
  // No round numbers, so that every division rounds.
  const amount = fixed === world.usdc ? 3_000_123_457n + BigInt(index) : ETHER + 234_567_891_234_567n + BigInt(index);
  const query: Record<string, string> = { mode, sellToken, buyToken, [`${mode}Amount`]: String(amount), funding, includeVenues: venue, maxHops: '1' };
  // To a third party by turns: the taker pays for gas, so what comes to him in native is measured beside that.
  if (index % 2 === 0) query.recipient = RECIPIENT;
  // A key's own policy is over a request's fee.
  if (fee === 'request' || fee === 'key') Object.assign(query, { feeBps: String(REQUEST_FEE.feeBps), feeRecipient: REQUEST_FEE.partner });
  // Without a key nobody can choose: the name is none that the interface knows.
  if (fee === 'anonymous') query.surplus = surplus;
  const key = fee === 'anonymous' ? undefined : keys.get(`${surplus} ${fee === 'key' ? 'key' : 'none'}`)?.key;
  return askFor(world, world.taker.account.address, query, key);
}

async function askFor({ braid }: World, taker: string, query: Readonly<Record<string, string>>, key: string | undefined) {
  const deadline = String(Math.floor(Date.now() / 1000) + HOURS_SECONDS);
  const url = `${braid.publicUrl}/v1/swap?${new URLSearchParams({ chainId: '31337', taker, deadline, ...query })}`;
  for (;;) {
    const response = await fetchPatiently(url, key === undefined ? {} : { headers: { 'x-api-key': key } });
    const body = (await response.json()) as Record<string, unknown>;
    if (key !== undefined || response.status !== 429) return { status: response.status, body };
    // Three requests a second are what callers without a key have.
    await sleep(1000 * Number(response.headers.get('retry-after')));
  }
}

/** The trade of somebody else, the other way through the same venue: what it sells the shape buys cheaper afterwards. */
async function askMove(world: World, { nativeSide }: Shape, venue: string): Promise<WireSwap> {
  const [bought, sold] = tokensOf(world, nativeSide);
  const sellAmount = (MOVE[venue] ?? 0n) * (sold === world.usdc ? 2_500n * 10n ** 6n : ETHER);
  const query = { mode: 'sell', sellToken: sold, buyToken: bought, sellAmount: String(sellAmount), includeVenues: venue, maxHops: '1' };
  const { status, body } = await askFor(world, world.mover, query, world.braid.apiKey ?? undefined);
  expect(status, JSON.stringify(body)).to.equal(200);
  return body as unknown as WireSwap;
}

async function executeShape(world: World, { shape, swap }: ShapeSwap, move: WireSwap | null, label: string): Promise<void> {
  const { taker, chain, mover } = world;
  const data = await signedData(taker, swap);
  const { to, value } = swap.transaction;
  await chain.apart(async () => {
    if (move !== null) await chain.mustSend(mover, { to: asAddress(move.transaction.to), data: move.transaction.data, value: BigInt(move.transaction.value) });
    const before = await holdings(world, shape, swap);
    const receipt = await chain.mustSend(taker.account.address as Address, { to: asAddress(to), data, value: BigInt(value) });
    const after = await holdings(world, shape, swap);
    const changed = (name: string) => (after.get(name) ?? 0n) - (before.get(name) ?? 0n);
    const isNative = (token: Hex) => token.toLowerCase() === NATIVE_TOKEN;
    const sold = -changed('taker sell') - (isNative(swap.sellToken) ? receipt.cost : 0n);
    const own = swap.recipient.toLowerCase() === taker.account.address;
    const moved: Moved = {
      recipient: changed('recipient') + (own && isNative(swap.buyToken) ? receipt.cost : 0n),
      partner: changed('partner'),
      collector: changed('collector'),
    };
    expect(sold, `${label}: sold`).to.equal(BigInt(swap.sellAmount));
    for (const name of after.keys()) if (name.startsWith('ours')) expect(changed(name), `${label}: ${name} keeps nothing`).to.equal(0n);
    expect(moved, label).to.deep.equal(partsOf(shape, swap, moved, move !== null, label));
    checkEvent(world, receipt, swap, moved, label);
  });
}

/** Who gets what, by the definitions of decisions S5, R13 and B14, of what the route gave: in sum, what all of them got. */
function partsOf({ mode, fee, surplus }: Shape, swap: WireSwap, moved: Moved, isAbove: boolean, label: string): Moved {
  const gross = moved.recipient + moved.partner + moved.collector;
  const quoted = BigInt(swap.buyAmount);
  const [feeBps, share] = [BigInt(swap.fee?.feeBps ?? 0), BigInt(swap.fee?.partnerShareBps ?? 0)];
  const charged = mode === 'sell' ? (gross * feeBps) / 10_000n : BigInt(swap.fee?.feeAmount ?? 0);
  const above = gross - charged - quoted;
  const planned = swap.route
    .filter(({ tokenOut }) => tokenOut.toLowerCase() === swap.buyToken.toLowerCase())
    .reduce((sum, { amountOut }) => sum + BigInt(amountOut), 0n);
  if (isAbove) expect(gross > planned, `${label}: the other trade made it give more`).to.equal(true);
  else expect(gross, `${label}: what was planned is what came`).to.equal(planned);
  if (mode === 'sell' && !isAbove) {
    expect([above, charged], label).to.deep.equal([0n, BigInt(swap.fee?.feeAmount ?? 0)]);
    expect((charged * share) / 10_000n, label).to.equal(BigInt(swap.fee?.partnerAmount ?? 0));
  }
  const policy = mode === 'buy' || fee === 'anonymous' ? 'protocol' : surplus;
  const captured = { protocol: above, taker: 0n, shared: above / 2n }[policy];
  const toPartner = (charged * share) / 10_000n;
  return { recipient: quoted + above - captured, partner: toPartner, collector: charged - toPartner + captured };
}

/** Balances by a name for each: of those who are paid in the buy token, of the taker in the sell token, and of our contracts in all that the route touches. */
async function holdings({ taker: { devnet, account }, chain }: World, { fee }: Shape, swap: WireSwap): Promise<ReadonlyMap<string, bigint>> {
  const [sellToken, buyToken] = [asAddress(swap.sellToken), asAddress(swap.buyToken)];
  const places = new Map<string, { readonly account: Address; readonly token: Address }>([
    ['taker sell', { account: asAddress(account.address), token: sellToken }],
    ['recipient', { account: asAddress(swap.recipient), token: buyToken }],
    // Nobody, where no partner has a part.
    ['partner', { account: feeOf(fee)?.partner ?? asAddress('0x00000000000000000000000000000000000000a4'), token: buyToken }],
    ['collector', { account: devnet.feeCollector, token: buyToken }],
  ]);
  const touched = new Set([NATIVE_TOKEN, devnet.wrappedNative, ...swap.route.flatMap(({ tokenIn, tokenOut }) => [asAddress(tokenIn), asAddress(tokenOut)])]);
  for (const ours of [devnet.router, devnet.allowanceHolder]) for (const token of touched) places.set(`ours ${ours} ${token}`, { account: ours, token });
  const read = await chain.balances([...places.values()]);
  return new Map([...places.keys()].map((name, i) => [name, read[i] ?? 0n]));
}

function checkEvent({ taker: { devnet } }: World, receipt: Receipt, swap: WireSwap, moved: Moved, label: string): void {
  const events = receipt.logs.filter(({ address }) => address === devnet.router);
  expect(events, `${label}: one Swap event`).to.have.length(1);
  const [{ topics, data } = { topics: ['0x'] as [Hex], data: '0x' as Hex }] = events;
  const { args } = decodeEventLog({ abi: ROUTER_ABI, eventName: 'Swap', topics, data });
  expect([args.sellAmount, args.buyAmount], label).to.deep.equal([BigInt(swap.sellAmount), moved.recipient]);
  expect(args.tag.slice(2, 34), label).to.equal(swap.quoteId.replaceAll('-', ''));
}
