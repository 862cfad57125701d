import { expect } from 'chai';
import { createFirming, createSigners, nameUnknownContract } from '../../src/firming/firming.ts';
import { asAddress, type EpochSeconds } from '../../src/units/units.ts';
import { type FirmUpFacet, loadFirmUpVenues, type OutsideSource } from '../../src/venues/venues.ts';

const PLACE = asAddress(`0x${'12'.repeat(20)}`);
const sourceOf = (name: string): OutsideSource => ({ name, origin: `https://${name}.example`, contract: PLACE, signer: PLACE });
const listedOf = (name: string) => ({ name, origin: `https://${name}.example`, contract: PLACE, staker: null, signer: null });

describe('who signs on a chain', () => {
  it('are those of configuration, and those who are listed now: whoever leaves is nobody to ask, from then on', () => {
    const signers = createSigners(
      new Map([
        [1, [{ venue: 'stall', sources: [sourceOf('harbour')], listed: { makers: [listedOf('quay')] } }]],
        [2, [{ venue: 'stall', sources: [], listed: { makers: [listedOf('quay')] } }]],
      ]),
    );
    const seen: (() => readonly string[])[] = [];
    const facet: FirmUpFacet = {
      signs: 'order',
      open(chain) {
        seen.push(() => chain.sources.map(({ name }) => name));
        return async () => ({ ok: false, reason: 'unfit' });
      },
    };
    const allowed: (readonly string[])[] = [];
    createFirming({
      venues: new Map([['stall', facet]]),
      chains: [1, 2].map((chainId) => ({ chainId, outside: signers.of(chainId), head: () => null })),
      read: async () => null,
      onPause: () => undefined,
      onFirmed: () => undefined,
      wallClock: () => 0 as EpochSeconds,
      ask(some) {
        allowed.push(some.map(({ name, origin }) => `${name} ${origin}`));
        return async () => ({ ok: false, reason: 'unreachable' });
      },
    });
    const now = () => seen.map((names) => names().join());
    expect(now()).to.deep.equal(['harbour', '']);
    expect(allowed).to.deep.equal([['harbour https://harbour.example', 'quay https://quay.example'], ['quay https://quay.example']]);
    signers.listed(1, 'stall', [sourceOf('quay')]);
    expect(now()).to.deep.equal(['harbour,quay', '']);
    signers.listed(2, 'stall', [sourceOf('quay')]);
    signers.listed(1, 'other', [sourceOf('booth')]);
    signers.listed(3, 'stall', [sourceOf('booth')]);
    expect(now()).to.deep.equal(['harbour,quay', 'quay']);
    signers.listed(1, 'stall', []);
    expect(now()).to.deep.equal(['harbour', 'quay']);
  });

  it('are refused where they attest for a hook that their venue routes nothing through: the message names the field, and the hooks that are known', async () => {
    const venues = await loadFirmUpVenues();
    const hook = asAddress('0x0000000aa232009084bd71a5797d089aa4edfad4');
    const said = (chainId: number, contract = PLACE) =>
      nameUnknownContract(
        [
          { chainId: 1, attesters: [{ venue: 'uniswap_v4', contract: hook }] },
          { chainId, attesters: [{ venue: 'uniswap_v4', contract }] },
        ],
        venues,
      );
    expect(said(1)).to.equal(
      `chains.1.attesters.0.hook is ${PLACE}, through which uniswap_v4 routes nothing: nobody would ever ask this attester (on that chain it knows ${hook})`,
    );
    expect(said(10, hook)).to.equal(
      `chains.1.attesters.0.hook is ${hook}, through which uniswap_v4 routes nothing: nobody would ever ask this attester (it knows none on that chain)`,
    );
    expect(said(1, hook)).to.equal(null);
    // Contracts of others are for the configuration to say.
    expect(nameUnknownContract([{ chainId: 1, attesters: [{ venue: 'airswap', contract: PLACE }] }], venues)).to.equal(null);
  });
});
