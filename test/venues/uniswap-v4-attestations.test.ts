import { expect } from 'chai';
import fc from 'fast-check';
import { concatHex, encodeAbiParameters, type Hex, keccak256, size, sliceHex } from 'viem';
import { nodeAccounts } from '../../src/devnet/accounts.ts';
import { attest } from '../../src/devnet/attesters/attest.ts';
import { ATTESTATION_FAULTS, type AttestationFault } from '../../src/devnet/attesters/faults.ts';
import { type Address, asAddress, type EpochSeconds } from '../../src/units/units.ts';
import { attestationFacts, attestationsOf } from '../../src/venues/uniswap_v4/attestations.ts';
import { encode } from '../../src/venues/uniswap_v4/encode.ts';
import { firmUp } from '../../src/venues/uniswap_v4/firm-up.ts';
import { DYNAMIC_FEE } from '../../src/venues/uniswap_v4/hook-permissions.ts';
import { readAttestations } from '../../src/venues/uniswap_v4/read-attestations.ts';
import type { ChainAnswer, FirmHop, HopToFirm, OutsideAnswer, OutsideSource, PollSource } from '../../src/venues/venues.ts';
import { seeded } from '../validation/seeded.ts';

const CHAIN = 31_337;
const HEAD = 1_000;
const NEVER = new AbortController().signal;
const [HOOK, MANAGER, GIVEN, TAKEN, TAKER] = ['51', '52', '53', '54', '55'].map((byte) => asAddress(`0x${byte.repeat(20)}`)) as [
  Address,
  Address,
  Address,
  Address,
  Address,
];
const SOURCE: OutsideSource = { name: 'lighthouse', origin: 'http://127.0.0.1:9', contract: HOOK, signer: HOOK };
const YES: ChainAnswer = `0x${'1'.padStart(64, '0')}`;
/** The hook's own mapping of its nodes, at the second place of its storage. */
const KNOWN = new Set<string>(
  nodeAccounts().map(({ address }) => `0x7cf98081${keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [address, 1n])).slice(2)}`),
);
const NO: ChainAnswer = `0x${'0'.repeat(64)}`;

function hopOf(changes: Partial<HopToFirm> = {}): HopToFirm {
  const parties = { taker: TAKER, recipient: TAKER, user: TAKER, router: TAKER, deadline: 9 as EpochSeconds };
  const legFacts = { fee: DYNAMIC_FEE, tickSpacing: 60, native: 0, variant: 'angstrom' };
  const pool = { family: 'uniswap_v4', poolAddress: MANAGER, poolKey: '0x00', hook: HOOK, legFacts, slotIn: 0, slotOut: 1 };
  const trade = { tokenIn: GIVEN, tokenOut: TAKEN, leastOut: 95n, taxedInput: false, mode: 'sell', amountIn: 100n, amountOut: 99n } as const;
  return { ...pool, ...parties, ...trade, ...changes };
}

type Ways = {
  /** The next block by the attester's own node. */
  readonly next?: number;
  readonly fault?: AttestationFault | null;
  readonly said?: OutsideAnswer;
  readonly isNode?: ChainAnswer;
  readonly silent?: boolean;
  readonly head?: number | null;
};

/** An attester of the devnet, asked without HTTP. */
async function firm(
  { next = HEAD + 1, fault = null, said, isNode = YES, silent = false, head = HEAD }: Ways = {},
  signal = NEVER,
): Promise<FirmHop & { bodies: string[] }> {
  const bodies: string[] = [];
  const firmHop = firmUp.open({
    chainId: CHAIN,
    sources: [SOURCE],
    ask: async (_source, body) => {
      bodies.push(body);
      return said ?? { ok: true, text: JSON.stringify(await attest({ nodes: nodeAccounts(), chainId: CHAIN, hook: HOOK }, next, 5, fault)) };
    },
    read: async (calls) => (silent ? null : calls.map(({ to, data }) => (to === HOOK && KNOWN.has(data) ? isNode : NO))),
    now: () => 1 as EpochSeconds,
    blockNumber: () => head,
  });
  return { ...(await firmHop(hopOf(), signal)), bodies };
}

const reasonOf = async (ways: Ways, signal?: AbortSignal): Promise<string> => {
  const firmed = await firm(ways, signal);
  return firmed.ok ? 'ok' : firmed.reason;
};

describe('attestations of blocks for a pool whose hook has to be shown one', () => {
  it('of the next five are asked for, and what the plan says of the hop stays as it is', async () => {
    const firmed = await firm();
    expect(firmed.bodies).to.deep.equal(['{"blocks_in_future":5}']);
    expect(firmed).to.deep.include({ ok: true, amountIn: 100n, amountOut: 99n, expiry: null });
    if (!firmed.ok) throw new Error(firmed.reason);
    const data = attestationsOf({ legFacts: firmed.legFacts });
    expect([Number(sliceHex(data, 0, 8)), Number(sliceHex(data, 8, 9)), size(data)]).to.deep.equal([HEAD + 1, 5, 9 + 5 * 85]);
    const whole = encode.signed?.legData({ ...hopOf(), legFacts: { ...hopOf().legFacts, ...firmed.legFacts } }) ?? '0x';
    expect(sliceHex(whole, 26)).to.equal(data);
  });

  it('are wanted by hops of such pools alone, from whoever is configured for the hook', () => {
    expect(firmUp.needs?.(hopOf())).to.equal(true);
    for (const variant of ['', 'passive', 'dynamic_fee']) expect(firmUp.needs?.(hopOf({ legFacts: { variant } }))).to.equal(false);
    expect(firmUp.sourceOf?.(hopOf(), [SOURCE])).to.equal(SOURCE);
    expect(firmUp.sourceOf?.(hopOf({ hook: MANAGER }), [SOURCE])).to.equal(undefined);
    expect(() => encode.signed?.legData(hopOf())).to.throw(RangeError);
    expect(() => attestationFacts([])).to.throw(RangeError);
  });

  for (const fault of ATTESTATION_FAULTS) {
    it(`fail, and are in no calldata, where they are ${fault}`, async () => {
      const reason =
        fault === 'unsuccessful'
          ? 'refused'
          : fault === 'short' || fault === 'gap' || fault === 'too-many' || fault === 'block-before' || fault === 'other-shape'
            ? 'unreachable'
            : 'invalid';
      expect(await reasonOf({ fault })).to.equal(reason);
    });
  }

  it('count from the next block on, where the attester sees the head a little earlier or later; further apart they fail', async () => {
    const firstOf = async (next: number) => {
      const firmed = await firm({ next });
      return firmed.ok
        ? [Number(sliceHex(attestationsOf({ legFacts: firmed.legFacts }), 0, 8)), Number(sliceHex(attestationsOf({ legFacts: firmed.legFacts }), 8, 9))]
        : firmed.reason;
    };
    expect(await firstOf(HEAD + 1)).to.deep.equal([HEAD + 1, 5]);
    expect(await firstOf(HEAD + 3)).to.deep.equal([HEAD + 3, 5]);
    // That of the newest block goes with them, for whoever tries the transaction there.
    expect(await firstOf(HEAD)).to.deep.equal([HEAD, 5]);
    expect(await firstOf(HEAD - 1)).to.deep.equal([HEAD, 4]);
    expect(await firstOf(HEAD - 2)).to.equal('invalid');
    // Five in a row, each as it was signed, of which the last is the newest block's, or that of the block before it.
    for (const last of [HEAD, HEAD - 1]) expect(await firstOf(last - 4), `until ${last}`).to.equal('invalid');
    expect(await firstOf(HEAD + 4)).to.equal('invalid');
  });

  describe('that was given before its block came', () => {
    /** An attester that is polled in one block, and asked for a hop in another one. */
    async function later(ways: { readonly polledAt?: number; readonly head?: number; readonly fault?: AttestationFault | null } = {}) {
      const { polledAt = HEAD - 1, head: until = HEAD, fault = null } = ways;
      let head = polledAt;
      let wrong = fault;
      const bodies: string[] = [];
      let poll: PollSource | undefined;
      const firmHop = firmUp.open({
        chainId: CHAIN,
        sources: [SOURCE],
        ask: async (_source, body) => {
          bodies.push(body);
          const { blocks_in_future: blocks } = JSON.parse(body) as { readonly blocks_in_future: number };
          return { ok: true, text: JSON.stringify(await attest({ nodes: nodeAccounts(), chainId: CHAIN, hook: HOOK }, head + 1, blocks, wrong)) };
        },
        read: async (calls) => calls.map(({ data }) => (KNOWN.has(data) ? YES : NO)),
        now: () => 1 as EpochSeconds,
        blockNumber: () => head,
        inEachBlock: (ask) => {
          poll = ask;
        },
      });
      const polled = await poll?.(SOURCE, NEVER);
      [head, wrong] = [until, null];
      const firmed = await firmHop(hopOf(), NEVER);
      if (!firmed.ok) throw new Error(firmed.reason);
      const data = attestationsOf({ legFacts: firmed.legFacts });
      return { polled, bodies, firmHop, carried: [Number(sliceHex(data, 0, 8)), Number(sliceHex(data, 8, 9))], data };
    }

    it('goes in front, and five are carried at most: three blocks are asked for in each block, and last while two of the askings fail', async () => {
      const { polled, bodies, carried, data } = await later();
      expect(polled).to.equal(null);
      expect(bodies).to.deep.equal(['{"blocks_in_future":3}', '{"blocks_in_future":5}']);
      expect(carried).to.deep.equal([HEAD, 5]);
      const { attestations } = (await attest({ nodes: nodeAccounts(), chainId: CHAIN, hook: HOOK }, HEAD, 5, null)) as { attestations: { unlockData: Hex }[] };
      expect(sliceHex(data, 9)).to.equal(concatHex(attestations.map(({ unlockData }) => unlockData)));
      expect((await later({ polledAt: HEAD - 3 })).carried).to.deep.equal([HEAD, 5]);
      expect((await later({ polledAt: HEAD - 4 })).carried).to.deep.equal([HEAD + 1, 5]);
    });

    it('is left out where it does not hold, whatever else was answered: a hop fails for none of it', async () => {
      for (const fault of ['wrong-signer', 'wrong-chain', 'wrong-domain', 'no-node', 'other-block', 'altered'] as const) {
        expect((await later({ fault })).carried, fault).to.deep.equal([HEAD + 1, 5]);
      }
      for (const [fault, reason] of [
        ['unsuccessful', 'refused'],
        ['gap', 'unreachable'],
        ['blocks-past', 'invalid'],
        ['blocks-until-now', 'invalid'],
      ] as const) {
        const { polled, carried } = await later({ fault });
        expect([polled?.reason, carried], fault).to.deep.equal([reason, [HEAD + 1, 5]]);
      }
    });

    it('is one of a firm-up as well as of an asking without a swap, and is kept while its block may come', async () => {
      let head = HEAD;
      const firmHop = firmUp.open({
        chainId: CHAIN,
        sources: [SOURCE],
        ask: async () => ({ ok: true, text: JSON.stringify(await attest({ nodes: nodeAccounts(), chainId: CHAIN, hook: HOOK }, head + 1, 5, null)) }),
        read: async (calls) => calls.map(() => YES),
        now: () => 1 as EpochSeconds,
        blockNumber: () => head,
      });
      const firstOf = async () => {
        const firmed = await firmHop(hopOf(), NEVER);
        return firmed.ok ? Number(sliceHex(attestationsOf({ legFacts: firmed.legFacts }), 0, 8)) : firmed.reason;
      };
      expect(await firstOf()).to.equal(HEAD + 1);
      head += 2;
      expect(await firstOf()).to.equal(HEAD + 2);
      head += 6;
      expect(await firstOf()).to.equal(HEAD + 9);
    });
  });

  it('fail where the hook does not know who signed, and where that or the head is not known', async () => {
    expect(await reasonOf({ isNode: NO })).to.equal('invalid');
    expect(await reasonOf({ isNode: null })).to.equal('invalid');
    expect(await reasonOf({ silent: true })).to.equal('unverified');
    expect(await reasonOf({ head: null })).to.equal('unverified');
    expect(await reasonOf({}, AbortSignal.abort())).to.equal('unreachable');
    for (const [said, reason] of [
      ['busy', 'busy'],
      ['refused', 'refused'],
      ['garbled', 'unreachable'],
      ['crowded', 'throttled'],
      ['unreachable', 'unreachable'],
    ] as const) {
      expect(await reasonOf({ said: said === 'busy' ? { ok: false, reason: said, retryAfterMs: null } : { ok: false, reason: said } })).to.equal(reason);
    }
  });

  it('nothing that comes throws, whatever it is', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), fc.constantFrom(0, HEAD, Number.MAX_SAFE_INTEGER), (text, head) => {
        expect(readAttestations(text, head, 5)).to.be.oneOf([null, 'refused', 'none']);
      }),
      seeded(500),
    );
    const unlockData: Hex = `0x${'ab'.repeat(85)}`;
    const twice = JSON.stringify({ success: true, attestations: [{ blockNumber: HEAD + 1, unlockData }] }).replace(
      '"blockNumber"',
      '"blockNumber":1,"blockNumber"',
    );
    expect(readAttestations(twice, HEAD, 5)).to.equal(null);
    const wrong: readonly unknown[] = [
      { blockNumber: String(HEAD + 1), unlockData },
      { blockNumber: HEAD + 0.5, unlockData },
      { blockNumber: -1, unlockData },
      { blockNumber: 2 ** 60, unlockData },
      { blockNumber: HEAD + 1, unlockData: `${unlockData}00` },
      { blockNumber: HEAD + 1, unlockData: `0X${unlockData.slice(2)}` },
      { blockNumber: HEAD + 1, unlockData: [unlockData] },
      { blockNumber: HEAD + 1 },
      [HEAD + 1, unlockData],
      null,
    ];
    for (const attestation of wrong)
      expect(readAttestations(JSON.stringify({ success: true, attestations: [attestation] }), HEAD, 5), JSON.stringify(attestation)).to.equal(null);
    expect(readAttestations(`{"success":true,"__proto__":{"attestations":[]}}`, HEAD, 5)).to.equal(null);
  });
});
