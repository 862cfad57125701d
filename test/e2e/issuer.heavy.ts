import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { encodeFunctionData } from 'viem';
import type { DevnetIssuer } from '../../src/devnet/devnet.ts';
import { ATTESTATION_FAULTS, type IssuerFault } from '../../src/devnet/issuers/faults.ts';
import { TRANSPORT_FAULTS } from '../../src/devnet/makers/faults.ts';
import { issueKey, type KeyEntry } from '../../src/metering/metering.ts';
import type { Address } from '../../src/units/units.ts';
import { useBraid } from '../support/braid.ts';
import { callsFromNow } from '../support/calls-since.ts';
import { fetchPatiently } from '../support/fetch-patiently.ts';
import { FULL_SCALE, SEED, seededRandom } from '../support/seeded-random.ts';
import { DESK_ABI } from '../support/settlement/ondo.ts';
import { until } from '../support/until.ts';
import type { WireHop } from './replay.ts';
import { approveTokens, askUntil, executeExactly, settleHead, takeBack, takerOf, type WireSwap } from './swap-check.ts';

type Attested = WireSwap & { readonly rfqExpiry?: number; readonly deadline: number; readonly driftExposedShareBps?: number };

const PATIENCE_MS = 100_000;
/** Of the trades that are settled one by one, and random ones with an issuer who fails at random: the rest is for the whole figure. */
const EVERY_DAY = 5;
const SWAPS = FULL_SCALE ? 200 : 4;
const FAILING = 0.6;
const TIME_LIMIT_MS = 3_000;
type Traded = readonly [sell: string, buy: string];
const PAIRS: readonly [Traded, ...Traded[]] = [
  ['DAI', 'AAPLon'],
  ['AAPLon', 'DAI'],
  ['USDC', 'TSLAon'],
  ['TSLAon', 'WETH'],
];
const ONE = 10n ** 18n;
/** Shaped like a key, and nobody's. */
const UNKNOWN = 'braid_live_nobodyhas_this';
const NOBODY = `0x${'00'.repeat(32)}` as const;
/** Of the devnet's issuer: how long what it attests holds, and a second or two of a slow machine. */
const HOLDS_SECONDS = 60;
/** Of dollars that are spent on an asset: what less than a unit of it costs. */
const MOST_LEFT = 1_000n;

/** Keys beside the devnet's own, in a file that is written again when one of them is revoked. */
const folder = mkdtempSync(path.join(tmpdir(), 'braid-issuer-'));
const keysFile = path.join(folder, 'keys.json');
const elsewhere = issueKey({ rps: 1_000, partnerId: 'approved elsewhere', gatedVenues: ['fermi', 'ondo:variant'] }, new Date(0));
const dismissed = issueKey({ rps: 1_000, partnerId: 'dismissed', gatedVenues: ['ondo'] }, new Date(0));
const writeKeys = (...keys: readonly KeyEntry[]) => writeFileSync(keysFile, JSON.stringify({ keys }));
writeKeys(elsewhere.entry, dismissed.entry);

describe('real-world assets, minted and redeemed by what their issuer attests', function suite() {
  this.timeout(300_000);
  const braid = useBraid({ devnetMakers: true, env: { FRESHNESS_BOUND_MS: '600000', KEYS_FILE: keysFile } });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const issuer = (): DevnetIssuer => {
    const [first] = braid.current().devnet?.issuers ?? [];
    if (first === undefined) throw new Error('no issuer');
    return first;
  };
  const tokenOf = (symbol: string): Address => {
    const issued = issuer().issues.assets.find((asset) => asset.symbol === symbol)?.token;
    const token = issued ?? braid.current().devnet?.tokens.find((candidate) => candidate.symbol === symbol)?.address;
    if (token === undefined) throw new Error(`no token ${symbol}`);
    return token;
  };
  const pair = (sell: string, buy: string) => ({ sellToken: tokenOf(sell), buyToken: tokenOf(buy) });
  /** How many attestations it is asked for from now on. */
  const attestationsFromNow = (): (() => number) => {
    const asked = callsFromNow(() => issuer().calls());
    return () => asked().filter(({ path: to }) => to === '/v1/attestations').length;
  };
  const viaIssuer = ({ route }: { readonly route: readonly WireHop[] }) => route.filter(({ protocol }) => protocol === 'ondo').length;
  /** As one who has the approval, or with another key; null: none. */
  const taker = (key: string | null = braid.current().approvedApiKey) => takerOf({ ...braid.current(), apiKey: key ?? '' });
  const quote = async (query: Readonly<Record<string, string>>, key = braid.current().approvedApiKey) => {
    const headers: Record<string, string> = key === null ? {} : { 'x-api-key': key };
    const response = await fetchPatiently(`${braid.current().publicUrl}/v1/quote?${new URLSearchParams({ chainId: '31337', mode: 'sell', ...query })}`, {
      headers,
    });
    return { status: response.status, body: (await response.json()) as { readonly route: readonly WireHop[]; readonly buyAmount: string } };
  };

  /** Until the issuer's prices are in the snapshot and it attests in time: on a busy machine it may be late for one request. */
  async function attested(query: Readonly<Record<string, string>>): Promise<Attested> {
    return await askUntil(taker(), query, (swap) => swap.warnings === undefined && viaIssuer(swap) > 0, PATIENCE_MS);
  }

  before(async () => {
    await approveTokens(taker(), ['DAI', 'USDC', 'WETH', 'AAPLon', 'TSLAon'].map(tokenOf));
    await taker().rpc('evm_setIntervalMining', 0);
  });
  afterEach(() => issuer().setFault(null));

  const TITLED = [
    ['minted', { mode: 'sell', sell: 'DAI', buy: 'AAPLon', sellAmount: String(3_000n * ONE + 7n), includeVenues: 'ondo' }],
    ['redeemed', { mode: 'sell', sell: 'AAPLon', buy: 'DAI', sellAmount: String(9n * ONE + 13n), includeVenues: 'ondo' }],
    ['minted exactly', { mode: 'buy', sell: 'DAI', buy: 'AAPLon', buyAmount: String(5n * ONE + 3n), includeVenues: 'ondo' }],
    ['redeemed and minted in a row', { mode: 'sell', sell: 'AAPLon', buy: 'TSLAon', sellAmount: String(4n * ONE), includeVenues: 'ondo' }],
    ['minted behind pools', { mode: 'sell', sell: 'WETH', buy: 'AAPLon', sellAmount: String(ONE / 2n), excludeVenues: 'airswap' }],
    ['minted above a level of its prices', { mode: 'sell', sell: 'DAI', buy: 'TSLAon', sellAmount: String(20_000n * ONE + 1n), includeVenues: 'ondo' }],
    ['redeemed for no less than', { mode: 'buy', sell: 'TSLAon', buy: 'DAI', buyAmount: String(1_500n * ONE + 11n), includeVenues: 'ondo' }],
    ['redeemed ahead of pools', { mode: 'sell', sell: 'TSLAon', buy: 'WETH', sellAmount: String(4n * ONE), excludeVenues: 'airswap' }],
  ] as const;
  for (const [title, query] of FULL_SCALE ? TITLED : TITLED.slice(0, EVERY_DAY)) {
    it(`settle what was attested, to the wei: ${title}`, async () => {
      await settleHead(braid.current(), taker());
      const { sell, buy, ...rest } = query;
      const swap = await attested({ ...rest, ...pair(sell, buy) });
      expect('rfqExpiry' in swap || 'driftExposedShareBps' in swap).to.equal(false);
      const head = (await taker().rpc('eth_getBlockByNumber', 'latest', false)) as { readonly timestamp: string };
      const now = Math.max(Number(head.timestamp), Math.floor(Date.now() / 1000));
      expect(swap.deadline).to.be.within(now - HOLDS_SECONDS, now + HOLDS_SECONDS);
      for (const hop of swap.route.filter(({ protocol }) => protocol === 'ondo')) expect(hop.poolAddress.toLowerCase()).to.equal(issuer().contract);
      const snapshot = await taker().rpc('evm_snapshot');
      await executeExactly(taker(), swap, `${title}: ${JSON.stringify(swap.route)}`, rest.mode === 'sell' && sell === 'DAI' ? MOST_LEFT : 0n);
      await takeBack(taker(), snapshot);
    });
  }

  /** Whoever has no key may ask three times a second. */
  async function unmetered<Asked extends { readonly status: number }>(ask: () => Promise<Asked>): Promise<Asked> {
    let answer = await ask();
    await until(async () => {
      if (answer.status !== 429) return true;
      answer = await ask();
      return false;
    }, PATIENCE_MS);
    return answer;
  }

  it('only a key with the approval sees them, in quotes and in swaps, whatever a request includes: nobody else has a call made to the issuer', async () => {
    const query = { ...pair('DAI', 'AAPLon'), sellAmount: String(2_000n * ONE) };
    expect(await until(async () => viaIssuer((await quote(query)).body) > 0, PATIENCE_MS)).to.equal(true);
    const asked = attestationsFromNow();
    for (const key of [null, braid.current().apiKey, UNKNOWN]) {
      expect((await unmetered(() => quote({ ...query, includeVenues: 'ondo' }, key))).status).to.equal(404);
      expect((await unmetered(() => taker(key).ask({ mode: 'sell', ...query, includeVenues: 'ondo' }))).status).to.equal(404);
    }
    expect(asked()).to.equal(0);
  });

  it('F20 no key, an unknown, a plain, one approved for another venue, an approved and a revoked one, with excludeRwa, excludeRfq, both and neither: the approved one alone is routed through the issuer, unless excludeRwa says not to', async () => {
    const query = { ...pair('DAI', 'AAPLon'), sellAmount: String(2_000n * ONE) };
    // It had the approval for as long as it was one.
    expect(await until(async () => viaIssuer((await quote(query, dismissed.key)).body) > 0, PATIENCE_MS)).to.equal(true);
    writeKeys(elsewhere.entry, { ...dismissed.entry, revoked: new Date(0).toISOString() });
    await braid.current().reloadKeys();
    const callers = {
      'no key': null,
      'an unknown key': UNKNOWN,
      'a plain key': braid.current().apiKey,
      'a key for another venue': elsewhere.key,
      'an approved key': braid.current().approvedApiKey,
      'a revoked key': dismissed.key,
    };
    const routed = ['an approved key, nothing excluded', 'an approved key, excludeRfq'];
    const excluded = [{}, { excludeRwa: 'true' }, { excludeRfq: 'true' }, { excludeRwa: 'true', excludeRfq: 'true' }];
    for (const [caller, key] of Object.entries(callers)) {
      for (const excluding of excluded) {
        const asked = { ...query, ...excluding };
        const cell = `${caller}, ${Object.keys(excluding).join(' and ') || 'nothing excluded'}`;
        const isRouted = routed.includes(cell);
        const attestations = attestationsFromNow();
        let quoted = await unmetered(() => quote(asked, key));
        // On a busy machine its prices may be away for a moment.
        await until(async () => {
          if (!isRouted || viaIssuer(quoted.body) > 0) return true;
          quoted = await quote(asked, key);
          return false;
        }, PATIENCE_MS);
        expect([quoted.status, viaIssuer(quoted.body) > 0], cell).to.deep.equal([200, isRouted]);
        // Nothing is attested for a quote, whoever asks.
        expect(attestations(), cell).to.equal(0);
        if (isRouted) await attested({ mode: 'sell', ...asked });
        else {
          const { status, swap, text } = await unmetered(() => taker(key).ask({ mode: 'sell', ...asked }));
          expect([status, viaIssuer(swap)], `${cell}: ${text}`).to.deep.equal([200, 0]);
        }
        expect(attestations() > 0, cell).to.equal(isRouted);
      }
    }
  });

  it('nothing is asked of the issuer with excludeRwa, nor below 300 ms; excludeRfq alone leaves it in', async () => {
    const query = { mode: 'sell', ...pair('DAI', 'AAPLon'), sellAmount: String(2_000n * ONE) };
    await attested({ ...query, excludeRfq: 'true' });
    const asked = attestationsFromNow();
    for (const excluding of [{ excludeRwa: 'true' }, { timeLimitMs: '299' }, { excludeVenues: 'ondo' }]) {
      const { status, swap, text } = await taker().ask({ ...query, ...excluding });
      expect([status, viaIssuer(swap)], text).to.deep.equal([200, 0]);
      expect(viaIssuer((await quote({ ...query, ...excluding })).body)).to.equal(0);
    }
    expect(asked()).to.equal(0);
  });

  it('its label is listed for everybody, and no request for a quote has anything attested', async () => {
    const answer = await fetchPatiently(`${braid.current().publicUrl}/v1/devnet/sources`, { headers: { 'x-api-key': braid.current().apiKey ?? '' } });
    const { sources } = (await answer.json()) as { readonly sources: readonly string[] };
    expect(sources).to.include('ondo');
    const asked = attestationsFromNow();
    await quote({ ...pair('DAI', 'AAPLon'), sellAmount: String(2_000n * ONE), includeVenues: 'ondo' });
    expect(asked()).to.equal(0);
  });

  it(`every one of ${SWAPS} random swaps executes as it is told, by an issuer who fails at random in every way: a route of the chain alone then, with one warning`, async function () {
    this.timeout(FULL_SCALE ? 3_600_000 : 300_000);
    const random = seededRandom('attested swaps');
    const tally = { executed: 0, attested: 0, warned: 0 };
    for (let at = 0; at < SWAPS; at++) {
      // The last of every day's is one that is refused for sure.
      const drawn = random.chance(FAILING) ? random.pick([...ATTESTATION_FAULTS, ...TRANSPORT_FAULTS]) : null;
      const kind: IssuerFault['kind'] | null = at === 3 ? 'closed' : drawn;
      issuer().setFault(kind === null ? null : { kind, ms: 2_500, location: 'http://127.0.0.1:9/' });
      const [sell, buy] = at === 3 ? PAIRS[0] : random.pick(PAIRS);
      const amount =
        sell === 'USDC'
          ? 10n ** 6n * BigInt(random.integer(10, 4_000))
          : (sell === 'DAI' ? 1n : 0n) * ONE * BigInt(random.integer(10, 4_000)) || ONE * BigInt(random.integer(1, 9));
      const query = { mode: 'sell', ...pair(sell, buy), sellAmount: String(amount), timeLimitMs: String(TIME_LIMIT_MS), excludeRfq: 'true' };
      const snapshot = await taker().rpc('evm_snapshot');
      await settleHead(braid.current(), taker());
      const { status, swap, text } = await taker().ask(query);
      const context = `BRAID_SEED=${SEED}, swap ${at}, ${kind}: ${text}`;
      expect(status, context).to.equal(200);
      const codes = (swap.warnings ?? []).map(({ code }) => code).filter((code) => code !== 'HIGH_PRICE_IMPACT');
      expect(codes.join(), context).to.be.oneOf(['', 'RFQ_FIRMUP_FAILED']);
      if (codes.length > 0) expect(viaIssuer(swap), context).to.equal(0);
      expect('rfqExpiry' in swap || 'driftExposedShareBps' in swap, context).to.equal(false);
      // As a wallet does before it shows what it is asked to sign.
      const { account, rpc } = taker();
      expect(Number(await rpc('eth_estimateGas', { from: account.address, to: swap.transaction.to, data: swap.transaction.data }, 'latest')), context).above(0);
      await executeExactly(taker(), swap, context, sell === 'DAI' ? MOST_LEFT : 0n);
      tally.executed++;
      if (viaIssuer(swap) > 0) tally.attested++;
      if (codes.length > 0) tally.warned++;
      await takeBack(taker(), snapshot);
    }
    issuer().setFault(null);
    console.log(`      ${JSON.stringify(tally)}`);
  });

  /** As the issuer's contract has it done by its owner, before the next request. */
  async function settled(name: (typeof DESK_ABI)[number]['name'], args: readonly unknown[]): Promise<void> {
    const data = encodeFunctionData({ abi: DESK_ABI, functionName: name, args } as Parameters<typeof encodeFunctionData>[0]);
    await taker().rpc('eth_sendTransaction', { from: issuer().signer, to: issuer().contract, data, gas: '0x493e0' });
    await taker().rpc('evm_mine');
    await settleHead(braid.current(), taker());
  }

  const FAR = 2n ** 40n;
  /** What its server attests all the same, so that the contract alone is against it. */
  const CONTRACT_CHECKS = [
    ['outside the market hours of the contract', 'close', () => [true]],
    ['below the least deposit', 'setMinimums', () => [100_000n * ONE, 0n]],
    ['far from the price that is posted', 'postPrice', () => [tokenOf('AAPLon'), ONE, 100n, FAR]],
    ['above a limit of the contract', 'limit', () => [NOBODY, tokenOf('AAPLon'), true, ONE]],
    ['while mints are paused', 'pause', () => [true, false]],
  ] as const;
  for (const [title, name, on] of FULL_SCALE ? CONTRACT_CHECKS : CONTRACT_CHECKS.slice(0, 2)) {
    it(`what is attested ${title} is in no answer: the route is one of the chain alone, with one warning, and executes`, async () => {
      const query = { mode: 'sell', ...pair('DAI', 'AAPLon'), sellAmount: String(2_000n * ONE), excludeRfq: 'true', timeLimitMs: String(TIME_LIMIT_MS) };
      await attested(query);
      const snapshot = await taker().rpc('evm_snapshot');
      await settled(name, on());
      const swap = await askUntil(taker(), query, ({ warnings = [] }) => warnings.some(({ code }) => code === 'RFQ_FIRMUP_FAILED'), PATIENCE_MS);
      expect(swap.warnings?.map(({ code }) => code).filter((code) => code !== 'HIGH_PRICE_IMPACT')).to.deep.equal(['RFQ_FIRMUP_FAILED']);
      expect(viaIssuer(swap)).to.equal(0);
      await executeExactly(taker(), swap, title);
      await takeBack(taker(), snapshot);
      await attested(query);
    });
  }

  it('a market that closes leaves quotes, and comes back when it opens', async () => {
    const query = { ...pair('DAI', 'TSLAon'), sellAmount: String(2_000n * ONE), includeVenues: 'ondo' };
    const isQuoted = async (): Promise<boolean> => (await quote(query)).status === 200;
    expect(await until(isQuoted, PATIENCE_MS)).to.equal(true);
    issuer().setFault({ kind: 'closed' }, 'all');
    expect(await until(async () => !(await isQuoted()), PATIENCE_MS)).to.equal(true);
    issuer().setFault(null);
    expect(await until(isQuoted, PATIENCE_MS)).to.equal(true);
  });
});
