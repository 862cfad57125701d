import { expect } from 'chai';
import { encodeFunctionResult, type Hex, numberToHex, parseSignature, recoverAddress, toFunctionSelector } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { type Address, asAddress, type EpochSeconds } from '../../src/units/units.ts';
import { firmUp } from '../../src/venues/airswap/firm-up.ts';
import { orderOf } from '../../src/venues/airswap/signed-order.ts';
import { orderHash, SWAP_ERC20_ABI, signatoryOf, typedOrder } from '../../src/venues/airswap/typed-order.ts';
import type { AskOutside, ChainAnswer, ChainCall, HopToFirm, OutsideSource } from '../../src/venues/venues.ts';

const NEVER = new AbortController().signal;
const NOW = 1_800_000_000;
const CHAIN = 31_337;
const FEE = 5n;
const [CONTRACT, ROUTER, TAKER, GIVEN, TAKEN] = ['41', '42', '43', '44', '45'].map((byte) => asAddress(`0x${byte.repeat(20)}`)) as [
  Address,
  Address,
  Address,
  Address,
  Address,
];
const ACCOUNT = privateKeyToAccount(generatePrivateKey());
const SIGNER = asAddress(ACCOUNT.address);
const SOURCE: OutsideSource = { name: 'stall', origin: 'http://127.0.0.1:9', contract: CONTRACT, signer: SIGNER };

function hopOf(changes: Partial<HopToFirm> = {}): HopToFirm {
  const parties = { taker: TAKER, recipient: TAKER, user: TAKER, router: ROUTER, deadline: (NOW + 1_200) as EpochSeconds };
  const pool = { family: 'airswap', poolAddress: CONTRACT, poolKey: '0x00', hook: null, legFacts: { maker: 'stall' }, slotIn: 0, slotOut: 1 };
  const trade = { tokenIn: GIVEN, tokenOut: TAKEN, leastOut: 95n, taxedInput: false, mode: 'sell', amountIn: 100n, amountOut: 99n } as const;
  return { ...pool, ...parties, ...trade, ...changes };
}

type Ways = {
  readonly expiry?: (asked: number) => number | bigint;
  readonly signerAmount?: bigint;
  /** What it asks for where it is told what to give. */
  readonly senderAmount?: bigint;
  /** JSON that is put beside the order's own members. */
  readonly beside?: string;
  readonly read?: (call: ChainCall) => ChainAnswer;
  /** Of the newest block; absent: none is known. */
  readonly blockNumber?: () => number | null;
  /** Which time the node is silent, of those it is asked. */
  readonly silentAt?: number;
  readonly wrongKey?: boolean;
  /** What configuration says of the maker besides. */
  readonly source?: Partial<OutsideSource>;
  /** The code of the error that it answers instead. */
  readonly error?: number;
  /** Makers beside it. */
  readonly others?: readonly OutsideSource[];
  /** Absent: of each order another. */
  readonly sameNonce?: boolean;
};

/** Answers of a maker who signs what it is asked for but as a test has it, and of a contract that finds nothing against it. */
function makerOf({
  expiry = (asked) => asked,
  signerAmount = 99n,
  senderAmount = 100n,
  beside = '',
  read = plainRead,
  silentAt = -1,
  wrongKey = false,
  blockNumber = () => null,
  source = {},
  error,
  others = [],
  sameNonce = false,
}: Ways = {}) {
  const asked: { minExpiry: number; proxyingFor: string | undefined }[] = [];
  const calls: ChainCall[] = [];
  let reads = 0;
  let nonce = 0n;
  const ask: AskOutside = async ({ signer, contract }, body) => {
    const { id, params } = JSON.parse(body) as { readonly id: string; readonly params: Readonly<Record<string, string>> };
    asked.push({ minExpiry: Number(params.minExpiry), proxyingFor: params.proxyingFor });
    if (error !== undefined) return { ok: true, text: JSON.stringify({ jsonrpc: '2.0', id, error: { code: error, message: '' } }) };
    if (!sameNonce) nonce++;
    const order = {
      ...{ nonce, expiry: BigInt(expiry(Number(params.minExpiry))), signerWallet: signer, signerToken: TAKEN, signerAmount },
      ...{ senderToken: GIVEN, senderAmount: BigInt(params.senderAmount ?? senderAmount) },
    };
    const typed = typedOrder(order, { chainId: CHAIN, contract, senderWallet: ROUTER, protocolFee: FEE });
    const signing = wrongKey ? privateKeyToAccount(generatePrivateKey()) : ACCOUNT;
    const { r, s, v } = parseSignature(await signing.signTypedData(typed));
    const texts = Object.entries({ ...order, r, s, v }).map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(String(value))}`);
    return { ok: true, text: `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{${[...texts, ...(beside === '' ? [] : [beside])].join(',')}}}` };
  };
  const firm = firmUp.open({
    ...{ chainId: CHAIN, sources: [{ ...SOURCE, ...source }, ...others], ask, now: () => NOW as EpochSeconds, blockNumber },
    async read(some) {
      calls.push(...some);
      return reads++ === silentAt ? null : some.map(read);
    },
  });
  return { firm, asked, calls };
}

const CHECK = toFunctionSelector(SWAP_ERC20_ABI[0]);
const FEES = toFunctionSelector(SWAP_ERC20_ABI[1]);

function plainRead({ data }: ChainCall): ChainAnswer {
  const selector = data.slice(0, 10) as Hex;
  if (selector === CHECK) return encodeFunctionResult({ abi: SWAP_ERC20_ABI, functionName: 'check', result: [] });
  return numberToHex(selector === FEES ? FEE : 0n, { size: 32 });
}

async function came(ways: Ways, hop = hopOf()): Promise<string> {
  const firmed = await makerOf(ways).firm(hop, NEVER);
  return firmed.ok ? 'ok' : firmed.reason;
}

describe('an order of a maker of AirSwap', () => {
  it('is taken where it is what was asked for, whether the maker says so or not', async () => {
    expect(await came({})).to.equal('ok');
    expect(await came({ beside: `"chainId":${CHAIN},"protocolFee":${FEE}` })).to.equal('ok');
    expect(await came({ beside: `"chainId":"${CHAIN}","swapContract":"${CONTRACT.toUpperCase().replace('0X', '0x')}","protocolFee":"${FEE}"` })).to.equal('ok');
    expect(await came({ beside: '"chainId":2' })).to.equal('invalid');
    expect(await came({ beside: '"protocolFee":6' })).to.equal('invalid');
  });

  it('can not be read where it gives a name twice, though what it says last is what was asked for', async () => {
    for (const beside of ['"signerAmount":"99"', '"expiry":"1"', '"\\u006eonce":"1"', '"more":[{"a":1,"a":1}]'])
      expect(await came({ beside }), beside).to.equal('unreachable');
    expect(await came({ beside: '"more":[{"a":1},{"a":1}],"SIGNERAMOUNT":"1"' })).to.equal('ok');
  });

  it('that its maker’s server is too broken to judge is no refusal of the user, whether the status says so or the protocol', async () => {
    for (const [code, reason] of [
      [-32_603, 'unreachable'],
      [-33_605, 'busy'],
      [-33_601, 'refused'],
      [-32_602, 'refused'],
    ] as const) {
      const { firm } = makerOf({ error: code });
      expect(await firm(hopOf(), NEVER), `${code}`).to.deep.equal({ ok: false, reason });
    }
  });

  const nested = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  for (const name of ['chainId', 'swapContract', 'senderWallet', 'protocolFee']) {
    it(`is invalid, and nothing throws, whatever stands where its ${name} belongs`, async () => {
      for (const value of ['{"toString":1}', '{"toString":null,"valueOf":null}', nested, 'null', 'true', '[]', '{}'])
        expect(await came({ beside: `"${name}":${value}` }), value.slice(0, 40)).to.equal('invalid');
    });
  }

  it('holds as long as it was asked for at least, also where the deadline of the swap is sooner', async () => {
    const deadlines = [1_200, 31, 30, 10, 5, 4, 1, -100];
    for (const seconds of deadlines) {
      const hop = hopOf({ deadline: (NOW + seconds) as EpochSeconds });
      const maker = makerOf();
      const firmed = await maker.firm(hop, NEVER);
      // A block that is still to come, after the answer and its checks, is later than now.
      expect(maker.asked.map(({ minExpiry }) => minExpiry)).to.deep.equal([NOW + Math.max(5, Math.min(30, seconds))]);
      expect(firmed).to.deep.include({ ok: true, expiry: BigInt(maker.asked[0]?.minExpiry ?? 0) - 1n });
      expect(await came({ expiry: (asked) => asked - 1 }, hop), `${seconds}`).to.equal('invalid');
    }
  });

  for (const mode of ['sell', 'buy'] as const) {
    it(`is asked for the user behind the taker of makers that meter users; makers that only screen are told the taker (${mode})`, async () => {
      for (const [source, user, told] of [
        [{}, GIVEN, GIVEN],
        [{ screens: false }, GIVEN, GIVEN],
        [{ screens: true }, GIVEN, TAKER],
        [{ screens: true }, TAKER, TAKER],
        [{}, TAKER, TAKER],
      ] as const) {
        const { firm, asked } = makerOf({ source });
        await firm(hopOf({ mode, user }), NEVER);
        expect(asked.map(({ proxyingFor }) => proxyingFor)).to.deep.equal([told]);
      }
    });
  }

  it('holds to the second before its own end, to the last digit, and for ever as long as a response can say: 2^63 − 1', async () => {
    const latest = 2n ** 63n - 1n;
    for (const [expiry, last] of [
      [2n ** 53n, 2n ** 53n - 1n],
      [2n ** 53n + 2n, 2n ** 53n + 1n],
      [2n ** 63n - 1n, 2n ** 63n - 2n],
      [2n ** 63n, latest],
      [2n ** 63n + 1n, latest],
      [2n ** 256n - 1n, latest],
    ] as const)
      expect(await makerOf({ expiry: () => expiry }).firm(hopOf(), NEVER), String(expiry)).to.deep.include({ ok: true, expiry: last });
  });

  it('is not asked for where the maker’s own wallet is a party of the swap', async () => {
    for (const party of ['taker', 'recipient', 'router'] as const) {
      const { firm, asked } = makerOf();
      expect(await firm(hopOf({ [party]: SIGNER }), NEVER)).to.deep.equal({ ok: false, reason: 'unfit' });
      expect(asked).to.deep.equal([]);
    }
  });

  it('is unverified, and not the maker’s fault, where the node does not answer', async () => {
    // What the contract takes is asked first, then the order, then a wallet that is a contract.
    expect(await came({ silentAt: 0 })).to.equal('unverified');
    expect(await came({ silentAt: 1 })).to.equal('unverified');
    expect(await came({ silentAt: 2, wrongKey: true })).to.equal('unverified');
    expect(await came({ wrongKey: true })).to.equal('invalid');
    const withoutFee = (call: ChainCall) => (call.data.startsWith(FEES) ? null : plainRead(call));
    expect(await came({ read: withoutFee })).to.equal('unverified');
    const reverting = (call: ChainCall) => (call.data.startsWith(CHECK) ? null : plainRead(call));
    expect(await came({ read: reverting })).to.equal('invalid');
  });

  it('is offered while its contract is asked about it, as the very answer that is given then', async () => {
    const { firm } = makerOf();
    const offers: unknown[] = [];
    const firmed = await firm(hopOf(), NEVER, (offer) => offers.push(offer));
    expect(firmed.ok).to.equal(true);
    expect(offers).to.have.lengthOf(1);
    expect(offers[0]).to.equal(firmed);
    const none: unknown[] = [];
    await makerOf({ signerAmount: 94n }).firm(hopOf(), NEVER, (offer) => none.push(offer));
    expect(none, 'what is not what was asked for').to.deep.equal([]);
  });

  it('is taken once of a nonce of whoever signs, which is what its contract uses up: not once for each wallet that has the same key sign', async () => {
    const AUTHORIZED = toFunctionSelector(SWAP_ERC20_ABI[2]);
    const read = (call: ChainCall) => (call.data.startsWith(AUTHORIZED) ? numberToHex(BigInt(SIGNER), { size: 32 }) : plainRead(call));
    const booth: OutsideSource = { ...SOURCE, name: 'booth', signer: GIVEN };
    const kiosk: OutsideSource = { ...booth, name: 'kiosk', contract: TAKEN };
    const { firm } = makerOf({ read, sameNonce: true, others: [booth, kiosk] });
    const outcomeAt = async (maker: string, poolAddress = CONTRACT) => {
      const firmed = await firm(hopOf({ legFacts: { maker }, poolAddress }), NEVER);
      return firmed.ok ? 'ok' : firmed.reason;
    };
    expect(await outcomeAt('stall')).to.equal('ok');
    expect(await outcomeAt('booth'), 'another wallet, the same key').to.equal('invalid');
    expect(await outcomeAt('kiosk', TAKEN), 'another contract').to.equal('ok');
    expect(await outcomeAt('kiosk', TAKEN), 'again').to.equal('invalid');
  });

  it('its contract is asked once in a block what it takes and who signs, and about each order', async () => {
    let block = 7;
    const { firm, calls } = makerOf({ blockNumber: () => block, silentAt: 0 });
    const askedFor = async (): Promise<readonly string[]> => {
      calls.length = 0;
      await firm(hopOf(), NEVER);
      return calls.map(({ data }) => data.slice(0, 10));
    };
    const standing = [FEES, toFunctionSelector(SWAP_ERC20_ABI[2])];
    expect(await askedFor(), 'when the node says nothing').to.deep.equal([...standing, CHECK]);
    expect(await askedFor(), 'what was not said').to.deep.equal([...standing, CHECK]);
    expect(await askedFor(), 'in the same block').to.deep.equal([CHECK]);
    block = 8;
    expect(await askedFor(), 'in another block').to.deep.equal([...standing, CHECK]);
  });

  it('carries nobody’s signature where it is no point of the curve, whatever is written there', async () => {
    const order = { nonce: 1n, expiry: 2n, signerWallet: SIGNER, signerToken: TAKEN, signerAmount: 3n, senderToken: GIVEN, senderAmount: 4n, v: 27 };
    const terms = { chainId: CHAIN, contract: CONTRACT, senderWallet: ROUTER, protocolFee: FEE };
    const words = ['00', '01', 'ff', 'ab'].map((byte): Hex => `0x${byte.repeat(32)}`);
    for (const r of words) {
      for (const s of words) {
        const viems = await recoverAddress({ hash: orderHash({ ...order, r, s }, terms), signature: { r, s, v: 27n } }).catch(() => null);
        expect(signatoryOf({ ...order, r, s }, terms), `${r} ${s}`).to.equal(viems === null ? null : asAddress(viems));
      }
    }
    for (let at = 0; at < 20; at++) {
      const typed = typedOrder({ ...order, nonce: BigInt(at) }, terms);
      const { r, s, v } = parseSignature(await ACCOUNT.signTypedData(typed));
      expect(signatoryOf({ ...order, nonce: BigInt(at), r, s, v: Number(v) }, terms)).to.equal(SIGNER);
    }
  });

  it('for nothing is worse where next to nothing was planned, which a fair maker rounds down, and invalid where more was', async () => {
    expect(await came({ signerAmount: 0n }, hopOf({ amountOut: 1n, leastOut: 0n }))).to.equal('worse');
    expect(await came({ signerAmount: 0n })).to.equal('invalid');
    expect(await came({ signerAmount: 0n }, hopOf({ mode: 'buy', leastOut: 0n }))).to.equal('invalid');
  });

  it('that gives something for nothing is no order', async () => {
    const bought = hopOf({ mode: 'buy', amountOut: 99n });
    expect(await came({ senderAmount: 1n }, bought)).to.equal('ok');
    expect(await came({ senderAmount: 0n }, bought)).to.equal('invalid');
  });

  it('is there of a hop that was firmed alone', () => {
    expect(() => orderOf({ legFacts: {}, tokenIn: GIVEN, tokenOut: TAKEN })).to.throw(RangeError, 'no maker signed this hop');
  });

  it('that is worse than it may be says by how much', async () => {
    const firmed = await makerOf({ signerAmount: 94n }).firm(hopOf(), NEVER);
    expect(firmed).to.deep.equal({ ok: false, reason: 'worse', offered: { amountIn: 100n, amountOut: 94n } });
  });
});
