import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { PoolBook } from '../../src/indexing/pool-book.ts';
import { createBlockInterpreter } from '../../src/indexing/read-block.ts';
import { asAddress, type EpochSeconds } from '../../src/units/units.ts';
import { type ChainLog, type DiscoveredPool, type IndexerVenues, loadIndexerVenues, PoolRefused, type VenueDeployment } from '../../src/venues/venues.ts';
import { check } from '../support/property.ts';
import type { VenueSample } from './venue-sample.ts';

const FACTORY = asAddress(`0x${'fa'.repeat(20)}`);
const CHAIN = { chainId: 1, wrappedNative: asAddress(`0x${'ee'.repeat(20)}`) };
const SAMPLES = new URL('./samples/', import.meta.url);
/** More than any log of a venue has. */
const MOST_WORDS = 12;
const RUNS = 100;
const names = readdirSync(SAMPLES).map((file) => file.replace(/\.ts$/, ''));

type Venue = { readonly name: string; readonly track: Track; readonly sample: VenueSample<unknown> };
type Track = NonNullable<ReturnType<IndexerVenues['get']>>['track'];

const hex = (bytes: number) => fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((array) => Buffer.from(array).toString('hex'));
/** As contracts write them: addresses, small numbers and flags, and whatever fits. */
const word = fc.oneof(
  hex(20).map((address) => address.padStart(64, '0')),
  fc.nat(20_000).map((number) => number.toString(16).padStart(64, '0')),
  hex(32),
  fc.constantFrom('0'.repeat(64), 'f'.repeat(64)),
);
const topic = word.map((text): `0x${string}` => `0x${text}`);
/** Nothing, whole words, and words of which the last is cut. */
const data = fc
  .tuple(fc.array(word, { maxLength: MOST_WORDS }), fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(31)))
  .map(([words, cut]): `0x${string}` => `0x${words.join('').slice(0, Math.max(0, words.length * 64 - 2 * cut))}`);

/** Logs under one of the topics, with too few topics, the right ones or too many, and data of any shape. */
function logsOf(topics: readonly `0x${string}`[], emitter: fc.Arbitrary<ChainLog['address']>): fc.Arbitrary<ChainLog> {
  return fc
    .tuple(fc.constantFrom(...topics), fc.array(topic, { maxLength: 3 }), data, emitter, fc.nat(1000))
    .map(([first, more, content, address, logIndex]) => ({
      address,
      topics: [first, ...more],
      data: content,
      blockHash: `0x${'02'.repeat(32)}`,
      blockNumber: 2,
      logIndex,
    }));
}

describe('logs of any shape under the topics that a venue follows', () => {
  const tracked: Venue[] = [];
  before(async () => {
    const venues = await loadIndexerVenues();
    for (const name of names) {
      const track = venues.get(name)?.track;
      // Some venues have no pools of the chain.
      if (track === undefined) continue;
      const module: { readonly sample: VenueSample<unknown> } = await import(new URL(`${name}.ts`, SAMPLES).href);
      tracked.push({ name, track, sample: module.sample });
    }
    expect(tracked.map(({ name }) => name).sort()).to.deep.equal([...venues.keys()].sort());
  });

  it('never end a block, whoever emits them', async () => {
    const venues = await loadIndexerVenues();
    for (const { name, track } of tracked) {
      const deployment: VenueDeployment = { venue: name, family: name, factory: FACTORY, fromBlock: 0 };
      const interpreter = createBlockInterpreter(venues, [deployment], CHAIN);
      const emitter = fc.oneof(
        { weight: 3, arbitrary: fc.constant(FACTORY) },
        hex(20).map((text) => asAddress(`0x${text}`)),
      );
      check(
        fc.property(fc.array(logsOf([...track.discoveryTopics, ...track.stateTopics], emitter), { minLength: 1, maxLength: 8 }), (logs) => {
          interpreter.read(new PoolBook(headerAt(1), 8), headerAt(2), logs);
          for (const log of logs) interpreter.discover(log);
        }),
        RUNS,
      );
    }
  });

  it('make of a routed pool a state that can be checked, or have it read again', () => {
    for (const { name, track, sample } of tracked) {
      const variants = new Set<unknown>();
      check(
        fc.property(sample.states, logsOf(track.stateTopics, fc.constant(FACTORY)), (sampled, log) => {
          const state = asFollowed(sampled);
          const applied = track.apply(poolOf(name, state, sample.tokenCount ?? 2), state, log);
          variants.add(applied.kind);
          expect(applied.kind, name).to.be.oneOf(['state', 'reload', 'ignored']);
          if (applied.kind === 'state' && applied.state !== null) checkOrRefuse(track, applied.state);
        }),
        RUNS,
      );
      expect([...variants], name).to.include('reload');
    }
  });
});

/** A state as the indexer has it: with the gross liquidity of each tick, where it has ticks. */
function asFollowed(state: unknown): unknown {
  if (typeof state !== 'object' || state === null) return state;
  if ('pool' in state) return { ...state, pool: asFollowed(state.pool) };
  if (!('ticks' in state)) return state;
  const { liquidityNet } = state.ticks as { readonly liquidityNet: readonly bigint[] };
  return { ...state, liquidityGross: liquidityNet.map((net) => (net < 0n ? -net : net)) };
}

function poolOf(name: string, state: unknown, slots: number): DiscoveredPool {
  return {
    key: FACTORY,
    address: FACTORY,
    hook: null,
    protocol: name,
    source: name,
    tokens: Array.from({ length: slots }, (_, at) => asAddress(`0x${(at + 1).toString(16).padStart(40, '0')}`)),
    traits: { feePpm: 3000, fee: 3000, tickSpacing: 60, native: 0, variant: String((state as { readonly variant?: unknown }).variant ?? '') },
  };
}

function checkOrRefuse(track: Track, state: unknown): void {
  try {
    track.check(state);
  } catch (error) {
    // The pool is absent then; anything else would end the block.
    if (!(error instanceof PoolRefused)) throw error;
  }
}

function headerAt(number: number) {
  const hash = (of: number): `0x${string}` => `0x${of.toString(16).padStart(64, '0')}`;
  return { number, hash: hash(number), parentHash: hash(number - 1), timestamp: number as EpochSeconds, baseFeePerGas: null, logsBloom: '0x' as const };
}
