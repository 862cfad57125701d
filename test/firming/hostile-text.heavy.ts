import { expect } from 'chai';
import { type Hex, numberToHex, toFunctionSelector } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { buildSwap, createLegEncoder, type LegEncoder, type SwapBuild } from '../../src/building/building.ts';
import { LIMITS } from '../../src/config/config.ts';
import { nodeAccounts } from '../../src/devnet/accounts.ts';
import { attest } from '../../src/devnet/attesters/attest.ts';
import { signQuote } from '../../src/devnet/issuers/attest.ts';
import { signOrder } from '../../src/devnet/makers/sign-order.ts';
import { createFirming, type FirmingChain } from '../../src/firming/firming.ts';
import { openOutsidePrices } from '../../src/indexing/outside-prices.ts';
import { FIRM_OUTCOMES, PRICE_OUTCOMES } from '../../src/observe/label-values.ts';
import { createLog, createMetrics, createObserver } from '../../src/observe/observe.ts';
import { createAsk } from '../../src/outbound/outbound.ts';
import { serialise } from '../../src/quoting/quoting.ts';
import type { Plan, PlanHop } from '../../src/routing/routing.ts';
import { type Address, asAddress, asBps, asWei } from '../../src/units/units.ts';
import { SWAP_ERC20_ABI } from '../../src/venues/airswap/typed-order.ts';
import { DYNAMIC_FEE } from '../../src/venues/uniswap_v4/hook-permissions.ts';
import {
  type ChainAnswer,
  type ChainCall,
  type FirmUpVenues,
  loadBuilderVenues,
  loadFirmUpVenues,
  loadStreamVenues,
  type OutsideSource,
  type StreamVenues,
} from '../../src/venues/venues.ts';
import { readIssuingContract } from '../support/issuing-contract.ts';
import { type Answer, CANARY, HOSTILE, HOSTILE_ANSWERS, listenTo, says } from './hostile-answers.ts';

const CHAIN = 31_337;
const ONE = 10n ** 18n;
const AMOUNT = 4n * ONE;
const NOW = Math.floor(Date.now() / 1000);
const [ASSET, DOLLAR, STALL, DESK, HOOK, MANAGER, TAKER, ROUTER, HOLDER] = ['31', '32', '33', '34', '35', '36', '37', '38', '39'].map((byte) =>
  asAddress(`0x${byte.repeat(20)}`),
) as [Address, Address, Address, Address, Address, Address, Address, Address, Address];
const KEY: Hex = `0x${'21'.repeat(32)}`;
const SIGNER = asAddress(privateKeyToAccount(KEY).address);
const USER: Hex = `0x${'47'.repeat(32)}`;
const FEE_BPS = 5n;
const FEES = toFunctionSelector(SWAP_ERC20_ABI[1]);
const CHECK = toFunctionSelector(SWAP_ERC20_ABI[0]);
/** No fault of an order. */
const NO_FAULTS: Hex = `0x${numberToHex(32n, { size: 32 }).slice(2)}${'0'.repeat(64)}`;

/** Contracts that find nothing against whatever is signed. */
function readChain(call: ChainCall): ChainAnswer {
  const { to, data } = call;
  if (to === HOOK) return numberToHex(1n, { size: 32 });
  if (to !== STALL) return readIssuingContract({ dollar: DOLLAR, userId: USER }, call);
  return data.startsWith(CHECK) ? NO_FAULTS : numberToHex(data.startsWith(FEES) ? FEE_BPS : 0n, { size: 32 });
}

function hopOf(venue: string, changes: Partial<PlanHop>): PlanHop {
  const pool = { poolAddress: MANAGER, poolKey: venue, venue, protocol: venue, source: venue, hook: null, legFacts: {}, slotIn: 0, slotOut: 1 };
  return { ...pool, tokenIn: ASSET, tokenOut: DOLLAR, amountIn: asWei(AMOUNT), amountOut: asWei(AMOUNT), bps: asBps(10_000), gas: 1, ...changes };
}

/** A hop that each of them signs, and the warning of one who does not. */
const SIGNED = {
  maker: { code: 'RFQ_FIRMUP_FAILED', hop: hopOf('airswap', { poolAddress: STALL, legFacts: { maker: 'harbour' } }) },
  issuer: { code: 'RFQ_FIRMUP_FAILED', hop: hopOf('ondo', { poolAddress: DESK, legFacts: { maker: 'mint' } }) },
  attester: {
    code: 'HOOK_ATTESTATION_UNAVAILABLE',
    hop: hopOf('uniswap_v4', { source: 'uniswap_v4:angstrom', hook: HOOK, legFacts: { fee: DYNAMIC_FEE, tickSpacing: 60, native: 0, variant: 'angstrom' } }),
  },
} as const;
type Who = keyof typeof SIGNED;

/** What each of them says who signs what was asked for, and chats. */
const CHATTY: Readonly<Record<Who, Answer>> = {
  maker: says(async ({ id, params }) => {
    const { minExpiry, senderAmount, senderToken, senderWallet, signerToken } = params as Readonly<Record<string, string>>;
    const order = {
      ...{ nonce: 1n, expiry: BigInt(minExpiry ?? 0), signerWallet: SIGNER, signerToken: signerToken as Address, signerAmount: AMOUNT, protocolFee: FEE_BPS },
      ...{ senderWallet: senderWallet as Address, senderToken: senderToken as Address, senderAmount: BigInt(senderAmount ?? 0) },
    };
    const signed = await signOrder(KEY, order, { chainId: CHAIN, verifyingContract: STALL });
    return { jsonrpc: '2.0', id, result: { ...signed, note: HOSTILE, [HOSTILE]: { [HOSTILE]: HOSTILE } }, message: HOSTILE };
  }),
  issuer: says(async () => {
    const amounts = { attestationId: 7n, price: ONE, expiration: BigInt(NOW + 900) };
    const quote = { chainId: BigInt(CHAIN), userId: USER, asset: ASSET, quantity: AMOUNT, side: 1, additionalData: `0x${'0'.repeat(64)}`, ...amounts } as const;
    const signature = await signQuote(KEY, quote, { chainId: CHAIN, verifyingContract: DESK });
    const texts = { ...Object.fromEntries(Object.entries(amounts).map(([name, value]) => [name, String(value)])), tokenAmount: String(AMOUNT) };
    return { ...texts, userId: USER, assetAddress: ASSET, side: '1', signature, additionalData: '', note: HOSTILE, [HOSTILE]: [HOSTILE] };
  }),
  attester: says(async ({ blocks_in_future: blocks }) => {
    const attested = (await attest({ nodes: nodeAccounts(), chainId: CHAIN, hook: HOOK }, HEAD.number + 1, Number(blocks), null)) as { attestations: object[] };
    return { success: true, attestations: attested.attestations.map((each) => ({ ...each, note: HOSTILE, [HOSTILE]: HOSTILE })), message: HOSTILE };
  }),
};
/** Where the deadline is not what is tested. */
const PATIENCE_MS = 20_000;
const HEAD = { number: 7, hash: '0x07', timestamp: NOW } as const;

describe('what makers, attesters and issuers write', function suite() {
  this.timeout(60_000);
  let [firmUps, streams] = [new Map() as FirmUpVenues, new Map() as StreamVenues];
  let legs: LegEncoder;
  let others: Awaited<ReturnType<typeof listenTo>>;

  before(async () => {
    [firmUps, streams] = [await loadFirmUpVenues(), await loadStreamVenues()];
    legs = createLegEncoder(await loadBuilderVenues());
    others = await listenTo(() => undefined);
  });
  after(async () => await others.stop());

  /** The service's main thread as far as others are asked from it, its log at debug, and a chain of its own each time: nobody is left alone from before. */
  function service() {
    const lines: string[] = [];
    const log = createLog({ level: 'debug', destination: { write: (line: string) => void lines.push(line) } });
    const chains = [{ chainId: CHAIN, name: 'ethereum', rpcEndpoints: 1, makers: ['harbour', 'mint'], attesters: ['lighthouse'] }];
    const metrics = createMetrics({ version: '0', mode: 'test', chains, venues: [...firmUps.keys()], defaults: false });
    const observer = createObserver(log, metrics);
    const { origin } = others;
    const sourceOf = (name: string, contract: Address, more: Partial<OutsideSource> = {}): OutsideSource => ({
      name,
      origin,
      contract,
      signer: SIGNER,
      ...more,
    });
    const issues = { chain: 'local-1', dollar: DOLLAR, assets: [{ symbol: 'AAPLon', token: ASSET, sizes: [ONE] }] };
    const [makers, issuers] = [[sourceOf('harbour', STALL)], [sourceOf('mint', DESK, { issues })]];
    const attesters = [sourceOf('lighthouse', HOOK, { path: '/getAttestations' })];
    const signing = { airswap: makers, ondo: issuers, uniswap_v4: attesters };
    const outside: FirmingChain['outside'] = Object.entries(signing).map(([venue, sources]) => ({ venue, sources, allowed: sources }));
    const outcomes: string[] = [];
    let [tell, polled] = [() => {}, () => {}];
    const firming = createFirming({
      venues: firmUps,
      chains: [{ chainId: CHAIN, outside, head: () => HEAD, eachBlock: (listener) => (tell = listener) }],
      read: async (_chainId, _hash, calls) => calls.map(readChain),
      ask: (allowed) => createAsk({ sources: allowed, limits: { ...LIMITS.outbound, deadlineMs: PATIENCE_MS } }),
      onPause(chainId, venue, source, ms) {
        if (venue === 'uniswap_v4') observer.attesterPaused(chainId, source, ms);
        else observer.makerPaused(chainId, source, ms);
      },
      onFirmed(firmed) {
        outcomes.push(firmed.outcome);
        observer.firmed(firmed);
      },
      onPolled(poll) {
        observer.attesterPolled(poll);
        polled();
      },
    });
    const firmHops = firming.hops.get(CHAIN);
    if (firmHops === undefined) throw new Error('nobody firms');
    return {
      outcomes,
      lines,
      text: async () => `${lines.join('')}${await metrics.registry.metrics()}`,
      /** Prices as the chain's indexer asks for them, until everybody has answered once. */
      async askForPrices(): Promise<readonly string[]> {
        const heard = new Map<string, string>();
        await new Promise<void>((resolve) => {
          const priced = { airswap: makers, ondo: issuers };
          const opened = openOutsidePrices(
            { chainId: CHAIN, outside: Object.entries(priced).map(([venue, sources]) => ({ venue, sources })) } as unknown as Parameters<
              typeof openOutsidePrices
            >[0],
            {
              venues: streams,
              follower: { takeStreamed: () => undefined, decimalsOf: () => 18 },
              readAt: () => {
                throw new Error('no registry is read');
              },
              report(report) {
                observer.indexerReported('ethereum', report);
                if (report.kind === 'outside-asked') heard.set(report.source, report.outcome);
                if (heard.size === 2) void opened.close().then(resolve);
              },
            },
          );
        });
        return [...heard.values()];
      },
      /** Who attests is asked in a block. */
      async block(): Promise<void> {
        await new Promise<void>((resolve) => {
          polled = resolve;
          tell();
        });
      },
      async swap(who: Who) {
        const built = await buildSwap(buildOf(SIGNED[who].hop, { firmHops, legs }));
        if (!built.ok) throw new Error(built.refusal.reason);
        return { swap: built.swap, body: serialise(built.swap) };
      },
    };
  }

  function expectNone(text: string, where: string): void {
    expect(text, where).to.not.match(new RegExp(CANARY, 'i'));
    expect(text, where).to.not.include(Buffer.from(CANARY).toString('hex'));
  }

  for (const [what, answer] of HOSTILE_ANSWERS) {
    it(`is in no line of the log, no metric and no answer, and the swap goes without them: ${what}`, async () => {
      others.answerBy(answer);
      const { outcomes, lines, text, askForPrices, block, swap } = service();
      const before = others.asked();
      for (const outcome of await askForPrices()) expect(outcome).to.be.oneOf(PRICE_OUTCOMES);
      for (const who of ['maker', 'issuer', 'attester'] as const) {
        const asked = others.asked();
        const { swap: built, body } = await swap(who);
        expect(others.asked(), who).to.be.above(asked);
        expect(
          built.warnings?.map(({ code }) => code),
          who,
        ).to.deep.equal([SIGNED[who].code]);
        expect(
          built.route.map(({ protocol }) => protocol),
          who,
        ).to.deep.equal(['uniswap_v2']);
        expectNone(body, who);
      }
      expect(outcomes).to.have.length(3);
      for (const outcome of outcomes) expect(outcome).to.be.oneOf(FIRM_OUTCOMES.filter((each) => each !== 'ok'));
      // In the next block an attester that is not left alone is asked again.
      if (!outcomes.includes('busy')) await block();
      expect(others.asked() - before).to.be.at.least(5);
      const told = lines.map((line) => JSON.parse(line).msg);
      expect(told).to.include.members(['a maker did not sign', 'no attestation of the next blocks']);
      if (what === 'too many requests') expect(told).to.include.members(['a maker is left alone for a while', 'an attester is left alone for a while']);
      expectNone(await text(), 'log and metrics');
    });
  }

  for (const who of ['maker', 'issuer', 'attester'] as const) {
    it(`is in no line, no metric, no answer and no calldata where it stands beside what was asked for, which is taken: ${who}`, async () => {
      others.answerBy(CHATTY[who]);
      const { outcomes, text, block, swap } = service();
      if (who === 'attester') await block();
      const { swap: built, body } = await swap(who);
      expect(outcomes).to.deep.equal(['ok']);
      expect(built.warnings).to.equal(undefined);
      expect(built.route.map(({ protocol }) => protocol)).to.deep.equal([SIGNED[who].hop.protocol]);
      expectNone(body, who);
      expectNone(await text(), 'log and metrics');
    });
  }
});

/** A swap by one hop, and by a pool where nobody signs that. */
function buildOf(hop: PlanHop, parts: Pick<SwapBuild, 'firmHops' | 'legs'>): SwapBuild {
  const timed = (result: object) => ({ result, queueMs: 0, runMs: 1 });
  const planOf = (one: PlanHop): Plan => {
    const facts = { gas: 1, gasMode: 'blind', gasPriceWei: null, maxHops: 2, prices: { sell: null, buy: null, native: null }, facts: {} };
    return { hops: [one], sellAmount: one.amountIn, grossAmount: one.amountOut, block: HEAD, ...facts } as unknown as Plan;
  };
  const echo = { sellToken: ASSET, buyToken: DOLLAR, taker: TAKER, recipient: null };
  const parties = { taker: TAKER, recipient: null, userAddress: null, funding: 'allowanceHolder', overrides: { router: null, allowanceHolder: null } };
  return {
    request: { mode: 'sell', sellToken: ASSET, buyToken: DOLLAR, amount: AMOUNT, slippage: { numerator: 5n, scale: 1 }, ...parties, echo },
    hosted: { chain: { chainId: CHAIN }, contracts: { router: ROUTER, allowanceHolder: HOLDER, permit2: null } },
    job: { chainId: CHAIN, sellToken: ASSET, buyToken: DOLLAR, amount: AMOUNT, filter: {}, deadline: 30_000 },
    ...{ fee: null, quoteId: '00000000-0000-4000-8000-000000000000', partnerId: null, surplus: 'protocol', deadline: BigInt(NOW + 1_200) },
    solving: {
      solve: async () => timed({ ok: true, plan: planOf(hop) }),
      solveAgain: async () => timed({ ok: true, plan: planOf(hopOf('uniswap_v2', {})) }),
      certify: async () => timed({ ok: true, grossAmount: AMOUNT, block: HEAD }),
    },
    // However busy the machine is, nobody is late.
    clock: { now: () => 0, after: () => () => undefined },
    ...{ caller: { client: 'somebody', signal: new AbortController().signal }, onSolved: () => undefined, onFirmed: () => undefined, ...parts },
  } as unknown as SwapBuild;
}
