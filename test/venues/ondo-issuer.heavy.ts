import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { ISSUER_FAULTS, type IssuerFault } from '../../src/devnet/issuers/faults.ts';
import { type IssuerServer, startIssuerServer } from '../../src/devnet/issuers/issuer-server.ts';
import { createAsk } from '../../src/outbound/outbound.ts';
import { type Address, asAddress, type EpochSeconds } from '../../src/units/units.ts';
import { askLadder } from '../../src/venues/ondo/ask-ladder.ts';
import { firmUp } from '../../src/venues/ondo/firm-up.ts';
import type { FirmUpFailure, HopToFirm, OutsideSource } from '../../src/venues/venues.ts';
import { readIssuingContract } from '../support/issuing-contract.ts';

const CHAIN = 31_337;
const ONE = 10n ** 18n;
const NEVER = new AbortController().signal;
const [CONTRACT, ROUTER, TAKER, DOLLAR, ASSET] = ['41', '42', '43', '44', '45'].map((byte) => asAddress(`0x${byte.repeat(20)}`)) as [
  Address,
  Address,
  Address,
  Address,
  Address,
];
const KEY: Hex = `0x${'21'.repeat(32)}`;
const USER: Hex = `0x${'47'.repeat(32)}`;
const API_KEY = 'a-key';
const USD = 225n * ONE;
const SIZES = [ONE, 10n * ONE, 100n * ONE, 1_000n * ONE, 5_000n * ONE];
/** Of who answers, on a machine that is busy; and of who does not. */
const PATIENCE_MS = 20_000;
const DEADLINE_MS = 800;

/** What comes of each fault; those that are not here are 'unreachable'. */
const FAILURES: Readonly<Partial<Record<IssuerFault['kind'], FirmUpFailure | 'ok'>>> = {
  ...{ error: 'unreachable', redirect: 'unreachable', busy: 'busy', closed: 'refused', 'over-limit': 'refused' },
  ...{ 'wrong-signer': 'invalid', 'wrong-domain': 'invalid', 'wrong-chain': 'invalid', 'wrong-contract': 'invalid', 'wrong-asset': 'invalid' },
  ...{ 'wrong-side': 'invalid', 'wrong-amount': 'invalid', 'wrong-user': 'invalid', altered: 'invalid', malleable: 'invalid', zero: 'invalid' },
  ...{ expired: 'invalid', expiring: 'invalid', replayed: 'invalid', numbers: 'invalid', worse: 'worse' },
  ...{ 'slightly-worse': 'ok', better: 'ok', endless: 'ok' },
};

describe('the issuer of the devnet, asked over HTTP', () => {
  let server: IssuerServer;
  let source: OutsideSource;
  const facts = { key: KEY, apiKey: API_KEY, chainId: CHAIN, chain: 'devnet-31337', contract: CONTRACT, userId: USER };

  before(async () => {
    server = await startIssuerServer({ ...facts, assets: [{ symbol: 'AAPLon', token: ASSET, usd: USD }] });
    source = {
      ...{ name: 'mint', origin: server.origin, contract: CONTRACT, signer: asAddress(privateKeyToAccount(KEY).address), apiKey: API_KEY },
      issues: { chain: facts.chain, dollar: DOLLAR, assets: [{ symbol: 'AAPLon', token: ASSET, sizes: SIZES }] },
    };
  });
  afterEach(() => server.setFault(null));
  after(() => server.stop());

  const askOf = (its: OutsideSource, deadlineMs = PATIENCE_MS) => createAsk({ sources: [its], limits: { deadlineMs, bodyBytes: 256 * 1024, perSource: 16 } });
  const ladderOf = (side: 'buy' | 'sell', its = source) => askLadder(askOf(its), its, CHAIN, { symbol: 'AAPLon', token: ASSET, sizes: SIZES }, side, NEVER);
  const firmer = (deadlineMs?: number) =>
    firmUp.open({
      ...{
        chainId: CHAIN,
        sources: [source],
        ask: askOf(source, deadlineMs),
        now: () => Math.floor(Date.now() / 1000) as EpochSeconds,
        blockNumber: () => null,
      },
      read: async (calls) => calls.map((call) => readIssuingContract({ dollar: DOLLAR, userId: USER }, call)),
    });

  const REDEEM: HopToFirm = {
    ...{ family: 'ondo', poolAddress: CONTRACT, poolKey: '0x00', hook: null, legFacts: { maker: 'mint' }, slotIn: 0, slotOut: 1 },
    ...{ tokenIn: ASSET, tokenOut: DOLLAR, taxedInput: false, mode: 'sell', amountIn: 4n * ONE },
    ...{ amountOut: 4n * 224n * ONE, leastOut: 4n * 220n * ONE, taker: TAKER, recipient: TAKER, user: TAKER, router: ROUTER },
    deadline: 4_000_000_000 as EpochSeconds,
  };

  it('indicates both sides up to its limit, at no better a price for more, and attests at least as good a price', async () => {
    const [mint, redeem] = [await ladderOf('buy'), await ladderOf('sell')];
    if (!('ladder' in mint) || !('ladder' in redeem)) throw new Error('no ladders');
    expect([mint.ladder.map(({ amountOut }) => amountOut), redeem.ladder.map(({ amountIn }) => amountIn)]).to.deep.equal([
      SIZES.slice(0, -1),
      SIZES.slice(0, -1),
    ]);
    for (const { amountIn, amountOut } of redeem.ladder) {
      const firmed = await firmer()({ ...REDEEM, amountIn, amountOut, leastOut: amountOut }, NEVER);
      expect(firmed.ok && firmed.amountOut >= amountOut).to.equal(true);
    }
    for (const { amountIn, amountOut } of mint.ladder) {
      const hop = { ...REDEEM, tokenIn: DOLLAR, tokenOut: ASSET, amountIn, amountOut, leastOut: amountOut };
      const firmed = await firmer()(hop, NEVER);
      expect(firmed.ok && firmed.amountOut >= amountOut).to.equal(true);
      expect(await firmer()({ ...hop, mode: 'buy' }, NEVER)).to.deep.include({ ok: true, amountOut });
    }
  });

  it('answers nobody without its key: nothing is indicated', async () => {
    const { apiKey: _key, ...keyless } = source;
    expect(await ladderOf('buy', keyless)).to.deep.equal({ outcome: 'closed', ladder: [] });
  });

  it('a market that is closed, or a limit, is a refusal and no failure; the rest is one', async () => {
    for (const [kind, outcome] of [
      ['closed', 'closed'],
      ['over-limit', 'closed'],
      ['busy', 'busy'],
      ['garbage', 'garbled'],
      ['bomb', 'garbled'],
      ['reset', 'unreachable'],
      ['error', 'unreachable'],
      ['redirect', 'garbled'],
    ] as const) {
      server.setFault({ kind }, 'all');
      expect((await ladderOf('sell')).outcome, kind).to.equal(outcome);
    }
  });

  it('whatever goes wrong with what it answers is a failed firm-up, and a redirect is never followed: a canary is never asked', async function () {
    this.timeout(120_000);
    let hits = 0;
    const canary = createServer((_request, response) => {
      hits++;
      response.end('{}');
    });
    await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', () => resolve()));
    const location = `http://127.0.0.1:${(canary.address() as AddressInfo).port}/`;
    try {
      const firm = firmer();
      const cameOf = async (kind: IssuerFault['kind'], by = firm): Promise<string> => {
        server.setFault({ kind, ms: 100 * DEADLINE_MS, location });
        const firmed = await by(REDEEM, NEVER);
        return firmed.ok ? 'ok' : firmed.reason;
      };
      expect((await firm(REDEEM, NEVER)).ok).to.equal(true);
      for (const kind of ISSUER_FAULTS.filter((fault) => FAILURES[fault] !== undefined)) expect(await cameOf(kind), kind).to.equal(FAILURES[kind]);
      // Nobody answers these in time, or with anything that can be read.
      for (const kind of ISSUER_FAULTS.filter((fault) => FAILURES[fault] === undefined))
        expect(await cameOf(kind, firmer(DEADLINE_MS)), kind).to.equal('unreachable');
      expect(hits).to.equal(0);
    } finally {
      canary.close();
    }
  });
});
