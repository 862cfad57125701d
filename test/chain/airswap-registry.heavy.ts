import { expect } from 'chai';
import { concatHex, type Hex, keccak256, numberToHex, padHex } from 'viem';
import { LIMITS } from '../../src/config/limits.ts';
import { createPinnedReader } from '../../src/indexing/multicall.ts';
import { createRpc, type Rpc } from '../../src/indexing/rpc/rpc.ts';
import type { Address } from '../../src/units/units.ts';
import { listing } from '../../src/venues/airswap/listing.ts';
import type { ListedSource, Listing } from '../../src/venues/venues.ts';
import { addressOf } from '../indexing/made-up-singleton.ts';
import { BY_REQUEST, deployMakerRegistry, LAST_LOOK, type MakerRegistry } from '../support/maker-registry.ts';
import { useGround } from '../support/settlement/ground.ts';
import { mint } from '../support/settlement/swaps.ts';

const { entries: MOST } = LIMITS.outbound.registry;
/** The slot of the contract's mapping of that. */
const STAKERS_BY_PROTOCOL = 2;
const ORIGIN = 'https://stall.example';

describe('AirSwap’s registry, as AirSwap compiled it', function suite() {
  this.timeout(300_000);
  const here = useGround();
  let registry: MakerRegistry;
  let rpc: Rpc;
  let stakers: readonly [Address, Address, Address];

  before(async () => {
    const { chain, accounts, tokens } = here.current();
    rpc = createRpc({ urls: [chain.url], chainId: 31_337, fetch, random: Math.random, onHead: () => undefined });
    stakers = [accounts.partner, accounts.stranger, accounts.victim];
    for (const staker of stakers) await mint(here.current(), tokens.a, staker, 1_000_000n);
    registry = await deployMakerRegistry(chain, accounts.deployer, tokens.a, stakers);
  });
  after(() => rpc?.close());

  const maker = (changes: Partial<ListedSource> = {}): ListedSource => ({
    ...{ name: 'stall', origin: ORIGIN, contract: addressOf(40), staker: null, signer: null },
    ...changes,
  });

  async function headHash(): Promise<Hex> {
    return ((await here.current().chain.rpc.request('eth_getBlockByNumber', 'latest', false)) as { readonly hash: Hex }).hash;
  }

  async function read(makers: readonly ListedSource[], hash?: Hex, address = registry.address): Promise<Listing> {
    return await listing.read(address, makers, createPinnedReader(rpc, hash ?? (await headHash())));
  }
  const served = ({ sources }: Listing) => sources.map(({ name, path, signer }) => `${name} ${path} ${signer}`);

  it('lists a maker from when it speaks the protocol and names its address, at the block that is read, until it leaves', async () => {
    const [one] = stakers;
    const before = await headHash();
    expect(await read([maker()])).to.deep.equal({ sources: [], entries: { served: 0, foreign: 0, malformed: 0, contested: 0, beyond: 0 }, unread: [] });
    await registry.list(one, ORIGIN, [LAST_LOOK]);
    expect(served(await read([maker()]))).to.deep.equal([]);
    expect(served(await read([maker({ staker: one })]))).to.deep.equal([]);
    await registry.setProtocols(one, 'addProtocols', [BY_REQUEST]);
    for (const staker of [null, one]) expect(served(await read([maker({ staker })]))).to.deep.equal([`stall / ${one}`]);
    expect(served(await read([maker({ staker: addressOf(77) })]))).to.deep.equal([]);
    await registry.setUrl(one, `${ORIGIN}/v2?key=1`);
    expect(served(await read([maker({ signer: addressOf(78) })]))).to.deep.equal([`stall /v2?key=1 ${addressOf(78)}`]);
    const listed = await headHash();
    await registry.setProtocols(one, 'removeProtocols', [BY_REQUEST]);
    expect(served(await read([maker(), maker({ name: 'named', staker: one })]))).to.deep.equal([]);
    await registry.unlist(one);
    expect(served(await read([maker(), maker({ name: 'named', staker: one })]))).to.deep.equal([]);
    expect([served(await read([maker()], before)), served(await read([maker()], listed))], 'by the block that is read').to.deep.equal([
      [],
      [`stall /v2?key=1 ${one}`],
    ]);
  });

  it('whatever others write into it, who is named stays listed, and nobody is listed elsewhere', async () => {
    const { chain } = here.current();
    const [one, two, three] = stakers;
    await chain.apart(async () => {
      await registry.list(one, `${ORIGIN}/mine`);
      await registry.list(two, 'https://canary.example/?https://stall.example');
      // More than a call may cost to be read.
      await registry.list(three, `${ORIGIN}/${'x'.repeat(20_000)}`);
      expect(await read([maker()])).to.deep.include({ entries: { served: 1, foreign: 1, malformed: 1, contested: 0, beyond: 0 }, unread: [] });
      await registry.setUrl(two, `${ORIGIN}/theirs`);
      const contested = await read([maker(), maker({ name: 'named', staker: one })]);
      expect(served(contested)).to.deep.equal([`named /mine ${one}`]);
      expect(contested.entries).to.deep.include({ served: 1, contested: 1 });
    });
  });

  it('a crowd of stakers is read as far as it goes; where it is too large to be read at all, that is known of nobody but those whose staker is not named', async () => {
    const { chain } = here.current();
    const [one] = stakers;
    await chain.apart(async () => {
      await registry.list(one, ORIGIN);
      // The contract's own sets, written by the node: the number of stakers for the protocol, and who they are.
      const length = BigInt(keccak256(concatHex([padHex(BY_REQUEST, { dir: 'right' }), numberToHex(STAKERS_BY_PROTOCOL, { size: 32 })])));
      const slots = { length, first: BigInt(keccak256(numberToHex(length, { size: 32 }))) };
      await crowd(slots, 200);
      const many = await read([maker()]);
      expect([served(many), many.entries.beyond]).to.deep.equal([[`stall / ${one}`], 201 - MOST]);
      await crowd(slots, 2_000);
      const tooMany = await read([maker({ origin: 'https://other.example' }), maker({ name: 'named', staker: one })]);
      expect([tooMany.unread, served(tooMany)]).to.deep.equal([['stall'], [`named / ${one}`]]);
    });

    async function crowd({ length, first }: { readonly length: bigint; readonly first: bigint }, count: number): Promise<void> {
      const word = (value: bigint): Hex => numberToHex(value, { size: 32 });
      const set = (slot: bigint, value: bigint) => ({ method: 'anvil_setStorageAt', params: [registry.address, word(slot), word(value)] });
      await chain.rpc.batch([set(length, BigInt(count + 1)), ...Array.from({ length: count }, (_, at) => set(first + BigInt(at + 1), 0x10_000n + BigInt(at)))]);
      await chain.rpc.request('evm_mine');
    }
  });

  it('where there is no registry, nothing is said of anybody', async () => {
    const nowhere = await read([maker(), maker({ name: 'named', staker: stakers[0] })], undefined, addressOf(99));
    expect(nowhere).to.deep.include({ sources: [], unread: ['stall', 'named'] });
  });
});
