import { expect } from 'chai';
import fc from 'fast-check';
import type { AdverseVerdict, BookState, Checkpoint, CheckpointIdentity } from '../../src/indexing/checkpoint/checkpoint.ts';
import { decodeCheckpoint } from '../../src/indexing/checkpoint/decode-checkpoint.ts';
import { encodeCheckpoint } from '../../src/indexing/checkpoint/encode-checkpoint.ts';
import type { TrackedPool } from '../../src/indexing/tracked-pool.ts';
import type { EpochSeconds } from '../../src/units/units.ts';
import { check } from '../support/property.ts';
import { IDENTITY } from './followed-chain.ts';
import { addressOf, idOf } from './made-up-singleton.ts';

const VERDICT: AdverseVerdict = { token: addressOf(1), block: 7, verdict: { kind: 'gated', reason: 'honeypot' } };

const words = fc.bigInt({ min: -(2n ** 255n), max: 2n ** 256n - 1n });
/** As venues have them: nested values with bigints, typed arrays and lists. */
const states = fc.oneof(
  fc.constant(null),
  fc.record({ reserve0: words, reserve1: words, feePpm: fc.nat() }),
  fc.record({
    pool: fc.record({ sqrtPriceX96: words, tick: fc.integer(), ticks: fc.record({ indices: fc.int32Array({ maxLength: 20 }), net: fc.array(words) }) }),
    parameters: fc.array(words),
    variant: fc.option(fc.string()),
    dynamic: fc.boolean(),
  }),
);
const pools: fc.Arbitrary<readonly TrackedPool[]> = fc
  .array(fc.record({ state: states, stale: fc.boolean(), seconds: fc.option(fc.nat()) }), { maxLength: 100 })
  .map((drawn) => drawn.map(({ state, stale, seconds }, id) => trackedPool(id, state, stale, seconds)));
const checkpoints: fc.Arbitrary<Checkpoint> = fc.record({ pools, baseFee: fc.option(words) }).map((drawn) => ({ state: stateOf(drawn), verdicts: [VERDICT] }));

function trackedPool(id: number, state: unknown, stale: boolean, seconds: number | null): TrackedPool {
  const address = addressOf(id + 100);
  const traits = { feePpm: id, variant: 'some' };
  const pool = { key: address, address, hook: null, protocol: 'p', source: 's', tokens: [addressOf(1), addressOf(2)], traits };
  const rereading = seconds === null ? ({ kind: 'logs' } as const) : ({ kind: 'age', seconds } as const);
  return {
    pool,
    venue: 'v',
    factory: addressOf(3),
    state,
    stale,
    rereading,
    read: seconds === null ? null : { hash: idOf(id), timestamp: id as EpochSeconds },
  };
}

function stateOf({ pools: some, baseFee }: { readonly pools: readonly TrackedPool[]; readonly baseFee: bigint | null }): BookState {
  const deployment = { venue: 'v', family: 'f', factory: addressOf(3), fromBlock: 0 };
  return {
    block: { number: 21_000_000, hash: idOf(5), parentHash: idOf(4), timestamp: 1_700_000_000 as EpochSeconds, baseFeePerGas: baseFee, logsBloom: '0x00' },
    pools: some,
    announced: [{ id: 'v f 1', announcement: { announces: '1', facts: { at: 1 } }, deployment }],
    tokens: [
      { address: addressOf(1), decimals: 18, usd: null },
      { address: addressOf(2), decimals: null, usd: null },
    ],
  };
}

function bytesOf(checkpoint: Checkpoint, identity: CheckpointIdentity = IDENTITY): Buffer {
  return Buffer.concat([...encodeCheckpoint(checkpoint, identity)]);
}

function reasonOf(bytes: Buffer, identity: CheckpointIdentity = IDENTITY): string {
  const decoded = decodeCheckpoint(bytes, identity);
  return decoded.ok ? 'taken' : decoded.reason;
}

describe('the format of a checkpoint', () => {
  const some: Checkpoint = {
    state: stateOf({ pools: [trackedPool(1, { reserve0: 10n ** 20n }, false, null), trackedPool(2, null, true, 5)], baseFee: 7n }),
    verdicts: [VERDICT],
  };

  it('gives back what was written, whatever states are made of', () => {
    check(
      fc.property(checkpoints, (checkpoint) => {
        expect(decodeCheckpoint(bytesOf(checkpoint), IDENTITY)).to.deep.equal({ ok: true, ...checkpoint });
      }),
      50,
    );
  });

  it('holds no more of the file than the values: what is read can be let go of', () => {
    const ticks = { indices: Int32Array.from([-60, 0, 60]) };
    const file = bytesOf({ state: stateOf({ pools: [trackedPool(1, ticks, false, null)], baseFee: null }), verdicts: [] });
    const decoded = decodeCheckpoint(file, IDENTITY);
    if (!decoded.ok) throw new Error(decoded.message);
    const [{ state }] = decoded.state.pools as readonly [TrackedPool];
    const { indices } = state as typeof ticks;
    expect([indices, indices.buffer.byteLength]).to.deep.equal([ticks.indices, 12]);
  });

  it('is refused with any one bit flipped, and never believed', () => {
    const whole = bytesOf(some);
    expect(reasonOf(whole)).to.equal('taken');
    for (let bit = 0; bit < whole.length * 8; bit += 3) {
      const bent = Buffer.from(whole);
      bent.writeUInt8(bent.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(reasonOf(bent), `bit ${bit}`).to.be.oneOf(['corrupt', 'format']);
      expect(decodeCheckpoint(bent, IDENTITY)).to.have.property('verdicts').that.deep.equals([]);
    }
  });

  it('is refused cut off at any byte, and with anything behind it', () => {
    const whole = bytesOf(some);
    for (let length = 0; length < whole.length; length++) expect(reasonOf(whole.subarray(0, length)), `${length} bytes`).to.equal('corrupt');
    check(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 64 }), (more) => {
        expect(reasonOf(Buffer.concat([whole, more]))).to.equal('corrupt');
      }),
      100,
    );
  });

  it('is refused by bytes that are none', () => {
    check(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(reasonOf(Buffer.from(bytes))).to.equal('corrupt');
      }),
      200,
    );
  });

  it('is refused where it is of another version, chain, configuration or code, and says which', () => {
    const newer = bytesOf(some);
    newer.writeUInt32LE(2, 8);
    expect(reasonOf(newer)).to.equal('format');
    expect(reasonOf(bytesOf(some, { ...IDENTITY, chainId: 2 }))).to.equal('other-chain');
    expect(reasonOf(bytesOf(some, { ...IDENTITY, configuration: 'others' }))).to.equal('other-configuration');
    expect(reasonOf(bytesOf(some, { ...IDENTITY, code: 'other' }))).to.equal('other-code');
  });

  it('is gone on from where first blocks are later than it was told, as of contracts that are not there yet, and not where one is earlier', () => {
    const of = (...firstBlocks: readonly number[]): CheckpointIdentity => ({ ...IDENTITY, firstBlocks });
    for (const now of [of(7, 9), of(7, 10), of(8, 9)]) expect(reasonOf(bytesOf(some, of(7, 9)), now)).to.equal('taken');
    for (const now of [of(6, 9), of(7, 8), of(8, 0)]) expect(reasonOf(bytesOf(some, of(7, 9)), now)).to.equal('other-configuration');
  });

  it('says what was found against tokens also where other code is not to go on from the rest, and nothing of another chain', () => {
    const told = (identity: CheckpointIdentity) => decodeCheckpoint(bytesOf(some, identity), IDENTITY).verdicts;
    expect(told({ ...IDENTITY, code: 'other' })).to.deep.equal([VERDICT]);
    expect(told({ ...IDENTITY, configuration: 'others' })).to.deep.equal([VERDICT]);
    expect(told({ ...IDENTITY, chainId: 2 })).to.deep.equal([]);
  });
});
