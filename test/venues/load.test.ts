import { expect } from 'chai';
import { loadIndexerVenues, loadSolverVenues, loadVenueFacets } from '../../src/venues/venues.ts';

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
    expect(await refusal(loadVenueFacets(new URL('no-export/', FOLDERS)))).to.match(/bare\/venue\.ts has to export `venue` with name, poolSetKind, families/);
    expect(await refusal(loadSolverVenues(new URL('wrong-traits/', FOLDERS)))).to.match(/odd\/state\.ts exports traits, which has to be a function or absent/);
  });
});

async function refusal(loading: Promise<unknown>): Promise<string> {
  return loading.then(
    () => 'it loaded',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}
