import { expect } from 'chai';
import { encodeFunctionData, type Hex, numberToHex, parseAbi } from 'viem';
import { compileSolidity } from '../../scripts/solidity.ts';
import { asAddress } from '../../src/units/units.ts';
import type { CurveState } from '../../src/venues/curve/curve-state.ts';
import { track } from '../../src/venues/curve/track.ts';
import type { DiscoveredPool } from '../../src/venues/venues.ts';
import { describeWithSharedData } from '../pool-set/shared-data.ts';
import { MOMENT } from '../support/moment.ts';
import { type OracleChain, startOracleChain } from '../support/oracle-chain.ts';
import { FULL_SCALE, SEED, type SeededRandom, seededRandom } from '../support/seeded-random.ts';
import { coinsOf, type RecordedPool, recordedPools, SUPPLY_SLOT } from './curve/recorded-pools.ts';
import { type BareChain, mintData, openBareChain, TOKEN } from './curve/tracked-pool.ts';

const SWAPS = FULL_SCALE ? 300 : 25;
const ME = '0x00000000000000000000000000000000000000aa';
const FACTORY = asAddress('0x00000000000000000000000000000000000000fa');
const POOL = parseAbi(['function exchange(int128 i, int128 j, uint256 dx, uint256 min_dy)']);
const DAY = 86_400n;

describeWithSharedData('following real pools of Curve', function define(this: Mocha.Suite) {
  this.timeout(FULL_SCALE ? 900_000 : 120_000);
  const random = seededRandom('tracking-curve');
  let oracle: OracleChain;
  let chain: BareChain;
  let tokenCode: Hex;
  let made: readonly Hex[];

  before(async () => {
    const { PlainToken } = await compileSolidity('contracts/devnet/oracle');
    if (PlainToken === undefined) throw new Error('PlainToken is not among the compiled contracts');
    tokenCode = PlainToken.deployedBytecode;
    oracle = await startOracleChain();
    chain = openBareChain(oracle.url);
    const coins: Hex[] = [];
    for (let coin = 0; coin < 3; coin++) coins.push(await oracle.deploy(PlainToken.abi, PlainToken.bytecode, []));
    made = coins;
  });
  after(async () => {
    await oracle?.stop();
  });

  for (const pool of recordedPools()) {
    it(`has the state of ${pool.name} after each of ${SWAPS} exchanges, out of their logs as out of its own answers`, async () => {
      const tracked = discovered(pool, coinsOf(pool) ?? made);
      await place(pool, tracked, stateOf(pool, null));
      let state = await load(tracked, (await chain.head()).number);
      expect(state, 'at first').to.deep.equal(withForm(stateOf(pool, null), state));
      for (let done = 0; done < SWAPS; done++) {
        const { block, logs } = await swap(tracked, state as CurveState, random);
        const next = logs.filter(({ address }) => address === pool.address).map((log) => track.apply(tracked, state, log));
        const read = await load(tracked, block);
        expect(next, `BRAID_SEED=${SEED} after exchange ${done}`).to.have.lengthOf(1);
        const [applied] = next;
        if (applied?.kind !== 'state' || applied.state === null) throw new Error(`exchange ${done} asks for a reading`);
        expect(withForm(applied.state, read), `BRAID_SEED=${SEED} after exchange ${done}`).to.deep.equal(read);
        state = read;
      }
    });

    it(`knows the ramp of ${pool.name} and asks for its state after an exchange in it`, async () => {
      const tracked = discovered(pool, coinsOf(pool) ?? made);
      const { timestamp } = await chain.head();
      const ramp = { unit: pool.unit, from: 5_000n, startsAt: timestamp - DAY, endsAt: timestamp + 3n * DAY };
      await place(pool, tracked, stateOf(pool, ramp));
      await chain.passTime(Number(DAY) / 2);
      const state = await load(tracked, (await chain.head()).number);
      expect(state).to.deep.equal(withForm(stateOf(pool, ramp), state));
      const { logs } = await swap(tracked, state as CurveState, random);
      const heard = logs.filter(({ address }) => address === pool.address);
      expect(heard.map((log) => track.apply(tracked, state, log))).to.deep.equal([{ kind: 'reload' }]);
    });

    it(`takes ${pool.name} for not routable where it computes by other rates than it says`, async () => {
      const tracked = discovered(pool, coinsOf(pool) ?? made);
      await place(pool, tracked, stateOf(pool, null));
      const lying = { ...tracked, traits: { ...tracked.traits, decimals: pool.decimals.map((places, slot) => (slot === 0 ? places - 1 : places)).join() } };
      // The new generation says its rates itself.
      if (pool.form === 'plain') expect(await load(lying, (await chain.head()).number)).to.equal(null);
      else expect(await load(lying, (await chain.head()).number)).to.not.equal(null);
    });
  }

  async function load(pool: DiscoveredPool, block: bigint): Promise<CurveState | null> {
    const [state] = await track.load([pool], chain.readAt(block), MOMENT);
    return state ?? null;
  }

  /** A pool with this state, which has what it says it has. */
  async function place(pool: RecordedPool, { tokens }: DiscoveredPool, state: CurveState): Promise<void> {
    await chain.write(pool.override(state, tokens, tokenCode));
    if (pool.form !== 'plain')
      await chain.write([
        { address: pool.address, stateDiff: [{ slot: numberToHex(SUPPLY_SLOT, { size: 32 }), value: numberToHex(3n * 10n ** 24n, { size: 32 }) }] },
      ]);
    for (const [slot, coin] of tokens.entries()) {
      const balance = BigInt(
        (await chain.readAt((await chain.head()).number)([{ to: coin, data: `0x70a08231${pool.address.slice(2).padStart(64, '0')}` }]))[0] ?? '0x0',
      );
      const wanted = state.balances[slot] ?? 0n;
      if (balance < wanted) await chain.send(ME, coin, mintData(pool.address, wanted - balance));
      else if (balance > wanted)
        await chain.send(
          ME,
          coin,
          encodeFunctionData({ abi: parseAbi(['function burn(address from, uint256 value)']), args: [pool.address, balance - wanted] }),
        );
      await chain.send(ME, coin, encodeFunctionData({ abi: TOKEN, functionName: 'approve', args: [pool.address, 1n << 255n] }));
    }
  }

  async function swap({ address, tokens }: DiscoveredPool, { balances }: CurveState, dice: SeededRandom): ReturnType<BareChain['send']> {
    const slotIn = dice.integer(0, tokens.length - 1);
    const slotOut = (slotIn + dice.integer(1, tokens.length - 1)) % tokens.length;
    const amount = (balances[slotIn] ?? 0n) / (4n + dice.logUniform(10_000n));
    await chain.send(ME, tokens[slotIn] as Hex, mintData(ME, amount));
    return chain.send(ME, address, encodeFunctionData({ abi: POOL, args: [BigInt(slotIn), BigInt(slotOut), amount, 0n] }));
  }
});

/** The two forms of the new generation can not be told apart where they give the same. */
function withForm(state: CurveState, other: CurveState | null): CurveState {
  return { ...state, form: state.form === 'plain' || other === null || other.form === 'plain' ? state.form : other.form };
}

function discovered({ address, decimals }: RecordedPool, coins: readonly Hex[]): DiscoveredPool {
  const key = asAddress(address);
  const traits = { factory: FACTORY, announcer: 'factory', decimals: decimals.join(), paysReceiver: 0 };
  return { key, address: key, hook: null, protocol: 'curve', source: 'curve', tokens: coins.map((coin) => asAddress(coin.toLowerCase())), traits };
}

/** Far off the peg, so that the forms of the new generation can be told apart. */
function stateOf({ form, decimals }: RecordedPool, ramp: CurveState['ramp']): CurveState {
  return {
    form,
    balances: decimals.map((places, slot) => BigInt(1 + slot * 40) * 10_000n * 10n ** BigInt(places) + 7n),
    scales: decimals.map((places) =>
      form === 'plain' ? { numerator: 10n ** BigInt(18 - places), denominator: 1n } : { numerator: 10n ** BigInt(36 - places), denominator: 10n ** 18n },
    ),
    amplification: 20_000n,
    ramp,
    fee: 4_000_000n,
    adminFee: 5_000_000_000n,
    offpegFeeMultiplier: form === 'plain' ? 0n : 20_000_000_000n,
  };
}
