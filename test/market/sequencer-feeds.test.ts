import { expect } from 'chai';
import { encodeAbiParameters, parseAbiParameters } from 'viem';
import type { PriceFeed } from '../../src/chains/chains.ts';
import { judgeRound, readFeeds } from '../../src/market/read-feeds.ts';
import { asAddress } from '../../src/units/units.ts';
import type { ChainAnswer, PinnedReader } from '../../src/venues/venues.ts';

const NOW = 1_800_000_000;
const [FEED, OTHER_FEED, SEQUENCER] = [asAddress(`0x${'1'.repeat(40)}`), asAddress(`0x${'2'.repeat(40)}`), asAddress(`0x${'3'.repeat(40)}`)];
const ROUND = parseAbiParameters('uint80, int256, uint256, uint256, uint80');

type Told = { readonly answer: bigint; readonly startedAt?: number; readonly updatedAt: number };

/** A chain whose feeds say what they are told to; null: the contract reverts. */
function chainOf(told: ReadonlyMap<string, Told | null>): { readonly read: PinnedReader; readonly asked: string[] } {
  const asked: string[] = [];
  const read: PinnedReader = async (calls) =>
    calls.map(({ to, data }): ChainAnswer => {
      const round = told.get(to) ?? null;
      if (round === null) return null;
      if (data === '0x313ce567') return encodeAbiParameters(parseAbiParameters('uint8'), [8]);
      asked.push(to);
      const { answer, updatedAt, startedAt = updatedAt } = round;
      return encodeAbiParameters(ROUND, [7n, answer, BigInt(startedAt), BigInt(updatedAt), 7n]);
    });
  return { read, asked };
}

const priceFeed = (feed: string, sequencer?: string): PriceFeed => ({
  token: asAddress(`0x${'a'.repeat(40)}`),
  feed: asAddress(feed),
  maximumAgeSeconds: 7200,
  minimumUsd: 50,
  maximumUsd: 500_000,
  ...(sequencer === undefined ? {} : { sequencer: asAddress(sequencer) }),
});

async function verdictOf(sequencer: Told | null, pricedAt: number): Promise<string> {
  const { read } = chainOf(
    new Map<string, Told | null>([
      [FEED, { answer: 2500n * 10n ** 8n, updatedAt: pricedAt }],
      [SEQUENCER, sequencer],
    ]),
  );
  const [reading] = await readFeeds([priceFeed(FEED, SEQUENCER)], read);
  if (reading === undefined) throw new Error('no reading');
  return judgeRound(reading, NOW).kind;
}

describe('price feeds of a rollup, by what is said of its sequencer', () => {
  for (const [title, sequencer, pricedAt, verdict] of [
    ['it works, and has for long', { answer: 0n, startedAt: NOW - 1_000_000, updatedAt: NOW - 1_000_000 }, NOW - 60, 'used'],
    ['it stands still', { answer: 1n, startedAt: NOW - 30, updatedAt: NOW - 30 }, NOW - 60, 'refused'],
    ['it works again, and the price is of before', { answer: 0n, startedAt: NOW - 30, updatedAt: NOW - 30 }, NOW - 60, 'refused'],
    ['it works again, and the price is of after', { answer: 0n, startedAt: NOW - 30, updatedAt: NOW - 30 }, NOW - 20, 'used'],
    ['it works again since the second of the price', { answer: 0n, startedAt: NOW - 30, updatedAt: NOW - 30 }, NOW - 30, 'used'],
    ['it works, and the price is too old', { answer: 0n, startedAt: NOW - 1_000_000, updatedAt: NOW - 1_000_000 }, NOW - 7201, 'stale'],
    ['nobody ever wrote to its feed', { answer: 0n, startedAt: 0, updatedAt: 0 }, NOW - 60, 'refused'],
    ['its feed says what it should not', { answer: 2n, startedAt: NOW - 1_000_000, updatedAt: NOW - 1_000_000 }, NOW - 60, 'refused'],
    ['its feed reverts', null, NOW - 60, 'refused'],
  ] as const) {
    it(`${title}: ${verdict}`, async () => expect(await verdictOf(sequencer, pricedAt)).to.equal(verdict));
  }

  it('ask one feed about the sequencer once, however many go by it, and leave those alone that name none', async () => {
    const down = { answer: 1n, startedAt: NOW - 30, updatedAt: NOW - 30 };
    const price = { answer: 2500n * 10n ** 8n, updatedAt: NOW - 60 };
    const { read, asked } = chainOf(new Map([...[FEED, OTHER_FEED].map((feed) => [feed, price] as const), [SEQUENCER, down] as const]));
    const readings = await readFeeds([priceFeed(FEED, SEQUENCER), priceFeed(OTHER_FEED, SEQUENCER), priceFeed(OTHER_FEED)], read);
    expect(asked).to.have.members([FEED, OTHER_FEED, SEQUENCER]);
    expect(readings.map((reading) => judgeRound(reading, NOW).kind)).to.deep.equal(['refused', 'refused', 'used']);
  });
});
