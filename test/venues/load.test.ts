import { expect } from 'chai';
import { assertLabelOwners } from '../../src/venues/label-owners.ts';
import { labelKindsOf, loadIndexerVenues, loadSolverVenues, loadVenueFacets, type VenueFacet } from '../../src/venues/venues.ts';

const FOLDERS = new URL('../fixtures/venue-folders/', import.meta.url);

describe('loading venues', () => {
  it('finds the venues of the project in the order of their names', async () => {
    const names = ['uniswap_v2', 'uniswap_v3'];
    expect([...(await loadVenueFacets()).keys()]).to.include.members(names);
    expect([...(await loadSolverVenues()).keys()]).to.include.members(names);
    expect([...(await loadIndexerVenues()).keys()]).to.include.members(names);
    const found = [...(await loadVenueFacets()).keys()];
    expect(found).to.deep.equal([...found].sort());
  });

  it('takes a new folder without any other edit, and a folder without venue.ts for shared code', async () => {
    expect([...(await loadSolverVenues(new URL('good/', FOLDERS))).keys()]).to.deep.equal(['example']);
  });

  it('leaves a venue without track.ts out of the indexer', async () => {
    expect((await loadIndexerVenues(new URL('good/', FOLDERS))).size).to.equal(0);
    expect((await loadVenueFacets(new URL('good/', FOLDERS))).size).to.equal(1);
  });

  it('names the file and what it has to be when a facet is not one', async () => {
    expect(await refusal(loadVenueFacets(new URL('wrong-name/', FOLDERS)))).to.match(/other\/venue\.ts names itself example; it has to be the folder's name/);
    expect(await refusal(loadVenueFacets(new URL('no-export/', FOLDERS)))).to.match(/bare\/venue\.ts has to export `venue` with name, families/);
    expect(await refusal(loadSolverVenues(new URL('wrong-traits/', FOLDERS)))).to.match(/odd\/state\.ts exports traits, which has to be a function or absent/);
  });

  it('takes a venue whose pools no pool set knows, and refuses half a reader of pool sets', async () => {
    expect([...(await loadSolverVenues(new URL('no-pool-set/', FOLDERS))).values()].map(({ venue }) => venue)).to.deep.equal([
      { name: 'live', families: [{ family: 'live', feePpm: null }] },
    ]);
    expect(await refusal(loadSolverVenues(new URL('half-pool-set/', FOLDERS)))).to.match(/half has to have both poolSetKind .* and fromPoolSet/);
  });

  it('refuses two folders that claim one label for the same thing, whoever loads them', async () => {
    const pattern = /src\/venues\/first and src\/venues\/second both claim the label shared/;
    expect(await refusal(loadVenueFacets(new URL('claimed-label/', FOLDERS)))).to.match(pattern);
    expect(await refusal(loadSolverVenues(new URL('claimed-label/', FOLDERS)))).to.match(pattern);
  });

  it('lets two folders share a label whose pools a pool set tells apart by their kind', () => {
    const venueOf = (name: string, poolSetKind?: string): VenueFacet => ({
      name,
      families: [{ family: 'vault', feePpm: null }],
      ...(poolSetKind === undefined ? {} : { poolSetKind }),
    });
    expect(() => assertLabelOwners([venueOf('a', 'weighted'), venueOf('b', 'stable')])).not.to.throw();
    expect(() => assertLabelOwners([venueOf('a', 'weighted'), venueOf('b', 'weighted')])).to.throw('src/venues/a and src/venues/b both claim the label vault');
    expect(() => assertLabelOwners([venueOf('a', 'weighted'), venueOf('b')])).to.throw('both claim');
    expect(() => assertLabelOwners([venueOf('a'), venueOf('b', 'weighted')])).to.throw('both claim');
  });

  it('sorts labels by how they are priced and what they settle: a variant may differ from its family, and what settles real-world assets is that alone', () => {
    const venues: readonly VenueFacet[] = [
      { name: 'plain', families: [{ family: 'plain', feePpm: null }] },
      { name: 'hooks', families: [{ family: 'hooks', feePpm: null, variants: [{ variant: 'attested', pricing: 'off-chain-quote' }, { variant: 'passive' }] }] },
      { name: 'maker', families: [{ family: 'maker', feePpm: null, pricing: 'off-chain-quote', variants: [{ variant: 'on_chain', pricing: 'chain' }] }] },
      { name: 'desk', families: [{ family: 'desk', feePpm: null, pricing: 'off-chain-quote', settles: 'real-world' }] },
    ];
    expect(labelKindsOf(venues)).to.deep.equal({ offChain: ['hooks:attested', 'maker'], realWorld: ['desk'] });
  });
});

async function refusal(loading: Promise<unknown>): Promise<string> {
  return loading.then(
    () => 'it loaded',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}
