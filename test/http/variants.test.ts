import { expect } from 'chai';
import { takePool } from '../../src/pool-set/pool-entry.ts';
import { asAddress } from '../../src/units/units.ts';
import { expectQuote } from './support/checks.ts';
import { type Edge, startEdge } from './support/edge.ts';
import { type RealSolving, realSolving, USDC, WETH } from './support/real-solving.ts';

const HOOK = asAddress('0x00000000000000000000000000000000000000aa');
const PLAIN = 'uniswap_v2';
const OTHER = 'sushiswap_v2';
const FIRST = 'uniswap_v2:first';
const SECOND = 'uniswap_v2:second';
const ALL = [OTHER, PLAIN, FIRST, SECOND];
const DOLLARS = 2_000_000n * 10n ** 6n;

// No venue that is built has variants yet, so the test gives two pools of a family a hook, as an indexer of hooked pools will.
describe('family and variant labels', () => {
  let real: RealSolving;
  let edge: Edge;

  before(async () => {
    real = await realSolving(({ entries, set, venues, writer, block }) => {
      const [known] = entries.values();
      if (known === undefined) throw new Error('the set has no pools');
      for (const [index, source] of [FIRST, SECOND].entries()) {
        const taken = takePool(
          { ...known.entry, id: `0x${(0xf0 + index).toString(16).padStart(40, '0')}` },
          '$',
          venues,
          (token) => set.tokens.get(token)?.decimals ?? null,
        );
        if (!taken.ok) throw new Error(taken.message);
        writer.setPool({ ...taken.facts, source, hook: HOOK });
      }
      writer.publish({ ...block, number: block.number + 1 });
    });
    const { solving } = real;
    edge = await startEdge({ chains: [real.hosted], solve: (job, caller) => solving.solve(job, caller) });
  });
  after(async () => {
    await edge.close();
    await real.solving.close();
  });

  /** The labels that a large trade of the pair is split over. */
  async function used(lists: Readonly<Record<string, string>>): Promise<readonly string[]> {
    const query = new URLSearchParams({ chainId: '1', mode: 'sell', sellToken: USDC, buyToken: WETH, sellAmount: String(DOLLARS), maxHops: '1', ...lists });
    const { route } = await expectQuote(await fetch(`${edge.url}/v1/quote?${query}`, { headers: { 'x-api-key': edge.key(1000) } }));
    for (const { source, protocol, hook } of route) {
      expect(protocol).to.equal(source.split(':')[0]);
      expect(hook?.toLowerCase() ?? null).to.equal(source === protocol ? null : HOOK);
    }
    return [...new Set(route.map(({ source }) => source))].sort();
  }

  it('without a list all are routable, and each hop shows its family, its variant and its hook (S20)', async () => {
    expect(await used({})).to.deep.equal(ALL);
  });

  for (const [title, lists, expected] of [
    ['Excluding the family excludes the variants', { excludeVenues: PLAIN }, [OTHER]],
    ['Excluding only a variant leaves the plain family routable', { excludeVenues: FIRST }, [OTHER, PLAIN, SECOND]],
    ['Including the family admits its variants', { includeVenues: PLAIN }, [PLAIN, FIRST, SECOND]],
    ['Including only a variant admits neither the plain family nor another variant', { includeVenues: SECOND }, [SECOND]],
    ['A label in other letters is the same', { includeVenues: 'Uniswap_V2:FIRST' }, [FIRST]],
    ['A beginning of a label is not its family', { excludeVenues: 'uniswap,uniswap_v2:,uniswap_v2:fir' }, ALL],
  ] as const) {
    it(title, async () => expect(await used(lists)).to.deep.equal(expected));
  }
});
