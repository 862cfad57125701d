import { expect } from 'chai';
import { concatHex, encodeFunctionData, erc20Abi, type Hex, numberToHex, size, sliceHex } from 'viem';
import { encodePermit2Call, type Permit2TypedData, permit2Nonce, SIGNATURE_OFFSET, type SwapTerms } from '../../../src/building/building.ts';
import { asBps, asWei } from '../../../src/units/units.ts';
import { contractOf, type Ground, hop, MAX, ONE, TAG, takerCall, termsOf, through, useGround } from '../../support/settlement/ground.ts';
import { approvePermit2, isNonceUsed, PERMIT2_ABI, permittedCall, settlePermitted, typedDataOf } from '../../support/settlement/permit2.ts';
import { createPuppet, type PuppetStep } from '../../support/settlement/puppet.ts';
import { callbackData, changes, expectError, setToken } from '../../support/settlement/swaps.ts';
import type { Call, Ending } from '../../support/settlement/test-chain.ts';

const AT_ONCE = 32;
const WORD = 32;

describe('attacks on swaps that Permit2 funds (K9, K10, K11; recurring Permit2 phishing; invariant 13)', function () {
  this.timeout(300_000);
  const here = useGround();

  beforeEach(async () => {
    const ground = here.current();
    ground.chain.know(PERMIT2_ABI);
    for (const account of [ground.accounts.taker, ground.accounts.victim]) await approvePermit2(ground, account);
  });

  /** By a V3 pool the signature is used in its callback, by a V2 pair before it is called, and for hops that share the input before any of them. */
  function ways(ground: Ground, changed: Partial<SwapTerms> = {}): readonly SwapTerms[] {
    const { a, b } = ground.tokens;
    return [
      termsOf(ground, { legs: [hop(ground, 'v3', a, b)], ...changed }),
      termsOf(ground, { legs: [hop(ground, 'v2', a, b)], ...changed }),
      termsOf(ground, { legs: [hop(ground, 'v2', a, b, 4000), hop(ground, 'v3', a, b)], ...changed }),
    ];
  }

  /** Why Permit2 or the token refused, also where a venue passed the revert on: what a signature is refused for. */
  function refusalOf({ chain }: Ground, ending: Ending): string {
    if (ending.ok) return 'went through';
    const reason = (ending.error === 'VenueReverted' ? ending.args[1] : ending.args[0]) as Hex;
    if (ending.error === 'PermitRefused') return chain.nameOf(reason);
    expect([ending.error, chain.nameOf(reason)]).to.deep.equal(['VenueReverted', 'PermitRefused']);
    // Its selector, the offset and the length of the reason, then the reason.
    return chain.nameOf(sliceHex(reason, 4 + 2 * WORD));
  }

  /** Terms that are sent while others were signed. */
  async function sentInstead(ground: Ground, signed: SwapTerms, sent: SwapTerms): Promise<Ending> {
    return ground.chain.attempt(sent.taker, await permittedCall(ground, sent, { signer: signed.taker, typedData: typedDataOf(ground, signed) }));
  }

  it('owner≠msg.sender: a front-runner submits the taker’s calldata from another account (K9, K10)', async () => {
    const ground = here.current();
    const { stranger, victim, partner } = ground.accounts;
    for (const terms of ways(ground)) {
      const call = await permittedCall(ground, terms);
      for (const caller of [stranger, victim, partner]) expect(refusalOf(ground, await ground.chain.attempt(caller, call))).to.equal('InvalidSigner');
      expect((await ground.chain.attempt(terms.taker, call)).ok).to.equal(true);
    }
  });

  it('a contract in between is not the taker: what the taker signed can not be run for it', async () => {
    const ground = here.current();
    const [terms] = ways(ground);
    if (terms === undefined) throw new Error('no terms');
    const relay = await createPuppet(ground);
    await relay.play([await permittedCall(ground, terms)]);
    expect(await relay.outcomes()).to.deep.equal(['VenueReverted']);
    expect(await isNonceUsed(ground, terms)).to.equal(false);
  });

  it('spender≠Router, other token, other amount, other nonce, other deadline, another Permit2, signature for another chain (K9)', async () => {
    const ground = here.current();
    const { stranger } = ground.accounts;
    for (const terms of ways(ground)) {
      const right = typedDataOf(ground, terms);
      const message = (changed: Partial<Permit2TypedData['message']>): Permit2TypedData => ({ ...right, message: { ...right.message, ...changed } });
      const { permitted, witness } = right.message;
      const wrong: readonly Permit2TypedData[] = [
        message({ spender: stranger }),
        message({ spender: ground.allowanceHolder }),
        message({ permitted: { ...permitted, token: ground.tokens.c } }),
        message({ permitted: { ...permitted, amount: String(ONE + 1n) } }),
        message({ permitted: { ...permitted, amount: String(ONE - 1n) } }),
        message({ nonce: String(BigInt(right.message.nonce) + 1n) }),
        message({ deadline: String(terms.deadline + 1n) }),
        message({ witness: { ...witness, recipient: stranger } }),
        message({ witness: { ...witness, minBuyAmount: '1' } }),
        message({ witness: { ...witness, buyToken: ground.tokens.c } }),
        message({ witness: { ...witness, payloadHash: `0x${'00'.repeat(32)}` } }),
        { ...right, domain: { ...right.domain, verifyingContract: stranger } },
        typedDataOf(ground, terms, 1),
      ];
      for (const typedData of wrong) {
        const call = await permittedCall(ground, terms, { typedData });
        expect(refusalOf(ground, await ground.chain.attempt(terms.taker, call)), JSON.stringify(typedData.message)).to.equal('InvalidSigner');
      }
    }
  });

  it('the taker’s signature with other terms: amount+1, a lower floor, another recipient, fee, surplus, tag or route (K9, K10)', async () => {
    const ground = here.current();
    const { a, b, c } = ground.tokens;
    const { stranger, recipient } = ground.accounts;
    const changed: readonly Partial<SwapTerms>[] = [
      { sellAmount: asWei(ONE + 1n) },
      { minBuyAmount: asWei(0n) },
      { buyAmount: asWei(1n) },
      { recipient: stranger },
      { buyToken: c, legs: [hop(ground, 'v3', a, c)] },
      { sellToken: c, legs: [hop(ground, 'v3', c, b)] },
      { fee: { feeBps: asBps(1500), partner: stranger, partnerShareBps: asBps(10_000) } },
      { surplus: 'protocol' },
      { tag: `${TAG.slice(0, -1)}4` as Hex },
      { legs: [hop(ground, 'v2', a, b)] },
    ];
    const signed = termsOf(ground, { minBuyAmount: asWei(ONE / 2n), buyAmount: asWei(ONE / 2n), recipient, legs: [hop(ground, 'v3', a, b)] });
    expect((await sentInstead(ground, signed, signed)).ok).to.equal(true);
    for (const change of changed) expect(refusalOf(ground, await sentInstead(ground, signed, { ...signed, ...change }))).to.equal('InvalidSigner');
  });

  it('expired: reverts only when timestamp > deadline, whatever was signed; a deadline beyond 88 bits is none', async () => {
    const ground = here.current();
    const { timestamp } = (await ground.chain.rpc.request('eth_getBlockByNumber', 'latest', false)) as { readonly timestamp: Hex };
    const at = BigInt(timestamp) + 1000n;
    for (const terms of ways(ground)) {
      for (const [deadline, ending] of [
        [at - 1n, 'Expired'],
        [at, 'ok'],
        [at + 1n, 'ok'],
        [(1n << 88n) - 1n, 'ok'],
        [1n << 88n, 'refused'],
        [MAX, 'refused'],
      ] as const) {
        await ground.chain.apart(async () => {
          const call = await permittedCall(ground, { ...terms, deadline });
          await ground.chain.rpc.request('evm_setNextBlockTimestamp', Number(at));
          await ground.chain.rpc.request('evm_mine');
          const found = await ground.chain.attempt(terms.taker, call);
          if (ending === 'Expired') expectError(found, 'Expired');
          else if (ending === 'ok') expect(found.ok).to.equal(true);
          else expect(refusalOf(ground, found)).to.be.oneOf(['InvalidSigner', 'InvalidSignature', 'SignatureExpired']);
        });
      }
    }
  });

  it('nonce reuse: once settled, or given up by the taker, the same calldata reverts (K9)', async () => {
    const ground = here.current();
    for (const terms of ways(ground)) {
      await ground.chain.apart(async () => {
        const call = await permittedCall(ground, terms);
        await ground.chain.mustSend(terms.taker, call);
        expect(refusalOf(ground, await ground.chain.attempt(terms.taker, call))).to.equal('InvalidNonce');
      });
      await ground.chain.apart(async () => {
        const call = await permittedCall(ground, terms);
        const nonce = permit2Nonce(terms.tag);
        await ground.chain.write(terms.taker, ground.permit2, PERMIT2_ABI, 'invalidateUnorderedNonces', [nonce >> 8n, 1n << (nonce & 255n)]);
        expect(refusalOf(ground, await ground.chain.attempt(terms.taker, call))).to.equal('InvalidNonce');
      });
    }
  });

  it('who has approved Permit2 and signed nothing loses nothing: zeros and any signature of another are refused', async () => {
    const ground = here.current();
    const { victim, stranger } = ground.accounts;
    for (const terms of ways(ground)) {
      const unsigned = encodePermit2Call(terms, ground);
      expect(refusalOf(ground, await ground.chain.attempt(terms.taker, unsigned))).to.equal('InvalidSignature');
      expect(refusalOf(ground, await ground.chain.attempt(stranger, unsigned))).to.equal('InvalidSignature');
      const call = await permittedCall(ground, { ...terms, taker: victim }, { signer: stranger });
      for (const caller of [stranger, victim])
        expect(refusalOf(ground, await ground.chain.attempt(caller, call))).to.be.oneOf(caller === stranger ? ['Error'] : ['InvalidSigner']);
    }
  });

  it('every byte of the calldata is bound: with any one of them changed it reverts', async () => {
    const ground = here.current();
    const [terms] = ways(ground, { minBuyAmount: asWei(ONE / 2n), fee: { feeBps: asBps(30), partner: ground.accounts.partner, partnerShareBps: asBps(8500) } });
    if (terms === undefined) throw new Error('no terms');
    const call = await permittedCall(ground, terms);
    const data = call.data ?? '0x';
    const end = payloadEnd(data);
    const calls = Array.from({ length: end - SIGNATURE_OFFSET }, (_, i) => ({
      ...call,
      data: withByteFlipped(data, SIGNATURE_OFFSET + i, i % 2 === 0 ? 1 : 0x80),
    }));
    expect(await outcomes(ground, terms, calls)).to.not.include('ok');
    expect(await outcomes(ground, terms, [call])).to.deep.equal(['ok']);
  });

  it('calldata and payload cut at every byte revert; offsets and lengths that point elsewhere too (K11)', async () => {
    const ground = here.current();
    const [terms] = ways(ground, { minBuyAmount: asWei(ONE / 2n) });
    if (terms === undefined) throw new Error('no terms');
    const call = await permittedCall(ground, terms);
    const data = call.data ?? '0x';
    const end = payloadEnd(data);
    const cutCalls = Array.from({ length: end }, (_, bytes) => ({ ...call, data: bytes === 0 ? ('0x' as Hex) : sliceHex(data, 0, bytes) }));
    const cutPayloads = Array.from({ length: end - SIGNATURE_OFFSET }, (_, bytes) => ({ ...call, data: withWord(data, 4 + WORD, BigInt(bytes)) }));
    const wild = [0n, 1n, 31n, 33n, 64n, 2n ** 64n, 2n ** 255n, MAX - 31n, MAX].map((word) => ({ ...call, data: withWord(data, 4, word) }));
    const longer = [1n, 31n, 2n ** 64n, MAX].map((more) => ({
      ...call,
      data: withWord(data, 4 + WORD, BigInt(end - SIGNATURE_OFFSET) + more > MAX ? MAX : BigInt(end - SIGNATURE_OFFSET) + more),
    }));
    expect(await outcomes(ground, terms, [...cutCalls, ...cutPayloads, ...wild, ...longer])).to.not.include('ok');
    // After the end of the calldata more changes nothing.
    expect(await outcomes(ground, terms, [{ ...call, data: concatHex([data, `0x${'fe'.repeat(77)}`]) }])).to.deep.equal(['ok']);
  });

  describe('a pool of the attacker’s making', () => {
    async function fakePool(ground: Ground, steps: readonly PuppetStep[]) {
      const { a, b } = ground.tokens;
      const pool = await createPuppet(ground);
      await ground.chain.write(ground.accounts.deployer, b, contractOf(ground.contracts, 'TrickToken').abi, 'mint', [[pool.address], 10n * ONE]);
      const giving = { to: b, data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [ground.accounts.recipient, ONE] }), bubbles: true };
      await pool.teach('swap(address,bool,int256,uint160,bytes)', { steps: [giving, ...steps] });
      return { pool, leg: through('v3', pool.address, a, b) };
    }
    const asking = (ground: Ground, amount: bigint): PuppetStep => ({ to: ground.router, data: callbackData('uniswapV3SwapCallback', amount, 0n) });

    it('gets what was signed for once, and not a wei more (K2, K3)', async () => {
      const ground = here.current();
      const { pool, leg } = await fakePool(ground, [asking(ground, ONE), asking(ground, 1n)]);
      const terms = termsOf(ground, { minBuyAmount: asWei(ONE), legs: [leg] });
      const { taker, victim } = ground.accounts;
      const moved = await changes(ground, { taker, victim, pool: pool.address, router: ground.router }, () => settlePermitted(ground, terms));
      expect(moved).to.deep.equal({ 'taker.a': -ONE, 'pool.a': ONE, 'pool.b': -ONE });
      expect(await pool.outcomes()).to.deep.equal(['ok', 'ok', 'UnexpectedCallback']);
      const greedy = await fakePool(ground, [{ ...asking(ground, ONE + 1n), bubbles: true }]);
      const [, reason] = expectError(await ground.chain.attempt(taker, await permittedCall(ground, termsOf(ground, { legs: [greedy.leg] }))), 'VenueReverted');
      expect(ground.chain.nameOf(reason as Hex)).to.equal('CallbackAsksTooMuch');
    });

    it('leaves a rest that no further hop can take by the same signature', async () => {
      const ground = here.current();
      const { a, b } = ground.tokens;
      const { leg } = await fakePool(ground, [{ ...asking(ground, ONE / 2n), bubbles: true }]);
      const half = termsOf(ground, { legs: [leg] });
      const { taker } = ground.accounts;
      expect((await ground.chain.apart(() => changes(ground, { taker }, () => settlePermitted(ground, half))))['taker.a']).to.equal(-ONE / 2n);
      const again = termsOf(ground, { legs: [leg, hop(ground, 'v2', a, b)] });
      expectError(await ground.chain.attempt(taker, await permittedCall(ground, again)), 'PermitUsedUp');
    });

    it('and a token’s hook can enter none of the doors while a swap runs (K6)', async () => {
      const ground = here.current();
      const { a, b } = ground.tokens;
      const { taker, victim } = ground.accounts;
      const terms = termsOf(ground, { legs: [hop(ground, 'v3', a, b)] });
      const other = termsOf(ground, { tag: `0x${'c5'.repeat(32)}`, legs: [hop(ground, 'v2', a, b)] });
      const hook = await createPuppet(ground);
      const doors: readonly Call[] = [await permittedCall(ground, terms), await permittedCall(ground, other), takerCall(ground, other), asking(ground, 1n)];
      await hook.teach('onTransfer(address,address,uint256)', { steps: doors });
      const call = await permittedCall(ground, terms);
      await setToken(ground, a, 0, 0, hook.address);
      const moved = await changes(ground, { taker, victim, router: ground.router }, () => ground.chain.mustSend(taker, call));
      expect(moved).to.deep.equal({ 'taker.a': -ONE });
      const outcomesSeen = await hook.outcomes();
      expect(outcomesSeen.length).to.be.at.least(doors.length);
      expect([...new Set(outcomesSeen)].sort()).to.deep.equal(['Reentered', 'UnexpectedCallback']);
    });
  });

  it('where Permit2 has no code, a swap by it reverts instead of counting on a payment that nobody made (K23)', async () => {
    const ground = here.current();
    const calls = await Promise.all(ways(ground).map(async (terms) => [terms.taker, await permittedCall(ground, terms)] as const));
    await ground.chain.rpc.request('anvil_setCode', ground.permit2, '0x');
    for (const [taker, call] of calls) {
      const ending = await ground.chain.attempt(taker, call);
      const error = ending.ok ? 'ok' : ending.error === 'VenueReverted' ? ground.chain.nameOf(ending.args[1] as Hex) : ending.error;
      expect(error).to.equal('PermitsUnknown');
    }
  });

  async function outcomes(ground: Ground, terms: SwapTerms, calls: readonly Call[]): Promise<readonly string[]> {
    const found: string[] = [];
    for (let start = 0; start < calls.length; start += AT_ONCE) {
      const endings = await Promise.all(calls.slice(start, start + AT_ONCE).map((call) => ground.chain.attempt(terms.taker, call)));
      found.push(...endings.map((ending) => (ending.ok ? 'ok' : ending.error)));
    }
    return found;
  }
});

/** Where the payload ends: what follows is the ABI's padding. */
function payloadEnd(data: Hex): number {
  return SIGNATURE_OFFSET + Number(BigInt(sliceHex(data, 4 + WORD, 4 + 2 * WORD)));
}

function withByteFlipped(data: Hex, at: number, mask: number): Hex {
  const byte = Number(BigInt(sliceHex(data, at, at + 1)));
  const rest = at + 1 < size(data) ? sliceHex(data, at + 1) : '0x';
  return concatHex([sliceHex(data, 0, at), numberToHex(byte ^ mask, { size: 1 }), rest]);
}

function withWord(data: Hex, at: number, word: bigint): Hex {
  return concatHex([sliceHex(data, 0, at), numberToHex(word, { size: WORD }), sliceHex(data, at + WORD)]);
}
