import { expect } from 'chai';
import { encodeAbiParameters, type Hex, stringToHex } from 'viem';
import { LIMITS } from '../../src/config/limits.ts';
import type { Address } from '../../src/units/units.ts';
import { listing } from '../../src/venues/airswap/listing.ts';
import type { ChainAnswer, ChainCall, ListedSource, PinnedReader } from '../../src/venues/venues.ts';
import { addressOf } from '../indexing/made-up-singleton.ts';

const REGISTRY = addressOf(90);
const { entries: MOST, urlBytes: URL_BYTES } = LIMITS.outbound.registry;
const [STAKER, OTHER] = [addressOf(50), addressOf(51)];
const makerOf = (name: string, staker: Address | null = null): ListedSource => ({
  name,
  origin: `https://${name}.example`,
  contract: addressOf(40),
  staker,
  signer: null,
});

/** Of getStakersForProtocol, supportsProtocol and stakerServerURLs. */
const selectors = { stakers: '0x59b2145a', supports: '0xe41e9bb2', urls: '0xb6134342' } as const;

const list = (stakers: readonly Address[]): Hex => encodeAbiParameters([{ type: 'address[]' }], [stakers]);
const text = (said: string): Hex => encodeAbiParameters([{ type: 'bytes' }], [stringToHex(said)]);
const bool = (said: boolean): Hex => encodeAbiParameters([{ type: 'bool' }], [said]);

/** A registry of a test's making. As the reader of the service, answers are cut to what is asked for. */
function registryOf(stakers: readonly Address[], urlOf: (staker: Address) => ChainAnswer) {
  const asked: ChainCall[] = [];
  const read: PinnedReader = async (calls) =>
    calls.map((call) => {
      asked.push(call);
      const about = `0x${call.data.slice(34, 74)}` as Address;
      const answers: Readonly<Record<string, () => ChainAnswer>> = {
        [selectors.stakers]: () => list(stakers),
        [selectors.supports]: () => bool(stakers.includes(about)),
        [selectors.urls]: () => urlOf(about),
      };
      const answer = answers[call.data.slice(0, 10)]?.() ?? null;
      return answer === null ? null : (answer.slice(0, 2 + 2 * (call.answerBytes ?? 256)) as Hex);
    });
  return { read, asked };
}

describe('AirSwap’s registry as it is read', () => {
  it('lists whoever stakes for orders by request, at the path that they list, and counts what is not for us', async () => {
    const urls = new Map([
      [STAKER, 'https://stall.example/rfq'],
      [OTHER, 'https://elsewhere.example'],
      [addressOf(52), 'https://stall.example:1'],
      [addressOf(53), ''],
      [addressOf(54), `https://stall.example/${'x'.repeat(5_000)}`],
      [addressOf(55), '\u0000\u001b[31mhttps://stall.example'],
    ]);
    const { read, asked } = registryOf([...urls.keys()], (staker) => text(urls.get(staker) ?? ''));
    const found = await listing.read(REGISTRY, [{ ...makerOf('stall'), screens: true }, makerOf('booth')], read);
    expect(found).to.deep.equal({
      sources: [{ name: 'stall', origin: 'https://stall.example', path: '/rfq', contract: addressOf(40), signer: STAKER, screens: true }],
      entries: { served: 1, foreign: 2, malformed: 3, contested: 0, beyond: 0 },
      unread: [],
    });
    expect(asked.every(({ to }) => to === REGISTRY)).to.equal(true);
  });

  it('is read with the longest address that is asked, and not with a longer one', async () => {
    const [longest, longer] = [0, 1].map((more) => `https://stall.example/${'x'.repeat(URL_BYTES + more - 22)}`) as [string, string];
    const urls = new Map([
      [STAKER, longest],
      [OTHER, longer],
    ]);
    const { read } = registryOf([STAKER, OTHER], (staker) => text(urls.get(staker) ?? ''));
    const { sources, entries } = await listing.read(REGISTRY, [makerOf('stall')], read);
    expect(sources.map(({ path, signer }) => [path, signer])).to.deep.equal([[new URL(longest).pathname, STAKER]]);
    expect(entries).to.include({ served: 1, malformed: 1 });
  });

  it('is read so far and no further, however many stake, and whoever is named is read all the same', async () => {
    const crowd = Array.from({ length: 4 * MOST }, (_, at) => addressOf(1_000 + at));
    const last = crowd.at(-1) ?? STAKER;
    const { read, asked } = registryOf(crowd, (staker) => text(staker === last ? 'https://booth.example' : `https://${staker}.example`));
    const found = await listing.read(REGISTRY, [makerOf('stall'), makerOf('booth', last)], read);
    expect(found.sources.map(({ name, signer }) => [name, signer])).to.deep.equal([['booth', last]]);
    expect(found.entries).to.deep.equal({ served: 1, foreign: MOST, malformed: 0, contested: 0, beyond: 3 * MOST });
    expect(asked).to.have.length(2 + MOST + 1);
    expect(asked.every(({ answerBytes = 256 }) => answerBytes <= Math.max(64 + 32 * MOST, 64 + URL_BYTES))).to.equal(true);
    const named = registryOf(crowd, () => text('https://booth.example'));
    expect((await listing.read(REGISTRY, [makerOf('booth', last)], named.read)).sources).to.have.length(1);
    expect(named.asked, 'the list is not read where nobody is looked for').to.have.length(2);
  });

  it('does not list whom it names no more, or for another protocol', async () => {
    const { read } = registryOf([], () => text('https://stall.example'));
    expect((await listing.read(REGISTRY, [makerOf('stall'), makerOf('booth', STAKER)], read)).sources).to.deep.equal([]);
  });

  for (const [what, selector, said, unread] of [
    ['no contract: the list', selectors.stakers, '0x', ['stall']],
    ['a revert of the list', selectors.stakers, null, ['stall']],
    ['a list that is cut', selectors.stakers, list([STAKER, OTHER]).slice(0, -64), ['stall']],
    ['a list of what are no addresses', selectors.stakers, `${list([STAKER]).slice(0, -64)}${'f'.repeat(64)}`, ['stall']],
    ['a list that begins elsewhere', selectors.stakers, `0x${'f'.repeat(64)}${'0'.repeat(64)}`, ['stall']],
    ['a revert of a support', selectors.supports, null, ['booth']],
    ['two words of a support', selectors.supports, `${bool(true)}${bool(true).slice(2)}`, ['booth']],
  ] as const) {
    it(`says nothing of those of whom an answer is none, and all of the others: ${what}`, async () => {
      const urls = new Map([
        [STAKER, 'https://booth.example'],
        [OTHER, 'https://stall.example'],
      ]);
      const { read } = registryOf([...urls.keys()], (staker) => text(urls.get(staker) ?? ''));
      const spoilt: PinnedReader = async (calls) =>
        (await read(calls)).map((answer, at) => (calls[at]?.data.startsWith(selector) ? (said as ChainAnswer) : answer));
      const found = await listing.read(REGISTRY, [makerOf('stall'), makerOf('booth', STAKER)], spoilt);
      expect(found.unread).to.deep.equal(unread);
      expect(found.sources.map(({ name }) => name)).to.deep.equal(['stall', 'booth'].filter((name) => !unread.some((other) => other === name)));
    });
  }

  it('an address that can not be read, since it is too long for the gas that it gets, is of no account to others', async () => {
    const { read } = registryOf([STAKER, OTHER, addressOf(52)], (staker) =>
      staker === OTHER ? null : staker === STAKER ? text('https://stall.example') : '0x',
    );
    const found = await listing.read(REGISTRY, [makerOf('stall')], read);
    expect(found.sources.map(({ signer }) => signer)).to.deep.equal([STAKER]);
    expect(found).to.deep.include({ unread: [], entries: { served: 1, foreign: 0, malformed: 2, contested: 0, beyond: 0 } });
  });
});
